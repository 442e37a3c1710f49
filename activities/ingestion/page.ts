import { isCommittedFacts } from '../../domain/catalogue/committed-facts.ts'
import type { BuiltJob } from '../../domain/catalogue/job-definition.ts'
import type { NeedChecks } from '../../domain/catalogue/readiness.ts'
import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import {
  type Candidate,
  isRefusal,
  type Refusal,
  readCandidate,
  screenCandidate,
  screenJob,
  unreadCandidate,
} from '../../domain/ingestion/candidate.ts'
import { unreadyRefusal } from '../../domain/ingestion/readiness.ts'
import type { ListingTerms } from '../../domain/verification/listing.ts'
import { committedDigest } from '../../domain/verification/source-facts/judge.ts'
import type { JobInput } from '../../schemas/catalogue/job-input.ts'
import { parseOwnInput } from '../../schemas/ingestion/bodies.ts'
import type { IngestProgress } from '../../schemas/ingestion/process.ts'
import type { Provider } from '../../schemas/ingestion/providers.ts'
import type { IngestedJobRow, IngestStop } from '../../schemas/ingestion/record.ts'
import { readNeedChecks } from '../catalogue/verdict-needs.ts'
import type { Rows } from '../database/database.ts'
import type { OpenRequests, SourceRequests } from './http/requests.ts'
import {
  type Decided,
  findListed,
  type ItemRecord,
  isListedContent,
  listDecided,
  noteSeen,
  type Placed,
  storeItems,
  storePlaced,
} from './items.ts'
import { buildCandidate, EXISTS, LISTED_CONTENT, type ListingDeps, listCandidate, stopOf } from './listing.ts'
import type { AnyProvider, Providers } from './providers.ts'
import { createReissues } from './reissue.ts'
import {
  addCandidates,
  addRequests,
  closePage,
  getRun,
  holdSource,
  lockSource,
  progressOf,
  type RunRecord,
  readWait,
  stopRun,
  storeWait,
  takePlace,
} from './runs.ts'
import { SourceFailure, type SourcePage } from './source.ts'

export interface PageDeps extends ListingDeps {
  providers: Providers
  openRequests: OpenRequests
}

/** Pages in a row without a new candidate that show a source to repeat itself. */
const STALE_PAGES = 3
/** A source that asks to wait without an instant is left alone for this long. */
const USUAL_WAIT_SECONDS = 60
/** Longest cursor of a source, characters. */
const LONGEST_CURSOR = 2048

/** Places for the candidates of one page in the order of a run: more than a page has. */
const PAGE_PLACES = 100_000

const REPEATS: IngestStop = { reason: 'source_unreadable', detail: 'The source repeats its pages.', resumeAt: null }
const LIMIT: IngestStop = { reason: 'limit_reached', detail: 'The run has as many jobs as it was asked for.', resumeAt: null }

const getProvider = (providers: Providers, provider: Provider): AnyProvider => {
  const found = providers[provider]
  if (found === undefined) throw new SourceFailure('source_refused', `this version reads no ${provider}`)
  return found
}

/** Own members of a run with their defaults: a schedule may leave them out. */
const inputOf = ({ provider, input }: RunRecord): unknown => {
  const { data, error } = parseOwnInput(provider, input)
  if (data !== undefined) return data
  const [issue] = error.issues
  throw new SourceFailure(
    'source_refused',
    `the input of the run /${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'is of another form'}`,
  )
}

const decimalsOf = (assetDecimals: ListingTerms['assetDecimals'], asset: string): number => {
  const decimals = assetDecimals.get(asset)
  if (decimals === undefined) throw new Error(`the chain has no asset ${asset}`)
  return decimals
}

const jobRowOf = (
  { assetDecimals }: ListingTerms,
  { definition, rewardRaw }: BuiltJob,
  { key, score, parts }: Candidate,
  lane: string,
): IngestedJobRow => ({
  id: definition.id,
  itemKey: key,
  title: definition.title,
  category: definition.category,
  tier: definition.tier,
  lane,
  verifierMode: definition.verifierMode,
  reward: assetAmount(rewardRaw, { symbol: definition.rewardAsset, decimals: decimalsOf(assetDecimals, definition.rewardAsset) }),
  claimTtlSeconds: definition.claimTtlSeconds,
  score: score ?? 0,
  reasons: parts.map(([name, points]) => ({ name, points })),
})

/** Digest of the bytes whose facts a job asks for; null for any other job. */
const digestOf = ({ definition, expectedOutputs }: BuiltJob): string | null =>
  isCommittedFacts(definition) ? committedDigest(expectedOutputs) : null

const refused = (candidate: Candidate, refusal: Refusal): Decided => ({
  candidate,
  jobId: candidate.job !== null && !isRefusal(candidate.job) ? candidate.job.id : null,
  outcome: refusal.outcome,
  refusal,
  job: null,
})

