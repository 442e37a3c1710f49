import { sql } from 'kysely'
import type { BlockPoint } from '../../../domain/chain/pages.ts'
import type { Rows } from '../../database/database.ts'

/** Number of stored marks. After a reorganisation below the oldest mark, the follower reads everything again. */
const MAX_MARKS = 1_024

export interface FollowerCursor extends BlockPoint {
  headNumber: bigint
  /** Lowest block whose recorded events are known to be incomplete; null when there is none. */
  gapBlock: bigint | null
}

/** Cursor of a chain's follower; null before its first step. */
export const readCursor = async (rows: Rows, chainId: number): Promise<FollowerCursor | null> => {
  const row = await rows.selectFrom('chain_cursor').selectAll().where('chainId', '=', chainId).executeTakeFirst()
  if (row === undefined) return null
  const gapBlock = row.gapBlock === null ? null : BigInt(row.gapBlock)
  return { number: BigInt(row.blockNumber), hash: row.blockHash, headNumber: BigInt(row.headNumber), gapBlock }
}

/** The cursor, locked against a move until the transaction ends; null before the first step. */
export const lockCursorForShare = async (rows: Rows, chainId: number): Promise<BlockPoint | null> => {
  const row = await rows
    .selectFrom('chain_cursor')
    .select(['blockNumber', 'blockHash'])
    .where('chainId', '=', chainId)
    .forShare()
    .executeTakeFirst()
  return row === undefined ? null : { number: BigInt(row.blockNumber), hash: row.blockHash }
}

/** Newest block whose events are recorded; 0 before the first. After a fork the follower moves it back. */
export const recordedBlock = async (rows: Rows, chainId: number): Promise<bigint> => (await readCursor(rows, chainId))?.number ?? 0n

const saveMark = (rows: Rows, chainId: number, { number, hash }: BlockPoint) =>
  rows
    .insertInto('chain_mark')
    .values({ chainId, blockNumber: number, blockHash: hash })
    .onConflict((conflict) => conflict.columns(['chainId', 'blockNumber']).doUpdateSet({ blockHash: hash }))
    .execute()

/** Sets the cursor before the first block that can hold a log. A cursor that exists stays. */
export const insertCursor = async (rows: Rows, chainId: number, at: BlockPoint): Promise<void> => {
  await rows
    .insertInto('chain_cursor')
    .values({
      chainId,
      blockNumber: at.number,
      blockHash: at.hash,
      headNumber: at.number,
      caughtUpAt: sql`now()`,
      gapBlock: null,
      missedEvents: 0,
      gapFoundAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await saveMark(rows, chainId, at)
}

/** Locks the cursor if it is still at `at`. False if another follower moved it. */
export const lockCursor = async (rows: Rows, chainId: number, at: BlockPoint): Promise<boolean> => {
  const row = await rows
    .selectFrom('chain_cursor')
    .select('chainId')
    .where('chainId', '=', chainId)
    .where('blockNumber', '=', at.number)
    .where('blockHash', '=', at.hash)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Advances a locked cursor and stores a mark. Deletes the oldest marks except the first. */
export const advanceCursor = async (rows: Rows, chainId: number, to: BlockPoint, headNumber: bigint): Promise<void> => {
  const place = { blockNumber: to.number, blockHash: to.hash }
  await rows
    .updateTable('chain_cursor')
    .set({ ...place, headNumber })
    .where('chainId', '=', chainId)
    .execute()
  await saveMark(rows, chainId, to)
  await sql`
    delete from chain_mark where chain_id = ${chainId}
      and block_number < (select block_number from chain_mark where chain_id = ${chainId} order by block_number desc offset ${MAX_MARKS} limit 1)
      and block_number > (select min(block_number) from chain_mark where chain_id = ${chainId})`.execute(rows)
}

/** Rewinds a locked cursor to a mark. Later events stay until a new read confirms or removes them. */
export const rewindCursor = async (rows: Rows, chainId: number, to: BlockPoint): Promise<void> => {
  const place = { blockNumber: to.number, blockHash: to.hash }
  await rows.updateTable('chain_cursor').set(place).where('chainId', '=', chainId).execute()
  await rows.deleteFrom('chain_mark').where('chainId', '=', chainId).where('blockNumber', '>', to.number).execute()
  await saveMark(rows, chainId, to)
}

/** Records on a locked cursor that all confirmed blocks are read. With a known gap the records are not complete, and their lag grows. */
export const markCaughtUp = async (rows: Rows, chainId: number, headNumber: bigint): Promise<void> => {
  const caughtUpAt = sql<number>`case when gap_block is null then now() else caught_up_at end`
  await rows.updateTable('chain_cursor').set({ headNumber, caughtUpAt }).where('chainId', '=', chainId).execute()
}

/** Records on a locked cursor what a second reading found: events that it added, and the lowest block that is still incomplete. */
export const recordGap = async (rows: Rows, chainId: number, added: number, gapBlock: bigint | null): Promise<void> => {
  const gapFoundAt = sql<number>`case when ${added > 0 || gapBlock !== null} then now() else gap_found_at end`
  await rows
    .updateTable('chain_cursor')
    .set({ gapBlock, gapFoundAt, missedEvents: sql<number>`missed_events + ${added}` })
    .where('chainId', '=', chainId)
    .execute()
}

/** Marks up to a height, newest first. */
export const listMarksUpTo = async (rows: Rows, chainId: number, height: bigint): Promise<BlockPoint[]> => {
  const found = await rows
    .selectFrom('chain_mark')
    .select(['blockNumber', 'blockHash'])
    .where('chainId', '=', chainId)
    .where('blockNumber', '<=', height)
    .orderBy('blockNumber', 'desc')
    .execute()
  return found.map(({ blockNumber, blockHash }) => ({ number: BigInt(blockNumber), hash: blockHash }))
}

/** Lag of the records behind the chain. */
export interface FollowerLag {
  /** Newest block whose events are recorded. */
  cursor: bigint
  /** Newest block that the node reported. */
  head: bigint
  /** Seconds since all confirmed blocks were read. It also grows while no follower runs or the node does not answer. */
  lagSeconds: number
  /** Lowest block whose recorded events are known to be incomplete; null when there is none. */
  gapBlock: bigint | null
  /** Events that a first reading missed and a later one added. */
  missedEvents: number
  /** Time of the last such addition or of the last known gap, epoch ms. */
  gapFoundAt: number | null
}

/** Lag by the database's clock, so that all processes agree; null before the first step of a follower. */
export const readFollowerLag = async (rows: Rows, chainId: number): Promise<FollowerLag | null> => {
  const found = await sql<{ cursor: string; head: string; lag: number; gap: string | null; missed: number; gapFoundAt: number | null }>`
    select block_number::text as cursor, head_number::text as head, gap_block::text as gap, missed_events as missed,
      greatest(0, extract(epoch from clock_timestamp() - caught_up_at))::float8 as lag,
      (extract(epoch from gap_found_at) * 1000)::float8 as "gapFoundAt"
    from chain_cursor where chain_id = ${chainId}`.execute(rows)
  const [row] = found.rows
  if (row === undefined) return null
  const { cursor, head, lag, gap, missed, gapFoundAt } = row
  return {
    cursor: BigInt(cursor),
    head: BigInt(head),
    lagSeconds: Number(lag),
    gapBlock: gap === null ? null : BigInt(gap),
    missedEvents: missed,
    gapFoundAt,
  }
}
