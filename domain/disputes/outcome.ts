import type { ObservedVerdict, RoundDecision } from '../../schemas/disputes/record.ts'
import type { SessionRecord, SessionStatus } from '../../schemas/sessions/record.ts'
import type { ArbitrationVerdict, RoundVerdict } from '../../schemas/sessions/verdicts.ts'
import { iso } from '../common/instants.ts'
import { releaseActionOf } from '../settlement/award.ts'

/** What a session becomes by an arbitration's verdict. */
export const SESSION_AFTER: Readonly<Record<ArbitrationVerdict, SessionStatus>> = {
  upheld: 'rejected',
  dismissed: 'resolved',
  split: 'resolved',
  timeout: 'closed',
}

type Shown = Pick<ObservedVerdict, 'verdict' | 'workerPayoutRaw'>

/**
 * Whether the chain shows another verdict than the decided one. A split of everything and a dismissal move the same money and count as the
 * same verdict; a time-out that moves as much as a split slashes the bond and counts as another.
 */
export const isOverruled = (decision: Pick<RoundDecision, 'verdict' | 'workerPayoutRaw'>, shown: Shown): boolean =>
  decision.workerPayoutRaw === null || shown.verdict === 'rejected'
    ? decision.verdict !== shown.verdict
    : decision.workerPayoutRaw.toString() !== shown.workerPayoutRaw || (decision.verdict === 'timeout') !== (shown.verdict === 'timeout')

/** Final verdict of a round: the decided one, unless the chain overruled it. */
export const finalVerdict = (decision: Pick<RoundDecision, 'verdict' | 'workerPayoutRaw'> | null, shown: Shown): RoundVerdict =>
  decision === null || isOverruled(decision, shown) ? shown.verdict : decision.verdict

/** Verdict of a decided round as served, with its author. Where the chain overruled the decision, neither its author nor its reasons are shown. */
export const describeDecision = (decision: RoundDecision) => {
  const { observed, decidedBy, decidedAt, source, reasoningHash, payoutSource } = decision
  if (observed?.mismatch === true) {
    const { verdict, by, at } = observed
    return { verdict, decidedBy: by, decidedAt: at, source: 'chain' as const, reasoningHash: null, payoutSource: null }
  }
  return { verdict: observed?.verdict ?? decision.verdict, decidedBy, decidedAt: iso(decidedAt), source, reasoningHash, payoutSource }
}

/** What the verdict did with the worker's bond, in base units; null while nothing is decided, and while a rejection stands, which moves no bond. */
export const releaseOf = ({ economics }: Pick<SessionRecord, 'economics'>, decision: RoundDecision | null) => {
  if (decision === null) return null
  const { observed } = decision
  const { verdict } = describeDecision(decision)
  if (verdict === 'rejected') return null
  return {
    action: releaseActionOf(verdict),
    amount: (economics.claimStakeRaw + economics.claimFeeRaw).toString(),
    chainStatus: observed === null ? ('submitted' as const) : ('settled_by_verdict' as const),
    ...(observed !== null && { txHash: observed.txHash }),
  }
}
