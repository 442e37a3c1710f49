import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { catalogueVersion } from '../../activities/catalogue/jobs.ts'
import { type CataloguePosition, listOpenJobs } from '../../activities/catalogue/lists.ts'
import type { StoredReading } from '../../activities/catalogue/reward-bank.ts'
import { readNeedChecks } from '../../activities/catalogue/verdict-needs.ts'
import { needReason } from '../../domain/catalogue/readiness.ts'
import { sourceGroup } from '../../domain/catalogue/source.ts'
import { keccakOf } from '../../domain/common/hashes.ts'
import { isPast, plusSeconds } from '../../domain/common/instants.ts'
import { claimBond } from '../../domain/eligibility/claim-economics.ts'
import type { Evaluation } from '../../domain/eligibility/evaluate.ts'
import { serveCompact } from '../../domain/eligibility/views/compact-job.ts'
import { jobFactsOf, servedJob } from '../../domain/eligibility/views/definition.ts'
import { disputeWindowEndsAt } from '../../domain/sessions/state-machine.ts'
import type { listJobs } from '../../schemas/catalogue/operations.ts'
import type { Answer, Input } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { coalesce, staleWhileRevalidate } from '../http/cache.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { bankReading, readInventory } from './inventory.ts'

/** Maximum rows scanned for one page filtered by a derived state; the cursor continues where the scan ended. */
const SCAN_LIMIT = 1_000
/** Total bytes of cached answers. */
const CACHE_BYTES = 16_000_000
const MINUTE_MS = 60_000
/** Cache times of the catalogue-wide counts, which carry the instant they were read. */
const INVENTORY = { freshMs: 10_000, staleMs: () => 30_000 }

type ListQuery = Input<typeof listJobs>['query']
type ListAnswer = Answer<typeof listJobs>
const Position: z.ZodType<CataloguePosition> = z.object({ listedAt: InstantKey, id: TextKey })

type Page = Omit<ListAnswer['body'], 'inventory'>

type Counts = ListAnswer['body']['inventory']

interface BuiltPage {
  body: Page
  /** Epoch ms at which a row of the page changes by itself; null when none does. */
  changesAt: number | null
}

/** A page with the state it was built from and the last answer. */
interface CachedPage extends BuiltPage {
  state: string
  tag: string
  weight: number
  sent: { counts: Counts; answer: ListAnswer }
}

/** `open` also matches a job that is claimable again after an expiry; `claimable` and `available` match claimable jobs only. */
const matchesState = (state: string | undefined, { claimStatus }: Evaluation): boolean => {
  if (state === undefined) return true
  const { claimState, effectiveState, claimable } = claimStatus
  if (state === 'claimable' || state === 'available') return claimable
  return claimState === state || effectiveState === state || (state === 'open' && (claimable || claimState === 'open'))
}

/** Instants at which the row changes without a write: the listing goes stale, the claim lapses, the rejection becomes final. */
const changeInstants = ({ assessment: { facts } }: Evaluation): number[] => {
  const latest = facts.latestSession
  const afterSecond = (at: number) => plusSeconds(Math.floor(at / 1000) * 1000, 1)
  const instants: number[] = facts.job.staleAt === null ? [] : [facts.job.staleAt]
  if (latest?.status === 'claimed') instants.push(afterSecond(latest.claimExpiresAt))
  const { rejectedAt = null } = latest?.timestamps ?? {}
  if (latest?.status === 'rejected' && rejectedAt !== null) instants.push(afterSecond(disputeWindowEndsAt(rejectedAt)))
  return instants.filter((at) => !isPast(at, facts.now))
}

const answerOf = (body: Page, counts: Counts, tag: string): ListAnswer => {
  const whole = { ...body, inventory: counts }
  // Equal counts read at another time do not change the ETag.
  const { asOf: _countedAt, ...numbers } = counts
  return { status: 200, body: whole, serialised: Buffer.from(JSON.stringify(whole)), etag: `${tag}-${Object.values(numbers).join('.')}` }
}

/**
 * Pages of `GET /jobs`. Anonymous pages are cached as the bytes to send, as long as nothing in them can have changed. The state a page was
 * built from and the counts form its ETag.
 */
