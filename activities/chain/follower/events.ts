import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { type ChainLogRecord, jobsOfLogs } from '../../../domain/chain/log.ts'
import type { BlockPoint, BlockSpan } from '../../../domain/chain/pages.ts'
import type { ChainContract } from '../../../domain/chain/topics.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import type { Database, Rows } from '../../database/database.ts'
import { announceChainEvents } from './announcements.ts'
import { advanceCursor, type FollowerCursor, lockCursor, markCaughtUp, recordGap, rewindCursor } from './cursor.ts'
import type { ChainRecorder, StoredChainEvent } from './recorder.ts'
import { placedKey } from './scan.ts'

/** Rows per SQL statement. */
const CHUNK = 500
/** Incomplete transactions that one comparison looks at. */
const MAX_INCOMPLETE = 100

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
  /** Escrow generations among them. */
  escrows: ReadonlySet<string>
  recorders: readonly ChainRecorder[]
  /** Whether processes wait for an event of a contract. */
  movesProcess: (contract: ChainContract, event: string) => boolean
  /** Service clock, epoch ms. */
  now: () => number
}

const storedOf = (row: Selectable<Tables['chain_event']>): StoredChainEvent => ({
  ...row,
  blockNumber: BigInt(row.blockNumber),
  contract: row.contract as ChainContract,
  removed: row.removedAt !== null,
})

const inOrder = (left: StoredChainEvent, right: StoredChainEvent): number =>
  Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex

const rowOf = (
  log: ChainLogRecord,
  known: Pick<Insertable<Tables['chain_event']>, 'chainId' | 'chainJobId' | 'seenAt' | 'movesProcess'>,
): Insertable<Tables['chain_event']> => ({
  ...known,
  ...log,
  removedAt: null,
  revision: 1,
  notifiedRevision: 0,
})

/** Whether an event of a job since an instant (epoch ms) is stored; with a worker (lower case), one that names it. The follower then announces its removal. */
export const hasEvent = async (
  rows: Rows,
  { chainId, chainJobId, event, since, worker }: { chainId: number; chainJobId: string; event: string; since: number; worker?: string },
): Promise<boolean> => {
  const stored = rows
    .selectFrom('chain_event')
    .select('logIndex')
    .where('chainId', '=', chainId)
    .where('chainJobId', '=', chainJobId)
    .where('event', '=', event)
    .where('blockTime', '>=', since)
    .where('removedAt', 'is', null)
    .limit(1)
  const found = worker === undefined ? stored : stored.where(sql<SqlBool>`args->>'worker' = ${worker}`)
  return (await found.executeTakeFirst()) !== undefined
}

