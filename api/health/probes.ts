import type { SignerStatus } from '../../activities/chain/nonce-status.ts'

/** How the process finds out whether what it depends on answers. Each rejects when it does not. */
export interface Probes {
  database(): Promise<void>
  /** Wall-clock epoch ms of the last poll of any worker on the task queue; null when there was none. */
  temporal(): Promise<{ lastPollAt: number | null }>
  /** Time of the latest block, epoch ms. */
  chain(): Promise<{ blockTime: number }>
  /** Where every signer of the journal stands; asks database and chain. */
  nonces(): Promise<Pick<SignerStatus, 'signer' | 'trouble'>[]>
}

export type Probed<T> = { ok: true; value: T } | { ok: false }

const TIME_OUT_MS = 450
const TRIES = 3

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${TIME_OUT_MS} ms`)), TIME_OUT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Asks up to three times in a row: a single failed read does not make a dependency unwell. */
export const probe = async <T>(ask: () => Promise<T>, note: (error: unknown) => void): Promise<Probed<T>> => {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      return { ok: true, value: await inTime(ask()) }
    } catch (error) {
      note(error)
    }
  }
  return { ok: false }
}

/**
 * Keeps an answer: fresh for a while as it is, then served once more while it is read again, then not at all. Its age is in the
 * time of `now`, the service's clock: when that time is moved, what was read before the move is old.
 */
export const staleWhileRevalidate = <T>(
  load: () => Promise<T>,
  { freshMs, staleMs, now }: { freshMs: number; staleMs: number; now: () => number },
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
    if (kept === undefined || age >= staleMs) return next
    // Somebody waits for the fresh value below only when there is no old one; a failure is reported by the load itself.
    next.catch(() => undefined)
    return kept.value
  }
}
