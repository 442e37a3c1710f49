import {
  allHandlersFinished,
  condition,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import { describeNextStep } from '../../domain/verification/next-step.ts'
import { SEARCH } from '../../schemas/processes.ts'
import {
  pullRequestChanged,
  type RunResult,
  runUpdate,
  type VerdictRequester,
  type VerifierInput,
  type VerifierSubject,
  verifierProgress,
} from '../../schemas/verification/process.ts'
import { toUpdateFailure } from '../common/failures.ts'
import { handlers, records, siblings } from '../common/proxies.ts'
import { watchPullRequest } from '../pull-requests/watch.ts'

/** Wait before an unavailable handler is asked again; doubles up to half an hour. */
const FIRST_RETRY_MS = 15_000
const LONGEST_RETRY_MS = 30 * 60 * 1000

/** A handler that throws or hangs decides nothing; the failure itself is in the history and in the log. */
const FAILED: RunResult = { kind: 'unavailable', reasonCode: 'VERIFIER_HANDLER_FAILED', detail: 'The handler failed and is asked again.' }

const aboutOf = ({ title, wallet, jobId }: VerifierSubject): string => `Verify ${title}. Submission of ${wallet} for job ${jobId}. `

/** Owns the verification of one submission: evaluates, stores the verdict, tells the claim. Silence becomes human review, never expiry. */
export async function verifierRun(input: VerifierInput): Promise<{ verdictId: string | null }> {
  const { runId, continuedFromExecutionRunId } = workflowInfo()
  let attempts = 0
  let decided: Extract<RunResult, { kind: 'verdict' }> | null = null
  let lastAnswer: RunResult | null = null
  const asks: VerdictRequester[] = []
  let answered = 0
  let slaDeadline: string | null = null
  let watches = false
  let underReview = false
  let ended: string | null = null
  let news = false

  setHandler(verifierProgress, () => {
    const end = decided === null ? ended : 'decided'
    const state = end === null ? 'verifying' : end === 'decided' ? 'decided' : 'over'
    return { state, attempts, slaDeadline, next: describeNextStep({ ended: end, watches, underReview, slaDeadline }) }
  })
  setHandler(pullRequestChanged, () => {
    news = true
  })
  setHandler(runUpdate, async (asker) => {
    asks.push(asker)
    const mine = asks.length
    await condition(() => decided !== null || answered >= mine)
    const answer = decided ?? lastAnswer
    if (answer === null) throw toUpdateFailure(null)
    return answer
  })

  /** Who is to get the next answer: the first who has none yet, else whoever started the run. Nobody checks the argument of an update by hand. */
  const asker = (): VerdictRequester => {
    const { requestedBy, metadataURI }: VerdictRequester = asks[answered] ?? input
    return { requestedBy, ...(metadataURI !== undefined && { metadataURI }) }
  }

  const subject = await records.loadSubject({ sessionId: input.sessionId })
  slaDeadline = subject.slaDeadline
  underReview = subject.underReview === true
  // A run that goes on has lost the summary it was started with.
  const about = continuedFromExecutionRunId === undefined ? '' : aboutOf(subject)
  const tell = (story: string): void => setCurrentDetails(`${about}${story}`)
  if (about !== '') tell('It goes on in a new run.')
  upsertSearchAttributes([{ key: SEARCH.deadlineAt, value: new Date(subject.slaDeadline) }])

  if (subject.verifierMode === 'codehost_pr') {
    watches = true
    const result = await watchPullRequest(input, subject, {
      asked: () => asks.length,
      asker,
      answered: () => answered,
      answer: (upTo, result) => {
        attempts += 1
        lastAnswer = result
        answered = Math.max(answered, upTo)
      },
      hasNews: () => news,
      consumeChange: () => {
        const had = news
        news = false
        return had
      },
      tell,
      markUnderReview: () => {
        underReview = true
      },
      over: (why) => {
        ended = why
      },
    })
    await condition(allHandlersFinished)
    return result
  }

  const evaluate = async (): Promise<RunResult> => {
    const { sessionId } = input
    try {
      return await handlers.evaluateSubmission({ sessionId, runId, attempt: attempts, ...asker() })
    } catch (error) {
      if (isCancellation(error)) throw error
      return FAILED
    }
  }

  let pause = FIRST_RETRY_MS
  while (decided === null) {
    attempts += 1
    const round = asks.length
    tell(`Evaluating “${subject.title}” (${subject.verifierMode}), attempt ${attempts}.`)
    const result = await evaluate()
    lastAnswer = result
    if (result.kind === 'verdict') {
      decided = result
      break
    }
    tell(`Unavailable: ${result.reasonCode}. Asked again soon; human review at ${subject.slaDeadline}.`)
    const remaining = await records.millisecondsUntil(subject.slaDeadline)
    if (remaining <= 0) {
      if (subject.underReview === true) {
        answered = Number.POSITIVE_INFINITY
        ended = 'people have it'
        tell(`Unavailable: ${result.reasonCode}. People have it already.`)
        await condition(allHandlersFinished)
        return { verdictId: null }
      }
      const { verdictId } = await records.recordReviewRequired({ sessionId: input.sessionId, runId })
      decided = { kind: 'verdict', verdictId, outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED' }
      break
    }
    answered = Math.max(answered, round)
    await condition(() => asks.length > answered, Math.min(pause, remaining))
    pause = Math.min(pause * 2, LONGEST_RETRY_MS)
  }
  const { verdictId, outcome, reasonCode } = decided
  tell(`Decided: ${outcome} (${reasonCode}).`)
  await siblings.announceVerdict({ sessionId: input.sessionId, verdictId })
  await condition(allHandlersFinished)
  return { verdictId }
}
