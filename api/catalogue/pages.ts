import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { walletsWithRecords } from '../../activities/catalogue/jobs.ts'
import { type ListState, type ReadBank, readListState } from '../../activities/catalogue/list-state.ts'
import { type CataloguePosition, listOpenJobs } from '../../activities/catalogue/lists.ts'
import { isFreshReading } from '../../domain/catalogue/funding.ts'
import { needReason } from '../../domain/catalogue/readiness.ts'
import { sourceGroup } from '../../domain/catalogue/source.ts'
import { keccakOf } from '../../domain/common/hashes.ts'
import { isPast, plusSeconds } from '../../domain/common/instants.ts'
import { claimBond } from '../../domain/eligibility/claim-economics.ts'
import type { Evaluation } from '../../domain/eligibility/evaluate.ts'
import { canBeClaimed, serveCompact } from '../../domain/eligibility/views/compact-job.ts'
import { jobFactsOf, servedJob } from '../../domain/eligibility/views/definition.ts'
import { disputeWindowEndsAt } from '../../domain/sessions/state-machine.ts'
import type { listJobs } from '../../schemas/catalogue/operations.ts'
import type { Answer, Input } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { tagOf } from '../http/answers.ts'
import { batched, coalesce, staleWhileRevalidate } from '../http/cache.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { readInventory } from './inventory.ts'

/** Maximum rows scanned for one page filtered by a derived state; the cursor continues where the scan ended. */
const SCAN_LIMIT = 1_000
/** Total bytes of cached answers. */
const CACHE_BYTES = 16_000_000
const MINUTE_MS = 60_000
/** Cache times of the catalogue-wide counts, which carry the instant they were read. */
const INVENTORY = { freshMs: 10_000, staleMs: () => 30_000 }

/** A wallet without records; the page built for it serves every such wallet. */
const STRANGER = '0x0000000000000000000000000000000000000000'
/** A page for a wallet depends on budgets that change with time, so it is kept this long only. */
const STRANGER_PAGE_MS = 1_000

/** What is asked for, and the grant of the delegate that asks for its wallet. */
type ListQuery = Input<typeof listJobs>['query'] & { grantId?: string | null }
type ListAnswer = Answer<typeof listJobs>
const Position: z.ZodType<CataloguePosition> = z.object({ listedAt: InstantKey, id: TextKey })

type Page = Omit<ListAnswer['body'], 'inventory'>
type Counts = ListAnswer['body']['inventory']

/** What every page is built from. */
interface State {
  state: string
  reading: ReadBank | null
}

type CountBuild = () => Promise<void>

interface BuiltPage {
  body: Page
  /** Epoch ms at which a row of the page changes by itself; null when none does. */
  changesAt: number | null
  /** Wallets that jobs of the scan are reserved for. */
  reservedFor: ReadonlySet<string>
}

/** A page with the state it was built from and the last answer. */
interface CachedPage extends BuiltPage {
  state: string
  tag: string
  weight: number
  sent: { counts: Counts; answer: ListAnswer }
}

/** Changes with what a page says of the bank. */
const bankMark = (reading: ReadBank | null, maxAgeSeconds: number): string => {
  if (reading === null) return 'none'
  const { liquidRaw, posterFeeBps, posterFeeFloorRaw, stakeBps, feeBps, minFeeRaw, ageSeconds } = reading
  return [liquidRaw, posterFeeBps, posterFeeFloorRaw, stakeBps, feeBps, minFeeRaw, isFreshReading(ageSeconds, maxAgeSeconds)].join('/')
}

/** Changes with what is not met, and once a minute, so that a page never shows an older check. */
const needsMark = (needs: ListState['needs']): string =>
  [...needs].map(([need, check]) => [need, needReason(check) ?? '', Math.floor(check.checkedAt / MINUTE_MS)].join('=')).join('/')

/** `open` also matches a job that is claimable again after an expiry; `claimable` and `available` match claimable jobs only. */
const matchesState = (state: string | undefined, { claimStatus }: Evaluation): boolean => {
  if (state === undefined) return true
  const { claimState, effectiveState, claimable } = claimStatus
  if (state === 'claimable' || state === 'available') return claimable
  return claimState === state || effectiveState === state || (state === 'open' && (claimable || claimState === 'open'))
}

