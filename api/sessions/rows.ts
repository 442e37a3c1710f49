import type { Rows } from '../../activities/database/database.ts'
import { readWaitingFacts } from '../../activities/disputes/waiting.ts'
import { nativeAccountViews } from '../../activities/identity/native-accounts.ts'
import { compactSession } from '../../domain/sessions/compact.ts'
import { sessionRow, type WorkerHelp } from '../../domain/sessions/view.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'

const viewRows = async <View>(
  rows: Rows,
  sessions: readonly SessionRecord[],
  view: (session: SessionRecord, help: Pick<WorkerHelp, 'waiting' | 'nativeAccount'>) => View,
): Promise<View[]> => {
  const factsOf = await readWaitingFacts(rows, sessions)
  const accounts = await nativeAccountViews(rows, [...new Set(sessions.map(({ wallet }) => wallet))])
  return sessions.map((session) => view(session, { waiting: factsOf(session.sessionId), nativeAccount: accounts.get(session.wallet) }))
}

/** Rows of a list of sessions at `now` (epoch ms). */
export const sessionRows = (rows: Rows, sessions: readonly SessionRecord[], now: number) =>
  viewRows(rows, sessions, (session, help) => sessionRow(session, now, help))

/** The same as short rows, for operators. */
export const compactRows = (rows: Rows, sessions: readonly SessionRecord[], now: number) =>
  viewRows(rows, sessions, (session, help) => compactSession(session, now, help))
