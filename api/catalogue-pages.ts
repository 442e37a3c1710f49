import { z } from 'zod'
import type { EvaluatedPage, PageEntry } from '../activities/eligibility/evaluate.ts'
import { catalogueVersion } from '../activities/records/catalogue.ts'
import { type CataloguePosition, listOpenJobs } from '../activities/records/catalogue-lists.ts'
import type { StoredReading } from '../activities/records/reward-bank.ts'
import { claimBond } from '../domain/claim-economics.ts'
import { keccakOf } from '../domain/hashes.ts'
import { isPast, plusSeconds } from '../domain/instants.ts'
import { serveCompact } from '../domain/job-compact.ts'
import { sourceGroup } from '../domain/job-source.ts'
import { jobFactsOf, servedJob } from '../domain/job-views.ts'
import { disputeWindowEndsAt } from '../domain/session-graph.ts'
import type { listJobs } from '../schemas/operations/jobs.ts'
import type { Answer, Input } from '../schemas/operations/operation.ts'
import type { WorkDeps } from './deps-work.ts'
import { bankReading, readInventory } from './inventory.ts'
import { keptFor } from './kept.ts'
import { InstantKey, listPage, TextKey } from './lists.ts'

/** Rows looked at for one page when a derived state filters them; the cursor goes on where the look ended. */
const SCAN_LIMIT = 1_000
const CACHED_PAGES = 300
/** Catalogue-wide counts are kept this long (wall clock) and say when they were made. */
const INVENTORY_MS = 10_000

type ListQuery = Input<typeof listJobs>['query']
type ListAnswer = Answer<typeof listJobs>
const Position: z.ZodType<CataloguePosition> = z.object({ listedAt: InstantKey, id: TextKey })

type Page = Omit<ListAnswer['body'], 'inventory'>

interface CachedPage {
  body: Page
  /** Epoch ms at which a row of the page changes by itself; null when none does. */
  changesAt: number | null
}

/** `open` also matches what is claimable again after an expiry; `claimable` and `available` match nothing else. */
const matchesState = (state: string | undefined, { evaluation }: PageEntry): boolean => {
  if (state === undefined) return true
  const { claimState, effectiveState, claimable } = evaluation.claimStatus
  if (state === 'claimable' || state === 'available') return claimable
  return claimState === state || effectiveState === state || (state === 'open' && (claimable || claimState === 'open'))
}

/** When this row will read differently without anybody writing: it goes stale, its claim lapses, its rejection becomes final. */
const changeOf = ({ evaluation, latest }: PageEntry): number[] => {
  const { facts } = evaluation.assessment
  const afterSecond = (at: number) => plusSeconds(Math.floor(at / 1000) * 1000, 1)
  const instants: number[] = facts.job.staleAt === null ? [] : [facts.job.staleAt]
  if (latest?.status === 'claimed') instants.push(afterSecond(latest.claimExpiresAt))
  const { rejectedAt = null } = latest?.timestamps ?? {}
  if (latest?.status === 'rejected' && rejectedAt !== null) instants.push(afterSecond(disputeWindowEndsAt(rejectedAt)))
  return instants.filter((at) => !isPast(at, facts.now))
}

