import type { Hex } from 'viem'
import { iso } from '../../../domain/common/instants.ts'
import { parseDecider, parseNote } from '../../../domain/disputes/operator-input.ts'
import { isSameOverturn, overturnRefusal } from '../../../domain/disputes/stage.ts'
import type { DisputeChainActivities } from '../../../schemas/disputes/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { BlockedStepError } from '../../common/blocked.ts'
import { getSession } from '../../sessions/records.ts'
import { type DisputeParts, stepOf } from './step.ts'

/** Opens the dispute of a rejection for the worker, on behalf of an operator. */
export const createOverturn = ({
  database,
  reads,
  transactions,
  clock,
  calls,
  openings,
  changes,
}: DisputeParts): Pick<DisputeChainActivities, 'overturnRejection'> => ({
  overturnRejection: async ({ sessionId, ...request }) => {
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
  },
})
