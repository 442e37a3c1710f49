import { setTimeout as sleep } from 'node:timers/promises'

/** Memoizes an expensive value for `periodMs` of process time. A failure is not cached. */
export const memoizeFor = <T>(periodMs: number, make: () => Promise<T>): { get: () => Promise<T>; forget: () => void } => {
  let cached: { madeAt: number; value: Promise<T> } | null = null
  const renew = (): Promise<T> => {
    const value = make()
    const entry = { madeAt: performance.now(), value }
    cached = entry
    value.catch(() => {
      if (cached === entry) cached = null
    })
    return value
  }
  return {
    get: () => (cached !== null && performance.now() - cached.madeAt < periodMs ? cached.value : renew()),
    /** The next `get` makes a new value. */
    forget: () => {
      cached = null
    },
  }
}

/** A running query blocks the next one this long at most, except with `waitsForEnd`: a hanging connection must not block later callers. */
const MAX_BLOCKING_MS = 20

/**
 * Shares one query among its callers. A caller that arrives while a query runs waits for the next one: a result is never older than the
 * request it serves, and any number of requests costs one query at a time.
 * While a query hangs another one begins after 20 ms, with `waitsForEnd` only when it has ended: for a query that makes those after it wait.
 */
export const coalesce = <T>(query: () => Promise<T>, { waitsForEnd = false } = {}): (() => Promise<T>) => {
  let running: Promise<T> | null = null
  let next: Promise<T> | null = null
  const begin = (): Promise<T> => {
    next = null
    const current = query()
    running = current
    const done = () => {
      if (running === current) running = null
    }
    current.then(done, done)
    return current
  }
  return () => {
    if (running === null && next === null) return begin()
    if (next === null) {
      const ended = Promise.allSettled([running])
      next = (waitsForEnd ? ended : Promise.race([ended, sleep(MAX_BLOCKING_MS, undefined, { ref: false })])).then(begin)
    }
    return next
  }
}

/** Answers each key from one query for all keys that are asked while another query runs. */
export const batched = <Key, Value>(
  query: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): ((key: Key) => Promise<Value | undefined>) => {
  let asked = new Set<Key>()
  const run = coalesce(() => {
    const keys = [...asked]
    asked = new Set()
    return query(keys)
  })
  return async (key) => {
    asked.add(key)
    return (await run()).get(key)
  }
}

/** Shares one running query among all callers that arrive before it ends. */
export const shareRunning = <T>(query: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined
  return () => {
    running ??= query().finally(() => {
      running = undefined
    })
    return running
  }
}

/**
 * Caches a value: served as it is while fresh, served once more while it is reloaded, then reloaded before it is served. `staleMs` may
 * depend on the value. Ages are measured with `now`, the service clock: moving that clock makes the cached value old.
 */
export const staleWhileRevalidate = <T>(
  load: () => Promise<T>,
  { freshMs, staleMs, now }: { freshMs: number; staleMs: (value: T) => number; now: () => number },
) => {
  let cached: { value: T; at: number } | undefined
  const reload = shareRunning(async () => {
    const value = await load()
    cached = { value, at: now() }
    return value
  })
  return async (): Promise<T> => {
    const age = cached === undefined ? Number.POSITIVE_INFINITY : now() - cached.at
    if (cached !== undefined && age < freshMs) return cached.value
    const next = reload()
    if (cached === undefined || age >= staleMs(cached.value)) return next
    // The caller gets the stale value; the load itself reports its failure.
    next.catch(() => undefined)
    return cached.value
  }
}
