import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { BlockPoint } from '../../domain/chain/pages.ts'
import { formatCheckpoint, parseCheckpoint } from '../../domain/pool/checkpoint.ts'
import { poolEventsOf, type SavingsLog } from '../../domain/pool/events.ts'
import { foldPoolEvents, NO_VESTING, type PoolEvent, type VestingState } from '../../domain/pool/vesting.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { VestingCheckpoint, VestingUnreadReason } from '../../schemas/pool/record.ts'
import type { BlockRef } from '../chain/node/answers.ts'
import type { Rows } from '../database/database.ts'

/** Vesting of a wallet at a block, or why the recorded events do not tell it. */
export type RecordedVesting = { state: VestingState; reason: null } | { state: null; reason: VestingUnreadReason }

/** A wallet's stored state, and its later events in the order of the chain; or why not all are recorded. */
export type RecordedEvents =
  | { stored: VestingState; events: PoolEvent[]; reason: null }
  | { stored: null; events: null; reason: VestingUnreadReason }

interface RecordedCursor {
  number: string
  hash: string
  gap: string | null
}

/** Why the follower does not have every event up to a block; null if it has. */
const missingAt = (cursor: RecordedCursor | null, block: BlockPoint): VestingUnreadReason | null => {
  if (cursor === null || BigInt(cursor.number) < block.number) return 'chain_events_behind'
  if (BigInt(cursor.number) === block.number && cursor.hash !== block.hash) return 'chain_events_behind'
  return cursor.gap !== null && BigInt(cursor.gap) <= block.number ? 'chain_events_incomplete' : null
}

/** Address of the deposit pool, lower case; empty without one. */
const poolOf = ({ depositPool }: ChainFile['contracts']): string => depositPool?.address.toLowerCase() ?? ''

/** A recorded log, the checkpoint of the wallet, or the cursor of the follower. */
interface Found {
  cursor: RecordedCursor | null
  checkpoint: VestingCheckpoint | null
  log: (Omit<SavingsLog, 'blockNumber'> & { blockNumber: string }) | null
}

/**
 * The checkpoint of a wallet (lower case), its recorded deposits, withdrawals and loans after it up to a block, and the follower's cursor. One
 * statement, so that all are of the same moment. Of the loans before the checkpoint only the open ones can still close.
 */
const findLogs = async (
  rows: Rows,
  { chainId, contracts }: ChainFile,
  wallet: string,
  upTo: bigint,
  fromStart = false,
): Promise<Found[]> => {
  const pool = poolOf(contracts)
  const credit = contracts.creditPool?.address.toLowerCase() ?? ''
  const isLater = sql`(block_number, log_index) > ((select block from start), (select log from start)) and block_number <= ${upTo}`
  const found = await sql<Found>`
    with stored as (
      select up_to_block, up_to_log, state from vesting_checkpoint
      where chain_id = ${chainId} and pool = ${pool} and wallet = ${wallet} and up_to_block <= ${upTo}
        and not ${fromStart}::boolean
    ), start as (
      select coalesce(max(up_to_block), -1) as block, coalesce(max(up_to_log), -1) as log from stored
    ), own as (
      select * from chain_event
      where chain_id = ${chainId} and contract = 'pool' and address = ${pool} and args->>'owner' = ${wallet} and removed_at is null and ${isLater}
    ), borrowed as (
      select * from chain_event
      where chain_id = ${chainId} and contract = 'credit' and address = ${credit} and args->>'borrower' = ${wallet} and removed_at is null
        and ${isLater}
    ), loan as (
      select args->>'loanId' as id from borrowed
      union
      select jsonb_array_elements(state->'openLoans')->>'loanId' from stored
    ), closing as (
      select chain_event.* from loan join chain_event on contract = 'credit' and args->>'loanId' = loan.id
      where chain_id = ${chainId} and address = ${credit} and event = 'LoanClosed' and removed_at is null and ${isLater}
    ), later as (
      select * from own union all select * from borrowed union all select * from closing
    )
    select state as checkpoint, null::jsonb as log, null::jsonb as cursor from stored
    union all
    select null::jsonb, null::jsonb, jsonb_build_object('number', block_number::text, 'hash', block_hash, 'gap', gap_block::text)
    from chain_cursor where chain_id = ${chainId}
    union all
    select null::jsonb, jsonb_build_object('contract', contract, 'event', event, 'args', args, 'blockNumber', block_number::text, 'logIndex', log_index,
      'blockTime', (extract(epoch from block_time) * 1000)::bigint, 'txHash', tx_hash), null::jsonb
    from later`.execute(rows)
  return found.rows
}

