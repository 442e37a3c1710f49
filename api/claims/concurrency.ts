import { Semaphore } from 'async-mutex'

/** Limits concurrent work per key to `width`; the rest waits in order of arrival. Load on one key does not slow down other keys. */
export const createKeyedLimiter = (width: number) => {
  const slots = new Map<string, Semaphore>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const slot = slots.get(key) ?? new Semaphore(width)
    slots.set(key, slot)
    try {
      return await slot.runExclusive(work)
    } finally {
      const isIdle = slot.getValue() === width
      if (isIdle && slots.get(key) === slot) slots.delete(key)
    }
  }
}
