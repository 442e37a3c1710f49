/**
 * A reading that costs something: kept for a moment, read once for all who ask meanwhile, and never awaited longer than its bound.
 * Null when it failed or does not come in time; a reading that hangs is not begun a second time.
 */
export const keptReading = <T>(load: () => Promise<T>, { freshMs, boundMs }: { freshMs: number; boundMs: number }) => {
  let kept: { value: T; at: number } | undefined
  let loading: Promise<T | null> | undefined

  const begin = (): Promise<T | null> =>
    load()
      .then((value) => {
        kept = { value, at: performance.now() }
        return value
      })
      .catch(() => null)
      .finally(() => {
        loading = undefined
      })

  return async (): Promise<T | null> => {
    if (kept !== undefined && performance.now() - kept.at < freshMs) return kept.value
    loading ??= begin()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), boundMs)
    })
    return Promise.race([loading, late]).finally(() => clearTimeout(timer))
  }
}
