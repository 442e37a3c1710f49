import { sessionContradiction } from '../../domain/audit/session-ending.ts'
import { auditedSessions } from './claims.ts'
import { type AddFinding, type Audit, type Check, PAGE } from './context.ts'

/** Compares the statuses of some sessions with their histories. */
const checkHistories = async ({ rows }: Audit, sessions: { sessionId: string; status: string }[], add: AddFinding): Promise<void> => {
  const ids = sessions.map(({ sessionId }) => sessionId)
  const entries = await rows.selectFrom('session_event').selectAll().where('sessionId', 'in', ids).orderBy('seq').execute()
  const entriesOf = Map.groupBy(entries, ({ sessionId }) => sessionId)
  for (const { sessionId, status } of sessions) {
    const history = entriesOf.get(sessionId) ?? []
    const subject = `session ${sessionId}`
    const last = history.at(-1)?.toStatus ?? 'no history'
    if (last !== status) add({ subject, expected: `status ${last}, by its history`, found: status })
  }
}

const listSessions = ({ rows }: Audit, after: string) =>
  rows.selectFrom('session').select(['sessionId', 'status']).where('sessionId', '>', after).orderBy('sessionId').limit(PAGE).execute()

/** Compares every session with the chain and with its own history. */
export const checkSessions: Check = async (audit, add) => {
  for await (const page of auditedSessions(audit))
    for (const { sessionId, chain, isSettled, ...stored } of page) {
      const contradiction = isSettled ? sessionContradiction(chain, stored) : null
      if (contradiction !== null) add({ subject: `session ${sessionId}`, ...contradiction })
    }
  let after = ''
  for (let page = await listSessions(audit, after); page.length > 0; page = await listSessions(audit, after)) {
    await checkHistories(audit, page, add)
    after = page.at(-1)?.sessionId ?? after
  }
}
