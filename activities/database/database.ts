import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { databaseSsl } from '../../schemas/database-url.ts'
import { ROW_OPTIONS } from '../../schemas/entities/columns.ts'
import { ENTITIES, type Tables } from '../../schemas/entities/tables.ts'
import type { Clock } from '../common/clock.ts'
import {
  attachFreezeDetector,
  boundConnections,
  type DriverClient,
  type DriverPool,
  limitConcurrentDials,
  limitStatements,
  optionsAt,
  type PoolCounts,
  releaseLostConnections,
} from './driver.ts'
import { listenTo, type Wake } from './listen.ts'
import { createReplica, onPrimary, type ReplicaUse, redirectReads } from './replica.ts'

export type Rows = Kysely<Tables>

/** Use of the connection pool. `waiting` counts statements that wait for a free connection. */
interface PoolUse {
  max: number
  inUse: number
  idle: number
  waiting: number
}

/** Access to the database: typed rows, and transactions whose statements have a time limit. */
export interface Database {
  rows: Rows
  /** Runs `work` in one transaction and rolls back if it throws. */
  transaction<T>(work: (rows: Rows) => Promise<T>): Promise<T>
  orm: MikroORM
  /** Current use of the pool. */
  pool(): PoolUse
  /** Runs work that reads a list and writes nothing, from the replica where there is one that lacks nothing committed before the call. */
  readList<T>(work: () => Promise<T>): Promise<T>
  /** Where lists were read; null without a replica. */
  replica(): ReplicaUse | null
  /** Runs `wake` at each notification of a channel, and whenever some may have been missed. Returns a function that stops it. */
  listen(channel: string, wake: Wake): () => void
  /** Takes no more statements; resolves when those that run have ended. */
  close(): Promise<void>
}

/** What a step needs that writes records: the database, and the service time that they get. */
export interface RecordDeps {
  database: Database
  clock: Clock
}

export interface DatabaseOptions {
  url: string
  /** Address for notifications, which a pooler does not pass on; `url` by default. */
  directUrl?: string | undefined
  /** Address of a streaming replica, which lists are read from. */
  replicaUrl?: string | undefined
  poolSize?: number
  /** Time limit per statement, enforced by the server, so that a hung statement does not keep its connection. */
  statementTimeoutMs?: number
  /** Time limit of a new connection; two seconds by default. */
  connectMs?: number
  /** For services: ends work on a frozen database within two seconds, instead of waiting for the server's time limits. */
  detectFreezes?: boolean
}

/** The pool is created with the first statement. */
const poolUse = (max: number, pool: PoolCounts = { totalCount: 0, idleCount: 0, waitingCount: 0 }): PoolUse => ({
  max,
  inUse: pool.totalCount - pool.idleCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
})

/** A database that accepts no connection within this time is down. The caller then receives 503 in time. */
const CONNECT_MS = 2_000
/** Number of connections that a pool opens at the same time. */
const DIAL_WIDTH = 4
/** Time that a statement may wait for a connection of a busy pool. High load is not an outage. */
const QUEUE_MS = 8_000

/** Time limits that the server enforces beside that of a statement, ms. */
const LIMITS_MS = { lock_timeout: 5_000, idle_in_transaction_session_timeout: 20_000 }

type PoolOptions = Required<Pick<DatabaseOptions, 'url' | 'poolSize' | 'statementTimeoutMs' | 'connectMs' | 'detectFreezes'>>

const rowsOf = (em: MikroORM['em']): Rows => em.getKysely<Tables, typeof ROW_OPTIONS>(ROW_OPTIONS)

/** Opens the pool of one server; `onCreated` gets the driver's, which the first statement creates. */
const openPool = (options: PoolOptions, onCreated: (pool: DriverPool) => void = () => undefined) => {
  const { url, poolSize, statementTimeoutMs, connectMs, detectFreezes } = options
  let pool: DriverPool | undefined
  let closeDetector = (): void => undefined
  const orm = new MikroORM({
    clientUrl: url,
    entities: ENTITIES,
    extensions: [Migrator],
    pool: { min: 0, max: poolSize },
    driverOptions: {
      ssl: databaseSsl(url),
      connectionTimeoutMillis: QUEUE_MS,
      onPoolCreated: (created: DriverPool) => {
        boundConnections(created, connectMs)
        limitStatements(created, { statement_timeout: statementTimeoutMs, ...LIMITS_MS }, connectMs)
        if (detectFreezes) closeDetector = attachFreezeDetector(created)
        limitConcurrentDials(created, DIAL_WIDTH)
        releaseLostConnections(created)
        onCreated(created)
        pool = created
      },
    },
  })
  return {
    orm,
    rows: rowsOf(orm.em.fork()),
    pool: () => pool,
    // Not `orm.close`: Kysely drops its pool first, and a connection that opens at that moment is never released.
    close: async (): Promise<void> => {
      await pool?.end()
      closeDetector()
    },
  }
}

const openReplica = (options: PoolOptions, primary: Rows) => {
  const { rows, pool, close } = openPool(options)
  return { ...createReplica({ primary, replica: rows, poolOf: pool }), close }
}

/** Opens a pool. */
export const openDatabase = ({
  url,
  directUrl = url,
  replicaUrl,
  poolSize = 10,
  statementTimeoutMs = 15_000,
  connectMs = CONNECT_MS,
  detectFreezes = false,
}: DatabaseOptions): Database => {
  const options = { poolSize, statementTimeoutMs, connectMs, detectFreezes }
  const { orm, rows, pool, close } = openPool({ ...options, url }, redirectReads)
  const replica = replicaUrl === undefined ? null : openReplica({ ...options, url: replicaUrl }, rows)
  const listeners: (() => void)[] = []
  /** A connection beside the pool, with the same options; the first statement creates the pool. */
  const openClient = async (): Promise<DriverClient> => {
    if (pool() === undefined) await orm.em.fork().execute('select 1')
    const created = pool()
    if (created === undefined) throw new Error('the pool was not created')
    return new created.Client(directUrl === url ? created.options : optionsAt(created.options, directUrl))
  }
  return {
    rows,
    transaction: (work) => onPrimary(() => orm.em.fork().transactional((em) => work(rowsOf(em)))),
    orm,
    pool: () => poolUse(poolSize, pool()),
    readList: (work) => (replica === null ? work() : replica.read(work)),
    replica: () => replica?.use() ?? null,
    listen: (channel, wake) => {
      const stop = listenTo(openClient, channel, wake)
      listeners.push(stop)
      return stop
    },
    close: async () => {
      for (const stop of listeners) stop()
      await Promise.all([close(), replica?.close()])
    },
  }
}

/** Rows of a statement that is written as SQL. */
export const readRows = async <Found>(rows: Rows, statement: RawBuilder<Found>): Promise<Found[]> => (await statement.execute(rows)).rows

/** The row of a statement that has one always, as a count has. */
export const readRow = async <Found>(rows: Rows, statement: RawBuilder<Found>): Promise<Found> => {
  const [row] = await readRows(rows, statement)
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}

/** The smallest read; rejects when the database does not answer. */
export const readRecords = async ({ rows }: Pick<Database, 'rows'>): Promise<void> => void (await sql`select 1`.execute(rows))
