// The routes that evaluate one job for one wallet, over the same records and chain facts.

import { describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { BaseError, type Hex } from 'viem'
import type { ClaimChainFacts } from '../../../activities/chain/reads.ts'
import { createAdmission } from '../../../activities/claims/admission.ts'
import { changeListing } from '../../../activities/consents/listing.ts'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createPosterReader } from '../../../activities/postings/poster-record.ts'
import { createCatalogueHandlers } from '../../../api/catalogue/handlers.ts'
import { createClaimHandlers } from '../../../api/claims/handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createEligibilityHandlers } from '../../../api/eligibility/handlers.ts'
import { getJobDefinition, listJobs } from '../../../schemas/catalogue/operations.ts'
import { claimJob } from '../../../schemas/claims/operations.ts'
import type { NewClaim } from '../../../schemas/claims/process.ts'
import { explainEligibility, preflightJob, recommendJobs } from '../../../schemas/eligibility/operations.ts'
import { isServiceError, ServiceError } from '../../../schemas/errors.ts'
import type { DelegateTerms } from '../../../schemas/identity/delegate-terms.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { testChain } from '../../support/api.ts'
import { onChainJob, walletChainFacts } from '../../support/chain-facts.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { addDelegate } from '../../support/records/delegates.ts'
import { createMaintainers } from '../../support/records/maintainers.ts'
import { storeCheckAged } from '../../support/records/verdict-needs.ts'
import { ask, BASE_URL, NOW, refusal } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { useDatabase } from '../support/own-database.ts'
import { addSessionOf, approvedAt } from '../support/work-rows.ts'

const ME: Hex = `0x${'a1'.repeat(20)}`
const OTHER: Hex = `0x${'b2'.repeat(20)}`
const HOUR = 3_600_000

const database = useDatabase()

/** The facts of a wallet that has claimed before, on a chain whose contracts keep nothing back for gas. */
const chainFacts = (): ClaimChainFacts => {
  const facts = walletChainFacts()
  const block = { ...facts.block, time: NOW }
  return { ...facts, block, job: onChainJob(), workerClaimCount: 5, policy: { ...facts.policy, waiverClaims: 0, retentionFlatRaw: 0n } }
}

interface Case {
  /** What is special about the job and the wallet, once listed at NOW. */
  records?: (job: { jobId: string; specHash: Hex }) => Promise<unknown>
  /** Facts of the chain; null when it cannot be read. */
  chain?: (job: { specHash: Hex }) => Partial<ClaimChainFacts> | null
  definition?: Parameters<typeof listJob>[2]
  settings?: Record<string, string>
  /** Terms of the delegate that asks for the wallet; without them the wallet asks itself. */
  delegate?: Partial<DelegateTerms>
  /** What keeps this wallet from the job, in order; and what of it the records know. */
  blockers: string[]
  recorded?: string[]
}

const onChain =
  (job: Partial<ClaimChainFacts['job']>): NonNullable<Case['chain']> =>
  ({ specHash }) => ({
    job: onChainJob({ state: 'open', poster: OTHER, specHash, ...job }),
    preview: { claimStakeRaw: 100_000n, claimStakeBps: 1_000, claimFeeRaw: 50_000n, claimFeeBps: 200, waived: false, claimNumber: 1 },
  })

const set = (jobId: string, changes: string) => sql.raw(`update job set ${changes} where id = '${jobId}'`).execute(database.rows)

const POOL = `0x${'9'.repeat(40)}` as const
const SHARES = { version: '2', shareName: 'Shares', shareSymbol: 'SH' }
/** Follows a chain with a deposit pool, in which the wallet has 1 USDC for `ageMs`; the records are `lagSeconds` behind. */
const deposited = async ({ lagSeconds = 0, ageMs = 48 * HOUR } = {}): Promise<void> => {
  const { rows } = database
  const { chainId } = testChain
  await sql`delete from chain_event`.execute(rows)
  await sql`delete from chain_cursor`.execute(rows)
  await sql`insert into chain_cursor (chain_id, block_number, block_hash, head_number, caught_up_at, missed_events)
    values (${chainId}, 9, '0x9', 9, now() - ${`${lagSeconds} seconds`}::interval, 0)`.execute(rows)
  await sql`insert into chain_event (chain_id, tx_hash, log_index, block_number, block_hash, block_time, address, contract, event, args,
      moves_process, seen_at, revision, notified_revision)
    values (${chainId}, '0xd0', 0, 3, '0x3', ${new Date(NOW - ageMs)}, ${POOL}, 'pool', 'Deposit',
      ${JSON.stringify({ owner: ME, assets: '1000000', shares: '1000000' })}, true, now(), 1, 1)`.execute(rows)
}
/** One whole USDC of vested principal raises this cap above the exposure of the job. */
const TIGHT = { WORKER_OPEN_EXPOSURE_CAP_RAW: '600000' }
const capReached = { settings: TIGHT, blockers: ['worker_open_exposure_cap_reached'], recorded: [] }

