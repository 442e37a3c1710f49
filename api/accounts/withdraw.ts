import type { Hex } from 'viem'
import type { PlaceReads } from '../../activities/accounts/places.ts'
import type { AccountReads, WithdrawFacts } from '../../activities/accounts/reads.ts'
import { withdrawSteps } from '../../activities/accounts/templates.ts'
import { readNativeGas } from '../../activities/chain/native-gas.ts'
import { accountBalances, walletTokens } from '../../activities/chain/simulation.ts'
import { type BuiltTemplates, buildTemplates } from '../../activities/chain/templates.ts'
import { assetView, transactionsView } from '../../activities/chain/unsigned-transactions.ts'
import { liveLocks } from '../../activities/locked-deposits/records.ts'
import {
  quoteWithdrawal,
  totalGasUnits,
  type WithdrawalQuote,
  type WithdrawalRequest,
  withdrawalGas,
} from '../../domain/accounts/withdrawal.ts'
import { amount, amounts } from '../../domain/common/money.ts'
import { pick } from '../../domain/common/pick.ts'
import { type Lock, sumOf } from '../../domain/locked-deposits/lock.ts'
import { LOCK_PATHS } from '../../domain/locked-deposits/tiers.ts'
import { type Place, placeView } from '../../domain/strategies/places.ts'
import { WITHDRAWAL_REFUSALS, type WithdrawalRefusal } from '../../schemas/accounts/record.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import type { ApiDeps } from '../deps.ts'
import { createWorkerReader } from '../reputation/standing.ts'
import type { GasGrants } from './gas-grant.ts'
import { CAN_DO, gasSource } from './position.ts'

const remedies = (reason: WithdrawalRefusal, elsewhere: readonly Place[]): NextAction[] => {
  const path = '/account/withdraw/transactions'
  if (reason === 'destination_refused')
    return [{ kind: 'http', method: 'POST', path, description: 'Name a wallet as the destination, or none.' }]
  const read = 'Read what is available, and withdraw at most that.'
  return [
    { kind: 'http', method: 'GET', path: '/account/position', description: read },
    ...elsewhere
      .filter(({ place }) => reason !== 'locked_deposit_encumbered' || place === 'locked_deposit')
      .flatMap((one) => one.nextActions),
  ]
}

/** The withdrawal that a request names. Throws `invalid_request` with the reason, its amounts, and where the rest of the money is. */
const planWithdrawal = async (
  chain: ChainFile,
  request: WithdrawalRequest,
  { position }: WithdrawFacts,
  locks: readonly Lock[],
  readPlaces: () => Promise<Place[]>,
): Promise<WithdrawalQuote> => {
  const { asset, contracts } = chain
  const { agentAccount, policy, registry, reputation, escrow, depositPool, creditPool, xcm } = contracts
  const own = [
    asset,
    agentAccount,
    policy,
    registry,
    reputation,
    ...escrow.generations,
    depositPool,
    creditPool,
    xcm?.wrapper,
    xcm?.adapter,
  ]
  const sinks = own.flatMap((contract) => (contract === undefined ? [] : [contract.address.toLowerCase()]))
  const { quote, refusal } = quoteWithdrawal(request, { position, encumberedRaw: sumOf(locks), sinks })
  if (quote !== null) return quote
  const { reason } = refusal
  const places = reason === 'destination_refused' ? [] : await readPlaces()
  const elsewhere = places.filter(({ place }) => place !== 'available' && place !== 'wallet')
  throw new ServiceError('invalid_request', {
    reason,
    detail: WITHDRAWAL_REFUSALS[reason],
    details: {
      ...amounts(refusal.amounts, asset.decimals),
      ...(reason === 'locked_deposit_encumbered' && { earlyExit: { path: LOCK_PATHS.earlyExit } }),
      ...(elsewhere.length > 0 && { elsewhere: elsewhere.map((place) => pick(placeView(place, asset.decimals), 'place', 'id', 'amount')) }),
    },
    nextActions: remedies(reason, elsewhere),
  })
}

