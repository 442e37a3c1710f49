import { sql } from 'kysely'
import { iso, utcDay } from '../../domain/common/instants.ts'
import type { DemandOutcome } from '../../domain/postings/demand.ts'
import type { BuiltPosting } from '../../domain/postings/draft.ts'
import type { PosterQuote } from '../../domain/postings/quote.ts'
import { isIdTaken } from '../../domain/postings/status.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { get, wait } from '../../schemas/common/error-row.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import type { PostingStatus } from '../../schemas/postings/terms.ts'
import { parseJobRow } from '../catalogue/jobs.ts'
import { type Rows, readRow } from '../database/database.ts'
import { AGREEMENT_LIMIT, countAgreements } from './records.ts'

/** Statuses of a posting that may still be funded, or quoted again. */
const RENEWABLE: readonly PostingStatus[] = ['quoted', 'awaiting_funding', 'expired']

/** A posting with its quote. Instants in epoch ms. */
export interface QuotedPosting extends Omit<BuiltPosting, 'gate'> {
  /** Lower-case address. */
  poster: string
  quote: PosterQuote
  /** Block of the quote. */
  block: bigint
  now: number
  expiresAt: number
  /** Open drafts that a wallet may have. */
  openDraftLimit: number
}

/** What the limit of open drafts counts. */
type DraftPlace = Pick<QuotedPosting, 'poster' | 'jobId' | 'now' | 'openDraftLimit'>

/** Finds a draft by its id; null if there is none. */
const findDraft = async (rows: Rows, draftId: string): Promise<PostingRecord | null> =>
  (await rows
    .selectFrom('posting')
    .selectAll()
    .where('draftId', '=', draftId as `0x${string}`)
    .executeTakeFirst()) ?? null

/** The draft of a poster. Throws 404 `external_draft_not_found` and 403 `external_draft_not_owned`. */
export const getOwnDraft = async (rows: Rows, draftId: string, poster: string): Promise<PostingRecord> => {
  const draft = await findDraft(rows, draftId)
  if (draft === null) throw new ServiceError('external_draft_not_found', { details: { draftId } })
  if (draft.poster !== poster) throw new ServiceError('external_draft_not_owned', { details: { draftId } })
  return draft
}

/**
 * How many drafts of a wallet are open besides one, whether that one is open too, and when (epoch ms) so many of the others have expired that one more
 * may be opened; null where one may be opened now. Their number stays exact until the transaction ends.
 */
const readOpenDrafts = async (rows: Rows, { poster, jobId, now, openDraftLimit }: DraftPlace) => {
  await sql`select pg_advisory_xact_lock(hashtext(${`posting:drafts/${poster}`}))`.execute(rows)
  const { isOpen, expiries } = await readRow(
    rows,
    sql<{ isOpen: boolean; expiries: number[] }>`
      select coalesce(bool_or(job_id = ${jobId}), false) as "isOpen",
        coalesce(array_agg((extract(epoch from expires_at) * 1000)::double precision order by expires_at) filter (where job_id <> ${jobId}), '{}')
          as expiries
      from posting where poster = ${poster} and funding is null and expires_at > ${new Date(now)}`,
  )
  return { others: expiries.length, isOpen, freesAt: expiries[expiries.length - openDraftLimit] ?? null }
}

const openDraftsReached = (limit: number, open: number, freesAt: number): ServiceError => {
  const availableAt = iso(freesAt)
  return new ServiceError('external_open_drafts_cap_reached', {
    details: { rule: 'open_drafts_of_a_wallet', limit, open, freesAt: availableAt },
    nextActions: [
      { ...wait('Wait until `freesAt`, when enough of them have expired, then repeat.'), availableAt },
      get('/poster/jobs', 'List your own drafts, and fund one of them.'),
    ],
  })
}

/** Throws 409 `external_open_drafts_cap_reached` where a wallet may open no draft besides those that are open. */
export const assertRoomForDraft = async (rows: Rows, place: DraftPlace): Promise<void> => {
  const { others, freesAt } = await readOpenDrafts(rows, place)
  if (freesAt !== null) throw openDraftsReached(place.openDraftLimit, others, freesAt)
}

