import type { Hex } from 'viem'
import { planApproval } from '../../activities/chain/approval.ts'
import type { BlockRef } from '../../activities/chain/node/answers.ts'
import { BOUNDARY, type BuiltTemplates, broadcastBy, expectedView } from '../../activities/chain/templates.ts'
import type { PoolFigures, PoolWalletFigures } from '../../activities/pool/reads.ts'
import type { RecordedVesting } from '../../activities/pool/records.ts'
import { iso } from '../../domain/common/instants.ts'
import { amount } from '../../domain/common/money.ts'
import { type ExposureLimits, vestedCapacity } from '../../domain/eligibility/exposure.ts'
import type { PoolWithdrawal, ShareQuote } from '../../domain/pool/quotes.ts'
import { convertToAssets } from '../../domain/pool/shares.ts'
import { vestingAt } from '../../domain/pool/vesting.ts'
import {
  depositPreview,
  poolFiguresView,
  poolWalletView,
  unreadVestingView,
  VESTING_RULE,
  vestingView,
  withdrawalPreview,
} from '../../domain/pool/view.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'

/** A chain file with a deposit pool. */
export interface PoolChain {
  chain: ChainFile
  pool: NonNullable<ChainFile['contracts']['depositPool']>
}

const INPUT = 'base units, as digits'
const DISCLOSURE =
  'This is a technical pilot. Principal is at risk: a loss of the pool lowers the value of every share. No depositor protection applies.'
const CAPITAL_SIGNAL =
  'Principal that stays in the pool vests over 48 hours. Vested principal raises the cap of open exposure and the ceiling of external rewards. It never changes the catalogue allowance or the daily budget.'
const WITHDRAWAL_NOTE =
  'Available shares are redeemed at once while the pool holds enough tokens. Otherwise requestRedeem on the contract pays after a notice of 7 or 30 days.'
const NOT_EARNING = 'The pool has placed nothing at a venue; it earns nothing now.'
const EARNING = 'A part of the pool is placed at its venue. Earnings count when they are back in the pool.'

const POOL_BOUNDARY = { custody: 'depositor_wallet_only', platformBrokersFunds: false, ...BOUNDARY } as const

const headView = ({ chain, pool }: PoolChain) => ({
  schemaVersion: 1 as const,
  available: true as const,
  pool: pool.address.toLowerCase(),
  chainId: chain.chainId,
  asset: { symbol: chain.asset.symbol, address: chain.asset.address.toLowerCase(), decimals: chain.asset.decimals },
})

/** The wallet's vesting at the block. */
const vestingOf = (own: PoolWalletFigures, recorded: RecordedVesting, block: BlockRef, decimals: number) => {
  if (recorded.state === null) return { vestedRaw: 0n, view: unreadVestingView(recorded.reason, block.time) }
  const vesting = vestingAt(recorded.state, convertToAssets(own, own.balanceRaw), block.time)
  return { vestedRaw: vesting.vestedRaw, view: vestingView(vesting, decimals) }
}

/** The wallet's vesting at the block, and the limits that it raises; without a readable history nothing counts as vested. */
const vestedView = (own: PoolWalletFigures, recorded: RecordedVesting, block: BlockRef, limits: ExposureLimits) => {
  const { decimals } = limits.asset
  const shown = (raw: bigint) => amount({ raw, decimals })
  const { vestedRaw, view } = vestingOf(own, recorded, block, decimals)
  const capacity = vestedCapacity(vestedRaw, limits, 0n)
  return {
    vestedAssets: shown(capacity.vestedRaw),
    vesting: view,
    openExposureRaise: shown(capacity.openExposureRaiseRaw),
    openExposureCap: shown(capacity.openExposureCapRaw),
    externalRewardCeiling: shown(capacity.externalRewardCeilingRaw),
  }
}

/** One wallet in `GET /pool`. */
export interface PoolWalletAnswer {
  address: Hex
  figures: PoolWalletFigures
  recorded: RecordedVesting
  limits: ExposureLimits
}

