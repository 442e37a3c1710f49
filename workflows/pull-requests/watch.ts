import { allHandlersFinished, condition, continueAsNew, isCancellation, workflowInfo } from '@temporalio/workflow'
import type { PullRequestResult, RunResult, VerdictRequester, VerifierInput, VerifierSubject } from '../../schemas/verification/process.ts'
import { handlers, records, siblings } from '../common/proxies.ts'

/** A host that asks for patience is believed, a short one is not hammered. */
const SHORTEST_PAUSE_MS = 15_000
const USUAL_POLL_SECONDS = 30 * 60

/** What the messages of a run have to do with its looks. */
export interface VerifierRunState {
  /** Requests for a verdict so far. */
  asked(): number
  /** Who is to get the next answer. */
  asker(): VerdictRequester
  /** Requests that have their answer. */
  answered(): number
  /** Answers every request up to this one. */
  answer(upTo: number, result: RunResult): void
  /** True once after somebody told that the pull request changed. */
  consumeChange(): boolean
  hasNews(): boolean
  /** Tells operators how the run stands. */
  tell(story: string): void
  /** People were called. */
  markUnderReview(): void
  /** No look comes any more. */
  over(why: string): void
}

const FAILED: PullRequestResult = { kind: 'unavailable', reasonCode: 'VERIFIER_HANDLER_FAILED', detail: 'The look failed and is repeated.' }

const lookSafely = async (look: () => Promise<PullRequestResult>): Promise<PullRequestResult> => {
  try {
    return await look()
  } catch (error) {
    if (isCancellation(error)) throw error
    return FAILED
  }
}

const story = (title: string, result: PullRequestResult): string => {
  switch (result.kind) {
    case 'held':
      return `“${title}” is held: ${result.disposition} (${result.reasonCode}: ${result.detail}).`
    case 'unavailable':
      return `“${title}” could not be read: ${result.detail}.`
    case 'verdict':
      return `“${title}”: ${result.outcome} (${result.reasonCode}).`
    case 'over':
      return `“${title}” needs no verdict any more: ${result.status}.`
  }
}

const answerTo = (result: PullRequestResult): RunResult => {
  if (result.kind === 'verdict' || result.kind === 'unavailable') return result
  const detail = result.kind === 'over' ? `The session is ${result.status}.` : result.detail
  return { kind: 'unavailable', reasonCode: 'HUMAN_REVIEW_REQUIRED', detail }
}

/** True for the look after which there is none: its answer is that of everybody who asks until the run has ended. */
const isLast = (result: PullRequestResult): boolean =>
  result.kind === 'over' || (result.kind === 'verdict' && (result.outcome === 'approved' || result.outcome === 'rejected'))

/**
 * Watches the pull request of a submission: the run looks again at intervals, and at once when told of a change. An approval settles by itself
 * once the pull request has changed since its first sight; what else it finds is held, but for a fault of the platform. Whoever asks for a verdict gets one of any outcome. When the review time passes people are
 * called, and the run goes on looking while the escrow waits.
 */
export const watchPullRequest = async (
  input: VerifierInput,
  subject: VerifierSubject,
  desk: VerifierRunState,
): Promise<{ verdictId: string | null }> => {
  const { sessionId } = input
  const { runId } = workflowInfo()
  const pollMs = (subject.pollSeconds ?? USUAL_POLL_SECONDS) * 1_000
  let underReview = subject.underReview === true
  let verdictId: string | null = null

  const announce = async (decided: string): Promise<void> => {
    verdictId = decided
    await siblings.announceVerdict({ sessionId, verdictId: decided })
  }

  /** Until the review time is over, ms; nothing any more once people were called. */
  const callPeopleInTime = async (): Promise<number> => {
    if (underReview) return Number.POSITIVE_INFINITY
    const remaining = await records.millisecondsUntil(subject.slaDeadline)
    if (remaining > 0) return remaining
    const review = await records.recordReviewRequired({ sessionId, runId })
    underReview = true
    desk.markUnderReview()
    await announce(review.verdictId)
    return Number.POSITIVE_INFINITY
  }

  const pauseOf = (result: PullRequestResult): number => {
    const wished = result.kind === 'unavailable' ? result.retryAfterSeconds : undefined
    return wished === undefined ? pollMs : Math.min(pollMs, Math.max(wished * 1_000, SHORTEST_PAUSE_MS))
  }

  for (let look = 1; ; look += 1) {
    const round = desk.asked()
    desk.consumeChange()
    const decisive = round > desk.answered()
    const asker = desk.asker()
    const result = await lookSafely(() => handlers.lookAtPullRequest({ sessionId, runId, look, decisive, ...asker }))
    desk.tell(story(subject.title, result))
    const last = isLast(result)
    if (last) desk.over(result.kind === 'over' ? result.status : 'decided')
    desk.answer(last ? Number.POSITIVE_INFINITY : round, answerTo(result))
    if (result.kind === 'verdict') {
      await announce(result.verdictId)
      underReview = true
      desk.markUnderReview()
    }
    if (last) return { verdictId }
    const untilReview = await callPeopleInTime()
    if (workflowInfo().continueAsNewSuggested && desk.asked() === desk.answered()) {
      await condition(allHandlersFinished)
      return continueAsNew<(next: VerifierInput) => Promise<{ verdictId: string | null }>>(input)
    }
    await condition(() => desk.hasNews() || desk.asked() > desk.answered(), Math.min(pauseOf(result), untilReview))
  }
}