/**
 * Stores a quote: a new posting, or a new quote of one that is not funded. A posting that is funded stays as it is. `isRenewed` is false for the
 * latter. Throws 409 `external_open_drafts_cap_reached` for one more open draft than a wallet may have.
 */
export const storeQuote = async (rows: Rows, quoted: QuotedPosting): Promise<{ posting: PostingRecord; isRenewed: boolean }> => {
  const { quote, block, now, expiresAt, jobId, poster, openDraftLimit } = quoted
  const { others, isOpen, freesAt } = await readOpenDrafts(rows, quoted)
  const fee = { posterFeeBps: quote.posterFeeBps, posterFeeFloorRaw: quote.posterFeeFloorRaw, posterFeeRaw: quote.posterFeeRaw }
  const renewal = { ...fee, quoteBlock: block, quotedAt: now, expiresAt }
  const { draftId, definition, specHash, expectedOutputs, isDesignated, rewardRaw, opsReserveRaw, contingencyReserveRaw } = quoted
  const stored = await rows
    .insertInto('posting')
    .values({
      ...{ jobId, draftId, poster, definition, specHash, expectedOutputs, isDesignated, rewardRaw, opsReserveRaw, contingencyReserveRaw },
      ...renewal,
      openedAt: now,
      openDraftLimit,
      status: 'quoted',
      attemptCount: 1,
      createdAt: now,
      handedOutAt: null,
      funding: null,
      mismatch: null,
      refund: null,
      reason: null,
      version: 1,
    })
    .onConflict((conflict) =>
      conflict
        .column('jobId')
        .doUpdateSet({
          ...renewal,
          ...(!isOpen && { openedAt: now, openDraftLimit }),
          status: sql<PostingStatus>`case when posting.handed_out_at is null then 'quoted' else 'awaiting_funding' end`,
          attemptCount: sql<number>`posting.attempt_count + 1`,
          reason: null,
          version: sql<number>`posting.version + 1`,
        })
        .where('posting.funding', 'is', null)
        .where('posting.status', 'in', RENEWABLE),
    )
    .returningAll()
    .executeTakeFirst()
  if (stored !== undefined && !isOpen && freesAt !== null) throw openDraftsReached(openDraftLimit, others, freesAt)
  if (stored !== undefined) return { posting: stored, isRenewed: true }
  return { posting: await rows.selectFrom('posting').selectAll().where('jobId', '=', jobId).executeTakeFirstOrThrow(), isRenewed: false }
}

/** Records that the transactions of a draft were handed out. Throws what refuses a funding by the records. */
export const handOut = async (rows: Rows, jobId: `0x${string}`, now: number): Promise<void> => {
  const posting = await rows.selectFrom('posting').selectAll().where('jobId', '=', jobId).forUpdate().executeTakeFirstOrThrow()
  assertFundable(posting, now)
  await assertRoomForAgreement(rows, posting)
  await rows
    .updateTable('posting')
    .set({ status: 'awaiting_funding', handedOutAt: posting.handedOutAt ?? now, version: posting.version + 1 })
    .where('jobId', '=', jobId)
    .execute()
}

/** The refusal of a draft whose id another wallet (lower case) used in the escrow. */
export const idTaken = (details: { draftId: string; jobId: string; takenBy: string }): ServiceError =>
  new ServiceError('external_draft_id_taken', { details })

/** Throws 409 for a draft that is funded, by its poster or by another wallet, or whose quote has expired. */
export const assertFundable = ({ draftId, jobId, status, funding, mismatch, expiresAt }: PostingRecord, now: number): void => {
  if (mismatch !== null && isIdTaken({ mismatch })) throw idTaken({ draftId, jobId, takenBy: mismatch.observed })
  if (funding !== null) throw new ServiceError('external_draft_already_funded', { details: { draftId, jobId, status } })
  if (now >= expiresAt) throw new ServiceError('external_draft_expired', { details: { draftId, jobId, expiresAt: iso(expiresAt) } })
}

/** Throws 409 where as many agreements with a named wallet are in progress as may be. */
export const assertRoomForAgreement = async (rows: Rows, { isDesignated, jobId }: Pick<PostingRecord, 'isDesignated' | 'jobId'>) => {
  if (!isDesignated) return
  const bound = { rule: 'agreements_in_progress', limit: AGREEMENT_LIMIT }
  const inProgress = await countAgreements(rows, jobId).catch((cause: unknown) => {
    throw new ServiceError('designated_agreement_cap_unavailable', { cause, details: bound })
  })
  if (inProgress < AGREEMENT_LIMIT) return
  throw new ServiceError('designated_agreement_concurrent_cap_reached', { details: { ...bound, inProgress } })
}

