import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import { awaitsVerdict } from '../sessions/state-machine.ts'
import { ON_CHAIN } from './deciders.ts'

interface Present {
  session: Pick<SessionRecord, 'status' | 'chainState'>
  /** Newest verdict of the session; null before the first. */
  last: { outcome: VerdictOutcome } | null
  /** Somebody's word has decided the session's dispute: the money follows it, although it may not have moved yet. */
  roundDecided: boolean
}

const decides = ({ outcome }: { outcome: VerdictOutcome }): boolean => outcome === 'approved' || outcome === 'rejected'

/**
 * Whether a verdict is not kept, since one that stands decides: another is being carried out, or the arbitrator has the case. What the chain
 * shows is kept where it says another thing.
 */
export const comesTooLate = ({ session, last, roundDecided }: Present, verdict: { handler: string; outcome: VerdictOutcome }): boolean => {
  if (last === null) return false
  if (verdict.handler === ON_CHAIN) return last.outcome === verdict.outcome
  return !awaitsVerdict(session) || decides(last) || roundDecided
}