const CHANGED: Refusal = {
  outcome: 'error',
  reason: 'ingest_refused_spec_hash_mismatch',
  detail: 'The candidate now gives another definition than its job has. The job stays as it is.',
}

/** Ids among these that any job has, of a person too. */
const findJobIds = async (rows: Rows, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const found = await rows
    .selectFrom('job')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(found.map(({ id }) => id))
}

const withPolicy = (job: JobInput, maintainerPolicy: object | undefined): JobInput =>
  maintainerPolicy === undefined || job.source === undefined
    ? job
    : { ...job, source: { ...job.source, maintainerPolicy } as JobInput['source'] }

/** What the candidates of a page are decided by, besides themselves. */
interface PageFacts {
  provider: AnyProvider
  /** Items of the source with a job, by key. */
  listed: Map<string, ItemRecord>
  /** Ids of the candidates that any job has. */
  jobIds: Set<string>
  checks: NeedChecks
}

/** Reads and decides one page of a run after the other. */
export const createPageStep = (deps: PageDeps) => {
  const { database, providers, settings, clock } = deps

  /** What stands in the way of a candidate, in the order of the decisions; its job where nothing does. */
  const judge = (
    { provider, listed, jobIds, checks }: PageFacts,
    item: unknown,
    candidate: Candidate,
    reissued: JobInput | null,
  ): Refusal | { built: BuiltJob; lane: JobInput['lane'] } => {
    const { key, refusal, contentHash } = candidate
    const job = reissued ?? candidate.job
    if (refusal !== null) return refusal
    const known = listed.get(key)
    if (known !== undefined && reissued === null) return known.contentHash === contentHash ? EXISTS : CHANGED
    if (reissued === null && job !== null && !isRefusal(job) && jobIds.has(job.id)) return EXISTS
    const screened = screenCandidate(provider.rules, item)
    if (screened !== null) return screened
    const policy = provider.decidePolicy?.(item)
    if (policy?.refusal != null) return { outcome: 'skipped', ...policy.refusal }
    if (job === null || isRefusal(job)) return job ?? EXISTS
    const built = buildCandidate(deps, withPolicy(job, policy?.maintainerPolicy))
    if (isRefusal(built)) return built
    return screenJob(built.definition) ?? unreadyRefusal(built.definition, checks, clock.now()) ?? { built, lane: job.lane }
  }

  /** Decides the candidates of a page. Jobs are stored at once, everything else together with the end of the page. */
  const decidePage = async (run: RunRecord, provider: AnyProvider, page: SourcePage<unknown>): Promise<void> => {
    const byKey = new Map<string, { item: unknown; candidate: Candidate }>()
    const repeated: Candidate[] = []
    for (const item of page.items) {
      const candidate = readCandidate(provider.rules, item, run.minScore)
      if (byKey.has(candidate.key)) repeated.push(candidate)
      else byKey.set(candidate.key, { item, candidate })
    }
    for (const { key, ...why } of page.unread ?? []) {
      const candidate = unreadCandidate(key, why)
      if (!byKey.has(candidate.key)) byKey.set(candidate.key, { item: null, candidate })
    }
    const keys = [...byKey.keys()]
    const done = await listDecided(database.rows, run.runId, keys)
    const listed = await findListed(database.rows, run.provider, keys)
    const ids = [...byKey.values()].flatMap(({ candidate: { job } }) => (job === null || isRefusal(job) ? [] : [job.id]))
    const jobIds = await findJobIds(database.rows, ids)
    const facts: PageFacts = { provider, listed, jobIds, checks: await readNeedChecks(database.rows) }
    const reissues = createReissues(database.rows, provider.rules, deps)

    const waiting: Placed[] = []
    /** Refusals that hold for all further jobs of a lane, or of the source. */
    const closed = new Map<string, Refusal>()
    let stopped: IngestStop | null = null
    /** Digests of the bytes of proposed jobs. */
    const proposed = new Set<string>()
    let taken = run.taken
    // By page and place in it: a page that is begun again gives its candidates the same places.
    let position = run.pages * PAGE_PLACES - 1
    for (const [key, { item, candidate }] of byKey) {
      position += 1
      if (done.has(key)) {
        // Of a page that was cut, or of one before: the source shows the candidate twice.
        repeated.push(candidate)
        continue
      }
      const reissued = listed.has(key) ? await reissues.find(candidate) : null
      const judged = judge(facts, item, candidate, reissued)
      if (isRefusal(judged)) {
        waiting.push({ ...refused(candidate, judged), position })
        if (judged.stopsRun) closed.set('', judged)
        continue
      }
      const { built, lane } = judged
      if (taken >= run.itemLimit) {
        stopped = LIMIT
        break
      }
      const job = jobRowOf(deps.terms, built, candidate, lane)
      const decided: Decided = {
        candidate,
        jobId: job.id,
        outcome: run.dryRun ? 'proposed' : 'created',
        refusal: null,
        job,
        bytesDigest: digestOf(built),
      }
      if (run.dryRun) {
        const { bytesDigest = null } = decided
        if (bytesDigest !== null && (proposed.has(bytesDigest) || (await isListedContent(database.rows, bytesDigest)))) {
          waiting.push({ ...refused(candidate, LISTED_CONTENT), position })
          continue
        }
        if (bytesDigest !== null) proposed.add(bytesDigest)
        waiting.push({ ...decided, position })
        taken += 1
        reissues.take()
        continue
      }
      const before = closed.get(lane) ?? closed.get('')
      const listing = before ?? (await listCandidate(deps, run, { built, lane, decided, position, isReissue: reissued !== null }))
      if (listing === 'listed') {
        taken += 1
        reissues.take()
      } else if (listing === 'full') {
        stopped = LIMIT
        break
      } else if (listing !== 'known') {
        waiting.push({ ...refused(candidate, listing), position })
        if (listing.stopsRun) closed.set(listing.reason === 'source_open_cap' ? '' : lane, listing)
      }
    }
    const [closing] = closed.values()
    if (closing !== undefined) stopped ??= stopOf(closing)

    await database.transaction(async (rows) => {
      await lockSource(rows, run)
      const now = clock.now()
      const fresh = await storePlaced(rows, run, waiting)
      const stored = waiting.filter(({ candidate }) => fresh.has(candidate.key))
      await storeItems(rows, run, stored, { now, openCap: settings.INGEST_OPEN_CAP })
      for (const candidate of [...stored.map((one) => one.candidate), ...repeated])
        if (listed.has(candidate.key) || repeated.includes(candidate)) await noteSeen(rows, run, candidate, now)
      await addCandidates(rows, run.runId, fresh.size)
      if (run.dryRun) for (const { outcome } of stored) if (outcome === 'proposed') await takePlace(rows, run.runId)
      const isStale = keys.length > 0 && fresh.size === 0 && taken === run.taken
      const stalePages = isStale || keys.length === 0 ? run.stalePages + 1 : 0
      const repeats = page.next !== null && (page.next === run.cursor || page.next.length > LONGEST_CURSOR || stalePages >= STALE_PAGES)
      const reason = stopped ?? (repeats ? REPEATS : null)
      const isOver = reason !== null || page.next === null
      // A page that stopped in its middle is read again by the next run.
      const cursor = reason === null || repeats ? page.next : run.cursor
      await closePage(rows, run.runId, {
        pages: run.pages,
        cursor: isOver && reason === null ? null : cursor,
        stalePages,
        isOver,
        stopped: reason,
      })
    })
  }

  /** Notes that a source could not be read, and until when it asked to wait. */
  const noteFailure = async (run: RunRecord, { fault, message, retryAfterSeconds }: SourceFailure): Promise<IngestStop> => {
    const waits = fault === 'source_rate_limited' ? (retryAfterSeconds ?? USUAL_WAIT_SECONDS) : retryAfterSeconds
    const until = waits === null ? null : Date.now() + waits * 1000
    if (until !== null) await storeWait(database.rows, run.provider, until)
    return { reason: fault, detail: message, resumeAt: until === null ? null : iso(until) }
  }

  /** Ends a run that could not read on. It failed if it has read nothing at all. */
  const stopUnread = async (run: RunRecord, failure: SourceFailure): Promise<void> => {
    const hasRead = run.pages > 0 || run.candidates > 0
    await stopRun(database.rows, run.runId, await noteFailure(run, failure), hasRead ? null : failure.fault)
  }

  const readWithin = async (run: RunRecord, requests: SourceRequests): Promise<void> => {
    try {
      const provider = getProvider(providers, run.provider)
      const parts = { settings, ...requests }
      const page = await provider.createSource(parts).readPage(inputOf(run), run.cursor)
      await decidePage(run, provider, page)
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error
      await stopUnread(run, error)
    }
  }

  return {
    ingestPage: async ({ runId, page }: { runId: string; page: number }): Promise<IngestProgress> => {
      const run = await getRun(database.rows, runId)
      if (run.isOver || run.pages > page) return progressOf(run)
      if (!(await holdSource(database.rows, run))) return { ...progressOf(run), isBusy: true }
      const wait = await readWait(database.rows, run.provider)
      const budget = settings.INGEST_REQUEST_BUDGET - run.requestsUsed
      if (wait !== null) {
        const seconds = Math.max(1, Math.ceil((wait - Date.now()) / 1000))
        await stopUnread(run, new SourceFailure('source_rate_limited', `The source asked to wait until ${iso(wait)}.`, seconds))
      } else if (budget <= 0) {
        await stopUnread(run, new SourceFailure('budget_exhausted', `The run has made ${run.requestsUsed} requests.`))
      } else {
        await readWithin(
          run,
          deps.openRequests(run.provider, budget, (requests) => addRequests(database.rows, runId, requests)),
        )
      }
      return progressOf(await getRun(database.rows, runId))
    },
  }
}