/** What the wallet needs to send the templates, and whether it has it. */
const gasView = (chain: ChainFile, wallet: Hex, { native, block }: Pick<WithdrawFacts, 'native' | 'block'>, built: BuiltTemplates) => {
  const asset = { symbol: chain.nativeSymbol, decimals: chain.nativeDecimals }
  const used = built.simulation.status === 'simulated' ? built.simulation.gasUsed : []
  const estimates = built.templates.map(({ gasEstimate }) => (gasEstimate.status === 'estimated' ? BigInt(gasEstimate.gas) : null))
  const units = totalGasUnits(estimates, used)
  if (native === null || units === null)
    return { status: 'unavailable' as const, reason: native === null ? ('fee_unreadable' as const) : ('gas_unknown' as const), asset }
  const { estimatedFeeRaw, sufficient } = withdrawalGas(units, native)
  return {
    status: 'measured' as const,
    source: 'eth_estimateGas and eth_simulateV1',
    quoteBlockNumber: block.number.toString(),
    asset,
    gasUnits: units.toString(),
    ...amounts({ maxFeePerGas: native.feePerGasRaw, estimatedFee: estimatedFeeRaw, walletBalance: native.balanceRaw }, asset.decimals),
    sufficient,
    statement: sufficient
      ? `The wallet holds enough ${asset.symbol} to send the templates.`
      : `The wallet holds too little ${asset.symbol} to send the templates.`,
    acquisition: gasSource(chain, wallet),
  }
}

const instructions = (wallet: Hex, { destination, transfers }: WithdrawalQuote, isContract: boolean): string[] => [
  `Sign and send each template from ${wallet}; the account contract pays this wallet.`,
  ...(transfers ? [`Wait until the withdrawal is mined, then send the transfer to ${destination}.`] : []),
  ...(isContract ? ['The destination is a contract: tokens that it cannot send on are lost.'] : []),
  'Compare the balances afterwards with `expected`.',
]

/** What `POST /account/withdraw/transactions` reads with. */
interface WithdrawDeps extends ApiDeps {
  accountReads: AccountReads
  readPlaces: PlaceReads
  gasGrants: GasGrants
}

/** Builds bodies of `POST /account/withdraw/transactions`; `grantRequestId` is null for a request that asks for no gas grant. */
export const createWithdrawals = (deps: WithdrawDeps) => {
  const { chain, clients, database, clock, accountReads, readPlaces, gasGrants } = deps
  const readWorker = createWorkerReader(deps)
  const { decimals } = chain.asset
  return async (request: WithdrawalRequest & { wallet: Hex; destination: Hex | null }, grantRequestId: string | null) => {
    const { wallet } = request
    const facts = await accountReads.withdrawFacts(wallet, request.destination ?? wallet)
    const { position, block, isContract } = facts
    const locks = await liveLocks(database.rows, wallet, clock.now())
    const quote = await planWithdrawal(chain, request, facts, locks, () => readPlaces(wallet, facts, locks))
    const { amountRaw, destination } = quote
    const holders = [...new Set([wallet, destination as Hex])].map((holder) => walletTokens(chain, holder))
    const watched = [...holders, ...accountBalances(chain, wallet)]
    const [built, { standing }] = await Promise.all([
      buildTemplates(clients, wallet, { steps: withdrawSteps(chain, quote), watched }, block),
      readWorker(wallet),
    ])
    const gasGrant = await gasGrants.decide({ wallet, amountRaw, destination, liquidRaw: position.liquid, requestId: grantRequestId })
    // A grant that was asked for may have arrived since the block was read.
    const native = grantRequestId === null ? facts.native : await readNativeGas(clients, chain, wallet)
    const account = {
      chainLiquid: position.liquid,
      debtOutstanding: position.debtOutstanding,
      lockedDepositEncumbered: sumOf(locks),
      available: quote.availableBeforeRaw,
      availableAfter: quote.availableAfterRaw,
    }
    return {
      ...(await transactionsView(deps, wallet, block, built, instructions(wallet, quote, isContract))),
      chainId: chain.chainId,
      asset: assetView(chain.asset),
      account: amounts(account, decimals),
      withdrawal: {
        amount: amount({ raw: amountRaw, decimals }),
        destination,
        destinationIsContract: isContract,
        firstLandingAddress: quote.firstLandingAddress,
      },
      firstWithdrawalGasGrant: gasGrant,
      standing,
      gas: gasView(chain, wallet, { native, block }, built),
      whatYourBalanceCanDo: CAN_DO,
    }
  }
}
