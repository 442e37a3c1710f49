import { ApplicationFailure } from '@temporalio/workflow'
import type { RecordedClaim, SubmitInput, SubmittedSession } from '../../schemas/claims/process.ts'
import { isRefusal } from '../common/failures.ts'
import type { ClaimRun } from './claim-run.ts'
import { chain } from './proxies.ts'

/** The chain is read again after this long where it shows no claim. */
export const RECHECK_MS = 60_000

/** Records a submission that the worker has sent itself, if the chain has one, and ends the claim where a fork removed it. */
export const recordOnChain = async (run: ClaimRun, session: RecordedClaim, isOver: boolean): Promise<SubmittedSession | null> => {
  const { sessionId } = session
  run.events.chainChanged = false
  const found = await chain.bringSubmissionHome({ sessionId, isOver })
  if (found.kind === 'recorded') {
    run.enter({ name: 'submitted', session, reviewEndsAt: found.reviewEndsAt })
    return { sessionId, status: found.status }
  }
  if (found.kind === 'awaited') {
    run.removedSince = null
    return null
  }
  run.removedSince ??= Date.now()
  // The transaction of the claim may be mined again soon, unless another wallet has the job by now.
  if (found.expiry.observedState !== 'open' || Date.now() - run.removedSince >= RECHECK_MS)
    run.enter({ name: 'expiring', session, expiry: found.expiry })
  return null
}

/** Reads the chain after an event of it. A refused reading is repeated with the next event, and at the end of the claim. */
export const recordIfChanged = async (run: ClaimRun, session: RecordedClaim): Promise<void> => {
  const { events } = run
  if (!run.followsChain || run.phase.name !== 'claimed' || !(events.chainChanged || run.removedSince !== null)) return
  try {
    await recordOnChain(run, session, false)
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

/** Answers a worker that has submitted on chain. Throws `submit_in_progress` while the chain does not show it. */
export const acceptSent = async (run: ClaimRun, session: RecordedClaim, { sessionId }: SubmitInput): Promise<SubmittedSession> => {
  const submitted = await recordOnChain(run, session, false)
  if (submitted !== null) return submitted
  throw ApplicationFailure.nonRetryable(`the chain does not show the submission of ${sessionId}`, 'submit_in_progress')
}
