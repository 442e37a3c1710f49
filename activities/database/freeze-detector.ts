import { stallTolerantTimeout } from '../common/timeout.ts'

/** Interval of the checks, and the wait after which a probe asks whether the database still answers. */
const CHECK_MS = 150
const SLOW_MS = 400
/** A probe without an answer for this long means a frozen database. Check, wait and probe together stay below the two seconds of an outage. */
const PROBE_LIMIT_MS = 900

/** Work that waits for the database: a statement or a new connection. */
interface Waiting {
  since: number
  end: () => void
}

export interface FreezeDetector {
  /** Watches work that `end` cancels. Returns the function to call when the work is done. */
  follow(end: () => void): () => void
  /** True after a probe without an answer, until a later probe is answered. */
  isFrozen(): boolean
  close(): void
}

const probeAnswers = async (probe: () => Promise<void>, onFrozen: () => void): Promise<boolean> => {
  const { promise: timedOut, resolve } = Promise.withResolvers<boolean>()
  const cancelTimeout = stallTolerantTimeout(PROBE_LIMIT_MS, () => {
    resolve(false)
    onFrozen()
  })
  const answer = probe().then(
    () => true,
    () => false,
  )
  return Promise.race([answer, timedOut]).finally(cancelTimeout)
}

/**
 * Ends work that waits for a database that accepts connections and answers nothing: the driver has no time limit, and the server cannot
 * enforce its own. Slow work alone ends nothing; a probe must time out first, which calls `onFrozen`.
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
    // Work that began meanwhile ends too, since it would wait for the next probe.
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
