import { sql } from 'kysely'
import { eventsOfClaim } from '../../domain/audit/session-ending.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { listEscrowEvents, type RecordedEscrowEvent } from '../audit/claims.ts'
import { type Audit, PAGE, readPages } from '../audit/context.ts'
import type { ReceiptRow } from '../receipts/records.ts'
import type { BadgeRow } from '../reputation/badges.ts'
import { listVerdicts, type StoredVerdict } from '../verification/records.ts'

/** One session with its sources and its stored records. */
export interface RebuiltSession {
  stored: Tables['session']
  /** Its history, oldest first. */
  history: Tables['session_event'][]
  /** Events of its claim, the claim first; empty without one. */
  claim: RecordedEscrowEvent[]
  /** Terms of the claim as its transaction stated them. */
  economics: Record<string, unknown> | undefined
  /** Newest first. */
  verdicts: StoredVerdict[]
  badge: BadgeRow | undefined
  receipt: ReceiptRow | undefined
}

const claimOf = (events: readonly RecordedEscrowEvent[], txHash: string | null) => ({
  claim: txHash === null ? [] : eventsOfClaim(events, txHash),
  economics: events.find((one) => one.event === 'ClaimEconomicsLocked' && one.txHash === txHash)?.args,
})

const loadPage = async (audit: Audit, page: Tables['session'][]): Promise<RebuiltSession[]> => {
  const { rows } = audit
  const ids = page.map(({ sessionId }) => sessionId)
  const [events, entries, verdicts, badges, receipts] = await Promise.all([
    listEscrowEvents(audit, [...new Set(page.map(({ chainJobId }) => chainJobId))]),
    rows.selectFrom('session_event').selectAll().where('sessionId', 'in', ids).orderBy('seq').execute(),
    listVerdicts(rows, ids),
    rows.selectFrom('badge').selectAll().where('sessionId', 'in', ids).execute(),
    rows.selectFrom('work_receipt').selectAll().where('sessionId', 'in', ids).execute(),
  ])
  const historyOf = Map.groupBy(entries, ({ sessionId }) => sessionId)
  const verdictsOf = Map.groupBy(verdicts, ({ sessionId }) => sessionId)
  const badgeOf = new Map(badges.map((row) => [row.sessionId, row]))
  const receiptOf = new Map(receipts.map((row) => [row.sessionId, row]))
  return page.map((stored) => ({
    stored,
    history: historyOf.get(stored.sessionId) ?? [],
    ...claimOf(events.get(stored.chainJobId) ?? [], stored.claimTxHash),
    verdicts: verdictsOf.get(stored.sessionId) ?? [],
    badge: badgeOf.get(stored.sessionId),
    receipt: receiptOf.get(stored.sessionId),
  }))
}

/** One session with its sources, read again; null if it is gone. */
export const reloadSession = async (audit: Audit, sessionId: string): Promise<RebuiltSession | null> => {
  const found = await audit.rows.selectFrom('session').selectAll().where('sessionId', '=', sessionId).execute()
  return (await loadPage(audit, found))[0] ?? null
}

/** Every session with its sources, a page at a time. */
export async function* rebuiltSessions(audit: Audit): AsyncGenerator<RebuiltSession[]> {
  const sessions = audit.rows.selectFrom('session').selectAll().orderBy('sessionId').limit(PAGE)
  const pages = readPages<Tables['session']>((last) => sessions.where('sessionId', '>', last?.sessionId ?? '').execute())
  for await (const page of pages) yield loadPage(audit, page)
}

/** Sessions that are named by an entry of the log or a document, but have no row. */
export const listLostSessions = async ({ rows }: Audit): Promise<string[]> => {
  const found = await sql<{ sessionId: string }>`
    select session_id as "sessionId" from (
      select session_id from session_event union select session_id from badge union select session_id from work_receipt
      union select session_id from reputation_event) named
    where not exists (select 1 from session s where s.session_id = named.session_id) order by session_id limit 1000`.execute(rows)
  return found.rows.map(({ sessionId }) => sessionId)
}
