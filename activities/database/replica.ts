import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isServiceError } from '../../schemas/errors.ts'
import type { DriverPool } from './driver.ts'
import { databaseOutage } from './outages.ts'

/** Time in which a replica must have what the primary had when a list was asked for, ms. */
const CATCH_UP_MS = 100
const LOOK_MS = 5
/** Pause in which a replica that lags or fails is not asked; it doubles up to the longest. */
const FIRST_REST_MS = 250
const LONGEST_REST_MS = 10_000
/** A statement that writes, on a server that only reads. */
const READ_ONLY = '25006'

/** Lists by the server that answered them, and how far the replica was behind at the last look. */
export interface ReplicaUse {
  replicaReads: number
  primaryReads: number
  lagBytes: number | null
}

/** Pool of the replica while work runs that reads from it; null in a transaction, which is of the primary. */
const readFrom = new AsyncLocalStorage<DriverPool | null>()

/** Sends the statements of work that reads from the replica there. */
export const redirectReads = (pool: DriverPool): void => {
  const connect = pool.connect.bind(pool)
  pool.connect = (...given) => {
    const replica = readFrom.getStore() ?? null
    return replica === null ? connect(...given) : replica.connect(...given)
  }
}

/** Runs work whose statements are all of the primary. */
export const onPrimary = <T>(work: () => Promise<T>): Promise<T> => readFrom.run(null, work)

const isReplicaFailure = (error: unknown): boolean =>
  databaseOutage(error) !== null ||
  (isServiceError(error) && error.code === 'state_store_unavailable') ||
  (error instanceof Error && 'code' in error && error.code === READ_ONLY)

type AnyRows = Pick<Kysely<never>, 'getExecutor'>

export interface ReplicaDeps {
  primary: AnyRows
  replica: AnyRows
  /** Pool of the replica; undefined before its first statement. */
  poolOf: () => DriverPool | undefined
  /** Monotonic clock, ms. */
  monotonic?: () => number
}

/** Reads lists from a replica, never from an older state than the primary had at the call. */
export const createReplica = ({ primary, replica, poolOf, monotonic = () => performance.now() }: ReplicaDeps) => {
  const use: ReplicaUse = { replicaReads: 0, primaryReads: 0, lagBytes: null }
  let restUntil = Number.NEGATIVE_INFINITY
  let restMs = FIRST_REST_MS

  const rest = (): false => {
    restUntil = monotonic() + restMs
    restMs = Math.min(restMs * 2, LONGEST_REST_MS)
    return false
  }

  /** Whether the replica has replayed up to a place of the log. A promoted one answers no: it is a primary of its own. */
  const hasReplayed = async (place: string): Promise<boolean> => {
    const { rows } = await sql<{ isReady: boolean | null; lag: number | null }>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${place}::pg_lsn as "isReady",
        greatest(0, pg_wal_lsn_diff(${place}::pg_lsn, pg_last_wal_replay_lsn()))::float8 as lag`.execute(replica as Kysely<never>)
    use.lagBytes = rows[0]?.lag ?? null
    return rows[0]?.isReady === true
  }

  const untilReplayed = async (place: string): Promise<boolean> => {
    const end = monotonic() + CATCH_UP_MS
    while (monotonic() < end) {
      if (await hasReplayed(place)) return true
      await sleep(LOOK_MS)
    }
    return false
  }

  const hasCaughtUp = async (): Promise<boolean> => {
    if (monotonic() < restUntil) return false
    const { rows } = await sql<{ place: string }>`select pg_current_wal_lsn()::text as place`.execute(primary as Kysely<never>)
    const place = rows[0]?.place
    if (place === undefined) return false
    // A replica that does not answer takes longer than one that lags.
    const timeout = sleep(CATCH_UP_MS + LOOK_MS, false, { ref: false })
    return (await Promise.race([untilReplayed(place).catch(() => false), timeout])) || rest()
  }

  return {
    use: (): ReplicaUse => ({ ...use }),

    /** Runs work that only reads; on the primary if the replica lags or fails. It may run twice. */
    read: async <T>(work: () => Promise<T>): Promise<T> => {
      const isReady = await hasCaughtUp()
      const pool = poolOf()
      if (isReady && pool !== undefined)
        try {
          const found = await readFrom.run(pool, work)
          use.replicaReads += 1
          restMs = FIRST_REST_MS
          return found
        } catch (error) {
          if (!isReplicaFailure(error)) {
            // A refusal is an answer.
            use.replicaReads += 1
            throw error
          }
          rest()
        }
      use.primaryReads += 1
      return work()
    },
  }
}
