import type { RoundDecision, RoundVerdict } from '../../schemas/dispute-record.ts'
import type { SessionRecord } from '../../schemas/session-record.ts'

/** Where a verdict sends the worker's bond; a time-out is the contract's own. Source: lifecycle 11. */
const releaseActionOf = (verdict: RoundVerdict) => {
  if (verdict === 'timeout') return 'contract' as const
  return verdict === 'upheld' ? ('slash-to-treasury' as const) : ('return-to-depositor' as const)
}

/** What the verdict did with the worker's bond, in base units; null while nothing is decided, and while a rejection stands, which moves no bond. */
export const releaseOf = ({ economics }: Pick<SessionRecord, 'economics'>, decision: RoundDecision | null) => {
  const verdict = decision?.observed?.verdict ?? decision?.verdict ?? 'rejected'
  if (decision === null || verdict === 'rejected') return null
  const { observed } = decision
  return {
    action: releaseActionOf(verdict),
    amount: (economics.claimStakeRaw + economics.claimFeeRaw).toString(),
    chainStatus: observed === null ? ('submitted' as const) : ('settled_by_verdict' as const),
    ...(observed !== null && { txHash: observed.txHash }),
  }
}
