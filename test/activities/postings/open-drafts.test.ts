// Drafts of one wallet at once, from the connections of two processes, on a real database.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkOpenDrafts } from '../../../activities/audit/caps.ts'
import type { Audit } from '../../../activities/audit/context.ts'
import { openDatabase } from '../../../activities/database/database.ts'
import { type QuotedPosting, storeQuote } from '../../../activities/postings/drafts.ts'
import type { AuditFinding } from '../../../schemas/audit/record.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { PLAYS_ALL } from '../../support/cases/sample.ts'
import { quotedPosting } from '../../support/records/posting-rows.ts'
import { checkWithFault } from '../support/planted-faults.ts'
import { type Records, startRecords, walletAt } from '../support/service.ts'

const DAY = 24 * 3_600_000
const LIMIT = 5
/** Drafts at once, half of them by each process. */
const CROWD = PLAYS_ALL ? 60 : 24

let records: Records
let other: Records['database']
beforeAll(async () => {
  records = await startRecords()
  other = openDatabase({ url: records.settings.DATABASE_URL, poolSize: 20 })
})
afterAll(async () => {
  await other.close()
  await records.stop()
})

let titles = 0
const quoteOf = (poster: string, title: string, openDraftLimit = LIMIT): QuotedPosting => {
  const now = records.clock.now()
  const built = builtJob(jobBody({ id: 'drafted', title }))
  const row = quotedPosting(built, poster, now)
  const { posterFeeBps, posterFeeFloorRaw, posterFeeRaw } = row
  const quote = { posterFeeBps, posterFeeFloorRaw, posterFeeRaw }
  return { ...row, quote, block: 7n, now, expiresAt: now + 3 * DAY, openDraftLimit } as unknown as QuotedPosting
}
const freshTitle = (): string => {
  titles += 1
  return `Summary ${titles} of retry budgets`
}

/** What became of drafts that two processes store at once. */
const draftAll = async (quotes: readonly QuotedPosting[]): Promise<Record<string, number>> => {
  const outcomes = await Promise.allSettled(
    quotes.map((quoted, index) => (index % 2 === 0 ? records.database : other).transaction((rows) => storeQuote(rows, quoted))),
  )
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected' && !isServiceError(outcome.reason)) throw outcome.reason
    const name = outcome.status === 'fulfilled' ? 'stored' : (outcome.reason.code as string)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
const draft = (quoted: QuotedPosting) => draftAll([quoted])
const rowsOf = (poster: string) => records.rows.selectFrom('posting').selectAll().where('poster', '=', poster).execute()
const findings = async (rows = records.rows): Promise<AuditFinding[]> => {
  const found: AuditFinding[] = []
  await checkOpenDrafts({ rows } as Audit, (finding) => found.push(finding))
  return found
}

test('drafts of one wallet at two processes at once: as many are stored as it may have open, and each wallet has its own cap', async () => {
  const [first, second] = [walletAt(1), walletAt(2)]
  const quotes = Array.from({ length: CROWD }, (_, index) => quoteOf(index % 4 < 2 ? first : second, freshTitle()))
  expect(await draftAll(quotes)).toEqual({ stored: 2 * LIMIT, external_open_drafts_cap_reached: CROWD - 2 * LIMIT })
  expect([(await rowsOf(first)).length, (await rowsOf(second)).length]).toEqual([LIMIT, LIMIT])
  expect(await findings()).toEqual([])
})

test('one draft that two processes renew at once counts once, also at the cap', async () => {
  const [poster, title] = [walletAt(3), freshTitle()]
  const again = () => quoteOf(poster, title, 1)
  expect(await draftAll(Array.from({ length: CROWD }, again))).toEqual({ stored: CROWD })
  expect(await rowsOf(poster)).toEqual([expect.objectContaining({ attemptCount: CROWD, openDraftLimit: 1 })])
})

test('expired drafts of a wallet make room, and one of them takes its place again', async () => {
  const poster = walletAt(4)
  const titled = Array.from({ length: LIMIT }, freshTitle)
  for (const title of titled) await draft(quoteOf(poster, title))
  records.clock.move(3 * DAY)
  expect(await draftAll(Array.from({ length: LIMIT }, () => quoteOf(poster, freshTitle())))).toEqual({ stored: LIMIT })
  expect(await draft(quoteOf(poster, titled[0] ?? ''))).toEqual({ external_open_drafts_cap_reached: 1 })
  records.clock.move(3 * DAY)
  expect(await draft(quoteOf(poster, titled[0] ?? ''))).toEqual({ stored: 1 })
  expect((await rowsOf(poster)).filter(({ openedAt, createdAt }) => openedAt - createdAt >= 6 * DAY)).toHaveLength(1)
  expect(await findings()).toEqual([])
})

test('the check of open drafts knows a lower limit of later settings from an overrun, and a draft that a fork opened again', async () => {
  const poster = walletAt(5)
  for (let index = 0; index < LIMIT; index += 1) await draft(quoteOf(poster, freshTitle()))
  expect(await draft(quoteOf(poster, freshTitle(), 2))).toEqual({ external_open_drafts_cap_reached: 1 })
  const [row] = await rowsOf(poster)
  const faulty = (statements: string) => checkWithFault(records.database, statements, ({ rows }) => findings(rows))
  const again = (
    limit: string,
  ) => `insert into posting select '0x' || repeat('e', 64), '0x' || repeat('e', 64), poster, definition, spec_hash,
    expected_outputs, reward_raw, ops_reserve_raw, contingency_reserve_raw, poster_fee_bps, poster_fee_floor_raw, poster_fee_raw, quote_block,
    is_designated, status, attempt_count, created_at, quoted_at, expires_at, opened_at + interval '1 second', ${limit}, null, null, null, null,
    null, null, null, 1 from posting where job_id = '${row?.jobId}'`
  expect(await faulty(again('null'))).toEqual([])
  expect(await faulty(again(`${LIMIT}`))).toEqual([
    { subject: `draft 0x${'e'.repeat(64)}, of ${poster}`, expected: `at most ${LIMIT}`, found: `${LIMIT + 1}` },
  ])
})
