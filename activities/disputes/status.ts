import { iso } from '../../domain/common/instants.ts'
import { isProofGated } from '../../domain/disputes/proof.ts'
import { decisionDeadline, decisionState, disputeStatus, isAlarmDue, isAwaitingSignature } from '../../domain/disputes/stage.ts'
import { bondRaw } from '../../domain/sessions/economics-view.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import type { ClaimOutcomeActivities } from '../../schemas/claims/process.ts'
import type { DisputeRecordActivities } from '../../schemas/disputes/process.ts'
import { appendEntry } from '../sessions/dispute.ts'
import { getSession } from '../sessions/records.ts'
import type { DecisionDeps } from './context.ts'
import { findDecision, findDisputeOfSession, lockDispute, updateArbitrator } from './rows.ts'

/** A dispute that has waited a day or longer for a decision, a signature or a blocked step. */
interface OverdueDispute {
  disputeId: string
  sessionId: string
  stage: string
  openedAt: string
  deadline: string
  /** True if a verdict waits for the arbitrator's signature. */
  unsigned: boolean
}

interface StandingDeps extends Pick<DecisionDeps, 'database' | 'clock' | 'arbitrator'> {
  /** Called at most once a day per dispute. */
  alarm: (alarm: OverdueDispute) => void
}

/** Reads the stage of a session's dispute, and raises the daily alarm for overdue ones. */
export const createDisputeStanding = ({
  database,
  clock,
  arbitrator,
  alarm,
}: StandingDeps): Pick<DisputeRecordActivities, 'disputeStanding' | 'remindPeople'> & ClaimOutcomeActivities => ({
  readEnd: async ({ sessionId }) => {
    const session = await getSession(database.rows, sessionId)
    const standing = disputeStatus(session, await findDisputeOfSession(database.rows, sessionId), null)
    return standing.stage === 'final' ? { sessionId, status: standing.status } : null
  },

  disputeStanding: async ({ sessionId }) => {
    const [session, found] = await Promise.all([getSession(database.rows, sessionId), findDisputeOfSession(database.rows, sessionId)])
    const dispute = found === null ? null : await updateArbitrator(database.rows, found, arbitrator)
    const decision = await findDecision(database.rows, dispute)
    const standing = disputeStatus(session, dispute, decision)
    return {
      stage: standing.stage,
      status: session.status,
      reasonCode: session.statusHistory.at(-1)?.reason ?? session.status,
      deadlineAt: 'deadlineAt' in standing ? iso(standing.deadlineAt) : null,
      dueAt: 'dueAt' in standing ? iso(standing.dueAt) : null,
      timeoutOutcome: 'timeoutOutcome' in standing ? standing.timeoutOutcome : undefined,
      round: dispute?.round ?? 0,
      decision: decision === null ? 'none' : decisionState(decision, arbitrator !== null),
      title: pinnedDefinition(session.jobSnapshot).title,
      isBonded: bondRaw(session.economics) > 0n,
      ...(isProofGated(session) && { isProofGated: true }),
    }
  },

  remindPeople: async ({ sessionId }) => {
    const raised = await database.transaction(async (rows) => {
      const dispute = await lockDispute(rows, sessionId)
      const now = clock.now()
      if (dispute === null || dispute.status === 'resolved' || !isAlarmDue(dispute, now)) return null
      const decision = await findDecision(rows, dispute)
      const unsigned = decision !== null && isAwaitingSignature(decision, arbitrator !== null)
      await rows.updateTable('dispute').set({ lastAlarmAt: now }).where('disputeId', '=', dispute.disputeId).execute()
      const data = { stage: dispute.stage, unsigned }
      await appendEntry(rows, dispute.disputeId, { at: now, actor: 'system:dispute', action: 'people_reminded', data })
      return { dispute, decision, unsigned }
    })
    if (raised === null) return
    const { dispute, decision, unsigned } = raised
    const { disputeId, stage, openedAt } = dispute
    const deadline = iso(decisionDeadline({ ...dispute, arbitrator }, decision))
    alarm({ disputeId, sessionId, stage, openedAt: iso(openedAt), deadline, unsigned })
  },
})
