import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { BlockPoint } from '../../domain/chain/pages.ts'
import { poolEventsOf, type SavingsLog } from '../../domain/pool/events.ts'
import { foldPoolEvents, NO_VESTING, type PoolEvent, type VestingState } from '../../domain/pool/vesting.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { VestingUnreadReason } from '../../schemas/pool/record.ts'
import { readCursor } from '../chain/follower/cursor.ts'
import type { BlockRef } from '../chain/node/answers.ts'
import type { Rows } from '../database/database.ts'

/** Vesting of a wallet at a block, or why the recorded events do not tell it. */
export type RecordedVesting = { state: VestingState; reason: null } | { state: null; reason: VestingUnreadReason }

/** Why the follower does not have every event up to a block; null if it has. */
const missingAt = async (rows: Rows, chainId: number, block: BlockPoint): Promise<VestingUnreadReason | null> => {
  const cursor = await readCursor(rows, chainId)
  if (cursor === null || cursor.number < block.number) return 'chain_events_behind'
  if (cursor.number === block.number && cursor.hash !== block.hash) return 'chain_events_behind'
  return cursor.gapBlock !== null && cursor.gapBlock <= block.number ? 'chain_events_incomplete' : null
}

const listLogs = async (
  rows: Rows,
  chainId: number,
  address: string,
  upTo: bigint,
  condition: RawBuilder<SqlBool>,
): Promise<SavingsLog[]> => {
  const found = await rows
    .selectFrom('chain_event')
    .select(['contract', 'event', 'args', 'blockNumber', 'logIndex', 'blockTime', 'txHash'])
    .where('chainId', '=', chainId)
    .where('address', '=', address.toLowerCase())
    .where('removedAt', 'is', null)
    .where('blockNumber', '<=', upTo)
    .where(condition)
    .execute()
  return found.map((row) => ({ ...row, blockNumber: BigInt(row.blockNumber) }))
}

/** Recorded deposits, withdrawals and loans of a wallet (lower case) up to a block. */
const listSavingsLogs = async (rows: Rows, { chainId, contracts }: ChainFile, wallet: string, upTo: bigint): Promise<SavingsLog[]> => {
  const { depositPool, creditPool } = contracts
  const isOwn = sql<SqlBool>`contract = 'pool' and args->>'owner' = ${wallet}`
  const isLoan = sql<SqlBool>`contract = 'credit' and args->>'borrower' = ${wallet}`
  const isClosing = sql<SqlBool>`contract = 'credit' and event = 'LoanClosed' and args->>'loanId' in (
    select args->>'loanId' from chain_event where chain_id = ${chainId} and contract = 'credit' and args->>'borrower' = ${wallet})`
  const logs = await Promise.all([
    depositPool ? listLogs(rows, chainId, depositPool.address, upTo, isOwn) : [],
    ...(creditPool ? [isLoan, isClosing].map((condition) => listLogs(rows, chainId, creditPool.address, upTo, condition)) : []),
  ])
  return logs.flat()
}

/** Events of a wallet at a block, in the order of the chain, or why not all are recorded. */
export type RecordedEvents = { events: PoolEvent[]; reason: null } | { events: null; reason: VestingUnreadReason }

/** Events of a wallet (lower case) up to a block. The cursor is read first: later records only add to it. */
export const readPoolEvents = async (rows: Rows, chain: ChainFile, wallet: string, block: BlockPoint): Promise<RecordedEvents> => {
  const reason = await missingAt(rows, chain.chainId, block)
  if (reason !== null) return { events: null, reason }
  const events = poolEventsOf(wallet, await listSavingsLogs(rows, chain, wallet, block.number))
  return {
    events: events.sort((left, right) => Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex),
    reason: null,
  }
}

/** Vesting of a wallet (lower case) by the recorded events up to a block. */
export const readVesting = async (rows: Rows, chain: ChainFile, wallet: string, block: BlockRef): Promise<RecordedVesting> => {
  const { events, reason } = await readPoolEvents(rows, chain, wallet, block)
  return events === null ? { state: null, reason } : { state: foldPoolEvents(NO_VESTING, events, block.time), reason }
}
