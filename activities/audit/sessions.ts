import { sql } from 'kysely'
import { sessionContradiction } from '../../domain/audit/session-ending.ts'
import { auditedSessions } from './claims.ts'
import type { AddFinding, Audit, Check } from './context.ts'

/** Compares the status of every session with the last entry of its history. */
const checkHistories = async ({ rows }: Audit, add: AddFinding): Promise<void> => {
  const found = await sql<{ sessionId: string; status: string; last: string | null }>`
    select s.session_id as "sessionId", s.status, last.to_status as last from session s left join lateral (
      select e.to_status from session_event e where e.session_id = s.session_id order by e.seq desc limit 1) last on true
    where last.to_status is distinct from s.status order by s.session_id`.execute(rows)
  for (const { sessionId, status, last } of found.rows)
    add({ subject: `session ${sessionId}`, expected: `status ${last ?? 'no history'}, by its history`, found: status })
}

/** Compares every session with the chain and with its own history. */
export const checkSessions: Check = async (audit, add) => {
  for await (const page of auditedSessions(audit))
    for (const { sessionId, chain, isSettled, ...stored } of page) {
      const contradiction = isSettled ? sessionContradiction(chain, stored) : null
      if (contradiction !== null) add({ subject: `session ${sessionId}`, ...contradiction })
    }
  await checkHistories(audit, add)
}
