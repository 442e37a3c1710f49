import { openIntentOfJob, pendingClaim } from '../../activities/claims/intents.ts'
import { findSession, latestSessions, sessionsOfWalletOnJob } from '../../activities/sessions/records.ts'
import { isLapsedSession, isLiveSession, isTerminal } from '../../domain/sessions/state-machine.ts'
import type { claimJob } from '../../schemas/claims/operations.ts'
import type { NewClaim } from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Answer } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { pendingAnswer, servedSession } from '../sessions/answers.ts'
import { queuedClaim } from '../sessions/pending.ts'

export type ClaimReply = Answer<typeof claimJob>
type Claimed = Pick<NewClaim, 'jobId' | 'wallet'>

export const inProgress = (jobId: string): ServiceError =>
  new ServiceError('claim_in_progress', { details: { jobId }, retryAfterSeconds: 1 })

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

/** Passes claims to the engine, and answers them by their outcome and the records. */
export const createClaimReplies = (deps: ApiDeps) => {
  const { database, engine, clock, baseUrl } = deps

  const served = (session: SessionRecord, replayed: boolean): ClaimReply => servedSession(session, { now: clock.now(), baseUrl, replayed })

  const liveSession = async (wallet: string, jobId: string): Promise<SessionRecord | null> => {
    const own = await sessionsOfWalletOnJob(database.rows, wallet, jobId)
    return own.find((session) => isLiveSession(session, clock.now())) ?? null
  }

  const findPendingReply = async ({ jobId, wallet }: Claimed): Promise<ClaimReply | null> => {
    const intent = await openIntentOfJob(database.rows, jobId)
    const pending = intent === null || intent.wallet !== wallet ? null : await pendingClaim(database.rows, intent.sessionId)
    return pending === null ? null : { status: 202, body: pendingAnswer(pending) }
  }

  /** The answer by the records: the wallet's pending claim, or its session. */
  const findReply = async (claim: Claimed): Promise<ClaimReply | null> => {
    const pending = await findPendingReply(claim)
    if (pending !== null) return pending
    const session = await liveSession(claim.wallet, claim.jobId)
    return session === null ? null : served(session, false)
  }

  /** The engine has the claim; there is no record of it until a worker has admitted it. */
  const acceptedReply = async (claim: Claimed): Promise<ClaimReply> =>
    (await findReply(claim)) ?? { status: 202, body: pendingAnswer(await queuedClaim(deps, claim)) }

  /** The claim ended and its refusal went to another request: answers by the records, or 409 `claim_in_progress`. */
  const recordedReply = async (claim: Claimed): Promise<ClaimReply> => {
    const reply = await findReply(claim)
    if (reply === null) throw inProgress(claim.jobId)
    return reply
  }

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

  return { served, liveSession, findPendingReply, acceptedReply, findHolder, run }
}
