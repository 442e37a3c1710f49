import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import { ON_CHAIN } from '../sessions/deciders.ts'
import { awaitsVerdict, isTerminal } from '../sessions/state-machine.ts'

interface Present {
  session: Pick<SessionRecord, 'status' | 'chainState'>
  /** Newest verdict of the session; null before the first. */
  last: { outcome: VerdictOutcome } | null
  /** True when the session's dispute is decided, even before its payout. */
  roundDecided: boolean
}

/** Whether an outcome decides the session; after any other one people do. */
export const isFinalOutcome = ({ outcome }: { outcome: VerdictOutcome }): boolean => outcome === 'approved' || outcome === 'rejected'

/**
 * Whether a verdict is discarded, because another one decides already or an arbitrator has the case. A verdict read from the chain is
 * discarded only when it repeats the last outcome.
 */
export const isLateVerdict = ({ session, last, roundDecided }: Present, verdict: { handler: string; outcome: VerdictOutcome }): boolean => {
  if (last === null) return false
  if (verdict.handler === ON_CHAIN) return last.outcome === verdict.outcome
  return !awaitsVerdict(session) || isFinalOutcome(last) || roundDecided
}

/**
 * Whether people have to decide a verified session. A final verdict on an escrow that waits for one is only being settled; after a dispute on
 * chain the arbitrator decides, whatever the verdict was.
 */
export const isWithPeople = (
  { status, chainState }: Pick<SessionRecord, 'status' | 'chainState'>,
  verdict: { outcome: VerdictOutcome },
): boolean => !isTerminal(status) && (!isFinalOutcome(verdict) || (status === 'disputed' && chainState !== 'submitted'))
