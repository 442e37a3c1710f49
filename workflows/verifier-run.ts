import { allHandlersFinished, condition, setCurrentDetails, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import { SEARCH } from '../schemas/processes/common.ts'
import { type RunResult, runUpdate, type VerifierInput, verifierProgress } from '../schemas/processes/verifier-run.ts'
import { toUpdateFailure } from './failures.ts'
import { records, verifiers } from './proxies.ts'

/** Wait before an unavailable handler is asked again; doubles up to half an hour. */
const FIRST_RETRY_MS = 15_000
const LONGEST_RETRY_MS = 30 * 60 * 1000

/** Owns the verification of one submission: evaluates, stores the verdict, tells the claim. Silence becomes human review, never expiry. */
export async function verifierRun(input: VerifierInput): Promise<{ verdictId: string }> {
  const { runId } = workflowInfo()
  let attempts = 0
  let decided: Extract<RunResult, { kind: 'verdict' }> | null = null
  let lastAnswer: RunResult | null = null
  let asked = 0
  let answered = 0
  let slaDeadline: string | null = null

  setHandler(verifierProgress, () => ({ state: decided === null ? 'verifying' : 'decided', attempts, slaDeadline }))
  setHandler(runUpdate, async () => {
    asked += 1
    const mine = asked
    await condition(() => decided !== null || answered >= mine)
    const answer = decided ?? lastAnswer
    if (answer === null) throw toUpdateFailure(null)
    return answer
  })

  const subject = await records.loadSubject({ sessionId: input.sessionId })
  slaDeadline = subject.slaDeadline
  upsertSearchAttributes([{ key: SEARCH.deadlineAt, value: new Date(subject.slaDeadline) }])

  let pause = FIRST_RETRY_MS
  let verdictId: string | null = null
  while (verdictId === null) {
    attempts += 1
    const round = asked
    setCurrentDetails(`Evaluating “${subject.title}” (${subject.verifierMode}), attempt ${attempts}.`)
    const result = await verifiers.evaluateSubmission({
      sessionId: input.sessionId,
      runId,
      attempt: attempts,
      requestedBy: input.requestedBy,
    })
    lastAnswer = result
    answered = Math.max(answered, round)
    if (result.kind === 'verdict') {
      decided = result
      verdictId = result.verdictId
      break
    }
    setCurrentDetails(`Unavailable: ${result.reasonCode}. Asked again soon; human review at ${subject.slaDeadline}.`)
    const remaining = await records.millisecondsUntil(subject.slaDeadline)
    if (remaining <= 0) {
      verdictId = (await records.recordReviewRequired({ sessionId: input.sessionId, runId })).verdictId
      break
    }
    await condition(() => asked > answered, Math.min(pause, remaining))
    pause = Math.min(pause * 2, LONGEST_RETRY_MS)
  }
  answered = asked
  setCurrentDetails(decided === null ? 'Human review is required.' : `Decided: ${decided.outcome} (${decided.reasonCode}).`)
  await verifiers.announceVerdict({ sessionId: input.sessionId, verdictId })
  await condition(allHandlersFinished)
  return { verdictId }
}
