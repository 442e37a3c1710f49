import type { WalletBalances } from '../../activities/accounts/reads.ts'
import type { StatementEntry } from '../../activities/accounts/statement.ts'
import { BOUNDARY } from '../../activities/chain/templates.ts'
import { assetView } from '../../activities/chain/unsigned-transactions.ts'
import type { gasGrantView } from '../../domain/accounts/gas-grant.ts'
import { spendableRaw } from '../../domain/chain/account-position.ts'
import { faucetCommand } from '../../domain/common/faucet.ts'
import { iso } from '../../domain/common/instants.ts'
import { amount, amounts } from '../../domain/common/money.ts'
import { type Place, placeView } from '../../domain/strategies/places.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'

const FRAMING = 'The account contract keeps this balance under your own address; work pays into it and only you can take it out.'

/** What a balance allows, in sentences. */
export const CAN_DO = [
  'Lock the bond of a claim: stake and fee move from liquid to jobStakeLocked and come back with an approval.',
  'Withdraw the liquid balance to your own address at any time.',
]

const statementRow =
  (decimals: number) =>
  ({ amountRaw, protocolFeeRaw, at, ...entry }: StatementEntry) => ({
    ...entry,
    amount: amount({ raw: amountRaw, decimals }),
    occurredAt: iso(at),
    receipt: { status: 1 as const, protocolFee: amount({ raw: protocolFeeRaw, decimals }) },
  })

/** Where the wallet gets native gas. */
export const gasSource = ({ local, faucetUrl, nativeSymbol, name }: ChainFile, wallet: string): string => {
  if (local) return `On this local chain: ${faucetCommand(wallet, { gas: true })}`
  return faucetUrl === undefined ? `Hold ${nativeSymbol} on ${name}.` : `Faucet: ${faucetUrl}`
}

/** How to withdraw: the owner sends the transaction; the service only builds it. */
const withdrawalView = (chain: ChainFile, account: string, wallet: string, grant: ReturnType<typeof gasGrantView>) => ({
  statement: 'Call withdraw on the account contract from your own wallet; it pays only its caller.',
  http: { method: 'POST', path: '/account/withdraw/transactions' },
  contract: {
    name: 'AgentAccountCore',
    address: account,
    method: 'withdraw(address,uint256)',
    args: { asset: chain.asset.address.toLowerCase() },
  },
  gas: {
    asset: { symbol: chain.nativeSymbol, decimals: chain.nativeDecimals },
    statement: `The withdrawal is paid for in ${chain.nativeSymbol} by your wallet.`,
    acquisition: gasSource(chain, wallet),
    gasless: false,
    firstWithdrawalGrant: grant,
  },
  paymentRelay: false,
})

interface PositionFacts {
  sheet: WalletBalances
  statement: readonly StatementEntry[]
  grant: ReturnType<typeof gasGrantView>
  encumberedRaw: bigint
  places: readonly Place[]
}

/** Body of `GET /account/position`: the contract's own record, at one block, with the way to check it. */
export const positionView = (chain: ChainFile, wallet: string, { sheet, statement, grant, encumberedRaw, places }: PositionFacts) => {
  const { decimals } = chain.asset
  const { position, block } = sheet
  const account = chain.contracts.agentAccount.address.toLowerCase()
  return {
    schemaVersion: 1 as const,
    available: true as const,
    framing: FRAMING,
    ...amounts(position, decimals),
    account: {
      owner: wallet,
      asset: assetView(chain.asset),
      ...amounts(
        {
          available: spendableRaw(position, encumberedRaw),
          chainLiquid: position.liquid,
          lockedDepositEncumbered: encumberedRaw,
          stakedOnOpenWork: position.jobStakeLocked,
        },
        decimals,
      ),
      statement: statement.map(statementRow(decimals)),
    },
    places: places.map((place) => placeView(place, decimals)),
    ownershipProof: {
      statement: 'Every caller can read this record from the contract, without the service.',
      chainId: chain.chainId,
      contract: 'AgentAccountCore',
      address: account,
      method: 'positions(address,address)',
      args: { account: wallet, asset: chain.asset.address.toLowerCase() },
      field: 'liquid',
      blockNumber: block.number.toString(),
    },
    withdrawal: withdrawalView(chain, account, wallet, grant),
    whatYourBalanceCanDo: CAN_DO,
    boundary: BOUNDARY,
  }
}
