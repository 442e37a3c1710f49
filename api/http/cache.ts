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

/** A running query blocks the next one this long at most: a hanging connection must not block later callers. */
const MAX_BLOCKING_MS = 20

const settledOr = async (work: Promise<unknown>, boundMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const bound = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, boundMs)
  })
  await Promise.race([
    work.then(
      () => undefined,
      () => undefined,
    ),
    bound,
  ])
  clearTimeout(timer)
}

/**
 * Shares one query among its callers. A caller that arrives while a query runs waits for the next one: a result is never older than the
 * request it serves, and any number of requests costs one query at a time.
 */
export const coalesce = <T>(query: () => Promise<T>): (() => Promise<T>) => {
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
    if (running === null) return begin()
    next ??= settledOr(running, MAX_BLOCKING_MS).then(begin)
    return next
  }
}

/** Values by key up to a total weight; the least recently used value is evicted first. */
export const createLruCache = <T extends { weight: number }>(limit: number) => {
  const entries = new Map<string, T>()
  let total = 0
  const evict = (key: string): void => {
    total -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }
  return {
    get: (key: string): T | undefined => {
      const value = entries.get(key)
      if (value !== undefined) {
        entries.delete(key)
        entries.set(key, value)
      }
      return value
    },
    set: (key: string, value: T): void => {
      evict(key)
      entries.set(key, value)
      total += value.weight
      for (const oldest of entries.keys()) {
        if (total <= limit) break
        evict(oldest)
      }
    },
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
  let loading: Promise<T> | undefined
  const reload = (): Promise<T> => {
    loading ??= load()
      .then((value) => {
        cached = { value, at: now() }
        return value
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
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
