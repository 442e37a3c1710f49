import { ApplicationFailure, condition } from '@temporalio/workflow'
import { claimExpired } from '../../domain/claims/submission-refusal.ts'
import type { RecordedClaim, SubmitInput, SubmittedSession } from '../../schemas/claims/process.ts'
import { failureCode, isRefusal, toUpdateFailure } from '../common/failures.ts'
import { parseSubmission } from '../common/signals.ts'
import { type ClaimRun, sessionIdOf } from './claim-run.ts'
import { sessionOf } from './phase.ts'
import { chain, records } from './proxies.ts'
import { acceptSent } from './self-paid.ts'

/** Takes a submission once the claim is recorded; submissions and the time-out of the claim wait for each other. */
export const submitWork = async (run: ClaimRun, payload: unknown): Promise<SubmittedSession> => {
  const input = parseSubmission(payload)
  if (input === null) throw ApplicationFailure.nonRetryable('the payload is not a submission', 'invalid_request')
  await condition(() => run.answer !== null)
  try {
    refuseDuringTimeOut(run)
    return await run.mutex.runExclusive(() => submit(run, input))
  } catch (error) {
    throw toUpdateFailure(error)
  }
}

/** The time-out of the claim was sent: no submission is accepted any more, however early it came. */
const refuseDuringTimeOut = ({ phase, claim }: ClaimRun): void => {
  if (phase.name !== 'expiring' || phase.expiry === 'due') return
  const { sessionId, claimedAt, claimExpiresAt } = phase.session
  const [claimedMs, expiresMs] = [Date.parse(claimedAt), Date.parse(claimExpiresAt)]
  const claimTtlSeconds = (expiresMs - claimedMs) / 1000
  const expired = { sessionId, jobId: claim.jobId, status: 'claimed' as const, wallet: claim.wallet, claimTtlSeconds }
  const { code, message, info } = claimExpired({ ...expired, claimedAt: claimedMs, claimExpiresAt: expiresMs })
  throw ApplicationFailure.create({ type: code, message, nonRetryable: true, details: [info] })
}

const submit = async (run: ClaimRun, input: SubmitInput): Promise<SubmittedSession> => {
  refuseDuringTimeOut(run)
  const { runId, phase } = run
  const { sessionId } = input
  const own = sessionIdOf(run)
  if (own === null) throw ApplicationFailure.nonRetryable('the claim was refused', 'session_not_found')
  if (sessionId !== own) throw ApplicationFailure.nonRetryable('the session is over', 'job_session_completed')
  const session = sessionOf(phase)
  if (run.claim.selfPaid && session !== null && (phase.name === 'claimed' || phase.name === 'expiring'))
    return acceptSent(run, session, input)
  const { alreadySubmitted, status } = await records.admitSubmission({ ...input, runId })
  if (alreadySubmitted || session === null) return { sessionId, status }
  return land(run, session, input)
}

/** Sends accepted work to the chain and records it. */
const land = async (
  run: ClaimRun,
  session: RecordedClaim,
  work: Omit<SubmitInput, 'submission' | 'sessionId'>,
): Promise<SubmittedSession> => {
  const { runId } = run
  const { sessionId } = session
  run.submissions += 1
  try {
    const { requestId, acceptedAt, protocol } = work
    const landed = await chain.submitOnChain({ runId, sessionId, requestId, submitNumber: run.submissions, acceptedAt })
    const { reviewEndsAt, ...submitted } = await records.recordSubmission({ runId, sessionId, protocol, ...landed })
    run.enter({ name: 'submitted', session, reviewEndsAt })
    return { sessionId: submitted.sessionId, status: submitted.status }
  } catch (error) {
    if (isRefusal(error)) await dropSubmission(run, sessionId, failureCode(error))
    throw error
  }
}

/** Lands work that the lost process of a claim had accepted. The chain may have it already. What it refuses is dropped. */
export const landAccepted = async (run: ClaimRun, session: RecordedClaim, protocol: SubmitInput['protocol']): Promise<void> => {
  const { requestId } = run.claim
  const landOnce = () => land(run, session, { requestId, protocol })
  await run.mutex.runExclusive(landOnce).catch((error: unknown) => {
    if (!isRefusal(error)) throw error
  })
}

/** The chain refused the submission: the session stays claimed, unless the claim lapsed while an accepted submission was on its way. */
const dropSubmission = async (run: ClaimRun, sessionId: string, code: string): Promise<void> => {
  if (code !== 'claim_expired') return await records.dropSubmission({ sessionId, code })
  const outcome = await records.recordLateSubmission({ sessionId })
  const details = 'The platform missed the deadline of an accepted submission. An operator closes the session with the chain.'
  run.enter({ name: 'ended', outcome, details })
}
