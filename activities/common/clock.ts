import { readFileSync } from 'node:fs'

/** Service time. Rules and records take the time from here, never from `Date.now()`. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number
}

/** The offset is read again after this time, so that all processes agree soon after a change. */
const FRESH_MS = 2

const readOffset = (file: string): number => {
  try {
    const offset = Number(readFileSync(file, 'utf8'))
    if (!Number.isSafeInteger(offset)) throw new Error(`${file} does not hold a number of milliseconds`)
    return offset
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

/** The wall clock. On the local stack it adds the offset (milliseconds) that the time machine stores in `offsetFile`. */
export const createClock = ({ offsetFile }: { offsetFile?: string | undefined } = {}): Clock => {
  if (offsetFile === undefined) return { now: () => Date.now() }
  let readAt = Number.NEGATIVE_INFINITY
  let offset = 0
  return {
    now() {
      const elapsed = performance.now()
      if (elapsed - readAt > FRESH_MS) {
        offset = readOffset(offsetFile)
        readAt = elapsed
      }
      return Date.now() + offset
    },
  }
}
