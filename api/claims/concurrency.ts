/** Limits concurrent work per key to `width`; the rest waits in order of arrival. Load on one key does not slow down other keys. */
export const createKeyedLimiter = (width: number) => {
  const slots = new Map<string, { running: number; queue: (() => void)[] }>()

  const acquire = async (key: string): Promise<void> => {
    const slot = slots.get(key) ?? { running: 0, queue: [] }
    slots.set(key, slot)
    if (slot.running >= width) await new Promise<void>((resolve) => slot.queue.push(resolve))
    else slot.running += 1
  }

  /** Passes the place to the next caller, so `running` counts it once. */
  const release = (key: string): void => {
    const slot = slots.get(key)
    const next = slot?.queue.shift()
    if (next !== undefined) next()
    else if (slot !== undefined && --slot.running === 0) slots.delete(key)
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await acquire(key)
    try {
      return await work()
    } finally {
      release(key)
    }
  }
}
