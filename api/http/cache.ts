/** A value that is expensive to make: made once for all who ask within `periodMs` of the process's own time. What failed is not kept. */
export const memoizeFor = <T>(periodMs: number, make: () => Promise<T>): { get: () => Promise<T>; forget: () => void } => {
  let kept: { madeAt: number; value: Promise<T> } | null = null
  const remake = (): Promise<T> => {
    const value = make()
    const mine = { madeAt: performance.now(), value }
    kept = mine
    value.catch(() => {
      if (kept === mine) kept = null
    })
    return value
  }
  return {
    get: () => (kept !== null && performance.now() - kept.madeAt < periodMs ? kept.value : remake()),
    /** The next one who asks gets a new one. */
    forget: () => {
      kept = null
    },
  }
}

/** A check that takes longer than this is no longer waited for: a connection that hangs must not hold up whoever comes later. */
const OVERTAKEN_MS = 20

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
 * A question asked once for all who wait for it. Whoever comes while it is being asked waits for the next time, so that an answer is
 * never older than the request it serves, and any number of requests costs one question at a time.
 */
export const coalesce = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | null = null
  let next: Promise<T> | null = null
  const begin = (): Promise<T> => {
    next = null
    const asked = ask()
    running = asked
    const done = () => {
      if (running === asked) running = null
    }
    asked.then(done, done)
    return asked
  }
  return () => {
    if (running === null) return begin()
    next ??= settledOr(running, OVERTAKEN_MS).then(begin)
    return next
  }
}

/** Values by key, up to a weight in all; what nobody asked for the longest goes first. */
export const keptByKey = <T extends { weight: number }>(limit: number) => {
  const kept = new Map<string, T>()
  let total = 0
  const forget = (key: string): void => {
    total -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }
  return {
    get: (key: string): T | undefined => {
      const value = kept.get(key)
      if (value !== undefined) {
        kept.delete(key)
        kept.set(key, value)
      }
      return value
    },
    set: (key: string, value: T): void => {
      forget(key)
      kept.set(key, value)
      total += value.weight
      for (const oldest of kept.keys()) {
        if (total <= limit) break
        forget(oldest)
      }
    },
  }
}

/**
 * Keeps an answer: fresh for a while as it is, then served once more while it is read again, then not at all; how long may depend on
 * the answer. Its age is in the time of `now`, the service's clock: when that time is moved, what was read before the move is old.
 */
export const staleWhileRevalidate = <T>(
  load: () => Promise<T>,
  { freshMs, staleMs, now }: { freshMs: number; staleMs: (value: T) => number; now: () => number },
) => {
  let kept: { value: T; at: number } | undefined
  let loading: Promise<T> | undefined
  const reload = (): Promise<T> => {
    loading ??= load()
      .then((value) => {
        kept = { value, at: now() }
        return value
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  return async (): Promise<T> => {
    const age = kept === undefined ? Number.POSITIVE_INFINITY : now() - kept.at
    if (kept !== undefined && age < freshMs) return kept.value
    const next = reload()
    if (kept === undefined || age >= staleMs(kept.value)) return next
    // Somebody waits for the fresh value below only when there is no old one; a failure is reported by the load itself.
    next.catch(() => undefined)
    return kept.value
  }
}
