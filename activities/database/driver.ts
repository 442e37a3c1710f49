import { databaseSsl } from '../../schemas/database-url.ts'
import { stallTolerantTimeout } from '../common/timeout.ts'
import { createFreezeDetector } from './freeze-detector.ts'

export type PoolCounts = Record<'totalCount' | 'idleCount' | 'waitingCount', number>

type Connected = (error: Error | null | undefined) => void

/** Members of the driver's client that are used here. */
export interface DriverClient {
  connect(connected: Connected): void
  query(...given: unknown[]): unknown
  on(event: 'error' | 'end', listener: (error: Error) => void): unknown
  on(event: 'notification', listener: (notification: { payload?: string }) => void): unknown
  once(event: 'end', listener: () => void): unknown
  off(event: 'end', listener: () => void): unknown
  end(): Promise<void>
  /** Returns the connection to its pool, and drops it if `isLost`. Throws at a second call. */
  release(isLost?: boolean): void
  connection: { stream: { destroy(error?: Error): void } }
}

/** Members of the driver's pool that are used here. */
export type DriverPool = PoolCounts & {
  Client: new (options: object) => DriverClient
  options: object
  /** Takes a connection, or opens one. */
  connect(...given: unknown[]): unknown
  on(event: 'acquire', listener: (client: DriverClient) => void): unknown
  on(event: 'release', listener: (error: unknown, client: DriverClient) => void): unknown
  end(): Promise<void>
}

const noAnswerError = (): Error => new Error('Connection terminated: the database does not answer')

/**
 * The driver has one time-out for pool and connection; the connection gets the shorter one. Property descriptors are copied because the pool
 * hides the password from enumeration.
 */
const withConnectBound = (options: object, connectMs: number): object =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(options), connectionTimeoutMillis: { value: connectMs, enumerable: true } },
  )

/**
 * Probes the database on a connection of its own. Concurrent callers share one probe. `closeProbe` drops a connection that is open or opens,
 * since its host may have vanished, and the next probe reconnects.
 */
const createProbe = (make: () => DriverClient) => {
  let client: DriverClient | undefined
  let pendingProbe: Promise<void> | undefined
  const drop = (failed: DriverClient): void => {
    if (client === failed) client = undefined
  }
  const opened = async (): Promise<DriverClient> => {
    if (client !== undefined) return client
    const fresh = make()
    client = fresh
    fresh.on('error', () => drop(fresh))
    const error = await new Promise<Error | null | undefined>((resolve) => fresh.connect(resolve))
    if (!error) return fresh
    drop(fresh)
    throw error
  }
  const closeProbe = (): void => {
    if (client === undefined) return
    client.connection.stream.destroy(noAnswerError())
    client = undefined
    pendingProbe = undefined
  }
  return {
    ask: (): Promise<void> => {
      if (pendingProbe !== undefined) return pendingProbe
      const question = opened()
        .then(async (open) => void (await open.query('select 1')))
        .finally(() => {
          if (pendingProbe === question) pendingProbe = undefined
        })
      pendingProbe = question
      return question
    },
    closeProbe,
  }
}

/** Limits the time to open each connection of a pool to `connectMs`. */
export const boundConnections = (pool: DriverPool, connectMs: number): void => {
  const { Client } = pool
  pool.Client = class extends Client {
    constructor(options: object) {
      super(withConnectBound(options, connectMs))
    }
  }
}

/**
 * Gives each new connection of a pool time limits, which the server enforces. They are set by a statement, because a pooler refuses them as
 * parameters of the start, or drops them. The statement counts towards `connectMs`: a pooler accepts connections that it has no server for.
 */
