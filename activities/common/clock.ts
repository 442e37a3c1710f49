import { readFileSync } from 'node:fs'

/** Service time. Rules and records take the time from here, never from `Date.now()`. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number
}

/** Content of the clock file of the local stack. */
export interface ClockSetting {
  /** Milliseconds that the service's clock is ahead of the wall clock. */
  offsetMs: number
  /** The instant (epoch ms) at which the service's clock is held; undefined while it runs. */
  frozenAt: number | undefined
}

/** Parses `<offset>` or `<offset> <frozenAt>`, both in milliseconds; throws on anything else. */
export const parseClockSetting = (text: string, file: string): ClockSetting => {
  const [offsetMs = 0, frozenAt, ...others] = text.trim().split(' ').map(Number)
  const isValid = others.length === 0 && Number.isSafeInteger(offsetMs) && (frozenAt === undefined || Number.isSafeInteger(frozenAt))
  if (!isValid) throw new Error(`${file} does not hold a number of milliseconds`)
  return { offsetMs, frozenAt }
}

/** Service time by a setting and the wall clock. */
export const timeBySetting = ({ offsetMs, frozenAt }: ClockSetting): number => frozenAt ?? Date.now() + offsetMs

/** The file is read again after this time, so that all processes agree soon after a change. */
const FRESH_MS = 2

const readSetting = (file: string): ClockSetting => {
  try {
    return parseClockSetting(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { offsetMs: 0, frozenAt: undefined }
    throw error
  }
}

/** The wall clock. On the local stack it follows what the time machine stores in `offsetFile`. */
export const createClock = ({ offsetFile }: { offsetFile?: string | undefined } = {}): Clock => {
  if (offsetFile === undefined) return { now: () => Date.now() }
  let readAt = Number.NEGATIVE_INFINITY
  let setting: ClockSetting = { offsetMs: 0, frozenAt: undefined }
  return {
    now() {
      const elapsed = performance.now()
      if (elapsed - readAt > FRESH_MS) {
        setting = readSetting(offsetFile)
        readAt = elapsed
      }
      return timeBySetting(setting)
    },
  }
}
