import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ResolutionKind, RoundVerdict, VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import { BPS_ONE } from '../common/money.ts'
import { HUMAN_REVIEW } from './deciders.ts'

/** How a session was decided. */
export interface Resolution {
  kind: ResolutionKind
  verdict: RoundVerdict
  /** Part of the remaining reward that the verdict gives the worker, before gas is retained. */
  workerShareBps: number
}

/** Part of the remaining reward for the worker in basis points. Amounts in base units. */
export const workerShareBps = (verdict: RoundVerdict, payoutRaw: bigint, remainingRaw: bigint): number => {
  if (verdict === 'approved' || verdict === 'dismissed') return Number(BPS_ONE)
  if (verdict === 'upheld' || verdict === 'rejected' || remainingRaw === 0n) return 0
  return Number((payoutRaw * BPS_ONE) / remainingRaw)
}

/** Resolution by a verifier's or a reviewer's verdict. */
export const resolutionOfVerdict = ({ handler }: { handler: string }, verdict: 'approved' | 'rejected'): Resolution => ({
  kind: handler === HUMAN_REVIEW ? 'human_review' : 'verifier',
  verdict,
  workerShareBps: workerShareBps(verdict, 0n, 0n),
})

/** How a session was decided, by its records; null while it is not. `verdict` is its newest verdict. */
export const resolutionOf = (
  { disputeResolution }: Pick<SessionRecord, 'disputeResolution'>,
  verdict: { handler: string; outcome: VerdictOutcome } | null,
): Resolution | null => {
  if (disputeResolution !== null) {
    const { kind, verdict: decided, workerShareBps: share } = disputeResolution
    return { kind, verdict: decided, workerShareBps: share }
  }
  const outcome = verdict?.outcome
  return verdict !== null && (outcome === 'approved' || outcome === 'rejected') ? resolutionOfVerdict(verdict, outcome) : null
}
