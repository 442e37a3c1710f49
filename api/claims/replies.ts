import { openIntentOfJob, pendingClaim } from '../../activities/claims/intents.ts'
import { sessionsOfWalletOnJob } from '../../activities/sessions/records.ts'
import { isLiveSession } from '../../domain/sessions/state-machine.ts'
import type { claimJob } from '../../schemas/claims/operations.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Answer } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { pendingAnswer, servedSession } from '../sessions/answers.ts'
import { queuedClaim } from '../sessions/pending.ts'
import type { NewClaim } from '../temporal/engine.ts'

export type ClaimReply = Answer<typeof claimJob>
type Claimed = Pick<NewClaim, 'jobId' | 'wallet'>

export const inProgress = (jobId: string): ServiceError =>
  new ServiceError('claim_in_progress', { details: { jobId }, retryAfterSeconds: 1 })

/** Answers to a claim by the records. */
export const createClaimReplies = (deps: ApiDeps) => {
  const { database, clock, baseUrl } = deps

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

  return { served, liveSession, findPendingReply, acceptedReply, recordedReply }
}
