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
  /** Reports that the trouble is over; `cause` is the last one that was reported. */
  end: (cause: string) => void
}

interface Trouble {
  cause: string
  checks: number
  /** Time of the last report of this cause. */
  raisedAt: number | null
  /** Cause of the last report of this trouble; null while none was made. */
  raised: string | null
}

/** Reports a trouble once, again each minute while it lasts, and once when it is over. A new cause is reported as a new trouble. */
export const createAlarm = ({ afterChecks = 1, now = Date.now }: AlarmOptions = {}) => {
  const troubles = new Map<string, Trouble>()
  return ({ subject = '', cause, raise, end }: Finding): void => {
    const last = troubles.get(subject)
    if (cause === null) {
      troubles.delete(subject)
      if (last?.raised != null) end(last.raised)
      return
    }
    const { checks, raisedAt } = last?.cause === cause ? last : { checks: 0, raisedAt: null }
    const isDue = checks + 1 >= afterChecks && (raisedAt === null || now() - raisedAt >= REPEAT_MS)
    const raised = isDue ? cause : (last?.raised ?? null)
    troubles.set(subject, { cause, checks: checks + 1, raisedAt: isDue ? now() : raisedAt, raised })
    if (isDue) raise()
  }
}
