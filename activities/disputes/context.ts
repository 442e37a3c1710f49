import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { RecordDeps, Rows } from '../database/database.ts'
import { getSession, lockSession } from '../sessions/records.ts'
import { findDecision, findDisputeOfSession, lockDispute } from './rows.ts'
import type { PrepareVerdict } from './signatures.ts'

/** A session with its dispute and the decision of the present round. */
export interface DisputeContext {
  session: SessionRecord
  dispute: DisputeRecord | null
  decision: RoundDecision | null
}

/** Reads the context, with the arbitrator's key that is configured now (its address; null without one). */
export const loadDisputeContext = async (rows: Rows, sessionId: string, arbitrator: string | null): Promise<DisputeContext> => {
  const [session, found] = await Promise.all([getSession(rows, sessionId), findDisputeOfSession(rows, sessionId)])
  const dispute = found === null ? null : { ...found, arbitrator }
  return { session, dispute, decision: await findDecision(rows, dispute) }
}

/** Locks session, then dispute: the same order as every writer. */
export const lockDisputeContext = async (rows: Rows, sessionId: string): Promise<DisputeContext> => {
  const session = await lockSession(rows, sessionId)
  const dispute = await lockDispute(rows, sessionId)
  return { session, dispute, decision: await findDecision(rows, dispute) }
}

/** What a decision is recorded with. */
export interface DecisionDeps extends RecordDeps {
  publicBaseUrl: string
  /** Address of this process's arbitrator key; without one (null) a verdict waits for an external signature. */
  arbitrator: string | null
  prepare: PrepareVerdict
}
