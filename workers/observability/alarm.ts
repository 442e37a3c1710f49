/** A continuing trouble is reported again at this interval. */
const REPEAT_MS = 60_000

export interface AlarmOptions {
  /** Checks in a row that must find the same trouble before it is reported. */
  afterChecks?: number
  now?: () => number
}

/** What one check found about a subject. */
export interface Finding {
  subject?: string
  /** What is wrong, in a form that can be compared; null when nothing is. */
  cause: string | null
  raise: () => void
  /** Reports that the trouble is over; `cause` is the last one. */
  end: (cause: string) => void
}

interface Trouble {
  cause: string
  checks: number
  /** Time of the last report of this cause. */
  raisedAt: number | null
  /** Whether a report of this trouble was made, of this cause or an earlier one. */
  isRaised: boolean
}

/** Reports a trouble once, again each minute while it lasts, and once when it is over. A new cause is reported as a new trouble. */
export const createAlarm = ({ afterChecks = 1, now = Date.now }: AlarmOptions = {}) => {
  const troubles = new Map<string, Trouble>()
  return ({ subject = '', cause, raise, end }: Finding): void => {
    const last = troubles.get(subject)
    if (cause === null) {
      troubles.delete(subject)
      if (last?.isRaised) end(last.cause)
      return
    }
    const { checks, raisedAt } = last?.cause === cause ? last : { checks: 0, raisedAt: null }
    const isDue = checks + 1 >= afterChecks && (raisedAt === null || now() - raisedAt >= REPEAT_MS)
    const isRaised = isDue || last?.isRaised === true
    troubles.set(subject, { cause, checks: checks + 1, raisedAt: isDue ? now() : raisedAt, isRaised })
    if (isDue) raise()
  }
}