/** The job is new, and its window is open for wallets that qualify. */
const headStart: Pick<Case, 'settings'> = { settings: { DEPOSIT_CLAIM_PRIORITY_ENABLED: 'true' } }
const consent = (publicProfileOptIn: boolean) => changeListing(database.rows, { wallet: ME, jti: null, at: NOW, publicProfileOptIn })

/** A job about one revision of an article, and an earlier job about a revision for which a wallet was paid. */
const article = (revisionId: number) => ({ source: { type: 'wikipedia_article', language: 'en', pageId: 7, revisionId } })
const paid = async (wallet: Hex, revisionId: number): Promise<void> => {
  const { jobId, jobSnapshot } = await listJob(database, `paid-${revisionId}-${wallet}`, article(revisionId))
  await addSessionOf(database, wallet, jobId, NOW - 72 * HOUR, { ...approvedAt(NOW - 71 * HOUR), jobSnapshot })
}

const CASES: Record<string, Case> = {
  'nothing stands in the way': { blockers: [] },
  'an escrow that has the job open': { chain: onChain({}), blockers: [] },
  'a paused job': { records: ({ jobId }) => set(jobId, `lifecycle_status = 'paused'`), blockers: ['job_paused'] },
  'a delisted job': { records: ({ jobId }) => set(jobId, `delisted_at = now()`), blockers: ['external_job_delisted', 'job_archived'] },
  'a tier that is locked': { definition: { tier: 'pro' }, blockers: ['tier_locked'] },
  'a role that is locked': { definition: { requiredRole: 'curator' }, blockers: ['role_locked'] },
  'a bank that was never read': {
    records: () => sql`delete from reward_bank_reading`.execute(database.rows),
    blockers: ['reward_funding_unverified'],
  },
  'a bank that was not read lately': {
    records: () => sql`update reward_bank_reading set read_at = now() - interval '1 hour'`.execute(database.rows),
    blockers: ['reward_funding_unverified'],
  },
  'a bank that cannot pay': {
    records: () => sql`update reward_bank_reading set liquid_raw = 1`.execute(database.rows),
    blockers: ['reward_funding_pending'],
  },
  'a verifier key without gas': {
    records: () => storeCheckAged(database.rows, 'verifier_key', 'verifier_gas_missing', 1),
    blockers: ['verifier_not_ready'],
  },
  'a handler that no worker has had lately': {
    records: () => storeCheckAged(database.rows, 'handler:benchmark', null, 46),
    blockers: ['verifier_not_ready'],
  },
  'a code host that its verdict does not need': {
    records: () => storeCheckAged(database.rows, 'code_host', 'code_host_unavailable', 1),
    blockers: [],
  },
  'no attempt left': {
    records: async ({ jobId }) =>
      void (await addSessionOf(database, OTHER, jobId, NOW - 2 * HOUR, {
        status: 'closed',
        submittedAt: NOW - HOUR,
        closedAt: NOW - HOUR,
        chainState: 'closed',
      })),
    blockers: ['job_session_completed'],
  },
  'a claim of another wallet': {
    records: ({ jobId }) => addSessionOf(database, OTHER, jobId, NOW),
    chain: onChain({ state: 'claimed', worker: OTHER, claimExpiresAt: NOW + HOUR }),
    blockers: ['claimed_by_other_wallet', 'job_not_claimable'],
    recorded: ['claimed_by_other_wallet'],
  },
  'a definition that is not what its hash says': {
    records: ({ jobId }) => set(jobId, `spec_hash = '0x${'7'.repeat(64)}'`),
    blockers: ['job_definition_integrity_invalid'],
  },
  'a revision of an article that the wallet was paid for': {
    definition: article(11),
    records: () => paid(ME, 11),
    blockers: ['source_already_paid'],
  },
  'a revision of an article that another wallet was paid for, and another revision': {
    definition: article(12),
    records: () => Promise.all([paid(OTHER, 12), paid(ME, 13)]),
    blockers: [],
  },
  'a posted job that the wallet posted itself': {
    definition: { rewardAmount: 1 },
    records: ({ jobId }) => set(jobId, `posting_route = 'external-direct', poster_address = '${ME}'`),
    blockers: ['claimant_is_poster'],
  },
  'a posted job above what any wallet may claim without a deposit': {
    definition: { rewardAmount: 3 },
    records: ({ jobId }) => set(jobId, `posting_route = 'external-direct', poster_address = '${OTHER}'`),
    blockers: ['external_reward_exceeds_capital_ceiling'],
    recorded: [],
  },
  'an escrow with another definition': {
    chain: onChain({ specHash: `0x${'7'.repeat(64)}` }),
    blockers: ['job_definition_chain_mismatch'],
    recorded: [],
  },
  'a claim on chain that is not ours': {
    chain: onChain({ state: 'claimed', worker: OTHER, claimExpiresAt: NOW + HOUR }),
    blockers: ['job_not_claimable'],
    recorded: [],
  },
  'the own claim on chain, unrecorded': {
    chain: onChain({ state: 'claimed', worker: ME, claimExpiresAt: NOW + HOUR }),
    blockers: [],
  },
  'an account that cannot pay the bond': {
    chain: () => ({ position: { ...walletChainFacts().position, liquid: 1n } }),
    blockers: ['insufficient_liquidity'],
    recorded: [],
  },
  'a chain that cannot be read': { chain: () => null, blockers: ['claim_economics_unavailable'], recorded: [] },
  'more than one wallet may hold at once': {
    settings: { WORKER_OPEN_EXPOSURE_CAP_RAW: '1' },
    blockers: ['worker_open_exposure_cap_reached'],
    recorded: [],
  },
  'a vested deposit that raises the cap': {
    settings: TIGHT,
    blockers: [],
    records: () => deposited(),
    chain: () => ({ poolAssetsRaw: 1_000_000n }),
  },
  'a deposit that vests a second after the block': {
    ...capReached,
    records: () => deposited({ ageMs: 48 * HOUR - 1_000 }),
    chain: () => ({ poolAssetsRaw: 1_000_000n }),
  },
  'a vested deposit whose shares lost value': {
    ...capReached,
    records: () => deposited(),
    chain: () => ({ poolAssetsRaw: 999_999n }),
  },
  'a vested deposit and records that are a minute behind': {
    ...capReached,
    blockers: ['worker_open_exposure_unavailable'],
    records: () => deposited({ lagSeconds: 61 }),
    chain: () => ({ poolAssetsRaw: 1_000_000n }),
  },
  'a vested deposit and a pool that does not answer': {
    ...capReached,
    blockers: ['worker_open_exposure_unavailable'],
    records: () => deposited(),
    chain: () => ({ poolAssetsRaw: null }),
  },
  'no need of a raise and a pool that does not answer': { chain: () => ({ poolAssetsRaw: null, creditDebtRaw: null }), blockers: [] },
  'the head start of others': { ...headStart, blockers: ['priority_window_active'], recorded: [] },
  'the head start of agents that the directory lists': { ...headStart, records: () => consent(true), blockers: [] },
  'the head start of agents that the directory lists, which the wallet has left': {
    ...headStart,
    records: async () => {
      await consent(true)
      await consent(false)
    },
    blockers: ['priority_window_active'],
    recorded: [],
  },
  'an allowance that is used up': {
    settings: { WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: '1' },
    blockers: ['lifetime_catalogue_credit_exhausted'],
  },
  'a budget of the day that is used up': {
    settings: { WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: '1' },
    blockers: ['catalogue_daily_budget_exhausted'],
  },
  'a delegate within its budget': { delegate: {}, blockers: [] },
  'a delegate without the tier': { delegate: { tiers: ['elite'] }, blockers: ['delegate_tier_not_granted'] },
  'a delegate without a job left': { delegate: { jobsPerDay: 0 }, blockers: ['delegate_jobs_budget_exceeded'] },
  'a delegate with less than the bond left': {
    delegate: { bondPerDayRaw: '1' },
    blockers: ['delegate_bond_budget_exceeded'],
    recorded: [],
  },
}

