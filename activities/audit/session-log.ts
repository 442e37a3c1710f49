import { sql } from 'kysely'
import { iso } from '../../domain/common/instants.ts'
import { headFindings, historyFindings, type LogFinding, type PublishedEntry, publishedLog } from '../../domain/session-log/faults.ts'
import { logEntry } from '../../domain/sessions/log-entry.ts'
import type { HeadDocument } from '../../schemas/session-log/shapes.ts'
import { listKeyRecords } from '../identity/key-records.ts'
import { findForgery } from '../identity/signing-keys.ts'
import { listHeads } from '../session-log/records.ts'
import { type AddFinding, type Audit, type Check, PAGE, pagesOf, readPages } from './context.ts'

const addAll = (add: AddFinding, findings: readonly LogFinding[]): void => {
  for (const { fault, subject } of findings) add({ subject, expected: 'what the log has published', found: fault })
}

const listOf = ({ rows }: Audit, day: string): Promise<PublishedEntry[]> =>
  rows.selectFrom('log_entry').select(['hash', 'previousHash']).where('day', '=', day).orderBy('position').execute() as Promise<
    PublishedEntry[]
  >

/** A transaction may end that long after the instant that it records. */
const RECORDING_MS = 600_000

/** Returns the instant before which every entry must be published; null without a head. */
const checkHeads = async (audit: Audit, add: AddFinding): Promise<string | null> => {
  const keys = await listKeyRecords(audit.rows, 'receipt')
  let before: { document: HeadDocument; signed: boolean } | null = null
  for (const document of (await listHeads(audit.rows, { limit: Number.MAX_SAFE_INTEGER, before: null })).toReversed()) {
    const head = { document, signed: (await findForgery(keys, document)) === null }
    addAll(add, headFindings({ ...head, entries: await listOf(audit, document.day) }, before))
    before = head
  }
  return before === null ? null : iso(Date.parse(before.document.sealedAt) - RECORDING_MS)
}

/** What the lists say of the entries of some histories. */
const publishedAbout = async ({ rows }: Audit, hashes: readonly string[]) => {
  const found: PublishedEntry[] = []
  for (const page of pagesOf(hashes)) {
    const query = rows.selectFrom('log_entry').select(['hash', 'previousHash'])
    const known = query.where((is) => is.or([is('hash', 'in', page), is('previousHash', 'in', page)]))
    found.push(...((await known.execute()) as PublishedEntry[]))
  }
  return publishedLog(found)
}

const checkHistories = async (audit: Audit, ids: string[], publishedUntil: string | null, add: AddFinding): Promise<void> => {
  const entries = await audit.rows.selectFrom('session_event').selectAll().where('sessionId', 'in', ids).orderBy('seq').execute()
  const published = await publishedAbout(
    audit,
    entries.flatMap(({ hash, previousHash }) => (previousHash === null ? [hash] : [hash, previousHash])),
  )
  const entriesOf = Map.groupBy(entries.map(logEntry), ({ sessionId }) => sessionId)
  for (const sessionId of ids) addAll(add, historyFindings(sessionId, entriesOf.get(sessionId) ?? [], published, publishedUntil))
}

/** Compares every history with its hashes and with the signed heads, and the heads with their lists. */
export const checkSessionLog: Check = async (audit, add) => {
  const publishedUntil = await checkHeads(audit, add)
  const sessions = audit.rows.selectFrom('session').select('sessionId').orderBy('sessionId').limit(PAGE)
  for await (const page of readPages<{ sessionId: string }>((last) => sessions.where('sessionId', '>', last?.sessionId ?? '').execute()))
    await checkHistories(
      audit,
      page.map(({ sessionId }) => sessionId),
      publishedUntil,
      add,
    )
  const lost = await sql<{ hash: string }>`
    select hash from log_entry l where not exists (select 1 from session_event e where e.hash = l.hash) order by hash limit 1000`.execute(
    audit.rows,
  )
  addAll(
    add,
    lost.rows.map(({ hash }) => ({ fault: 'entry_missing', subject: `the published entry ${hash}` })),
  )
}