export const limitStatements = (pool: DriverPool, limitsMs: Readonly<Record<string, number>>, connectMs: number): void => {
  const { Client } = pool
  const statement = Object.entries(limitsMs).map(([name, limit]) => `set ${name} = ${limit}`)
  pool.Client = class extends Client {
    override connect(connected: Connected): void {
      super.connect((error) => {
        if (error) return connected(error)
        // A connection that is lost now has no other listener yet.
        this.on('error', () => undefined)
        const destroy = (reason: Error) => this.connection.stream.destroy(reason)
        const cancelTimeout = stallTolerantTimeout(connectMs, () => destroy(noAnswerError()))
        super.query(statement.join(';'), (failure: Error | null | undefined) => {
          cancelTimeout()
          if (failure) destroy(failure)
          connected(failure)
        })
      })
    }
  }
}

/** Options of a connection beside the pool that goes to another address than the pool's. */
export const optionsAt = (options: object, databaseUrl: string): object => {
  const { hostname: host, port, username, password, pathname } = new URL(databaseUrl)
  const members = { host, port: Number(port || 5432), user: decodeURIComponent(username), database: decodeURIComponent(pathname.slice(1)) }
  const enumerable = Object.entries({ ...members, ssl: databaseSsl(databaseUrl) }).map(([name, value]) => [
    name,
    { value, enumerable: true },
  ])
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(options), ...Object.fromEntries(enumerable), password: { value: decodeURIComponent(password) } },
  )
}

/**
 * Gives the place of a connection that is lost during its use back to the pool. A transaction releases its connection after it ended, and one
 * that can neither commit nor roll back never does: each would take a place for ever, and the pool could not be closed.
 */
export const releaseLostConnections = (pool: DriverPool): void => {
  const watches = new WeakMap<DriverClient, () => void>()
  pool.on('acquire', (client) => {
    const release = (): void => {
      client.release(true)
      // Its user may release it as well.
      client.release = () => undefined
    }
    watches.set(client, release)
    client.once('end', release)
  })
  pool.on('release', (_error, client) => {
    const release = watches.get(client)
    if (release !== undefined) client.off('end', release)
  })
}

/**
 * Opens at most `width` connections of a pool at a time; the others wait, and `connectMs` counts from their start. Without the limit a burst
 * of callers at a new process slows every connection beyond its time limit. If one fails, all waiting ones fail.
 */
export const limitConcurrentDials = (pool: DriverPool, width: number): void => {
  const { Client } = pool
  let dialling = 0
  const waiting: { dial: () => void; fail: (error: Error) => void }[] = []
  const done = (error: Error | null | undefined): void => {
    dialling -= 1
    if (!error) waiting.shift()?.dial()
    else for (const { fail } of waiting.splice(0)) fail(error)
  }
  pool.Client = class extends Client {
    override connect(connected: Connected): void {
      const dial = (): void => {
        dialling += 1
        super.connect((error) => {
          done(error)
          connected(error)
        })
      }
      if (dialling < width) dial()
      else waiting.push({ dial, fail: connected })
    }
  }
}

/**
 * Ends work that waits for a frozen database (`createFreezeDetector`). Needs one connection besides the pool's. Returns a function that stops
 * the detector.
 */
export const attachFreezeDetector = (pool: DriverPool): (() => void) => {
  const { Client } = pool
  const open = new Set<DriverClient>()
  const probe = createProbe(() => new Client(pool.options))
  // Idle connections are closed too: after a fail-over each would lose one statement.
  const watch = createFreezeDetector(probe.ask, () => {
    probe.closeProbe()
    for (const client of open) client.connection.stream.destroy(noAnswerError())
  })
  pool.Client = class extends Client {
    override connect(connected: Connected): void {
      if (watch.isFrozen()) return void setImmediate(connected, noAnswerError())
      // Opened with the first connection: a frozen server accepts none.
      void probe.ask().catch(() => undefined)
      const done = watch.follow(() => this.connection.stream.destroy(noAnswerError()))
      super.connect((error) => {
        done()
        if (!error) open.add(this)
        connected(error)
      })
      this.on('end', () => open.delete(this))
    }

    override query(...given: unknown[]): unknown {
      const answer = super.query(...given)
      if (!(answer instanceof Promise)) return answer
      return answer.finally(watch.follow(() => this.connection.stream.destroy(noAnswerError())))
    }
  }
  return () => {
    watch.close()
    probe.closeProbe()
  }
}