/** Bond of a claim of the job without the waiver; null while its policy is unknown. */
const bondOf = ({ assessment }: Evaluation, reading: ReadBank | null) =>
  reading === null ? null : claimBond(assessment.facts.job.rewardRaw, reading, false)

/** Whether the entry matches the filters that no column of a job holds. A bond that is not known is not below a limit. */
const matchesFacts = ({ state, claimable, maxBond }: ListQuery, entry: Evaluation, reading: ReadBank | null): boolean => {
  if (!matchesState(state, entry) || (claimable !== undefined && canBeClaimed(entry) !== claimable)) return false
  if (maxBond === undefined) return true
  const bond = bondOf(entry, reading)
  return bond !== null && bond.lockRaw <= BigInt(maxBond)
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
 * Pages of `GET /jobs`, cached as the bytes to send as long as nothing in them can have changed. A page without a wallet serves everybody, one
 * for a wallet without records serves all such wallets. The state a page was built from, or its content, and the counts form its ETag.
 */
export const createCataloguePages = (deps: ApiDeps) => {
  const { database, evaluations, clock, baseUrl, chain, settings } = deps
  const pages = new LRUCache<string, CachedPage>({ maxSize: CACHE_BYTES, sizeCalculation: ({ weight }) => weight })
  const building = new Map<string, Promise<CachedPage>>()

  const inventory = staleWhileRevalidate(() => readInventory(deps), { ...INVENTORY, now: clock.now })

  /** The state every page depends on; concurrent requests share one read. */
  const readState = coalesce(async (): Promise<State> => {
    const { version, reading, needs } = await readListState(database.rows, chain.asset.symbol)
    return { state: [version, bankMark(reading, settings.REWARD_BANK_MAX_AGE_SECONDS), needsMark(needs)].join('/'), reading }
  })

  const findRecords = batched(async (wallets: readonly string[]) => {
    const found = await walletsWithRecords(database.rows, wallets)
    return new Map(wallets.map((wallet) => [wallet, found.has(wallet)]))
  })
  const hasRecords = async (wallet: string): Promise<boolean> => (await findRecords(wallet)) ?? true

  /** Evaluates rows in order until the page is full, the catalogue ends, or the scan limit is reached. Rows left out can change too. */
  const collect = async (query: ListQuery, after: CataloguePosition | null, reading: ReadBank | null) => {
    const claimant = { wallet: query.wallet ?? null, grantId: query.grantId ?? null }
    const isDerived = query.state !== undefined || query.claimable !== undefined || query.maxBond !== undefined
    const filter = {
      sourceGroup: query.source === undefined ? undefined : sourceGroup(query.source),
      category: query.category?.toLowerCase(),
      tier: query.tier,
      verifierMode: query.verifierMode,
      waiverEligible: query.waiverEligible,
    }
    const matched: Evaluation[] = []
    const changes: number[] = []
    const reservedFor = new Set<string>()
    let position = after
    for (let scanned = 0; scanned < SCAN_LIMIT && matched.length <= query.limit; ) {
      const wanted = isDerived ? Math.min(200, SCAN_LIMIT - scanned) : query.limit + 1 - matched.length
      const jobs = await listOpenJobs(database.rows, filter, { now: clock.now(), limit: wanted, after: position })
      const entries = await evaluations.evaluatePage(jobs, claimant)
      changes.push(...entries.flatMap(changeInstants))
      for (const named of jobs.flatMap(({ designatedClaimants }) => designatedClaimants ?? [])) reservedFor.add(named)
      matched.push(...entries.filter((entry) => matchesFacts(query, entry, reading)))
      const last = jobs.at(-1)
      if (jobs.length < wanted || last === undefined) return { matched, changes, reservedFor, continueAfter: null }
      position = { listedAt: last.listedAt, id: last.id }
      scanned += jobs.length
    }
    return { matched, changes, reservedFor, continueAfter: position }
  }

  const view = (entry: Evaluation, compact: boolean, reading: ReadBank | null) =>
    compact
      ? serveCompact(jobFactsOf(entry), { reason: entry.reason, bond: bondOf(entry, reading) })
      : servedJob(entry, baseUrl, { isRow: true })

  const build = async (query: ListQuery, reading: ReadBank | null): Promise<BuiltPage> => {
    const { source, category, state, tier, verifierMode, waiverEligible, claimable, maxBond } = query
    const filters = { source, category, state, tier, verifierMode, waiverEligible, claimable, maxBond }
    const page = listPage({ ...query, operationId: 'listJobs', filters, position: Position })
    const { matched, changes, reservedFor, continueAfter } = await collect(query, page.after, reading)
    const { rows, nextCursor } = page.cut(matched, ({ assessment: { facts } }) => ({ listedAt: facts.job.listedAt, id: facts.job.id }))
    const compact = (query.format ?? query.shape) === 'compact'
    const body: Page = {
      jobs: rows.map((entry) => view(entry, compact, reading)),
      limit: query.limit,
      nextCursor: nextCursor ?? (continueAfter === null ? null : page.nextCursor(continueAfter)),
      count: rows.length,
      filters: Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
      compact,
    }
    if (query.wallet !== undefined) changes.push(clock.now() + STRANGER_PAGE_MS)
    return { body, reservedFor, changesAt: changes.length === 0 ? null : Math.min(...changes) }
  }

  const isCurrent = (page: CachedPage, state: string): boolean =>
    page.state === state && (page.changesAt === null || clock.now() < page.changesAt)

  const tagFor = (query: ListQuery, state: string, { body, changesAt }: BuiltPage): string =>
    query.wallet === undefined ? `${keccakOf({ state, query: { ...query } }).slice(2, 34)}-${changesAt ?? 0}` : tagOf(JSON.stringify(body))

  const buildAnswer = async (query: ListQuery, state: string, reading: ReadBank | null) => {
    // After the state: a page must not be kept under a state that its rows are older than.
    const [built, counts] = await Promise.all([database.readList(() => build(query, reading)), inventory()])
    const tag = tagFor(query, state, built)
    return { built, tag, counts, answer: answerOf(built.body, counts, tag) }
  }

  const rebuild = async (query: ListQuery, key: string, state: string, reading: ReadBank | null): Promise<CachedPage> => {
    const { built, tag, counts, answer } = await buildAnswer(query, state, reading)
    const page = { ...built, state, tag, weight: answer.serialised?.length ?? 0, sent: { counts, answer } }
    // A state that changed and came back meanwhile would keep a page of the state between.
    if ((await readState()).state === state) pages.set(key, page)
    return page
  }

  /** The current page; concurrent requests for a changed page share one build, which the first of them pays for. */
  const pageOf = async (query: ListQuery, { state, reading }: State, countBuild: CountBuild): Promise<CachedPage> => {
    const key = JSON.stringify(query)
    const known = pages.get(key)
    if (known !== undefined && isCurrent(known, state)) return known
    const buildKey = `${state} ${key}`
    const shared = building.get(buildKey)
    if (shared !== undefined) return shared
    await countBuild()
    const pending = building.get(buildKey) ?? rebuild(query, key, state, reading).finally(() => building.delete(buildKey))
    building.set(buildKey, pending)
    return pending
  }

  /** The page that is kept for the caller; null for a delegate, and for a wallet to which the catalogue may look different. */
  const keptPage = async (query: ListQuery, state: State, countBuild: CountBuild): Promise<CachedPage | null> => {
    const { wallet, grantId = null } = query
    if (wallet === undefined) return pageOf(query, state, countBuild)
    if (grantId !== null || (await hasRecords(wallet))) return null
    const page = await pageOf({ ...query, wallet: STRANGER }, state, countBuild)
    return page.reservedFor.has(wallet) ? null : page
  }

  return {
    /** A page of the list. `countBuild` counts a request whose page had to be built, and may refuse it. */
    list: async (query: ListQuery, countBuild: CountBuild): Promise<ListAnswer> => {
      const state = await readState()
      const page = await keptPage(query, state, countBuild)
      if (page === null) {
        await countBuild()
        return (await buildAnswer(query, state.state, state.reading)).answer
      }
      const counts = await inventory()
      if (page.sent.counts !== counts) page.sent = { counts, answer: answerOf(page.body, counts, page.tag) }
      return page.sent.answer
    },
  }
}
