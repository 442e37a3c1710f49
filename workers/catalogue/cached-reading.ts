import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Caches `load` for `freshMs` and shares one call among concurrent callers. Returns null when the call fails or takes longer than `boundMs`;
 * a call that hangs is not repeated.
 */
export const cacheReading = <T>(load: () => Promise<T>, { freshMs, boundMs }: { freshMs: number; boundMs: number }) => {
  let cached: { value: T; at: number } | undefined
  let loading: Promise<T | null> | undefined

  const startLoading = (): Promise<T | null> =>
    load()
      .then((value) => {
        cached = { value, at: performance.now() }
        return value
      })
      .catch(() => null)
      .finally(() => {
        loading = undefined
      })

  return async (): Promise<T | null> => {
    if (cached !== undefined && performance.now() - cached.at < freshMs) return cached.value
    loading ??= startLoading()
    return Promise.race([loading, sleep(boundMs, null, { ref: false })])
  }
}
