import { findRationales, findStatements } from '../../activities/content/records.ts'
import type { Rows } from '../../activities/database/database.ts'
import { findDecision, findDecisions, findDisputeOfSession, listEntries } from '../../activities/disputes/rows.ts'
import { getSession, sessionsById } from '../../activities/sessions/records.ts'
import { disputeView } from '../../domain/disputes/view.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'

/** A session with its dispute and the decision of one round. */
export interface DisputeContext {
  session: SessionRecord
  dispute: DisputeRecord | null
  decision: RoundDecision | null
}

/** Reads a session with its dispute and the decision of a round (default: the current one). Throws 404 `session_not_found`. */
export const readDisputeContext = async (rows: Rows, sessionId: string, round?: number): Promise<DisputeContext> => {
  const session = await getSession(rows, sessionId)
  const dispute = await findDisputeOfSession(rows, sessionId)
  if (dispute === null) return { session, dispute, decision: null }
  return { session, dispute, decision: await findDecision(rows, { ...dispute, round: round ?? dispute.round }) }
}

interface ViewOptions {
  now: number
  baseUrl: string
  /** Statement of the worker; lists show none. */
  statement?: string | null
}

/** Disputes as their readers see them, in the order given. */
export const viewDisputes = async (rows: Rows, disputes: readonly DisputeRecord[], { statement = null, ...options }: ViewOptions) => {
  const disputeIds = disputes.map(({ disputeId }) => disputeId)
  const sessionIds = disputes.map(({ sessionId }) => sessionId)
  const [decisions, entries, sessions] = await Promise.all([
    findDecisions(rows, disputes),
    listEntries(rows, disputeIds),
    sessionsById(rows, sessionIds),
  ])
  const hashes = [...decisions.values()].flatMap(({ reasoningHash }) => reasoningHash ?? [])
  const rationales = await findRationales(rows, hashes)
  return disputes.map((dispute) => {
    const session = sessions.get(dispute.sessionId)
    if (session === undefined) throw new Error(`${dispute.disputeId} has no session`)
    const decision = decisions.get(dispute.disputeId) ?? null
    const rationale = rationales.get(decision?.reasoningHash ?? '') ?? null
    return disputeView(dispute, session, decision, entries.get(dispute.disputeId) ?? [], { ...options, rationale, statement })
  })
}

/** The dispute of a session. Throws 404 `dispute_not_found`. */
export const viewDisputeOf = async (rows: Rows, sessionId: string, { now, baseUrl }: { now: number; baseUrl: string }) => {
  const dispute = await findDisputeOfSession(rows, sessionId)
  if (dispute === null) throw new ServiceError('dispute_not_found')
  const { statementHash: hash } = dispute
  const statement = hash === null ? null : ((await findStatements(rows, [hash])).get(hash) ?? null)
  const [view] = await viewDisputes(rows, [dispute], { now, baseUrl, statement })
  if (view === undefined) throw new Error(`${dispute.disputeId} has no view`)
  return view
}
