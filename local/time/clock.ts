import { readIfThere, writePrivate } from '../files.ts'

/** Milliseconds that the service's clock is ahead of the wall clock; 0 when the time machine never ran. */
export const readClockOffset = (file: string): number => {
  const offset = Number(readIfThere(file) ?? '0')
  if (!Number.isSafeInteger(offset)) throw new Error(`${file} does not hold a number of milliseconds`)
  return offset
}

/** Moves the service's clock. Only forward: a clock that ran backwards would reopen what has ended. */
export const writeClockOffset = (file: string, offsetMs: number): void => {
  if (offsetMs < readClockOffset(file)) throw new Error('time on the local stack moves forward only')
  writePrivate(file, String(offsetMs))
}
