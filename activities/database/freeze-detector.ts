import { stallTolerantTimeout } from '../common/timeout.ts'

/** How often waiting work is looked at, and after how long a probe asks on its behalf whether the database still probeAnswers. */
const CHECK_MS = 150
const SLOW_MS = 400
/** A probe without an answer for so long found a database that is frozen. Look, wait and probe stay below the two seconds of an outage. */
const PROBE_LIMIT_MS = 900

/** A piece of work that waits for the database: a statement, or a connection that is being made. */
interface Waiting {
  since: number
  end: () => void
}

export interface FreezeDetector {
  /** Watches a piece of work, which `end` cuts off; gives the function to call when it is done. */
  follow(end: () => void): () => void
  /** True from a probe without an answer until the next one with an answer. */
  isFrozen(): boolean
  close(): void
}

const probeAnswers = async (probe: () => Promise<void>, onFrozen: () => void): Promise<boolean> => {
  let cancelTimeout = (): void => undefined
  const timedOut = new Promise<boolean>((resolve) => {
    cancelTimeout = stallTolerantTimeout(PROBE_LIMIT_MS, () => {
      resolve(false)
      onFrozen()
    })
  })
  const answer = probe().then(
    () => true,
    () => false,
  )
  return Promise.race([answer, timedOut]).finally(cancelTimeout)
}

/**
 * Ends the work that waits for a database which accepts connections and probeAnswers nothing: the driver would wait for ever, and the server,
 * which has the time-out of a statement, is frozen. Slow work alone is no reason: a probe must time out first, which calls `onFrozen`.
 */
export const createFreezeDetector = (probe: () => Promise<void>, onFrozen: () => void): FreezeDetector => {
  const waiting = new Set<Waiting>()
  let frozen = false
  let probing = false

  const probeIfSlow = async (): Promise<void> => {
    const before = performance.now() - SLOW_MS
    if (!frozen && ![...waiting].some(({ since }) => since < before)) return
    frozen = !(await probeAnswers(probe, onFrozen))
    if (!frozen) return
    // Work that began meanwhile ends too: it would wait for the next probe.
    for (const one of waiting) {
      waiting.delete(one)
      one.end()
    }
  }

  const timer = setInterval(() => {
    if (probing) return
    probing = true
    void probeIfSlow().finally(() => {
      probing = false
    })
  }, CHECK_MS)
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
