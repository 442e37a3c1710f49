import type { Hex } from 'viem'
import { iso } from '../../../domain/common/instants.ts'
import { parseDecider, parseNote } from '../../../domain/disputes/operator-input.ts'
import { isSameOverturn, overturnRefusal } from '../../../domain/disputes/stage.ts'
import type { DisputeChainActivities } from '../../../schemas/disputes/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import { BlockedStepError } from '../../common/blocked.ts'
import { getSession } from '../../sessions/records.ts'
import { judgementOf } from '../../settlement/chain-steps.ts'
import { findVerdict, type StoredVerdict } from '../../verification/records.ts'
import { createExecution } from './execute.ts'
import { createReconciliation } from './reconcile.ts'
import { createDisputeParts, type DisputeDeps, type DisputeParts, stepOf } from './step.ts'
import { createDisputeTimeout } from './time-out.ts'

/** Applies the first machine verdict on a submission. */
const createFirstVerdict = (parts: DisputeParts): DisputeChainActivities['takeVerdict'] => {
  const { database, reads, clock, calls, openings, settlements, recordClosing } = parts

  const apply = async (session: SessionRecord, verdict: StoredVerdict): Promise<void> => {
    const { sessionId } = session
    if (verdict.outcome === 'approved') return void (await parts.approve(session, verdict, stepOf(sessionId, 'approve')))
    if (verdict.outcome !== 'rejected') {
      const { state, rewardRaw } = await reads.escrowJob(session.chainJobId as Hex)
      // Another verifier closed the job, so no review is needed.
      return state === 'closed' ? recordClosing(session) : openings.openReview(session, verdict, clock.now(), rewardRaw)
    }
    const step = stepOf(sessionId, 'reject/0')
    const reject = async (): Promise<void> => {
      const at = await calls.reject(session, judgementOf(verdict), step)
      return at === null ? recordClosing(session) : settlements.recordRejected({ session, verdict, at })
    }
    return parts.rejectIfOtherWork(session, step, reject, settlements.recordRejected)
  }

  return async ({ sessionId, verdictId }) => {
    const session = await getSession(database.rows, sessionId)
    if (session.status !== 'submitted') return
    const verdict = await findVerdict(database.rows, verdictId)
    // Ignores a signal with an unknown verdict: verdicts are stored before they are announced.
    if (verdict?.sessionId !== sessionId) return
    await parts.endIfLost(session, () => apply(session, verdict))
  }
}

/** Opens the dispute of a rejection for the worker, on behalf of an operator. */
const createOverturn = (parts: DisputeParts): DisputeChainActivities['overturnRejection'] => {
  const { database, reads, transactions, clock, calls, openings, changes } = parts
  return async ({ sessionId, ...request }) => {
    const [by, note] = [parseDecider(request.by), parseNote(request.note)]
    const session = await getSession(database.rows, sessionId)
    if (session.status === 'disputed' && isSameOverturn(session.operatorOverturn, { by, note })) return
    // A session that was marked in time follows the chain: the step may have been interrupted after its transaction.
    const { rejectionFinalizedAt } = session.timestamps
    const marked = session.status === 'rejected' && rejectionFinalizedAt === null && session.operatorOverturn !== null
    const refusal = marked ? null : overturnRefusal(session, clock.now())
    if (refusal !== null) throw refusal
    const overturned = await openings.markOverturned(session, { by, note, at: clock.now() })
    const job = await reads.escrowJob(session.chainJobId as Hex)
    const late = job.state === 'rejected' && overturnRefusal(session, job.block.time) !== null
    const step = stepOf(sessionId, 'overturn')
    /** Removes the mark if the step is blocked before it sent a transaction. Otherwise a later dispute would count as the operator's. */
    const removeUnusedMark = async (error: unknown): Promise<never> => {
      if (error instanceof BlockedStepError && (await transactions.resumeStep(step)) === null) await openings.markOverturned(session, null)
      throw error
    }
    const openedAt = late ? null : await calls.openFor(overturned, step).catch(removeUnusedMark)
    if (openedAt === null) {
      await openings.markOverturned(session, null)
      throw new ServiceError('overturn_window_closed', { details: { sessionId, at: iso(job.block.time) } })
    }
    await changes.recordDispute(overturned, job.rewardRaw)
  }
}

/** The chain steps of a dispute. Each reads record and chain, sends what is missing and records the result. */
export const createDisputeSteps = (deps: DisputeDeps): DisputeChainActivities => {
  const parts = createDisputeParts(deps)
  const { resubmitAfterReorg, reconcileWithChain } = createReconciliation(parts)
  const execution = createExecution(parts, resubmitAfterReorg)
  return {
    reconcileWithChain,
    applyDecision: execution.applyDecision,
    applyTimeout: createDisputeTimeout(parts, resubmitAfterReorg, execution),
    takeVerdict: createFirstVerdict(parts),
    overturnRejection: createOverturn(parts),
  }
}
