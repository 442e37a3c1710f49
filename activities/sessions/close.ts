import { iso } from '../../domain/common/instants.ts'
import { closedStatus } from '../../domain/sessions/close.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { OperatorClose, SessionRecord } from '../../schemas/sessions/record.ts'
import { touchCatalogue } from '../catalogue/jobs.ts'
import type { Rows } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { closeDispute } from './dispute.ts'
import { getSession, lockSession, moveSession } from './records.ts'

/** State on chain when an operator closed a session; plain JSON, as stored and served. */
export type CloseObservation = Omit<OperatorClose, 'outcome' | 'note' | 'by' | 'at'>

/** A close by an operator (wallet, lower case). `at` in epoch ms. */
interface CloseRequest extends Pick<OperatorClose, 'outcome' | 'note' | 'by'> {
  sessionId: string
  at: number
  observed: CloseObservation
}

/**
 * Records that an operator closed a session, with the state read from chain. A diverged session stays diverged and stores the note; every
 * other one takes a transition of the graph. Refuses a session that is closed or has ended otherwise.
 */
export const recordOperatorClose = async (rows: Rows, close: CloseRequest): Promise<SessionRecord> => {
  const { sessionId, outcome, note, by, at, observed } = close
  const session = await lockSession(rows, sessionId)
  if (session.operatorClose !== null) throw new ServiceError('session_already_closed', { details: { sessionId, ...session.operatorClose } })
  const operatorClose = { outcome, note, by, at: iso(at), ...observed }
  const to = closedStatus(session, outcome)
  const metadata = { operator: by, note, outcome, ...observed }
  const patch = { operatorClose, chainState: observed.observedState }
  if (to !== null) await moveSession(rows, { sessionId, to, reason: `operator_${outcome}`, at, metadata, patch })
  else
    await rows
      .updateTable('session')
      .set({ ...patch, updatedAt: at, version: session.version + 1 })
      .where('sessionId', '=', sessionId)
      .execute()
  await closeDispute(rows, sessionId, { at, actor: by, action: 'closed_by_operator', data: { outcome, note } })
  await emit(rows, { topic: 'session.closed', ...sessionSubject(session), at, data: { status: to ?? session.status, ...metadata } })
  await touchCatalogue(rows)
  return getSession(rows, sessionId)
}
