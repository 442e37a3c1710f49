import { readFileSync } from 'node:fs'

/** Service time. Every rule and record takes its instant from here, never from `Date.now()`. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number
}

/** An offset is read again after this long, so that all processes agree right after the time machine ran. */
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

/** The wall clock, or on the local stack the wall clock plus the offset (milliseconds) that the time machine keeps in `offsetFile`. */
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