/** Counts a request of a wallet for a draft. `code` of a refusal; null for a quote. */
export const recordDemand = async (
  rows: Rows,
  { code, ...demand }: { poster: string; outcome: DemandOutcome; code: string | null; at: number },
): Promise<void> => {
  const { at } = demand
  await rows
    .insertInto('posting_demand')
    .values({ ...demand, code: code ?? '', day: utcDay(at), requests: 1 })
    .onConflict((conflict) =>
      conflict.columns(['poster', 'day', 'outcome', 'code']).doUpdateSet({ requests: sql<number>`posting_demand.requests + 1`, at }),
    )
    .execute()
}

/**
 * Deletes drafts without a funding: those whose transactions were handed out if they expired before `handedOut`, the others if they expired before
 * `quoted` (both epoch ms). A draft whose job the chain has stays. Deletes also the records of requests for drafts that are older than `handedOut`.
 */
export const deleteUnfunded = async (rows: Rows, before: { handedOut: number; quoted: number }): Promise<void> => {
  await rows
    .deleteFrom('posting')
    .where('funding', 'is', null)
    .where(
      'expiresAt',
      '<',
      sql<number>`case when handed_out_at is null then ${new Date(before.quoted)}::timestamptz else ${new Date(before.handedOut)}::timestamptz end`,
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chain_event')
            .select('logIndex')
            .where(sql<boolean>`chain_event.chain_job_id = posting.job_id collate "C"`)
            .where('removedAt', 'is', null),
        ),
      ),
    )
    .execute()
  await rows.deleteFrom('posting_demand').where('at', '<', before.handedOut).execute()
}

/** Wallets in the records whose skill reaches a score. */
export const countSkilled = async (rows: Rows, skill: number): Promise<number> =>
  (await readRow(rows, sql<{ wallets: number }>`select count(*)::integer as wallets from agent_statistics where skill >= ${skill}`)).wallets

/** Place of a posting in its poster's list. */
export interface PostingPosition {
  /** Epoch ms. */
  createdAt: number
  jobId: string
}

/** Which postings a list has; an absent member leaves all. */
export interface PostingFilter {
  /** Lower-case address. */
  poster?: string | undefined
  /** Status at `now` (epoch ms): a quote ends by itself. */
  status?: { is: PostingStatus; now: number } | undefined
}

/** Condition for postings that are in a status at an instant, as `statusAt` says it. */
const hasStatus = ({ is, now }: { is: PostingStatus; now: number }) => {
  const at = new Date(now)
  if (is === 'expired') return sql<boolean>`(status = 'expired' or (status in ('quoted', 'awaiting_funding') and expires_at <= ${at}))`
  if (is === 'quoted' || is === 'awaiting_funding') return sql<boolean>`(status = ${is} and expires_at > ${at})`
  return sql<boolean>`status = ${is}`
}

/** Postings, newest first, after a position. */
export const listPostings = async (
  rows: Rows,
  { poster, status }: PostingFilter,
  { limit, after }: { limit: number; after: PostingPosition | null },
): Promise<PostingRecord[]> => {
  let found = rows.selectFrom('posting').selectAll()
  if (poster !== undefined) found = found.where('poster', '=', poster)
  if (status !== undefined) found = found.where(hasStatus(status))
  if (after !== null)
    found = found
      .where('createdAt', '<=', after.createdAt)
      .where((is) => is.or([is('createdAt', '<', after.createdAt), is('jobId', '>', after.jobId as `0x${string}`)]))
  return found.orderBy('createdAt', 'desc').orderBy('jobId').limit(limit).execute()
}

/** Those of the jobs that the catalogue has, by id. */
export const findListed = async (rows: Rows, jobIds: readonly string[]): Promise<JobRecord[]> =>
  jobIds.length === 0 ? [] : (await rows.selectFrom('job').selectAll().where('id', 'in', jobIds).execute()).map(parseJobRow)