const inOrder = (left: PoolEvent, right: PoolEvent): number =>
  Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex

const eventsOfLogs = (wallet: string, found: readonly Found[]): PoolEvent[] => {
  const logs = found.flatMap(({ log }) => (log === null ? [] : [{ ...log, blockNumber: BigInt(log.blockNumber) }]))
  return poolEventsOf(wallet, logs).sort(inOrder)
}

/** All recorded events of a wallet (lower case) up to a block, whatever its checkpoint is. */
export const listPoolEvents = async (rows: Rows, chain: ChainFile, wallet: string, upTo: bigint): Promise<PoolEvent[]> =>
  eventsOfLogs(wallet, await findLogs(rows, chain, wallet, upTo, true))

/** What is recorded of a wallet (lower case) up to a block. */
export const readPoolEvents = async (rows: Rows, chain: ChainFile, wallet: string, block: BlockPoint): Promise<RecordedEvents> => {
  const found = await findLogs(rows, chain, wallet, block.number)
  const reason = missingAt(found.find(({ cursor }) => cursor !== null)?.cursor ?? null, block)
  if (reason !== null) return { stored: null, events: null, reason }
  const checkpoint = found.find((one) => one.checkpoint !== null)?.checkpoint
  return {
    stored: checkpoint ? parseCheckpoint(checkpoint) : NO_VESTING,
    events: eventsOfLogs(wallet, found),
    reason: null,
  }
}

/** Vesting of a wallet (lower case) by the recorded events up to a block. */
export const readVesting = async (rows: Rows, chain: ChainFile, wallet: string, block: BlockRef): Promise<RecordedVesting> => {
  const { stored, events, reason } = await readPoolEvents(rows, chain, wallet, block)
  return stored === null ? { state: null, reason } : { state: foldPoolEvents(stored, events, block.time), reason: null }
}

/** Longest wait for the follower, ms, and the pause between two looks. It reads a remote chain every two seconds. */
const RECORDS_MS = 2_500
const LOOK_MS = 50

/** The same, once the follower has recorded the block; for a block that it does not record in time, why the events do not tell it. */
export const awaitVesting = async (rows: Rows, chain: ChainFile, wallet: string, block: BlockRef): Promise<RecordedVesting> => {
  const end = performance.now() + RECORDS_MS
  for (;;) {
    const read = await readVesting(rows, chain, wallet, block)
    if (read.reason !== 'chain_events_behind' || performance.now() > end) return read
    await sleep(LOOK_MS)
  }
}

/** Stores the vesting of a wallet after the last counted log, in a transaction that holds the follower's cursor. */
export const storeCheckpoint = async (
  rows: Rows,
  { chainId, contracts }: ChainFile,
  wallet: string,
  state: VestingState,
): Promise<void> => {
  if (state.upTo === null) return
  const { blockNumber, logIndex } = state.upTo
  const place = { upToBlock: blockNumber, upToLog: logIndex, state: formatCheckpoint(state) }
  await rows
    .insertInto('vesting_checkpoint')
    .values({ chainId, pool: poolOf(contracts), wallet, ...place })
    .onConflict((conflict) => conflict.columns(['chainId', 'pool', 'wallet']).doUpdateSet(place))
    .execute()
}
