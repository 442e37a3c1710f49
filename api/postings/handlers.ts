import { z } from 'zod'
import { nativeAccountViews } from '../../activities/identity/native-accounts.ts'
import { createPostingReads } from '../../activities/postings/chain-reads.ts'
import { delistPosted } from '../../activities/postings/delist.ts'
import { findListed, listPostings } from '../../activities/postings/drafts.ts'
import { findPosting } from '../../activities/postings/records.ts'
import { CHAIN_REASONS } from '../../domain/catalogue/delisting.ts'
import { iso } from '../../domain/common/instants.ts'
import { NO_CLAIMANT } from '../../domain/eligibility/claimant.ts'
import { type ListedFacts, posterJobView } from '../../domain/postings/views.ts'
import type { Answer, HandlersOf } from '../../schemas/operations/operation.ts'
import type * as operations from '../../schemas/postings/operations.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import type { PostingStatus } from '../../schemas/postings/terms.ts'
import type { ApiDeps } from '../deps.ts'
import { memoizeFor } from '../http/cache.ts'
import { withIdempotentTransaction } from '../http/idempotency.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { invalidRequest } from '../http/problem.ts'
import { createDraftHandlers } from './drafts.ts'
import { createPosterOnboarding } from './onboarding.ts'
import { postingChain } from './policy.ts'
import { createPostingTransactions } from './transactions.ts'

const Position = z.object({ createdAt: InstantKey, jobId: TextKey })
/** Cache time of the onboarding document, as its answer says. */
const ONBOARDING_MS = 30_000

/** Jobs that wallets draft and fund themselves. */
export const createPostingHandlers = (deps: ApiDeps): HandlersOf<typeof operations> => {
  const { database, chain, clients, clock, reads, evaluations, engine } = deps
  const place = postingChain(chain)
  const postingReads = createPostingReads(chain, clients, reads)
  const onboarding = memoizeFor(ONBOARDING_MS, createPosterOnboarding(deps, postingReads))

  /** What the catalogue says of those of the postings that it has. */
  const listedFacts = async (postings: readonly PostingRecord[]): Promise<Map<string, ListedFacts>> => {
    const jobs = await findListed(
      database.rows,
      postings.map(({ jobId }) => jobId),
    )
    const evaluated = await evaluations.evaluatePage(jobs, NO_CLAIMANT)
    return new Map(
      evaluated.map(({ claimStatus: { claimState }, assessment: { facts } }) => [
        facts.job.id,
        { claimState, latestSession: facts.latestSession },
      ]),
    )
  }

  /** One page of postings, newest first. A cursor is bound to the operation and the filters. */
  const readPage = async (
    operationId: string,
    query: { limit: number; cursor?: string | undefined },
    filters: { poster: string | undefined; status: PostingStatus | undefined },
  ) => {
    const now = clock.now()
    const { poster, status: is } = filters
    const page = listPage({ ...query, operationId, filters, position: Position })
    const filter = { poster, status: is && { is, now } }
    const found = await listPostings(database.rows, filter, { limit: page.readLimit, after: page.after })
    const { rows, ...envelope } = page.cut(found, ({ createdAt, jobId }) => ({ createdAt, jobId }))
    const listed = await listedFacts(rows)
    const views = rows.map((posting) => ({
      poster: posting.poster,
      job: posterJobView(posting, place, listed.get(posting.jobId) ?? null, now),
    }))
    return { views, envelope }
  }

  return {
    ...createDraftHandlers(deps, postingReads),
    ...createPostingTransactions(deps, postingReads),

    listPosterJobs: async ({ caller, query }) => {
      const { views, envelope } = await readPage('listPosterJobs', query, { poster: caller.wallet, status: undefined })
      return { status: 200, body: { jobs: views.map(({ job }) => job), ...envelope } }
    },

    listAdminPostings: async ({ query }) => {
      const { views, envelope } = await readPage('listAdminPostings', query, { poster: query.poster, status: query.status })
      const accounts = await nativeAccountViews(database.rows, [...new Set(views.map(({ poster }) => poster))])
      const jobs = views.map(({ job, poster }) => {
        const nativeAccount = accounts.get(poster)
        return { ...job, poster, ...(nativeAccount !== undefined && { nativeAccount }) }
      })
      return { status: 200, body: { jobs, ...envelope } }
    },

    getPosterOnboarding: async () => ({ status: 200, body: await onboarding.get() }),

    delistJob: async (input) => {
      const { params, body, caller } = input
      const { reason } = body
      if (CHAIN_REASONS.includes(reason))
        throw invalidRequest([{ pointer: '/reason', rule: 'reserved', message: 'is a reason that follows from the chain' }])
      const answer = await withIdempotentTransaction<Answer<typeof operations.delistJob>>(deps, input, async (rows) => {
        const { delistedAt, ...found } = await delistPosted(rows, { jobId: params.jobId, reason, by: caller.wallet, now: clock.now() })
        const effects = { delisted: true, catalogProjectionRemoved: true, onChainEscrowTouched: false } as const
        return { status: 200, body: { jobId: params.jobId, ...effects, ...found, delistedAt: iso(delistedAt) } }
      })
      const posting = await findPosting(database.rows, params.jobId)
      if (posting !== null) await engine.wakePosting(posting)
      return answer
    },
  }
}
