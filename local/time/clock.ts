import { type ClockSetting, parseClockSetting, timeBySetting } from '../../activities/common/clock.ts'
import { readIfThere, writePrivate } from '../files.ts'

/** What the clock file says; no offset when the time machine never ran. */
export const readClockSetting = (file: string): ClockSetting => parseClockSetting(readIfThere(file) ?? '0', file)

/** Milliseconds that the service's clock is ahead of the wall clock while it runs; 0 when the time machine never ran. */
export const readClockOffset = (file: string): number => readClockSetting(file).offsetMs

/** Service time, epoch ms. */
export const readServiceTime = (file: string): number => timeBySetting(readClockSetting(file))

/** Moves the service's clock, and lets it run. Only forward: a clock that ran backwards would reopen what has ended. */
export const writeClockOffset = (file: string, offsetMs: number): void => {
  const { offsetMs: presentMs, frozenAt } = readClockSetting(file)
  if (offsetMs < presentMs || (frozenAt !== undefined && Date.now() + offsetMs < frozenAt))
    throw new Error('time on the local stack moves forward only')
  writePrivate(file, String(offsetMs))
}

/** Holds the service's clock at an instant (epoch ms) that is not over, until its offset is written again. */
export const freezeClock = (file: string, instant: number): void => {
  if (instant < readServiceTime(file)) throw new Error('time on the local stack moves forward only')
  writePrivate(file, `${readClockOffset(file)} ${instant}`)
}
