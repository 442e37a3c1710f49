import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import type { Kysely } from 'kysely'
import { ENTITIES, ROW_OPTIONS, type Tables } from '../../schemas/entities/tables.ts'
import { attachFreezeDetector, boundConnections, type DriverPool, limitConcurrentDials, type PoolCounts } from './driver.ts'

export type Rows = Kysely<Tables>

/** How a process uses its connections: `waiting` are statements that wait for a free one. */
export interface PoolUse {
  max: number
  inUse: number
  idle: number
  waiting: number
}

/** The one way to the database: typed rows, and transactions whose statements are bounded in time. */
export interface Database {
  rows: Rows
  /** Runs `work` in one transaction; what it throws rolls everything back. */
  transaction<T>(work: (rows: Rows) => Promise<T>): Promise<T>
  orm: MikroORM
  /** The pool at this moment. */
  pool(): PoolUse
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  poolSize?: number
  /** Applied by the server to each statement; a wedged statement must not hold a pool slot. */
  statementTimeoutMs?: number
  /** How long a new connection may take; two seconds unless somebody has more time than a caller. */
  connectMs?: number
  /** For a service: what a database that stands still does not answer ends as an outage within two seconds, not with the server's own bounds. */
  detectFreezes?: boolean
}

/** The pool is made with the first statement. */
const poolUse = (max: number, pool: PoolCounts = { totalCount: 0, idleCount: 0, waitingCount: 0 }): PoolUse => ({
  max,
  inUse: pool.totalCount - pool.idleCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
})

/** A database that does not take a connection within this time is down; the caller answers 503 in time. */
const CONNECT_MS = 2_000
/** Connections of a pool that are made at the same time. */
const DIAL_WIDTH = 4
/** A statement may wait this long for a connection of a pool that is busy: a crowd is no outage. */
const QUEUE_MS = 8_000

/** Opens a pool. */
export const openDatabase = ({
  url,
  poolSize = 10,
  statementTimeoutMs = 15_000,
  connectMs = CONNECT_MS,
  detectFreezes = false,
}: DatabaseOptions): Database => {
  let pool: PoolCounts | undefined
  let closeDetector = (): void => undefined
  const orm = new MikroORM({
    clientUrl: url,
    entities: ENTITIES,
    extensions: [Migrator],
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: QUEUE_MS,
      statement_timeout: statementTimeoutMs,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 20_000,
      onPoolCreated: (created: DriverPool) => {
        boundConnections(created, connectMs)
        if (detectFreezes) closeDetector = attachFreezeDetector(created)
        limitConcurrentDials(created, DIAL_WIDTH)
        pool = created
      },
    },
  })
  const rowsOf = (em: MikroORM['em']): Rows => em.getKysely<Tables, typeof ROW_OPTIONS>(ROW_OPTIONS)
  return {
    rows: rowsOf(orm.em.fork()),
    transaction: (work) => orm.em.fork().transactional((em) => work(rowsOf(em))),
    orm,
    pool: () => poolUse(poolSize, pool),
    close: async () => {
      closeDetector()
      await orm.close(true)
    },
  }
}
