import { stallTolerantTimeout } from '../common/timeout.ts'

/** How often waiting work is looked at, and after how long a probe asks on its behalf whether the database still answers. */
const LOOK_MS = 150
const SLOW_MS = 400
/** A probe without an answer for so long found a database that is frozen. Look, wait and probe stay below the two seconds of an outage. */
const PROBE_LIMIT_MS = 900

/** A piece of work that waits for the database: a statement, or a connection that is being made. */
interface Waiting {
  since: number
  end: () => void
}

export interface FrozenWatch {
  /** Watches a piece of work, which `end` cuts off; gives the function to call when it is done. */
  follow(end: () => void): () => void
  /** True from a probe without an answer until the next one with an answer. */
  isFrozen(): boolean
  close(): void
}

const answers = async (probe: () => Promise<void>, lastTimeoutApplied: () => void): Promise<boolean> => {
  let forget = (): void => undefined
  const silence = new Promise<boolean>((resolve) => {
    forget = stallTolerantTimeout(PROBE_LIMIT_MS, () => {
      resolve(false)
      lastTimeoutApplied()
    })
  })
  const answer = probe().then(
    () => true,
    () => false,
  )
  return Promise.race([answer, silence]).finally(forget)
}

/**
 * Cuts off what waits for a database that takes connections and gives no answer: the driver would wait for ever, and the server, which
 * has the bound of a statement, stands still. Slow work alone is no reason: a probe of its own has to find silence, which `lastTimeoutApplied` is told.
 */
export const createFrozenWatch = (probe: () => Promise<void>, lastTimeoutApplied: () => void): FrozenWatch => {
  const waiting = new Set<Waiting>()
  let frozen = false
  let looking = false

  const look = async (): Promise<void> => {
    const before = performance.now() - SLOW_MS
    if (!frozen && ![...waiting].some(({ since }) => since < before)) return
    frozen = !(await answers(probe, lastTimeoutApplied))
    if (!frozen) return
    // What began meanwhile as well: it would wait for the next probe.
    for (const one of waiting) {
      waiting.delete(one)
      one.end()
    }
  }

  const timer = setInterval(() => {
    if (looking) return
    looking = true
    void look().finally(() => {
      looking = false
    })
  }, LOOK_MS)
  timer.unref()

  return {
    follow: (end) => {
      const one = { since: performance.now(), end }
      waiting.add(one)
      return () => void waiting.delete(one)
    },
    isFrozen: () => frozen,
    close: () => clearInterval(timer),
  }
}