/** Stores the follower's events. Each transaction locks the cursor, so only one of two followers writes. */
export const createChainEvents = (deps: ChainEventDeps) => {
  const { database, chainId, contracts, escrows, recorders, movesProcess, now } = deps

  const upsert = (rows: Rows, values: Insertable<Tables['chain_event']>[]) =>
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
            movesProcess: is.ref('excluded.movesProcess'),
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
    const values = logs.map((log, index) =>
      rowOf(log, { chainId, chainJobId: jobs[index] ?? null, seenAt: now(), movesProcess: movesProcess(log.contract, log.event) }),
    )
    const added: StoredChainEvent[] = []
    for (let from = 0; from < values.length; from += CHUNK)
      added.push(...(await upsert(rows, values.slice(from, from + CHUNK))).map(storedOf))
    return added.sort(inOrder)
  }

  /** Marks the stored events that meet `condition` as removed. */
  const remove = async (rows: Rows, condition: RawBuilder<SqlBool>): Promise<StoredChainEvent[]> => {
    const removed = await rows
      .updateTable('chain_event')
      .set({ removedAt: now(), revision: sql<number>`revision + 1` })
      .where('chainId', '=', chainId)
      .where('removedAt', 'is', null)
      .where(condition)
      .returningAll()
      .execute()
    return removed.map(storedOf).sort(inOrder)
  }

  const recordChanges = async (rows: Rows, removed: StoredChainEvent[], added: StoredChainEvent[]): Promise<Recorded> => {
    const changed = [...removed, ...added]
    const place = { chainId, now: now() }
    await announceChainEvents(rows, changed, { ...place, contracts, recorders })
    for (const recorder of recorders) await recorder.recordChanges?.(rows, changed, place)
    return { added: added.length, removed: removed.length }
  }

  return {
    /**
     * Stores one page in one transaction: new logs, removed logs, their effects and the cursor. Returns null and writes nothing if another
     * follower moved the cursor.
     */
    recordPage: (page: { cursor: BlockPoint; span: BlockSpan; logs: readonly ChainLogRecord[]; end: BlockPoint; headNumber: bigint }) =>
      database.transaction(async (rows): Promise<Recorded | null> => {
        const { cursor, span, logs, end, headNumber } = page
        if (!(await lockCursor(rows, chainId, cursor))) return null
        const found = logs.map(({ txHash, logIndex }) => `${txHash}/${logIndex}`)
        const isInSpan = sql<SqlBool>`block_number between ${span.from} and ${span.to}`
        const removed = await remove(rows, sql`${isInSpan} and tx_hash || '/' || log_index <> all(${found}::text[])`)
        const added = await insert(rows, logs)
        await advanceCursor(rows, chainId, end, headNumber)
        return recordChanges(rows, removed, added)
      }),

    /** Rewinds to the newest block on which record and chain agree. False if another follower moved the cursor. */
    rewind: (cursor: BlockPoint, to: BlockPoint): Promise<boolean> =>
      database.transaction(async (rows) => {
        if (!(await lockCursor(rows, chainId, cursor))) return false
        await rewindCursor(rows, chainId, to)
        // A log of a removed block may come back in a later one.
        for (const recorder of recorders) await recorder.dropFrom?.(rows, chainId, to.number + 1n)
        return true
      }),

    /** Keys of the stored events of a span, as `placedKey` forms them. */
    keysIn: async ({ from, to }: BlockSpan): Promise<Set<string>> => {
      const found = await database.rows
        .selectFrom('chain_event')
        .select(['txHash', 'logIndex', 'blockHash'])
        .where('chainId', '=', chainId)
        .where('removedAt', 'is', null)
        .where('blockNumber', '>=', from)
        .where('blockNumber', '<=', to)
        .execute()
      return new Set(found.map(({ txHash, logIndex, blockHash }) => placedKey(txHash, logIndex, blockHash)))
    },

    /** Own transactions between two blocks of whose receipts the follower stored fewer logs of the escrow than they hold; lowest block first. */
    listIncomplete: async ({ from, to }: BlockSpan): Promise<{ block: bigint; blockHash: string }[]> => {
      const found = await sql<{ blockHash: string; block: string }>`
        select t.block_hash as "blockHash", t.block_number::text as block from chain_transaction t
        where t.chain_id = ${chainId} and t.status = 'mined' and t.block_number between ${from} and ${to}
          and t.to_address = any(${[...escrows]}::text[])
          and t.log_count > (
            select count(*) from chain_event e
            where e.chain_id = t.chain_id and e.tx_hash = t.tx_hash and e.address = t.to_address and e.removed_at is null)
        order by t.block_number limit ${MAX_INCOMPLETE}`.execute(database.rows)
      return found.rows.map(({ blockHash, block }) => ({ blockHash, block: BigInt(block) }))
    },

    /** Adds logs that an earlier reading missed. Removes nothing: a node that lacks logs proves no fork. Null if the cursor was moved. */
    addMissed: (cursor: FollowerCursor, logs: readonly ChainLogRecord[]) =>
      database.transaction(async (rows): Promise<number | null> => {
        if (!(await lockCursor(rows, chainId, cursor))) return null
        const added = await insert(rows, logs)
        if (added.length > 0) await recordGap(rows, chainId, added.length, cursor.gapBlock)
        return (await recordChanges(rows, [], added)).added
      }),

    /** Stores the lowest block that is still incomplete; null when the records are complete. */
    setGap: (cursor: BlockPoint, gapBlock: bigint | null): Promise<void> =>
      database.transaction(async (rows) => {
        if (await lockCursor(rows, chainId, cursor)) await recordGap(rows, chainId, 0, gapBlock)
      }),

    /** Records that all confirmed blocks are read and removes stored events above the cursor: the chain no longer has them. */
    markCaughtUp: (cursor: BlockPoint, headNumber: bigint): Promise<Recorded | null> =>
      database.transaction(async (rows) => {
        if (!(await lockCursor(rows, chainId, cursor))) return null
        const removed = await remove(rows, sql`block_number > ${cursor.number}`)
        await markCaughtUp(rows, chainId, headNumber)
        return recordChanges(rows, removed, [])
      }),
  }
}
export type ChainEvents = ReturnType<typeof createChainEvents>
