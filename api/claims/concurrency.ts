/**
 * Work on one subject in lanes: at most `width` at a time per key, the rest in the order of arrival. A crowd at one key then costs
 * others nothing but its own turn, and what the first of it brought about is seen by those who come after.
 */
export const createKeyedLimiter = (width: number) => {
  const waiting = new Map<string, { running: number; queue: (() => void)[] }>()

  const enter = async (key: string): Promise<void> => {
    const lane = waiting.get(key) ?? { running: 0, queue: [] }
    waiting.set(key, lane)
    if (lane.running >= width) await new Promise<void>((resolve) => lane.queue.push(resolve))
    else lane.running += 1
  }

  /** A turn is handed on, so `running` counts it once. */
  const leave = (key: string): void => {
    const lane = waiting.get(key)
    const next = lane?.queue.shift()
    if (next !== undefined) next()
    else if (lane !== undefined && --lane.running === 0) waiting.delete(key)
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await enter(key)
    try {
      return await work()
    } finally {
      leave(key)
    }
  }
}
