/** Events of the escrow that the clock reads. */
export const CLOCK_EVENTS = [
  'WorkSubmitted',
  'Verified',
  'SettlementSplit',
  'JobRejected',
  'JobReopened',
  'JobClosed',
  'DisputeOpened',
  'DisputeResolved',
] as const

/** An event of an escrow job; `at` is the time of its block in epoch seconds. */
export interface ClockEvent {
  event: (typeof CLOCK_EVENTS)[number]
  chainJobId: string
  at: number
  /** Worker of a submission, lower case. */
  worker: string | null
}

/** A submission and what followed it, epoch seconds; null where it did not happen. */
export interface Submission {
  chainJobId: string
  worker: string
  submittedAt: number
  verdictAt: number | null
  paidAt: number | null
  /** True while it has no decision, while its dispute is open, and while it is approved and not paid. */
  isUnpaid: boolean
}

/** Submissions of a list of events in the order of the chain, in their order. */
export const submissionsOf = (events: readonly ClockEvent[]): Submission[] => {
  const found: Submission[] = []
  const open = new Map<string, Submission>()
  for (const { event, chainJobId, at, worker } of events) {
    if (event === 'WorkSubmitted') {
      const submission = { chainJobId, worker: worker ?? '', submittedAt: at, verdictAt: null, paidAt: null, isUnpaid: true }
      open.set(chainJobId, submission)
      found.push(submission)
      continue
    }
    const current = open.get(chainJobId)
    if (current === undefined) continue
    switch (event) {
      case 'Verified':
        current.verdictAt ??= at
        break
      case 'SettlementSplit':
        current.paidAt ??= at
        current.isUnpaid = false
        break
      case 'DisputeOpened':
        current.isUnpaid = true
        break
      default:
        // A rejection, a reopening and a closing owe nothing more.
        current.isUnpaid = false
    }
  }
  return found
}

/** Nearest-rank percentiles of whole seconds; null without a value. */
export const stepTimes = (seconds: readonly number[]) => {
  const sorted = seconds.toSorted((left, right) => left - right)
  const rank = (share: number): number | null => sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? null
  return { count: sorted.length, medianSeconds: rank(0.5), p90Seconds: rank(0.9), maxSeconds: sorted.at(-1) ?? null }
}

/** The times between the steps of submissions. */
export const settlementTimes = (submissions: readonly Submission[]) => {
  const between = (from: 'submittedAt' | 'verdictAt', to: 'verdictAt' | 'paidAt') =>
    stepTimes(
      submissions.flatMap((submission) => {
        const [start, end] = [submission[from], submission[to]]
        return start === null || end === null ? [] : [end - start]
      }),
    )
  return {
    submittedToVerdict: between('submittedAt', 'verdictAt'),
    verdictToPaid: between('verdictAt', 'paidAt'),
    submittedToPaid: between('submittedAt', 'paidAt'),
  }
}
