import { allHandlersFinished, condition, isCancellation, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import { describeNextStep } from '../../domain/verification/next-step.ts'
import { SEARCH } from '../../schemas/processes.ts'
import {
  pullRequestChanged,
  type RunResult,
  runUpdate,
  type VerifierInput,
  type VerifierSubject,
  verifierProgress,
} from '../../schemas/verification/process.ts'
import { toUpdateFailure } from '../common/failures.ts'
import { clock } from '../common/proxies.ts'
import { handlers, profileHandlers, records, siblings } from './proxies.ts'
import { watchPullRequest } from './pull-request-watch.ts'
import { answerRequests, createRunState, endRun, hasUnanswered, nextRequester, showDetails, type VerifierRunState } from './run-state.ts'

/** Wait before an unavailable handler runs again; doubles up to half an hour. */
const FIRST_RETRY_MS = 15_000
const LONGEST_RETRY_MS = 30 * 60 * 1000
/** The same for a profile, which costs minutes of a runner and has fourteen days. */
const LONGEST_PROFILE_RETRY_MS = 6 * 60 * 60 * 1000

/** Result of a handler that throws or hangs: no verdict. History and log hold the failure itself. */
const FAILED: RunResult = { kind: 'unavailable', reasonCode: 'VERIFIER_HANDLER_FAILED', detail: 'The handler failed and is asked again.' }

type Verdict = Extract<RunResult, { kind: 'verdict' }>

/** Owns the verification of one submission, from evaluation to the verdict. Without a verdict in time it calls people; a claim never expires here. */
export async function verifierRun(input: VerifierInput): Promise<{ verdictId: string | null }> {
  const run = createRunState(input)
  registerHandlers(run)
  const subject = await loadSubject(run)
  const isWatched = subject.verifierMode === 'codehost_pr'
  const verdictId = isWatched ? await watchPullRequest(run, subject) : await evaluateUntilDecided(run, subject)
  await condition(allHandlersFinished)
  return { verdictId }
}

const registerHandlers = (run: VerifierRunState): void => {
  setHandler(verifierProgress, () => {
    const { phase, attempts } = run
    const ended = phase.name === 'ended' ? phase.reason : null
    const subject = phase.name === 'loading' ? null : phase.subject
    const slaDeadline = subject?.slaDeadline ?? null
    const watches = subject?.verifierMode === 'codehost_pr'
    const next = describeNextStep({ ended, watches, underReview: phase.name === 'under_review', slaDeadline })
    const state = ended === null ? 'verifying' : ended === 'decided' ? 'decided' : 'over'
    return { state, attempts, slaDeadline, next }
  })
  setHandler(pullRequestChanged, () => {
    run.hasChanged = true
  })
  setHandler(runUpdate, async (requester) => {
    run.requests.push(requester)
    const position = run.requests.length
    await condition(() => run.answeredCount >= position)
    if (run.answer === null) throw toUpdateFailure(null)
    return run.answer
  })
}

const loadSubject = async (run: VerifierRunState): Promise<VerifierSubject> => {
  const subject = await records.loadSubject({ sessionId: run.input.sessionId })
  run.phase = { name: subject.underReview === true ? 'under_review' : 'verifying', subject }
  if (workflowInfo().continuedFromExecutionRunId !== undefined) showDetails(subject, 'Continued in a new run.')
  upsertSearchAttributes([{ key: SEARCH.deadlineAt, value: new Date(subject.slaDeadline) }])
  return subject
}

/** Runs the handler until it decides or the review time is over. Returns the verdict's id; null when people decide already. */
const evaluateUntilDecided = async (run: VerifierRunState, subject: VerifierSubject): Promise<string | null> => {
  const longest = isProfile(subject) ? LONGEST_PROFILE_RETRY_MS : LONGEST_RETRY_MS
  for (let pause = FIRST_RETRY_MS; ; pause = Math.min(pause * 2, longest)) {
    run.attempts += 1
    const requested = run.requests.length
    showDetails(subject, `Evaluating “${subject.title}” (${subject.verifierMode}), attempt ${run.attempts}.`)
    const result = await evaluate(run, subject)
    if (result.kind === 'verdict') return decide(run, subject, result)
    showDetails(
      subject,
      `Unavailable: ${result.reasonCode}. The handler runs again soon; ${isProfile(subject) ? 'the escrow is divided' : 'people are called'} at ${subject.slaDeadline}.`,
    )
    const remaining = await clock.millisecondsUntil(subject.slaDeadline)
    if (remaining <= 0) return endWithoutVerdict(run, subject, result)
    answerRequests(run, requested, result)
    await condition(() => hasUnanswered(run), Math.min(pause, remaining))
  }
}

const isProfile = ({ verifierMode }: VerifierSubject): boolean => verifierMode === 'verification_profile'

const evaluate = async (run: VerifierRunState, subject: VerifierSubject): Promise<RunResult> => {
  const { runId, attempts: attempt, input } = run
  try {
    const { evaluateSubmission } = isProfile(subject) ? profileHandlers : handlers
    return await evaluateSubmission({ sessionId: input.sessionId, runId, attempt, ...nextRequester(run) })
  } catch (error) {
    if (isCancellation(error)) throw error
    return FAILED
  }
}

/** Records the verdict that calls people, or ends an escrow without a result, unless that was done before: then the run ends without one. */
const endWithoutVerdict = async (run: VerifierRunState, subject: VerifierSubject, result: RunResult): Promise<string | null> => {
  if (run.phase.name === 'under_review') {
    endRun(run, subject, 'people have it', result)
    showDetails(subject, `Unavailable: ${result.reasonCode}. People were called before.`)
    return null
  }
  const recorded = await records.recordReviewRequired({ sessionId: run.input.sessionId, runId: run.runId })
  const people = { kind: 'verdict', outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED' } as const
  return decide(run, subject, { ...people, ...recorded })
}

const decide = async (run: VerifierRunState, subject: VerifierSubject, verdict: Verdict): Promise<string> => {
  const { verdictId, outcome, reasonCode } = verdict
  endRun(run, subject, 'decided', verdict)
  showDetails(subject, `Decided: ${outcome} (${reasonCode}).`)
  await siblings.announceVerdict({ sessionId: run.input.sessionId, verdictId })
  return verdictId
}
