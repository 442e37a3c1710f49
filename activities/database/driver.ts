import { createFreezeDetector } from './freeze-detector.ts'

export type PoolCounts = Record<'totalCount' | 'idleCount' | 'waitingCount', number>

type Connected = (error: Error | null | undefined) => void

/** As much of a client of the driver as is touched here. */
interface DriverClient {
  connect(connected: Connected): void
  query(...given: unknown[]): unknown
  on(event: 'error' | 'end', listener: (error: Error) => void): unknown
  connection: { stream: { destroy(error?: Error): void } }
}

/** As much of the driver's pool as is touched here. */
export type DriverPool = PoolCounts & { Client: new (options: object) => DriverClient; options: object }

const noAnswerError = (): Error => new Error('Connection terminated: the database gives no answer')

/** The driver has one time-out for both waits; the connection itself gets the shorter one. The pool hides the password from an enumeration. */
const withConnectBound = (options: object, connectMs: number): object =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(options), connectionTimeoutMillis: { value: connectMs, enumerable: true } },
  )

/**
 * Asks for nothing but an answer, on a connection of its own that is open before it is needed; who asks while a question is out shares it.
 * `closeProbe` gives a silent connection up, so that the next question dials anew: its host may have vanished without an end. One that is being
 * made has a bound of its own.
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
    fresh.on('error', () => drop(fresh))
    const error = await new Promise<Error | null | undefined>((resolve) => fresh.connect(resolve))
    if (error) throw error
    client = fresh
    return fresh
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
    close: closeProbe,
  }
}

/** Every connection of a pool is made in `connectMs` or not at all. */
export const boundConnections = (pool: DriverPool, connectMs: number): void => {
  const { Client } = pool
  pool.Client = class extends Client {
    constructor(options: object) {
      super(withConnectBound(options, connectMs))
    }
  }
}

/**
 * A pool makes at most `width` of its connections at once; the others wait for their turn, and `connectMs` counts from it. All at once, a
 * crowd at a new process makes each slower than its bound, and is told of an outage. One that fails speaks for those that wait behind it.
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

/** Ends work that waits for a frozen database (`createFreezeDetector`). Takes one connection beside the pool's. Returns a function that ends the detector. */
export const attachFreezeDetector = (pool: DriverPool): (() => void) => {
  const { Client } = pool
  const open = new Set<DriverClient>()
  const probe = createProbe(() => new Client(pool.options))
  // Idle connections go as well: behind a successor of the database they would swallow a statement each.
  const watch = createFreezeDetector(probe.ask, () => {
    probe.closeProbe()
    for (const client of open) client.connection.stream.destroy(noAnswerError())
  })
  pool.Client = class extends Client {
    override connect(connected: Connected): void {
      if (watch.isFrozen()) return void setImmediate(connected, noAnswerError())
      // Opened with the first connection: a server that stands still takes none.
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
    probe.close()
  }
}
