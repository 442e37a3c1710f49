import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { iso, isPast } from '../common/instants.ts'
import { hasDiverged, isTerminal } from '../sessions/state-machine.ts'

/** What who hands work in is told of a session whose chain went another way: not the worker's fault. */
export const divergedRefusal = ({
  sessionId,
  chainStateDivergence,
}: Pick<SessionRecord, 'sessionId' | 'chainStateDivergence'>): ServiceError =>
  new ServiceError('chain_state_diverged', { details: { sessionId, ...chainStateDivergence } })

/** A claim as its expiry names it; instants in epoch ms. */
export interface ExpiredClaim
  extends Pick<SessionRecord, 'sessionId' | 'jobId' | 'status' | 'wallet' | 'claimExpiresAt' | 'claimTtlSeconds'> {
  claimedAt: number
}

/** Refusal of a submission whose claim has expired, or is being timed out on chain. */
export const claimExpired = ({
  sessionId,
  jobId,
  status,
  wallet,
  claimedAt,
  claimExpiresAt,
  claimTtlSeconds,
}: ExpiredClaim): ServiceError =>
  new ServiceError('claim_expired', {
    details: {
      ...{ sessionId, jobId, status, claimedBy: wallet },
      ...{ claimedAt: iso(claimedAt), claimExpiresAt: iso(claimExpiresAt), claimTtlSeconds },
    },
  })

/** Why a session does not take a submission with this evidence now; null when it does, or when it already has exactly this one. */
export const submissionRefusal = (session: SessionRecord, evidenceHash: string, now: number): ServiceError | null => {
  const about = { sessionId: session.sessionId, jobId: session.jobId, status: session.status }
  const lapsed = session.submission === null && isPast(session.claimExpiresAt, now)
  if (session.status === 'expired' || (session.status === 'claimed' && lapsed))
    return claimExpired({ ...session, claimedAt: session.timestamps.claimedAt })
  const isSame = session.submission !== null && session.evidenceHash === evidenceHash
  // Work that was dropped has nothing left that this could be compared with.
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

/**
 * The instant (epoch ms) by which a submission is in time: when the service took it in (ISO 8601), however long it then waited for a
 * worker, and never later than `now`; without a readable one, `now`.
 */
export const takenInAt = (acceptedAt: string | undefined, now: number): number => {
  const at = Date.parse(acceptedAt ?? '')
  return Number.isNaN(at) ? now : Math.min(at, now)
}

/** Two blocks of a slow chain: what is taken in later may lapse on its way there without anybody's fault. */
const LAST_MOMENTS_MS = 12_000

/** For one that was taken in before the end of its claim (epoch ms), nobody knows when: of both ways to read it this one costs the worker nothing. */
export const takenInSomeTimeBefore = (claimExpiresAt: number): number => claimExpiresAt - LAST_MOMENTS_MS

/**
 * Whether a submission came so shortly before the end of its claim (epoch ms) that its way to the chain was the sender's risk. One whose instant
 * is unknown did not.
 */
export const cameInLastMoments = (acceptedAt: string | undefined, claimExpiresAt: number): boolean =>
  Date.parse(acceptedAt ?? '') > claimExpiresAt - LAST_MOMENTS_MS
