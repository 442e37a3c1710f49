import type { RoundDecision } from '../../schemas/disputes/record.ts'
import type { ObservedVerdict } from '../../schemas/disputes/stages.ts'
import type { SessionRecord, SessionStatus } from '../../schemas/sessions/record.ts'
import type { ArbitrationVerdict, ResolutionKind, RoundVerdict } from '../../schemas/sessions/verdicts.ts'
import { iso } from '../common/instants.ts'
import { amount } from '../common/money.ts'
import { bondRaw } from '../sessions/economics-view.ts'
import { releaseActionOf } from '../settlement/award.ts'

/** Status of a session after an arbitration, by verdict. */
export const SESSION_AFTER: Readonly<Record<ArbitrationVerdict, SessionStatus>> = {
  upheld: 'rejected',
  dismissed: 'resolved',
  split: 'resolved',
  timeout: 'closed',
}

type ChainVerdict = Pick<ObservedVerdict, 'verdict' | 'workerPayoutRaw'>

/**
 * Whether the verdict on chain differs from the recorded decision. A split of everything equals a dismissal, since both pay the same.
 * A time-out differs from a split of the same amount, because it slashes the bond.
 */
export const isOverruled = (decision: Pick<RoundDecision, 'verdict' | 'workerPayoutRaw'>, onChain: ChainVerdict): boolean =>
  decision.workerPayoutRaw === null || onChain.verdict === 'rejected'
    ? decision.verdict !== onChain.verdict
    : decision.workerPayoutRaw.toString() !== onChain.workerPayoutRaw ||
      (decision.verdict === 'timeout') !== (onChain.verdict === 'timeout')

/** Final verdict of a round: the recorded one, unless the chain overruled it. */
export const finalVerdict = (decision: Pick<RoundDecision, 'verdict' | 'workerPayoutRaw'> | null, onChain: ChainVerdict): RoundVerdict =>
  decision === null || isOverruled(decision, onChain) ? onChain.verdict : decision.verdict

const KIND_BY_VERDICT: Readonly<Record<RoundVerdict, ResolutionKind>> = {
  upheld: 'arbitration',
  dismissed: 'arbitration',
  split: 'arbitration',
  timeout: 'timeout',
  approved: 'verifier',
  rejected: 'verifier',
}
/** A decision by an arbitrator, a verifier or the chain is of the kind that its verdict has. */
const kindOfSource = (source: RoundDecision['source']): ResolutionKind | null => {
  if (source === 'reviewer') return 'human_review'
  return source === 'timeout' ? 'timeout' : null
}

/** Who ended a dispute round: the recorded decision, unless there was none or the chain overruled it. */
export const kindOfRound = (
  decision: Pick<RoundDecision, 'source' | 'verdict' | 'workerPayoutRaw'> | null,
  onChain: { verdict: RoundVerdict; workerPayoutRaw: string },
): ResolutionKind => {
  const own = decision === null || isOverruled(decision, onChain) ? null : kindOfSource(decision.source)
  return own ?? KIND_BY_VERDICT[onChain.verdict]
}

/** Verdict of a decided round as served, with its author. An overruled decision loses its author and reasons to those on chain. */
export const describeDecision = (decision: RoundDecision) => {
  const { observed, decidedBy, decidedAt, source, reasoningHash, payoutSource } = decision
  if (observed?.mismatch === true) {
    const { verdict, by, at } = observed
    return { verdict, decidedBy: by, decidedAt: at, source: 'chain' as const, reasoningHash: null, payoutSource: null }
  }
  return { verdict: observed?.verdict ?? decision.verdict, decidedBy, decidedAt: iso(decidedAt), source, reasoningHash, payoutSource }
}

/** How the verdict releases the worker's bond. Null without a decision, and for a rejection, which moves no bond. */
export const bondRelease = ({ economics }: Pick<SessionRecord, 'economics'>, decision: RoundDecision | null) => {
  if (decision === null) return null
  const { observed } = decision
  const { verdict } = describeDecision(decision)
  if (verdict === 'rejected') return null
  return {
    action: releaseActionOf(verdict),
    amount: amount({ ...economics.asset, raw: bondRaw(economics) }),
    chainStatus: observed === null ? ('submitted' as const) : ('settled_by_verdict' as const),
    ...(observed !== null && { txHash: observed.txHash }),
  }
}
