import { allHandlersFinished, condition, continueAsNew, isCancellation, workflowInfo } from '@temporalio/workflow'
import type { PullRequestResult, RunResult, VerifierInput, VerifierSubject } from '../../schemas/verification/process.ts'
import { clock } from '../common/proxies.ts'
import { handlers, records, siblings } from './proxies.ts'
import { answerRequests, endRun, hasUnanswered, nextRequester, showDetails, type VerifierRunState } from './run-state.ts'

/** Shortest pause between two reads, whatever `Retry-After` the code host sends. */
const SHORTEST_PAUSE_MS = 15_000
const DEFAULT_POLL_SECONDS = 30 * 60

const FAILED: PullRequestResult = {
  kind: 'unavailable',
  reasonCode: 'VERIFIER_HANDLER_FAILED',
  detail: 'The pull request could not be read; the step is repeated.',
}

/**
 * Reads the pull request of a submission at intervals, and at once when it may have changed. Returns the last verdict's id, or null.
 * An approval settles by itself after a merge, and after new check results during a human review. Other results wait for an operator.
 * When the review time is over people are called, and the run goes on reading.
 */
export const watchPullRequest = async (run: VerifierRunState, subject: VerifierSubject): Promise<string | null> => {
  let verdictId: string | null = null
  for (;;) {
    const result = await readPullRequest(run, subject)
    if (result.kind === 'verdict') {
      verdictId = result.verdictId
      await announceVerdict(run, subject, verdictId)
    }
    if (run.phase.name === 'ended') return verdictId
    let untilReview = Number.POSITIVE_INFINITY
    if (run.phase.name === 'verifying') {
      untilReview = await clock.millisecondsUntil(subject.slaDeadline)
      if (untilReview <= 0) {
        verdictId = await callPeople(run, subject)
        untilReview = Number.POSITIVE_INFINITY
      }
    }
    if (workflowInfo().continueAsNewSuggested && !hasUnanswered(run)) {
      await condition(allHandlersFinished)
      await continueAsNew<(next: VerifierInput) => Promise<unknown>>(run.input)
    }
    await condition(() => run.hasChanged || hasUnanswered(run), Math.min(pauseAfter(result, subject), untilReview))
  }
}

/** One read: shows its result, answers the requests that came before it, and ends the run after a final result. */
const readPullRequest = async (run: VerifierRunState, subject: VerifierSubject): Promise<PullRequestResult> => {
  const requested = run.requests.length
  run.hasChanged = false
  const { input, runId } = run
  const attempt = run.attempts + 1
  const read = () =>
    handlers.readPullRequest({ sessionId: input.sessionId, runId, attempt, decisive: hasUnanswered(run), ...nextRequester(run) })
  const result = await read().catch((error: unknown) => {
    if (isCancellation(error)) throw error
    return FAILED
  })
  run.attempts = attempt
  showDetails(subject, describeResult(subject.title, result))
  if (isFinal(result)) endRun(run, subject, result.kind === 'ended' ? result.status : 'decided', answerFor(result))
  else answerRequests(run, requested, answerFor(result))
  return result
}

/** Notifies the claim. After any verdict but a final one, people decide. */
const announceVerdict = async (run: VerifierRunState, subject: VerifierSubject, verdictId: string): Promise<void> => {
  if (run.phase.name !== 'ended') run.phase = { name: 'under_review', subject }
  await siblings.announceVerdict({ sessionId: run.input.sessionId, verdictId })
}

/** Records the verdict that calls people and notifies the claim. Returns the verdict's id. */
const callPeople = async (run: VerifierRunState, subject: VerifierSubject): Promise<string> => {
  const { verdictId } = await records.recordReviewRequired({ sessionId: run.input.sessionId, runId: run.runId })
  await announceVerdict(run, subject, verdictId)
  return verdictId
}

/** Pause until the next read, ms: the configured interval, or the shorter one the code host asks for. */
const pauseAfter = (result: PullRequestResult, { pollSeconds = DEFAULT_POLL_SECONDS }: VerifierSubject): number => {
  const retryAfterSeconds = (result.kind === 'unavailable' ? result.retryAfterSeconds : undefined) ?? pollSeconds
  return Math.min(pollSeconds * 1_000, Math.max(retryAfterSeconds * 1_000, SHORTEST_PAUSE_MS))
}

/** True when no later read can change the result: every request, open or later, gets its answer. */
const isFinal = (result: PullRequestResult): boolean =>
  result.kind === 'ended' || (result.kind === 'verdict' && (result.outcome === 'approved' || result.outcome === 'rejected'))

const describeResult = (title: string, result: PullRequestResult): string => {
  switch (result.kind) {
    case 'undecided':
      return `“${title}” is undecided: ${result.disposition} (${result.reasonCode}: ${result.detail}).`
    case 'unavailable':
      return `“${title}” could not be read: ${result.detail}.`
    case 'verdict':
      return `“${title}”: ${result.outcome} (${result.reasonCode}).`
    case 'ended':
      return `“${title}” needs no verdict: the session is ${result.status}.`
  }
}

const answerFor = (result: PullRequestResult): RunResult => {
  if (result.kind === 'verdict' || result.kind === 'unavailable') return result
  const detail = result.kind === 'ended' ? `The session is ${result.status}.` : result.detail
  return { kind: 'unavailable', reasonCode: 'HUMAN_REVIEW_REQUIRED', detail }
}