/** `GET /jobs`, a page at a time; anonymous pages are kept while nothing they show can have changed. Their key and the counts are the ETag. */
export const createCataloguePages = (deps: WorkDeps) => {
  const { database, evaluations, chain, clock, baseUrl } = deps
  const pages = new Map<string, CachedPage>()

  const bankMark = async () => {
    const { reading, fresh } = await bankReading(deps)
    return { reading, fresh, mark: reading === null ? 'none' : `${reading.liquidRaw}/${reading.posterFeeBps}/${fresh}` }
  }

  const inventory = keptFor(INVENTORY_MS, () => readInventory(deps))

  /** Rows of a page: evaluated in order until it is full, the catalogue ends, or enough was looked at. Rows left out can change too. */
  const collect = async (query: ListQuery, wallet: string | null, after: CataloguePosition | null) => {
    const filter = {
      sourceGroup: query.source === undefined ? undefined : sourceGroup(query.source),
      category: query.category?.toLowerCase(),
      tier: query.tier,
      verifierMode: query.verifierMode,
    }
    const matched: PageEntry[] = []
    const changes: number[] = []
    let position = after
    for (let scanned = 0; scanned < SCAN_LIMIT && matched.length <= query.limit; ) {
      const wanted = query.state === undefined ? query.limit + 1 - matched.length : Math.min(200, SCAN_LIMIT - scanned)
      const jobs = await listOpenJobs(database.rows, filter, { now: clock.now(), limit: wanted, after: position })
      const entries: EvaluatedPage = await evaluations.page(jobs, wallet)
      changes.push(...entries.flatMap(changeOf))
      matched.push(...entries.filter((entry) => matchesState(query.state, entry)))
      const last = jobs.at(-1)
      if (jobs.length < wanted || last === undefined) return { matched, changes, goesOnAfter: null }
      position = { listedAt: last.listedAt, id: last.id }
      scanned += jobs.length
    }
    return { matched, changes, goesOnAfter: position }
  }

  const view = (entry: PageEntry, compact: boolean, reading: StoredReading | null) => {
    if (!compact) return servedJob(entry.evaluation, entry.latest, chain, baseUrl)
    const { rewardRaw } = entry.evaluation.assessment.facts.job
    return serveCompact(jobFactsOf(entry.evaluation, entry.latest, chain), reading === null ? null : claimBond(rewardRaw, reading, false))
  }

  const build = async (query: ListQuery, reading: StoredReading | null): Promise<CachedPage> => {
    const wallet = query.wallet ?? null
    const { source, category, state, tier, verifierMode } = query
    const filters = { source, category, state, tier, verifierMode }
    const page = listPage({ operationId: 'listJobs', filters, limit: query.limit, cursor: query.cursor, position: Position })
    const { matched, changes, goesOnAfter } = await collect(query, wallet, page.after)
    const { rows, nextCursor } = page.cut(matched, ({ evaluation }) => ({
      listedAt: evaluation.assessment.facts.job.listedAt,
      id: evaluation.assessment.facts.job.id,
    }))
    const compact = (query.format ?? query.shape) === 'compact'
    const body: Page = {
      jobs: rows.map((entry) => view(entry, compact, reading)),
      limit: query.limit,
      nextCursor: nextCursor ?? (goesOnAfter === null ? null : page.nextCursor(goesOnAfter)),
      count: rows.length,
      filters: Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
      compact,
    }
    return { body, changesAt: changes.length === 0 ? null : Math.min(...changes) }
  }

  const keep = (key: string, page: CachedPage): void => {
    if (pages.size >= CACHED_PAGES) pages.delete(pages.keys().next().value ?? '')
    pages.set(key, page)
  }

  return {
    list: async (query: ListQuery): Promise<ListAnswer> => {
      const [version, bank] = await Promise.all([catalogueVersion(database.rows), bankMark()])
      const state = `${version}/${bank.mark}`
      const counted = await inventory.get()
      const answerOf = ({ body }: CachedPage): ListAnswer => ({ status: 200, body: { ...body, inventory: counted } })
      if (query.wallet !== undefined) return answerOf(await build(query, bank.reading))
      const key = keccakOf({ state, query: { ...query } })
      const known = pages.get(key)
      const current =
        known !== undefined && (known.changesAt === null || clock.now() < known.changesAt) ? known : await build(query, bank.reading)
      if (current !== known) keep(key, current)
      // Counts of another time that are the same make no other page.
      const { asOf: _countedAt, ...counts } = counted
      return { ...answerOf(current), etag: `${key.slice(2, 34)}-${current.changesAt ?? 0}-${Object.values(counts).join('.')}` }
    },
  }
}
