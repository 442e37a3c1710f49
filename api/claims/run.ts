import { openIntentOfJob } from '../../activities/claims/intents.ts'
import { findSession, latestSessions } from '../../activities/sessions/records.ts'
import { isLapsedSession, isTerminal } from '../../domain/sessions/state-machine.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import type { NewClaim } from '../temporal/engine.ts'
import { type ClaimReply, type createClaimReplies, inProgress } from './replies.ts'

export const claimedBy = (session: SessionRecord): ServiceError =>
  new ServiceError('job_already_claimed', {
    details: {
      sessionId: session.sessionId,
      jobId: session.jobId,
      claimedBy: session.wallet,
      claimedAt: new Date(session.timestamps.claimedAt).toISOString(),
      claimExpiresAt: new Date(session.claimExpiresAt).toISOString(),
      claimTtlSeconds: session.claimTtlSeconds,
    },
  })

/** Passes a claim to the engine and answers by its outcome. */
export const createClaimRun = (
  { database, engine, clock }: ApiDeps,
  { served, acceptedReply, recordedReply }: ReturnType<typeof createClaimReplies>,
) => {
  /** What holds the job by the records: a pending claim, else the latest session. */
  const findHolder = async (jobId: string): Promise<'pending' | SessionRecord | null> => {
    if ((await openIntentOfJob(database.rows, jobId)) !== null) return 'pending'
    return (await latestSessions(database.rows, [jobId])).get(jobId) ?? null
  }

  /** Asks the run of a lapsed session to end. False when that takes longer, or another run has the job by now. */
  const endLapsed = ({ jobId, runId }: SessionRecord): Promise<boolean> => engine.endLapsedRun(jobId, runId)

  /** Another claim's run holds the job: ends it once if it has lapsed, else throws the refusal. */
  const endLapsedHolder = async (claim: NewClaim, again: boolean): Promise<void> => {
    const holder = await findHolder(claim.jobId)
    if (holder === null || holder === 'pending') throw inProgress(claim.jobId)
    if (isLapsedSession(holder, clock.now()) || holder.status === 'expired') {
      if (again && (await endLapsed(holder))) return
      throw inProgress(claim.jobId)
    }
    throw isTerminal(holder.status) ? inProgress(claim.jobId) : claimedBy(holder)
  }

  const run = async (claim: NewClaim, outage: AbortSignal, again = true): Promise<ClaimReply> => {
    outage.throwIfAborted()
    const answer = await engine.claim(claim, outage)
    if (answer.kind === 'pending') return acceptedReply(claim)
    if (answer.kind === 'over') return recordedReply(claim)
    if (answer.kind === 'taken') {
      await endLapsedHolder(claim, again)
      return run(claim, outage, false)
    }
    const session = await findSession(database.rows, answer.value.sessionId)
    if (session === null) throw new Error(`session ${answer.value.sessionId} was recorded and is gone`)
    // The wallet's own earlier claim has lapsed and its run has not ended yet.
    if (again && isLapsedSession(session, clock.now())) {
      if (await endLapsed(session)) return run(claim, outage, false)
      throw inProgress(claim.jobId)
    }
    return served(session, false)
  }

  return { findHolder, run }
}