export const createCataloguePages = (deps: ApiDeps) => {
  const { database, evaluations, clock, baseUrl } = deps
  const pages = new LRUCache<string, CachedPage>({ maxSize: CACHE_BYTES, sizeCalculation: ({ weight }) => weight })
  const building = new Map<string, Promise<CachedPage>>()

  const readBankState = async () => {
    const { reading, fresh } = await bankReading(deps)
    if (reading === null) return { reading, fresh, mark: 'none' }
    const { liquidRaw, posterFeeBps, posterFeeFloorRaw, stakeBps, feeBps, minFeeRaw } = reading
    return { reading, fresh, mark: [liquidRaw, posterFeeBps, posterFeeFloorRaw, stakeBps, feeBps, minFeeRaw, fresh].join('/') }
  }

  const inventory = staleWhileRevalidate(() => readInventory(deps), { ...INVENTORY, now: clock.now })

  /** Changes with what is not met, and once a minute, so that a page never shows an older check. */
  const readNeedsMark = async (): Promise<string> =>
    [...(await readNeedChecks(database.rows))]
      .map(([need, check]) => [need, needReason(check) ?? Math.floor(check.checkedAt / MINUTE_MS)].join('='))
      .sort()
      .join('/')

  /** The state every page depends on; concurrent requests share one read. */
  const readState = coalesce(async () => {
    const [version, { mark, reading }, needs] = await Promise.all([catalogueVersion(database.rows), readBankState(), readNeedsMark()])
    return { state: `${version}/${mark}/${keccakOf(needs)}`, reading }
  })

  /** Evaluates rows in order until the page is full, the catalogue ends, or the scan limit is reached. Rows left out can change too. */
  const collect = async (query: ListQuery, wallet: string | null, after: CataloguePosition | null) => {
    const filter = {
      sourceGroup: query.source === undefined ? undefined : sourceGroup(query.source),
      category: query.category?.toLowerCase(),
      tier: query.tier,
      verifierMode: query.verifierMode,
    }
    const matched: Evaluation[] = []
    const changes: number[] = []
    let position = after
    for (let scanned = 0; scanned < SCAN_LIMIT && matched.length <= query.limit; ) {
      const wanted = query.state === undefined ? query.limit + 1 - matched.length : Math.min(200, SCAN_LIMIT - scanned)
      const jobs = await listOpenJobs(database.rows, filter, { now: clock.now(), limit: wanted, after: position })
      const entries = await evaluations.evaluatePage(jobs, wallet)
      changes.push(...entries.flatMap(changeInstants))
      matched.push(...entries.filter((entry) => matchesState(query.state, entry)))
      const last = jobs.at(-1)
      if (jobs.length < wanted || last === undefined) return { matched, changes, continueAfter: null }
      position = { listedAt: last.listedAt, id: last.id }
      scanned += jobs.length
    }
    return { matched, changes, continueAfter: position }
  }

  const view = (entry: Evaluation, compact: boolean, reading: StoredReading | null) => {
    if (!compact) return servedJob(entry, baseUrl)
    const { rewardRaw } = entry.assessment.facts.job
    return serveCompact(jobFactsOf(entry), reading === null ? null : claimBond(rewardRaw, reading, false))
  }

  const build = async (query: ListQuery, reading: StoredReading | null): Promise<BuiltPage> => {
    const wallet = query.wallet ?? null
    const { source, category, state, tier, verifierMode } = query
    const filters = { source, category, state, tier, verifierMode }
    const page = listPage({ ...query, operationId: 'listJobs', filters, position: Position })
    const { matched, changes, continueAfter } = await collect(query, wallet, page.after)
    const { rows, nextCursor } = page.cut(matched, ({ assessment }) => {
      const { listedAt, id } = assessment.facts.job
      return { listedAt, id }
    })
    const compact = (query.format ?? query.shape) === 'compact'
    const body: Page = {
      jobs: rows.map((entry) => view(entry, compact, reading)),
      limit: query.limit,
      nextCursor: nextCursor ?? (continueAfter === null ? null : page.nextCursor(continueAfter)),
      count: rows.length,
      filters: Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
      compact,
    }
    return { body, changesAt: changes.length === 0 ? null : Math.min(...changes) }
  }

  const isCurrent = (page: CachedPage, state: string): boolean =>
    page.state === state && (page.changesAt === null || clock.now() < page.changesAt)

  const rebuild = async (query: ListQuery, key: string, state: string, reading: StoredReading | null): Promise<CachedPage> => {
    const [built, counts] = await Promise.all([build(query, reading), inventory()])
    const tag = `${keccakOf({ state, query: { ...query } }).slice(2, 34)}-${built.changesAt ?? 0}`
    const answer = answerOf(built.body, counts, tag)
    const page = { ...built, state, tag, weight: answer.serialised?.length ?? 0, sent: { counts, answer } }
    pages.set(key, page)
    return page
  }

  /** The current page; concurrent requests for a changed page share one build. */
  const pageOf = (query: ListQuery, state: string, reading: StoredReading | null): Promise<CachedPage> => {
    const key = JSON.stringify(query)
    const known = pages.get(key)
    if (known !== undefined && isCurrent(known, state)) return Promise.resolve(known)
    const buildKey = `${state} ${key}`
    const pending = building.get(buildKey) ?? rebuild(query, key, state, reading).finally(() => building.delete(buildKey))
    building.set(buildKey, pending)
    return pending
  }

  const listForWallet = async (query: ListQuery, reading: StoredReading | null): Promise<ListAnswer> => {
    const [{ body }, counts] = await Promise.all([build(query, reading), inventory()])
    return { status: 200, body: { ...body, inventory: counts } }
  }

  return {
    list: async (query: ListQuery): Promise<ListAnswer> => {
      const { state, reading } = await readState()
      if (query.wallet !== undefined) return listForWallet(query, reading)
      const page = await pageOf(query, state, reading)
      const counts = await inventory()
      if (page.sent.counts !== counts) page.sent = { counts, answer: answerOf(page.body, counts, page.tag) }
      return page.sent.answer
    },
  }
}
