import { condition, workflowInfo } from '@temporalio/workflow'
import type { ArbitrationInput, DecisionAnswer, OverturnInput, ReviewInput } from '../../schemas/disputes/process.ts'
import { failureCode, toUpdateFailure } from '../common/failures.ts'
import { parseDecision } from '../common/signals.ts'
import type { DisputeRun } from './dispute-run.ts'
import { chain, proofs, records } from './proxies.ts'

/** What the chain has decided already comes first; then the step takes its turn. */
const inTurn = async <T>(run: DisputeRun, step: () => Promise<T>): Promise<T> => {
  try {
    const result = await run.mutex.runExclusive(async () => {
      await chain.reconcileWithChain({ sessionId: run.sessionId })
      return await step()
    })
    run.refusedCode = null
    return result
  } catch (error) {
    run.refusedCode = failureCode(error)
    throw toUpdateFailure(error)
  } finally {
    run.messages += 1
  }
}

/** Waits until the process has carried the decision out, and answers what came of it. */
const settledAnswer = async (run: DisputeRun, round: number): Promise<DecisionAnswer> => {
  // A decision may replace one of the same round.
  run.appliedRound = Math.min(run.appliedRound, round - 1)
  await condition(() => run.appliedRound >= round || run.status?.stage === 'final')
  try {
    return await run.mutex.runExclusive(() => records.decisionAnswer({ sessionId: run.sessionId, round }))
  } catch (error) {
    run.refusedCode = failureCode(error)
    throw toUpdateFailure(error)
  }
}

const decide = async (run: DisputeRun, record: () => Promise<{ round: number }>): Promise<DecisionAnswer> =>
  settledAnswer(run, (await inTurn(run, record)).round)

/** Runs the profile again for a verdict on a job that only its passing result pays. Other steps go on meanwhile. */
const prove = async (run: DisputeRun, input: ArbitrationInput): Promise<void> => {
  await condition(() => run.status !== null)
  if (run.status?.isProofGated !== true) return
  const { verdict, workerPayout } = parseDecision(input)
  run.proofs += 1
  try {
    await proofs.proveVerdict({ sessionId: run.sessionId, verdict, workerPayout, key: `${workflowInfo().runId}/${run.proofs}` })
  } catch (error) {
    run.refusedCode = failureCode(error)
    throw toUpdateFailure(error)
  }
}

/** A verdict of an arbitrator. `decisionRequestId` names the request; a signal has none. */
export const decideArbitration = async (run: DisputeRun, input: ArbitrationInput, decisionRequestId?: string): Promise<DecisionAnswer> => {
  await prove(run, input)
  return decide(run, () => records.recordArbitration({ ...parseDecision(input), sessionId: run.sessionId, decisionRequestId }))
}

/** A verdict of people on a review. */
export const decideReview = (run: DisputeRun, input: ReviewInput, decisionRequestId?: string): Promise<DecisionAnswer> =>
  decide(run, () => records.recordHumanVerdict({ ...parseDecision(input), sessionId: run.sessionId, decisionRequestId }))

/** An operator opens the dispute of a rejection for the worker. */
export const overturn = (run: DisputeRun, input: OverturnInput): Promise<{ status: string }> =>
  inTurn(run, async () => {
    const { sessionId } = run
    await chain.overturnRejection({ ...parseDecision(input), sessionId })
    const { status } = await records.disputeStanding({ sessionId })
    return { status }
  })
