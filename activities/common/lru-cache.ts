/** Values by key, up to a total weight and a number of values; the least recently used value is evicted first. */
export const createLruCache = <T extends { weight: number }>(maxWeight: number, maxValues = Number.POSITIVE_INFINITY) => {
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
        if (total <= maxWeight && entries.size <= maxValues) break
        evict(oldest)
      }
    },
  }
}
