import { sql } from 'kysely'
import { FUNDING_REMOVED_AFTER_CLAIM } from '../../../domain/postings/status.ts'
import { WATCH_MS } from '../../../domain/postings/watch.ts'
import type { JobRecord } from '../../../schemas/catalogue/record.ts'
import type { PostingRecord } from '../../../schemas/postings/record.ts'
import { findListed } from '../../postings/drafts.ts'
import { type Audit, PAGE, readPages, SETTLING_MS } from '../context.ts'

export interface AuditedPosting {
  posting: PostingRecord
  /** Its job in the catalogue; null without one. */
  job: JobRecord | null
  /** Whether a session of it has not expired. */
  isClaimed: boolean
  /** Whether a fork moved or removed its funding. */
  isForked: boolean
}

interface Row extends Omit<AuditedPosting, 'job'> {
  isSettled: boolean
}

/** Postings with what happened to them, in one statement: rows and events of one instant. */
const listRows = async ({ rows, chain, block, now }: Audit, after: string): Promise<Row[]> => {
  const escrowEvents = sql`chain_event e where e.chain_id = ${chain.chainId} and e.contract = 'escrow' and e.chain_job_id = posting.job_id`
  const found = await rows
    .selectFrom('posting')
    .selectAll()
    .select([
      sql<boolean>`exists (select 1 from session s where s.job_id = posting.job_id and s.status <> 'expired')`.as('isClaimed'),
      sql<boolean>`exists (select 1 from ${escrowEvents} and e.event = 'JobCreated' and e.revision > 1)`.as('isForked'),
      sql<boolean>`exists (select 1 from ${escrowEvents} and e.block_number > ${block.number})`.as('isAhead'),
      sql<number>`(extract(epoch from greatest(
        (select max(greatest(e.block_time, e.seen_at, e.removed_at)) from ${escrowEvents}),
        (select max(s.updated_at) from session s where s.job_id = posting.job_id),
        (select max(j.delisted_at) from job j where j.id = posting.job_id),
        posting.quoted_at)) * 1000)::float8`.as('changedAt'),
    ])
    .where('jobId', '>', after as PostingRecord['jobId'])
    .orderBy('jobId')
    .limit(PAGE)
    .execute()
  const before = now() - SETTLING_MS
  return found.map(({ isClaimed, isForked, isAhead, changedAt, ...posting }) => {
    const isWatched = posting.reason === FUNDING_REMOVED_AFTER_CLAIM
    return { posting, isClaimed, isForked, isSettled: !isAhead && changedAt < before - (isWatched ? WATCH_MS : 0) }
  })
}

/** Every posting whose last change is old enough for records and chain to agree, a page at a time. */
export async function* settledPostings(audit: Audit): AsyncGenerator<AuditedPosting[]> {
  for await (const page of readPages<Row>((last) => listRows(audit, last?.posting.jobId ?? ''))) {
    const settled = page.filter(({ isSettled }) => isSettled)
    const jobs = await findListed(
      audit.rows,
      settled.map(({ posting }) => posting.jobId),
    )
    const jobOf = new Map(jobs.map((job) => [job.id, job]))
    yield settled.map(({ isSettled: _settled, ...row }) => ({ ...row, job: jobOf.get(row.posting.jobId) ?? null }))
  }
}
