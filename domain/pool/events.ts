import type { ChainLogRecord } from '../chain/log.ts'
import type { PoolEvent } from './vesting.ts'

/** A recorded log; `contract` is `pool` for the deposit pool and `credit` for the credit pool. */
export type SavingsLog = Pick<ChainLogRecord, 'event' | 'args' | 'blockNumber' | 'logIndex' | 'blockTime' | 'txHash'> & { contract: string }

type Change = Partial<Record<string, (log: SavingsLog, wallet: string) => PoolEvent[]>>

const placeOf = ({ blockNumber, logIndex, blockTime }: SavingsLog) => ({ blockNumber, logIndex, at: blockTime })
const exchangedIn = ({ args }: SavingsLog) => ({ assetsRaw: BigInt(String(args.assets)), sharesRaw: BigInt(String(args.shares)) })
const loanOf = ({ args }: SavingsLog): string => String(args.loanId)

/** Logs that change the vesting of a wallet. The credit pool names its lenders' deposits and withdrawals alike; they change nothing here. */
const CHANGES: Partial<Record<string, Change>> = {
  pool: {
    Deposit: (log, wallet) =>
      log.args.owner === wallet ? [{ ...placeOf(log), kind: 'deposit', ...exchangedIn(log), txHash: log.txHash }] : [],
    Withdraw: (log, wallet) => (log.args.owner === wallet ? [{ ...placeOf(log), kind: 'withdraw', ...exchangedIn(log) }] : []),
  },
  credit: {
    LoanOriginated: (log, wallet) =>
      log.args.borrower === wallet ? [{ ...placeOf(log), kind: 'loan_originated', loanId: loanOf(log) }] : [],
    // It names no borrower; the closing of another wallet's loan changes nothing.
    LoanClosed: (log) => [{ ...placeOf(log), kind: 'loan_closed', loanId: loanOf(log) }],
  },
}

/** Events of a wallet (lower case) among recorded logs of both pools. A deposit or withdrawal belongs to the owner of the shares, not to the caller. */
export const poolEventsOf = (wallet: string, logs: readonly SavingsLog[]): PoolEvent[] =>
  logs.flatMap((log) => CHANGES[log.contract]?.[log.event]?.(log, wallet) ?? [])
