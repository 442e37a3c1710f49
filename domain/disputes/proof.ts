import type { DisputeRecord } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ArbitrationVerdict } from '../../schemas/sessions/verdicts.ts'
import { minRaw } from '../common/money.ts'

/** The least that a split pays: the contract takes no split without a payout. */
const BASE_UNIT = 1n

/** Whether only a passing result of a profile pays a session. */
export const isProofGated = ({ verifierMode }: Pick<SessionRecord, 'verifierMode'>): boolean => verifierMode === 'verification_profile'

/** Payout of a split that rests on no result, base units. */
export const unprovenSplitRaw = (remainingRaw: bigint): bigint => minRaw(BASE_UNIT, remainingRaw)

type Gated = Pick<DisputeRecord, 'isProofGated' | 'proof' | 'round' | 'arbitrator'>

/**
 * Whether a verdict pays a worker more than a passing result of this round allows. Without the service's own key the contract's time-out stays the
 * only end.
 */
export const needsProof = (
  { isProofGated: gated, arbitrator }: Pick<Gated, 'isProofGated' | 'arbitrator'>,
  { verdict, payoutRaw }: { verdict: ArbitrationVerdict; payoutRaw: bigint | null },
): boolean => {
  if (!gated || verdict === 'upheld') return false
  if (verdict === 'timeout') return arbitrator !== null
  return verdict === 'dismissed' || (payoutRaw !== null && payoutRaw > BASE_UNIT)
}

/** Refusal of a verdict that no passing result of this round allows; null when it may be given. */
export const proofRefusal = (
  dispute: Gated & Pick<DisputeRecord, 'disputeId'>,
  verdict: { verdict: ArbitrationVerdict; payoutRaw: bigint | null },
): ServiceError | null => {
  if (!needsProof(dispute, verdict)) return null
  const { disputeId, proof, round } = dispute
  const run = proof?.round === round ? proof : null
  if (run?.outcome === 'approved' && verdict.verdict !== 'timeout') return null
  return new ServiceError('dispute_proof_required', {
    detail: run === null ? undefined : `The profile was run again and did not pass: ${run.detail}`,
    details: {
      disputeId,
      verdict: verdict.verdict,
      ...(run !== null && { outcome: run.outcome, reasonCode: run.reasonCode, ranAt: run.ranAt }),
    },
  })
}