const WIDE = {
  WORKER_OPEN_EXPOSURE_CAP_RAW: '1000000000000',
  WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: '1000000000000',
  WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: '1000000000000',
}

const codes = ({ blockers = [] }: { blockers?: { code: string }[] | undefined }): string[] => blockers.map(({ code }) => code)

/** A claim that nothing of this refuses reaches the engine; there its admission asks the records once more. */
const LET_THROUGH = 'workflow_engine_unavailable'

const createRoutes = (
  settings: Record<string, string>,
  chain: () => ClaimChainFacts | null,
  gone: AbortSignal = new AbortController().signal,
) => {
  const allSettings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused', ...WIDE, ...settings })
  const clock = { now: () => NOW }
  const facts = async (): Promise<ClaimChainFacts> => {
    const read = chain()
    if (read === null) throw new ServiceError('blockchain_unavailable')
    return read
  }
  const escrowJob = async () => {
    const { job, block } = await facts()
    return { ...job, block }
  }
  const reads = { claimFacts: facts, walletFacts: facts, escrowJob } as unknown as ApiDeps['reads']
  const nothing = async () => Promise.reject(new BaseError('no chain'))
  const clients = { reader: { estimateFeesPerGas: nothing, getBalance: nothing } }
  const withPool = { ...testChain, contracts: { ...testChain.contracts, depositPool: { ...SHARES, address: POOL } } }
  const common = { database, settings: allSettings, chain: withPool, clock, identities: evmIdentities }
  const evaluations = createEvaluations({ ...common, reads })
  const maintainers = createMaintainers(database)
  const admission = createAdmission({ ...common, maintainers })
  let admitted: string | null = null
  const engine = {
    watchOutages: <T>(work: (gone: AbortSignal) => Promise<T>) => work(gone),
    findClaimRun: async () => null,
    claim: async ({ title: _title, chainJobId: _chainJobId, verifierMode: _mode, ...claim }: NewClaim) => {
      admitted = await refusal(admission.admitClaim({ v: 1, ...claim, runId: `run of ${claim.jobId}` }))
      throw new ServiceError(LET_THROUGH)
    },
  } as unknown as ApiDeps['engine']
  // Whatever the cases store is the newest reading that there is.
  const refreshBank = async () => undefined
  const readPoster = createPosterReader(common)
  const deps = {
    ...common,
    reads,
    clients,
    evaluations,
    engine,
    refreshBank,
    readPoster,
    maintainers,
    baseUrl: BASE_URL,
  } as unknown as ApiDeps
  const jobs = { ...createCatalogueHandlers(deps), ...createClaimHandlers(deps) }
  return { jobs, eligibility: createEligibilityHandlers(deps), admitted: () => admitted }
}

