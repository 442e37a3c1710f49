import type { Address, Hex } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { creditPoolAbi } from '../../../activities/chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../../../activities/chain/abi/deposit-pool.ts'
import { testUsdcAbi } from '../../../activities/chain/abi/test-usdc.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import type { ChainView } from '../chain.ts'
import type { SavingsEvent } from './vesting.ts'

export type SavingsChain = ReturnType<typeof createSavingsChain>

/** Order of the amounts that `positions` of the account contract returns. */
const POSITIONS = ['liquid', 'reserved', 'strategyAllocated', 'collateralLocked', 'jobStakeLocked', 'debtOutstanding']

type Log = { blockNumber: bigint; logIndex: number }
const inChainOrder = (left: Log, right: Log): number => Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex

/** Reads savings directly from the contracts and their logs. */
export const createSavingsChain = (chainFile: ChainFile, { client }: ChainView) => {
  const { depositPool, creditPool, agentAccount } = chainFile.contracts
  if (depositPool === undefined || creditPool === undefined) throw new Error('the chain file names no deposit pool or no credit pool')
  const asset = chainFile.asset.address
  const pool = { address: depositPool.address, abi: depositPoolAbi } as const
  const credit = { address: creditPool.address, abi: creditPoolAbi } as const

  const accountBalance = async (member: string, holder: Address, blockNumber: bigint): Promise<bigint> => {
    const index = POSITIONS.indexOf(member)
    if (index < 0) throw new Error(`the account contract has no ${member}`)
    const account = { address: agentAccount.address, abi: agentAccountCoreAbi } as const
    const position = await client.readContract({ ...account, functionName: 'positions', args: [holder, asset], blockNumber })
    return position[index as 0]
  }

  const sharesOf = (holder: Address, blockNumber: bigint) =>
    client.readContract({ ...pool, functionName: 'balanceOf', args: [holder], blockNumber })
  const pledgedOf = (holder: Address, blockNumber: bigint) =>
    client.readContract({ ...pool, functionName: 'pledgedShares', args: [holder], blockNumber })
  const debtOf = (holder: Address, blockNumber: bigint) =>
    client.readContract({ ...credit, functionName: 'outstandingDebt', args: [holder], blockNumber })
  const tokensOf = (holder: Address, blockNumber: bigint) =>
    client.readContract({ address: asset, abi: testUsdcAbi, functionName: 'balanceOf', args: [holder], blockNumber })

  /** Logs of both pools about a wallet up to a block, in the order of the chain. */
  const logsOf = async (wallet: Address, toBlock: bigint) => {
    const range = { fromBlock: 0n, toBlock } as const
    const [deposits, withdrawals, opened] = await Promise.all([
      client.getContractEvents({ ...pool, ...range, eventName: 'Deposit', args: { owner: wallet }, strict: true }),
      client.getContractEvents({ ...pool, ...range, eventName: 'Withdraw', args: { owner: wallet }, strict: true }),
      client.getContractEvents({ ...credit, ...range, eventName: 'LoanOriginated', args: { borrower: wallet }, strict: true }),
    ])
    const loanIds = opened.map(({ args }) => args.loanId)
    const closed = await client.getContractEvents({ ...credit, ...range, eventName: 'LoanClosed', strict: true })
    const ownClosed = closed.filter(({ args }) => loanIds.includes(args.loanId))
    return [...deposits, ...withdrawals, ...opened, ...ownClosed].sort(inChainOrder)
  }

  return {
    /** One balance as `expected` of an answer names it, at a block. */
    balance: (kind: string, holder: Address, blockNumber: bigint): Promise<bigint> => {
      if (kind === 'wallet') return tokensOf(holder, blockNumber)
      if (kind === 'pool.shares') return sharesOf(holder, blockNumber)
      if (kind === 'pool.pledged') return pledgedOf(holder, blockNumber)
      if (kind === 'credit.debt') return debtOf(holder, blockNumber)
      if (kind === 'credit.shares') return client.readContract({ ...credit, functionName: 'balanceOf', args: [holder], blockNumber })
      return accountBalance(kind.replace(/^account\./, ''), holder, blockNumber)
    },

    /** Amounts of the deposit pool about a wallet, at a block. */
    poolPosition: async (wallet: Address, blockNumber: bigint) => {
      const [tokensRaw, sharesRaw, assetsRaw, totalAssetsRaw] = await Promise.all([
        tokensOf(wallet, blockNumber),
        sharesOf(wallet, blockNumber),
        client.readContract({ ...pool, functionName: 'assetsOf', args: [wallet], blockNumber }),
        client.readContract({ ...pool, functionName: 'totalAssets', blockNumber }),
      ])
      return { tokensRaw, sharesRaw, assetsRaw, totalAssetsRaw }
    },

    /** Amounts of the credit pool, and of a wallet in it, at a block. */
    creditPosition: async (wallet: Address, blockNumber: bigint) => {
      const [pledgedRaw, debtRaw, ltvBps, principalRaw, bufferRaw] = await Promise.all([
        pledgedOf(wallet, blockNumber),
        debtOf(wallet, blockNumber),
        client.readContract({ ...credit, functionName: 'ltvBps', blockNumber }),
        client.readContract({ ...credit, functionName: 'principalOutstanding', blockNumber }),
        client.readContract({ ...credit, functionName: 'bufferAssets', blockNumber }),
      ])
      const pledgedValueRaw = await client.readContract({ ...pool, functionName: 'convertToAssets', args: [pledgedRaw], blockNumber })
      return { pledgedRaw, pledgedValueRaw, debtRaw, ltvBps, principalRaw, bufferRaw }
    },

    /** Events of a wallet up to a block, with the times of their blocks. */
    events: async (wallet: Address, toBlock: bigint): Promise<SavingsEvent[]> =>
      Promise.all(
        (await logsOf(wallet, toBlock)).map(async (log): Promise<SavingsEvent> => {
          const { timestamp } = await client.getBlock({ blockNumber: log.blockNumber })
          const at = Number(timestamp)
          if (log.eventName === 'LoanOriginated' || log.eventName === 'LoanClosed')
            return { at, kind: log.eventName === 'LoanClosed' ? 'loan_closed' : 'loan_originated', loanId: log.args.loanId }
          const { assets: assetsRaw, shares: sharesRaw } = log.args
          return { at, kind: log.eventName === 'Deposit' ? 'deposit' : 'withdraw', assetsRaw, sharesRaw }
        }),
      ),

    /** Native coin that a wallet received in the block of a transaction that it did not send. */
    receivedIn: async (hash: Hex, wallet: Address): Promise<bigint> => {
      const { blockNumber } = await client.getTransactionReceipt({ hash })
      const [before, after] = await Promise.all([
        client.getBalance({ address: wallet, blockNumber: blockNumber - 1n }),
        client.getBalance({ address: wallet, blockNumber }),
      ])
      return after - before
    },

    blockOf: async (hash: Hex): Promise<bigint> => (await client.getTransactionReceipt({ hash })).blockNumber,
    timeOf: async (blockNumber: bigint): Promise<number> => Number((await client.getBlock({ blockNumber })).timestamp),
  }
}
