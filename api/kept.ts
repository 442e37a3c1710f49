/** A value that is expensive to make: made once for all who ask within `periodMs` (wall clock). What failed is not kept. */
export const keptFor = <T>(periodMs: number, make: () => Promise<T>): { get: () => Promise<T>; forget: () => void } => {
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