let number = 0

describe('every route agrees about one job for one wallet', () => {
  test.each(Object.entries(CASES))(
    '%s',
    async (_name, { records, chain, definition, settings = {}, delegate, blockers, recorded = blockers }) => {
      number += 1
      await sql`delete from reward_bank_reading`.execute(database.rows)
      await sql`delete from claim_intent`.execute(database.rows)
      await fillBank(database)
      const job = await listJob(database, `agreed-${number}`, definition)
      const { jobId } = job
      await records?.(job)
      const read = chain?.(job)
      const { jobs, eligibility, admitted } = createRoutes(settings, () => (read === null ? null : { ...chainFacts(), ...read }))
      const query = { jobId }
      const asDelegate = delegate && { id: `grant-${number}`, wallet: ME, at: NOW, ...delegate }
      const me = { wallet: ME, ...(asDelegate && { grantId: await addDelegate(database.rows, asDelegate) }) }

      const { body: preflight } = await ask(preflightJob, eligibility.preflightJob, { ...me, query })
      const { body: explained } = await ask(explainEligibility, eligibility.explainEligibility, { ...me, query })
      expect([codes(preflight), codes(explained)]).toEqual([blockers, blockers])
      expect([preflight.eligible, preflight.currentWalletCanClaim]).toEqual([blockers.length === 0, blockers.length === 0])

      const listed = async (wallet?: Hex) => {
        const { body } = await ask(listJobs, jobs.listJobs, {
          ...(wallet && delegate && me),
          query: { limit: '100', ...(wallet && { wallet }) },
        })
        return (body.jobs as { id: string; claimable: boolean; currentWalletCanClaim: boolean | null }[]).find(({ id }) => id === jobId)
      }
      const shown = await listed(ME)
      const anonymous = await listed()
      if (shown !== undefined) {
        expect(shown.currentWalletCanClaim).toBe(recorded.length === 0)
        expect([anonymous?.currentWalletCanClaim, anonymous?.claimable]).toEqual([null, preflight.claimable])
        const { body: detail } = await ask(getJobDefinition, jobs.getJobDefinition, { ...(delegate && me), query: { jobId, wallet: ME } })
        expect([detail.currentWalletCanClaim, detail.claimStatus]).toEqual([preflight.currentWalletCanClaim, preflight.claimStatus])
      }

      if (read === null) expect(await refusal(ask(recommendJobs, eligibility.recommendJobs, me))).toBe('blockchain_unavailable')
      else {
        const { body } = await ask(recommendJobs, eligibility.recommendJobs, { ...me, query: { limit: '100' } })
        const row = body.recommendations.find((one) => one.jobId === jobId)
        if (row !== undefined) expect(blockers).toEqual(expect.arrayContaining(codes(row)))
        if (row !== undefined && blockers.length === 0) expect(row.eligible).toBe(true)
        if (delegate !== undefined) expect(row && codes(row)).toEqual(blockers)
        if (shown?.claimable === false) expect(row).toBeUndefined()
      }

      const claimed = await ask(claimJob, jobs.claimJob, { ...me, body: { jobId } }).catch((error: unknown) => error)
      if (!isServiceError(claimed)) throw new Error('a claim was answered without an engine')
      const { code, info } = claimed
      expect([code, info.reason]).toContain(blockers[0] ?? LET_THROUGH)
      expect(admitted()).toBe(blockers.length === 0 ? 'answered' : null)
    },
  )
})