const walletView = ({ address, figures, recorded, limits }: PoolWalletAnswer, block: BlockRef) => ({
  address,
  ...poolWalletView(figures, limits.asset.decimals),
  allowanceToPool: amount({ raw: figures.allowanceRaw, decimals: limits.asset.decimals }),
  ...vestedView(figures, recorded, block, limits),
})

/** Body of `GET /pool`. */
export const poolView = (on: PoolChain, block: BlockRef, figures: PoolFigures, wallet: PoolWalletAnswer | null) => {
  const { symbol, decimals } = on.chain.asset
  const isEarning = figures.placedRaw > 0n
  return {
    ...headView(on),
    units: { asset: { symbol, decimals, input: INPUT }, shares: { symbol: on.pool.shareSymbol, decimals, input: INPUT } },
    block: { number: block.number.toString(), hash: block.hash, timestamp: block.time / 1000, timestampIso: iso(block.time) },
    ...poolFiguresView(figures, decimals),
    yieldStatus: isEarning ? ('earning' as const) : ('not_yet_earning' as const),
    yieldStatusText: isEarning ? EARNING : NOT_EARNING,
    disclosure: { statement: DISCLOSURE },
    capitalSignal: { statement: CAPITAL_SIGNAL, vesting: VESTING_RULE, catalogueEffect: 'none' as const },
    withdrawal: { status: 'open' as const, note: WITHDRAWAL_NOTE },
    broadcast: broadcastBy(on.chain, wallet?.address ?? null),
    boundary: POOL_BOUNDARY,
    ...(wallet !== null && { wallet: walletView(wallet, block) }),
  }
}

/** Unsigned transactions of the pool with the reading that they were built on. */
export interface BuiltForPool extends PoolChain {
  wallet: Hex
  block: BlockRef
  figures: PoolWalletFigures
  quote: ShareQuote
  built: BuiltTemplates
}

const transactionsHead = (answer: BuiltForPool, spentRaw: bigint) => {
  const { chain, wallet, block, figures } = answer
  const shown = (raw: bigint) => amount({ raw, decimals: chain.asset.decimals })
  const { required, reason, afterRaw } = planApproval({ amountRaw: spentRaw, allowanceRaw: figures.allowanceRaw })
  return {
    ...headView(answer),
    wallet,
    block: { number: block.number.toString(), hash: block.hash },
    approval: { required, reason, allowanceBefore: shown(figures.allowanceRaw), allowanceAfter: shown(afterRaw) },
  }
}

const transactionsTail = ({ chain, wallet, block, built }: BuiltForPool, notes: readonly string[]) => ({
  templates: built.templates,
  ...expectedView(built, block),
  instructions: [
    `Sign and send each template from ${wallet}.`,
    ...(built.templates.length > 1 ? ['Wait until the approval is mined, then estimate and send the deposit.'] : []),
    ...notes,
    'Compare the balances afterwards with `expected`.',
  ],
  broadcast: broadcastBy(chain, wallet),
  boundary: POOL_BOUNDARY,
})

/** Body of `POST /pool/transactions` for a deposit. */
export const poolDepositView = (answer: BuiltForPool) => ({
  ...transactionsHead(answer, answer.quote.assetsRaw),
  direction: 'deposit' as const,
  preview: depositPreview(answer.figures, answer.quote, answer.chain.asset.decimals, answer.block.number),
  ...transactionsTail(answer, ['The number of shares follows the price when the deposit is mined; the contract takes no minimum.']),
})

/** Body of `POST /pool/transactions` for a withdrawal. */
export const poolWithdrawalView = (answer: BuiltForPool, requested: PoolWithdrawal) => ({
  ...transactionsHead(answer, 0n),
  direction: 'withdraw' as const,
  preview: withdrawalPreview(answer.figures, requested, answer.quote, answer.chain.asset.decimals, answer.block.number),
  ...transactionsTail(answer, [
    'The shares are fixed. A loss of the pool before execution lowers what they pay; the contract takes no minimum.',
  ]),
})
