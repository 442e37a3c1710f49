/** A five-field schedule in UTC. Each field is null for any value. */
interface Cron {
  minute: number | null
  hour: number | null
  day: number | null
  month: number | null
  /** 0 to 6 from Sunday. */
  weekday: number | null
}

const RANGES = [
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day', 1, 31],
  ['month', 1, 12],
  ['weekday', 0, 7],
] as const

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A 29 February may be eight years away, and on one weekday forty. */
const YEARS = 41
const LAST_YEAR = 9999

/** Reads five fields, each `*` or one number, as minute, hour, day, month and weekday (0 and 7 are Sunday); null when a number is out of range. */
export const parseCron = (text: string): Cron | null => {
  const fields = text.split(' ')
  const cron: Cron = { minute: null, hour: null, day: null, month: null, weekday: null }
  for (const [place, [name, min, max]] of RANGES.entries()) {
    const field = fields[place]
    if (field === '*') continue
    const value = Number(field)
    if (field === undefined || !/^\d{1,2}$/.test(field) || value < min || value > max) return null
    cron[name] = name === 'weekday' ? value % 7 : value
  }
  return fields.length === RANGES.length ? cron : null
}

const fits = (field: number | null, value: number): boolean => field === null || field === value

/** Whether a schedule has the day; with both a day of the month and a weekday, either is enough, as cron has it. */
const hasDay = ({ day, month, weekday }: Cron, at: Date): boolean => {
  if (!fits(month, at.getUTCMonth() + 1)) return false
  if (day !== null && weekday !== null) return day === at.getUTCDate() || weekday === at.getUTCDay()
  return fits(day, at.getUTCDate()) && fits(weekday, at.getUTCDay())
}

/** The first (`step` 1) or last (`step` -1) due time of a day from `from` on (epoch ms, a whole minute); null without one on that day. */
const timeOfDay = ({ minute, hour }: Cron, from: number, step: 1 | -1): number | null => {
  const start = Date.UTC(new Date(from).getUTCFullYear(), new Date(from).getUTCMonth(), new Date(from).getUTCDate())
  const ofDay = new Date(from)
  for (let h = ofDay.getUTCHours(); h >= 0 && h < 24; h += step) {
    if (!fits(hour, h)) continue
    const isFirst = h === ofDay.getUTCHours()
    const edge = step === 1 ? 0 : 59
    const limit = isFirst ? ofDay.getUTCMinutes() : edge
    if (minute === null) return start + h * HOUR_MS + limit * MINUTE_MS
    if (step === 1 ? minute >= limit : minute <= limit) return start + h * HOUR_MS + minute * MINUTE_MS
  }
  return null
}

const find = (cron: Cron, from: number, step: 1 | -1): number | null => {
  const day = new Date(from)
  const edgeYear = day.getUTCFullYear() + step * YEARS
  for (let at = from; ; ) {
    const date = new Date(at)
    if (date.getUTCFullYear() === edgeYear || date.getUTCFullYear() > LAST_YEAR) return null
    if (hasDay(cron, date)) {
      const found = timeOfDay(cron, at, step)
      if (found !== null) return found
    }
    const [year, month, ofMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
    at = step === 1 ? Date.UTC(year, month, ofMonth + 1) : Date.UTC(year, month, ofMonth) - MINUTE_MS
  }
}

/** First due time strictly after `after` (epoch ms); null when none follows. */
export const nextDue = (cron: Cron, after: number): number | null => find(cron, Math.floor(after / MINUTE_MS) * MINUTE_MS + MINUTE_MS, 1)

/** Last due time at or before `at` (epoch ms); null without one. */
export const lastDue = (cron: Cron, at: number): number | null => find(cron, Math.floor(at / MINUTE_MS) * MINUTE_MS, -1)
