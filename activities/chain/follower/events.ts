import { type Insertable, sql } from 'kysely'
import { type ChainLogRecord, jobsOfLogs } from '../../../domain/chain/log.ts'
import type { BlockSpan } from '../../../domain/chain/pages.ts'
import { type ChainContract, movesEscrowJob } from '../../../domain/chain/topics.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import type { Database, Rows } from '../../database/database.ts'
import { announceChainEvents, type FollowCancellations, type StoredChainEvent } from './announcements.ts'
import { advanceCursor, type BlockMark, lockCursor, markCaughtUp, rewindCursor } from './cursor.ts'

/** Rows per SQL statement. */
const CHUNK = 500

/** Changes of one transaction of the follower. */
export interface Recorded {
  /** New logs. */
  added: number
  /** Logs that a reorganisation removed. */
  removed: number
}

export interface ChainEventDeps {
  database: Database
  chainId: number
  /** Contracts of the chain, lower case. They are not participants. */
  contracts: ReadonlySet<string>
  followCancellations: FollowCancellations
  /** Service clock, epoch ms. */
  now: () => number
}

type EventRow = { [K in keyof Tables['chain_event']]: Tables['chain_event'][K] }

const storedOf = (row: EventRow): StoredChainEvent => ({
  txHash: row.txHash,
  logIndex: row.logIndex,
  blockNumber: BigInt(row.blockNumber),
  blockHash: row.blockHash,
  blockTime: row.blockTime,
  contract: row.contract as ChainContract,
  event: row.event,
  args: row.args,
  chainJobId: row.chainJobId,
  removed: row.removedAt !== null,
})

type LogKey = Pick<ChainLogRecord, 'txHash' | 'logIndex'>
const keyOf = ({ txHash, logIndex }: LogKey): string => `${txHash}/${logIndex}`

const inOrder = (left: StoredChainEvent, right: StoredChainEvent): number =>
  Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex

const rowOf = (chainId: number, log: ChainLogRecord, chainJobId: string | null, seenAt: number): Insertable<Tables['chain_event']> => ({
  chainId,
  ...log,
  chainJobId,
  seenAt,
  movesJob: movesEscrowJob(log.contract, log.event),
  removedAt: null,
  revision: 1,
  notifiedRevision: 0,
})

/** Whether an event of a job since an instant (epoch ms) is stored. The follower then announces its removal. */
export const hasEvent = async (
  rows: Rows,
  { chainId, chainJobId, event, since }: { chainId: number; chainJobId: string; event: string; since: number },
): Promise<boolean> => {
  const found = await rows
    .selectFrom('chain_event')
    .select('logIndex')
    .where('chainId', '=', chainId)
    .where('chainJobId', '=', chainJobId)
    .where('event', '=', event)
    .where('blockTime', '>=', since)
    .where('removedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Stores the follower's events. Each transaction locks the cursor, so only one of two followers writes. */
export const createChainEvents = ({ database, chainId, contracts, followCancellations, now }: ChainEventDeps) => {
  const upsert = async (rows: Rows, values: Insertable<Tables['chain_event']>[]): Promise<EventRow[]> =>
    rows
      .insertInto('chain_event')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['chainId', 'txHash', 'logIndex'])
          .doUpdateSet((is) => ({
            blockNumber: is.ref('excluded.blockNumber'),
            blockHash: is.ref('excluded.blockHash'),
            blockTime: is.ref('excluded.blockTime'),
            address: is.ref('excluded.address'),
            contract: is.ref('excluded.contract'),
            event: is.ref('excluded.event'),
            args: is.ref('excluded.args'),
            chainJobId: is.ref('excluded.chainJobId'),
            removedAt: null,
            movesJob: is.ref('excluded.movesJob'),
            revision: sql<number>`chain_event.revision + 1`,
          }))
          .where((is) =>
            is.or([is('chain_event.removedAt', 'is not', null), is('chain_event.blockHash', '<>', is.ref('excluded.blockHash'))]),
          ),
      )
      .returningAll()
      .execute()

  const insert = async (rows: Rows, logs: readonly ChainLogRecord[]): Promise<StoredChainEvent[]> => {
    const jobs = jobsOfLogs(logs)
    const values = logs.map((log, index) => rowOf(chainId, log, jobs[index] ?? null, now()))
    const added: EventRow[] = []
    for (let from = 0; from < values.length; from += CHUNK) added.push(...(await upsert(rows, values.slice(from, from + CHUNK))))
    return added.map(storedOf).sort(inOrder)
  }

  const remove = async (rows: Rows, gone: LogKey[]): Promise<StoredChainEvent[]> => {
    const removed: EventRow[] = []
    for (let from = 0; from < gone.length; from += CHUNK) {
      const keys = gone.slice(from, from + CHUNK).map(({ txHash, logIndex }) => sql`(${txHash}, ${logIndex}::integer)`)
      const found = await rows
        .updateTable('chain_event')
        .set({ removedAt: now(), revision: sql<number>`revision + 1` })
        .where('chainId', '=', chainId)
        .where(sql<boolean>`(tx_hash, log_index) in (${sql.join(keys)})`)
        .returningAll()
        .execute()
      removed.push(...found)
    }
    return removed.map(storedOf).sort(inOrder)
  }

  const selectCurrent = (rows: Rows) =>
    rows.selectFrom('chain_event').select(['txHash', 'logIndex']).where('chainId', '=', chainId).where('removedAt', 'is', null)

  const announce = async (rows: Rows, removed: StoredChainEvent[], added: StoredChainEvent[]): Promise<Recorded> => {
    await announceChainEvents(rows, [...removed, ...added], { contracts, followCancellations, now: now() })
    return { added: added.length, removed: removed.length }
  }

  return {
    /**
     * Stores one page in one transaction: new logs, removed logs, their effects and the cursor. Returns null and writes nothing if another
     * follower moved the cursor.
     */
    recordPage: (page: { cursor: BlockMark; span: BlockSpan; logs: readonly ChainLogRecord[]; end: BlockMark; headNumber: bigint }) =>
      database.transaction(async (rows): Promise<Recorded | null> => {
        const { cursor, span, logs, end, headNumber } = page
        if (!(await lockCursor(rows, chainId, cursor))) return null
        const found = new Set(logs.map(keyOf))
        const before = await selectCurrent(rows).where('blockNumber', '>=', span.from).where('blockNumber', '<=', span.to).execute()
        const removed = await remove(
          rows,
          before.filter((row) => !found.has(keyOf(row))),
        )
        const added = await insert(rows, logs)
        await advanceCursor(rows, chainId, end, headNumber)
        return announce(rows, removed, added)
      }),

    /** Rewinds to the newest block on which record and chain agree. False if another follower moved the cursor. */
    rewind: (cursor: BlockMark, to: BlockMark): Promise<boolean> =>
      database.transaction(async (rows) => {
        if (!(await lockCursor(rows, chainId, cursor))) return false
        await rewindCursor(rows, chainId, to)
        return true
      }),

    /** Records that all confirmed blocks are read and removes stored events above the cursor: the chain no longer has them. */
    markCaughtUp: (cursor: BlockMark, headNumber: bigint): Promise<Recorded | null> =>
      database.transaction(async (rows) => {
        if (!(await lockCursor(rows, chainId, cursor))) return null
        const above = await selectCurrent(rows).where('blockNumber', '>', cursor.number).execute()
        const removed = await remove(rows, above)
        await markCaughtUp(rows, chainId, headNumber)
        return announce(rows, removed, [])
      }),
  }
}
export type ChainEvents = ReturnType<typeof createChainEvents>