test('the wallet of a token refines what ?wallet= does, and a reader without one gets reasons that hold for every wallet', async () => {
  await fillBank(database)
  const { jobId } = await listJob(database, 'refined')
  await addSessionOf(database, OTHER, jobId, NOW)
  const { jobs } = createRoutes({}, chainFacts)
  const reasonsFor = async (caller: { wallet?: Hex }, wallet?: Hex) => {
    const query = { ...(wallet && { wallet }) }
    const { body } = await ask(listJobs, jobs.listJobs, { ...caller, query: { ...query, limit: '100' } })
    const { body: detail } = await ask(getJobDefinition, jobs.getJobDefinition, { ...caller, query: { ...query, jobId } })
    const row = body.jobs.find(({ id }) => id === jobId)
    const says = row !== undefined && 'format' in row ? row.currentWalletCanClaim : undefined
    expect([row?.reason, says]).toEqual([detail.reason, detail.currentWalletCanClaim])
    return [row?.reason, says]
  }
  expect(await reasonsFor({})).toEqual(['job_claimed', null])
  expect(await reasonsFor({ wallet: ME })).toEqual(['claimed_by_other_wallet', false])
  expect(await reasonsFor({ wallet: OTHER })).toEqual(['already_claimed_by_current_wallet', false])
  expect(await reasonsFor({}, OTHER)).toEqual(await reasonsFor({ wallet: OTHER }))
  expect(await reasonsFor({ wallet: ME }, OTHER)).toEqual(['already_claimed_by_current_wallet', false])
})

test('a definition is counted where the wallet of a token or of ?wallet= makes it read the chain', async () => {
  await fillBank(database)
  const { jobId } = await listJob(database, 'counted')
  const { jobs } = createRoutes({}, chainFacts)
  const countsOf = async (caller: { wallet?: Hex }, wallet?: Hex): Promise<number> => {
    let counts = 0
    const countBuild = async () => {
      counts += 1
    }
    const query = { jobId, ...(wallet && { wallet }) }
    const handler: typeof jobs.getJobDefinition = (input) => jobs.getJobDefinition({ ...input, request: { ...input.request, countBuild } })
    await ask(getJobDefinition, handler, { ...caller, query })
    return counts
  }
  expect([await countsOf({}), await countsOf({ wallet: ME }), await countsOf({}, ME), await countsOf({ wallet: ME }, OTHER)]).toEqual([
    0, 1, 1, 1,
  ])
})

test('a claim is not passed to an engine that goes down during the evaluation', async () => {
  await fillBank(database)
  const { jobId } = await listJob(database, 'agreed-without-engine')
  const gone = AbortSignal.abort(new ServiceError('state_store_unavailable'))
  const { jobs, admitted } = createRoutes({}, chainFacts, gone)
  expect(await refusal(ask(claimJob, jobs.claimJob, { wallet: ME, body: { jobId } }))).toBe('state_store_unavailable')
  expect(admitted()).toBeNull()
})
