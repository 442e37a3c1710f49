import { decisionState } from '../../domain/disputes/stage.ts'
import { hasDiverged } from '../../domain/sessions/state-machine.ts'
import type { DisputeRecordActivities } from '../../schemas/disputes/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { getSession } from '../sessions/records.ts'
import { recordArbitration } from './arbitration.ts'
import type { DecisionDeps } from './context.ts'
import { recordLaterVerdict, recordReview } from './review.ts'
import { findDecision, findDisputeOfSession } from './rows.ts'

type Decisions = Pick<DisputeRecordActivities, 'recordArbitration' | 'recordHumanVerdict' | 'recordLaterVerdict' | 'decisionAnswer'>

/** Records the decision of a round: one row, and the first insert wins. Chain step and event follow it. */
export const createDisputeDecisions = (deps: DecisionDeps): Decisions => {
  const { database, arbitrator } = deps
  return {
    recordArbitration: (input) => database.transaction((rows) => recordArbitration(rows, deps, input)),
    recordHumanVerdict: (input) => database.transaction((rows) => recordReview(rows, deps, input)),
    recordLaterVerdict: (input) => database.transaction((rows) => recordLaterVerdict(rows, deps, input)),

    decisionAnswer: async ({ sessionId, round }) => {
      const [session, dispute] = await Promise.all([getSession(database.rows, sessionId), findDisputeOfSession(database.rows, sessionId)])
      if (dispute === null) throw new ServiceError('dispute_not_found')
      const decision = await findDecision(database.rows, { ...dispute, round })
      if (decision === null) throw new Error(`round ${round} of ${dispute.disputeId} is not decided`)
      const { observed } = decision
      // The session ended as diverged, and an operator closes it.
      if (observed === null && hasDiverged(session))
        throw new ServiceError('chain_state_diverged', { details: { sessionId, status: session.status } })
      if (observed === null) return { round, state: decisionState(decision, arbitrator !== null), status: session.status }
      // The chain ended the dispute another way before this decision reached it.
      if (observed.mismatch)
        throw new ServiceError('dispute_already_decided', {
          details: { verdict: observed.verdict, decidedAt: observed.at, txHash: observed.txHash },
        })
      return { round, state: 'settled', status: session.status }
    },
  }
}
