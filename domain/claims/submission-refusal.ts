import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { LAST_MOMENTS_SECONDS } from '../common/constants.ts'
import { iso, isPast } from '../common/instants.ts'
import { hasDiverged, isTerminal } from '../sessions/state-machine.ts'

/** Refusal of a submission to a session that diverged from the chain. */
export const divergedRefusal = ({ sessionId, chainStateDivergence }: SessionRecord): ServiceError =>
  new ServiceError('chain_state_diverged', { details: { sessionId, ...chainStateDivergence } })

/** A claim as its expiry names it; instants in epoch ms. */
export interface ExpiredClaim
  extends Pick<SessionRecord, 'sessionId' | 'jobId' | 'status' | 'wallet' | 'claimExpiresAt' | 'claimTtlSeconds'> {
  claimedAt: number
}

/** Refusal of a submission whose claim has expired, or is being timed out on chain. */
export const claimExpired = ({ wallet, claimedAt, claimExpiresAt, ...claim }: ExpiredClaim): ServiceError => {
  const { sessionId, jobId, status, claimTtlSeconds } = claim
  return new ServiceError('claim_expired', {
    details: {
      sessionId,
      jobId,
      status,
      claimedBy: wallet,
      claimedAt: iso(claimedAt),
      claimExpiresAt: iso(claimExpiresAt),
      claimTtlSeconds,
    },
  })
}

/** Why a session refuses a submission with this evidence now; null when it accepts, or already has the same submission. */
export const submissionRefusal = (session: SessionRecord, evidenceHash: string, now: number): ServiceError | null => {
  const about = { sessionId: session.sessionId, jobId: session.jobId, status: session.status }
  const lapsed = session.submission === null && isPast(session.claimExpiresAt, now)
  if (session.status === 'expired' || (session.status === 'claimed' && lapsed))
    return claimExpired({ ...session, claimedAt: session.timestamps.claimedAt })
  const isSame = session.submission !== null && session.evidenceHash === evidenceHash
  // A dropped submission has no stored hash to compare with.
  if (hasDiverged(session) && (isSame || session.submission === null)) return divergedRefusal(session)
  if (isSame) return null
  if (session.status === 'claimed')
    return session.submission === null ? null : new ServiceError('submit_in_progress', { details: about, retryAfterSeconds: 1 })
  if (isTerminal(session.status)) return new ServiceError('job_session_completed', { details: about })
  return new ServiceError('invalid_session_transition', {
    detail: 'Another submission was accepted for this session already.',
    details: { ...about, currentStatus: session.status, nextStatus: 'submitted', terminal: false },
  })
}

/** Time (epoch ms) at which the service accepted a submission: `acceptedAt` (ISO 8601), at most `now`; `now` when it is not readable. */
export const acceptanceTime = (acceptedAt: string | undefined, now: number): number => {
  const at = Date.parse(acceptedAt ?? '')
  return Number.isNaN(at) ? now : Math.min(at, now)
}

const LAST_MOMENTS_MS = LAST_MOMENTS_SECONDS * 1000

/** Assumed acceptance time (epoch ms) of an in-time submission without a stored time; chosen so that a lapse never costs the worker. */
export const assumedAcceptanceTime = (claimExpiresAt: number): number => claimExpiresAt - LAST_MOMENTS_MS

/**
 * Whether the service accepted a submission so late in its claim that the sender bears the risk of a lapse. False when the time is unknown.
 * `claimExpiresAt` in epoch ms.
 */
export const isAcceptedLate = (acceptedAt: string | undefined, claimExpiresAt: number): boolean =>
  Date.parse(acceptedAt ?? '') > claimExpiresAt - LAST_MOMENTS_MS
