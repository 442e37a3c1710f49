import type { Hex } from 'viem'
import type { DisputeChainActivities } from '../../../schemas/disputes/process.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import { getSession } from '../../sessions/records.ts'
import { judgementOf } from '../../settlement/chain-steps.ts'
import { findVerdict, type StoredVerdict } from '../../verification/records.ts'
import { type DisputeParts, stepOf } from './step.ts'

/** Applies the first machine verdict on a submission. */
export const createFirstVerdict = (parts: DisputeParts): Pick<DisputeChainActivities, 'takeVerdict'> => {
  const { database, reads, clock, calls, openings, settlements, recordClosing } = parts

  const apply = async (session: SessionRecord, verdict: StoredVerdict): Promise<void> => {
    const { sessionId } = session
    if (verdict.outcome === 'approved') return void (await parts.approve(session, verdict, stepOf(sessionId, 'approve')))
    if (verdict.outcome !== 'rejected') {
      const { state, rewardRaw } = await reads.escrowJob(session.chainJobId as Hex)
      // Another verifier closed the job, so no review is needed.
      return state === 'closed' ? recordClosing(session) : openings.openReview(session, verdict, clock.now(), rewardRaw)
    }
    const at = await calls.reject(session, judgementOf(verdict), stepOf(sessionId, 'reject/0'))
    return at === null ? recordClosing(session) : settlements.recordRejected({ session, verdict, at })
  }

  return {
    takeVerdict: async ({ sessionId, verdictId }) => {
      const session = await getSession(database.rows, sessionId)
      if (session.status !== 'submitted') return
      const verdict = await findVerdict(database.rows, verdictId)
      // Ignores a signal with an unknown verdict: verdicts are stored before they are announced.
      if (verdict?.sessionId !== sessionId) return
      await parts.endIfLost(session, () => apply(session, verdict))
    },
  }
}
