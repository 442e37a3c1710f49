import { describe, expect, test } from '@jest/globals'
import { known } from '../../../../domain/common/fact.ts'
import { evaluate, refusalOf } from '../../../../domain/eligibility/evaluate.ts'
import type { ChainJob, EligibilityFacts } from '../../../../domain/eligibility/facts.ts'
import type { BlockerCode, GateName, UncodedReason } from '../../../../domain/eligibility/gates/blocker.ts'
import { buildAccountDepositTransactions } from '../../../../schemas/accounts/operations.ts'
import { getOnboarding } from '../../../../schemas/discovery/operations.ts'
import { recommendJobs } from '../../../../schemas/eligibility/operations.ts'
import { ERRORS, type NextAction } from '../../../../schemas/errors.ts'
import { getHealth } from '../../../../schemas/health/operations.ts'
import type { OperationSpec } from '../../../../schemas/operations/operation.ts'
import { getSession, listSessions } from '../../../../schemas/sessions/operations.ts'
import {
  aBalance,
  aChainJob,
  aClaim,
  aJob,
  aStarter,
  economicsFor,
  NOW,
  OTHER,
  POLICY,
  someFacts,
  WALLET,
} from '../../builders/eligibility.ts'
import { MISMATCHED, UNMAPPED, UNREADABLE } from '../../identity/native/accounts.ts'

const evaluated = (changes: Partial<EligibilityFacts> = {}, policy = POLICY) => evaluate(someFacts(changes), policy)
const first = (changes: Partial<EligibilityFacts>) => evaluated(changes).blockers[0]
const codes = (changes: Partial<EligibilityFacts>) => evaluated(changes).blockers.map((found) => found.code)
const has = (evidence: object) => expect.objectContaining(evidence)

const get = (path: string, says: string) => ({ kind: 'http', method: 'GET', path, description: expect.stringContaining(says) })
const ANOTHER_JOB = get('/jobs/recommendations', 'another job')
const UNLOCKED_JOBS = get('/jobs/recommendations', 'unlocked')
const FINISH_WORK = get('/sessions?state=active', 'Finish open work')
const OWN_SESSION = get(`/session?sessionId=job-1%3A${WALLET}`, 'your session')
const REPORT = get('/health', 'Report the request id')
const WAIT = { kind: 'wait', description: expect.any(String) }
const DEPOSIT = {
  kind: 'http',
  method: 'POST',
  path: '/account/deposit/transactions',
  description: 'Deposit 0.05 USDC and claim again.',
}

const OPEN_BANK = { fresh: true, asset: 'USDC', liquidRaw: 100_000_000n }
const OTHER_HASH = `0x${'9'.repeat(64)}`
const NO_SKILL = { skill: 0, reliability: 0, economic: 0 }
const PRO = aJob({ definition: { tier: 'pro' } })
const CURATOR = aJob({ definition: { requiredRole: 'curator' } })
const EXTERNAL = aJob({ postingRoute: 'external-direct' })
const NAMED_OTHER = aJob({ designatedClaimants: [OTHER] })
const { specHash, chainJobId } = aJob()
const using = (changes: object) => known({ openRaw: 0n, lifetimeSettledRaw: 0n, settledJobs: 0, rolling: [], ...changes })
const ownClaim = aClaim({ wallet: WALLET, sessionId: `job-1:${WALLET}` })
const claimFacts = {
  jobId: 'job-1',
  sessionId: `job-1:${OTHER}`,
  claimedBy: OTHER,
  claimedAt: '2026-03-01T11:30:00.000Z',
  claimExpiresAt: '2026-03-01T12:30:00.000Z',
  claimTtlSeconds: 3600,
}
const ownClaimFacts = { ...claimFacts, sessionId: ownClaim.sessionId, claimedBy: WALLET }
const WINDOW = { ...POLICY, priority: { ...POLICY.priority, enabled: true } }

type Retry = 'never' | 'some day' | number
type Refusal = [BlockerCode, GateName, Partial<EligibilityFacts>, details: object, nextActions?: object[], retry?: Retry]

/** Without next actions another job is advised; without a time a repeat does not help. */
const REFUSALS: Refusal[] = [
  [
    'external_job_delisted',
    'delisted',
    { job: aJob({ delistedAt: NOW, delistReason: 'spam' }) },
    { jobId: 'job-1', delistedAt: '2026-03-01T12:00:00.000Z', delistReason: 'spam' },
  ],
  ['job_claimed', 'claim_state', { latestSession: aClaim(), wallet: null }, claimFacts],
  ['claimed_by_other_wallet', 'claim_state', { latestSession: aClaim() }, claimFacts],
  ['already_claimed_by_current_wallet', 'claim_state', { latestSession: ownClaim }, ownClaimFacts, [OWN_SESSION, ANOTHER_JOB]],
  ['session_submitted', 'claim_state', { latestSession: aClaim({ status: 'submitted' }) }, claimFacts],
  [
    'job_session_completed',
    'claim_state',
    { latestSession: { ...ownClaim, status: 'resolved' } },
    ownClaimFacts,
    [OWN_SESSION, ANOTHER_JOB],
  ],
  [
    'retry_limit_exhausted',
    'claim_state',
    { job: aJob({ definition: { retryLimit: 2 } }), claimAttemptCount: 3 },
    { jobId: 'job-1', retryLimit: 2, claimAttemptCount: 3 },
  ],
  ['job_paused', 'claim_state', { job: aJob({ lifecycleStatus: 'paused' }) }, { jobId: 'job-1', lifecycle: 'paused' }],
  ['job_archived', 'claim_state', { job: aJob({ lifecycleStatus: 'archived' }) }, { jobId: 'job-1', lifecycle: 'archived' }],
  ['job_stale', 'claim_state', { job: aJob({ staleAt: NOW }) }, { jobId: 'job-1', lifecycle: 'stale' }],
  [
    'reward_funding_pending',
    'claim_state',
    { rewardBank: known({ ...OPEN_BANK, liquidRaw: 0n }) },
    { jobId: 'job-1', fundingState: 'pending' },
    [WAIT, ANOTHER_JOB],
    'some day',
  ],
  ['reward_funding_unverified', 'claim_state', { rewardBank: 'unreadable' }, { jobId: 'job-1', fundingState: 'unverified' }, [REPORT]],
  [
    'verifier_not_ready',
    'claim_state',
    { readiness: known({ reason: 'verifier_gas_missing', checkedAt: NOW - 5_000, lastVerdictAt: NOW - 60_000 }) },
    {
      jobId: 'job-1',
      readiness: {
        ready: false,
        reason: 'verifier_gas_missing',
        checkedAt: '2026-03-01T11:59:55.000Z',
        lastVerdictAt: '2026-03-01T11:59:00.000Z',
      },
    },
    [{ kind: 'wait', description: expect.stringContaining('cannot pay the gas') }, ANOTHER_JOB],
    10,
  ],
  [
    'external_posting_not_open_on_chain',
    'claim_state',
    { job: EXTERNAL, externalPosting: known('external_posting_not_open_on_chain') },
    { jobId: 'job-1', lifecycle: 'unclaimable' },
  ],
  ['designated_claimants_only', 'claim_state', { job: NAMED_OTHER }, { jobId: 'job-1', lifecycle: 'restricted' }],
  ['native_mapping_unreadable', 'earning_identity', { identity: known(UNREADABLE) }, UNREADABLE.refusal.details, [WAIT], 'some day'],
  [
    'native_mapping_mismatch',
    'earning_identity',
    { identity: known(MISMATCHED) },
    MISMATCHED.refusal.details,
    MISMATCHED.refusal.nextActions,
  ],
  [
    'native_account_mapping_required',
    'earning_identity',
    { identity: known(UNMAPPED) },
    UNMAPPED.refusal.details,
    UNMAPPED.refusal.nextActions,
  ],
  [
    'tier_locked',
    'tier',
    { job: PRO, scores: known({ ...NO_SKILL, skill: 60 }) },
    { jobId: 'job-1', tier: 'pro', requires: { skill: 100 }, has: { ...NO_SKILL, skill: 60 }, missing: { skill: 40 } },
    [UNLOCKED_JOBS],
  ],
  [
    'role_locked',
    'role',
    { job: CURATOR },
    { jobId: 'job-1', role: 'curator', requires: { skill: 50 }, has: NO_SKILL, missing: { skill: 50 } },
    [UNLOCKED_JOBS],
  ],
  ['source_payment_history_unavailable', 'paid_source', { paidSource: 'unreadable' }, {}, [WAIT], 'some day'],
  [
    'source_already_paid',
    'paid_source',
    { paidSource: known({ sourceKey: 'en:1:2', paidJobId: 'j', paidSessionId: 's' }) },
    { sourceKey: 'en:1:2', paidJobId: 'j', paidSessionId: 's' },
  ],
  ['claim_economics_unavailable', 'claim_economics', { economics: 'unreadable' }, { jobId: 'job-1' }, [WAIT], 'some day'],
  ['blockchain_unavailable', 'wallet_funding', { liquidity: 'unreadable' }, {}, [WAIT], 'some day'],
  [
    'insufficient_liquidity',
    'wallet_funding',
    { liquidity: aBalance(100_000n) },
    {
      wallet: WALLET,
      asset: 'USDC',
      decimals: 6,
      requiredRaw: '150000',
      availableRaw: '100000',
      shortfallRaw: '50000',
      encumberedRaw: '0',
    },
    [DEPOSIT],
  ],
  [
    'onboarding_subsidy_exhausted',
    'onboarding_subsidy',
    { job: aStarter(), subsidyAllocatedRaw: known(7_921_001n) },
    {
      resetAt: '2026-03-02T00:00:00.000Z',
      onboardingSubsidy: has({ applies: true, available: false, allocated: has({ display: '7.921001' }) }),
    },
    [
      { kind: 'wait', availableAt: '2026-03-02T00:00:00.000Z', description: expect.stringMatching(/daily budget resets.*not waived/) },
      ANOTHER_JOB,
    ],
    43_200,
  ],
  [
    'job_definition_integrity_invalid',
    'definition_integrity',
    { definitionIntact: known(false), chainJob: aChainJob({ specHash: OTHER_HASH }) },
    { jobId: 'job-1', specHash },
    [REPORT, ANOTHER_JOB],
  ],
  [
    'job_definition_chain_mismatch',
    'definition_integrity',
    { chainJob: aChainJob({ specHash: OTHER_HASH }) },
    { jobId: 'job-1', specHash, chainSpecHash: OTHER_HASH, differences: [] },
    [REPORT, ANOTHER_JOB],
  ],
  [
    'job_definition_chain_mismatch',
    'definition_integrity',
    { chainJob: aChainJob({ payoutMode: 'milestone', asset: OTHER, rewardRaw: 1n, claimTtlSeconds: 2n ** 256n - 1n }) },
    {
      jobId: 'job-1',
      specHash,
      chainSpecHash: specHash,
      differences: [
        { term: 'payoutMode', expected: 'single', observed: 'milestone' },
        { term: 'asset', expected: 'USDC', observed: OTHER },
        { term: 'rewardRaw', expected: '1000000', observed: '1' },
        { term: 'claimTtlSeconds', expected: '3600', observed: (2n ** 256n - 1n).toString() },
      ],
    },
    [REPORT, ANOTHER_JOB],
  ],
  [
    'worker_open_exposure_cap_reached',
    'open_exposure',
    { exposure: using({ openRaw: 1_500_000n }) },
    { workerExposure: has({ allowed: false, limitRaw: '2500000', usedRaw: '1500000', candidateRaw: '1059000' }) },
    [FINISH_WORK],
  ],
  [
    'worker_open_exposure_unavailable',
    'open_exposure',
    { exposure: 'unreadable' },
    { workerExposure: { applies: true, allowed: false, reason: 'worker_open_exposure_unavailable' } },
    [WAIT],
    'some day',
  ],
  [
    'external_reward_exceeds_capital_ceiling',
    'open_exposure',
    { job: { ...EXTERNAL, rewardRaw: 1_000_001n } },
    { workerExposure: has({ allowed: false, limitRaw: '1000000', candidateRaw: '1000001' }) },
  ],
  [
    'lifetime_catalogue_credit_exhausted',
    'allowance',
    { exposure: using({ lifetimeSettledRaw: 9_500_000n, settledJobs: 9 }) },
    { dailyAllowance: has({ allowed: false, limitRaw: '10000000', usedRaw: '9500000' }) },
    [FINISH_WORK],
  ],
  [
    'daily_exposure_budget_reached',
    'allowance',
    { exposure: using({ settledJobs: 10, rolling: [{ exposureRaw: 1_000_000n, claimedAt: NOW - 82_800_000 }] }) },
    { dailyAllowance: has({ allowed: false, limitRaw: '1500000', usedRaw: '1000000' }) },
    [FINISH_WORK],
    3600,
  ],
  [
    'catalogue_daily_budget_exhausted',
    'catalogue_budget',
    { catalogueUse: known({ totalRaw: 24_500_000n, earliestClaimedAt: NOW - 3_600_000 }) },
    { catalogueDailyBudget: has({ allowed: false, limitRaw: '25000000', usedRaw: '24500000' }) },
    [WAIT, ANOTHER_JOB],
    82_800,
  ],
  [
    'catalogue_daily_budget_unavailable',
    'catalogue_budget',
    { catalogueUse: 'unreadable' },
    { catalogueDailyBudget: { applies: true, allowed: false, reason: 'catalogue_daily_budget_unavailable' } },
    [WAIT],
    'some day',
  ],
  [
    'job_not_claimable',
    'chain_state',
    { chainJob: aChainJob({ state: 'submitted' }) },
    { jobId: 'job-1', chainJobId, chainState: 'submitted' },
  ],
  [
    'paused_system',
    'protocol_pause',
    { paused: known(true) },
    {
      jobId: 'job-1',
      operation: 'claimJobFor',
      rawCode: 3,
      rawReason: null,
      customError: 'ProtocolPaused',
      selector: '0x44279255',
      meaning: expect.stringContaining('paused'),
      remedy: expect.stringContaining('in a minute'),
    },
    [{ kind: 'wait', description: expect.stringContaining('in a minute') }],
    60,
  ],
]

const whenOf = (retry: Retry) => ({
  retryable: retry !== 'never',
  ...(typeof retry === 'number' && { retryAfterSeconds: retry }),
})

describe('each gate refuses with its code, its details, a way out and whether to repeat', () => {
  test('and a verdict that could not be given names what is missing', () => {
    const readiness = known({ reason: 'code_host_unavailable', checkedAt: NOW, lastVerdictAt: null } as const)
    expect(first({ readiness })).toMatchObject({ code: 'verifier_not_ready', reason: 'code_host_unavailable' })
    const refused = first({ readiness: 'unreadable' })
    expect(refused).toMatchObject({ reason: 'not_checked', details: { readiness: { ready: null, reason: 'not_checked' } } })
    expect(refused && refusalOf(refused).info).toMatchObject({ reason: 'not_checked', retryAfterSeconds: 10 })
  })

  test.each(REFUSALS)('%s', (code, gate, changes, details, nextActions = [ANOTHER_JOB], retry = 'never') => {
    const { reason: _finer, ...refusal } = { ...first(changes) }
    expect(refusal).toStrictEqual({ code, gate, message: expect.any(String), details, nextActions, ...whenOf(retry) })
    expect(evaluated(changes)).toMatchObject({
      eligible: false,
      reason: code,
      claimStatus: { currentWalletCanClaim: code === 'job_claimed' ? null : false },
    })
  })

  test.each([
    ['can still be disputed', { rejectedAt: NOW }, /was rejected\. You can dispute the rejection until 2026-03-08/, 'session_submitted'],
    ['is final', { rejectedAt: NOW, rejectionFinalizedAt: NOW }, /was rejected, and the rejection is final/, 'job_session_completed'],
  ] as const)('a wallet whose own rejection %s reads so, and no other wallet does', (_how, at, says, code) => {
    const rejected = aClaim({ status: 'rejected', ...at })
    expect(first({ latestSession: { ...rejected, wallet: WALLET } })).toMatchObject({ code, message: expect.stringMatching(says) })
    expect(first({ latestSession: rejected })?.message).not.toMatch(/[Yy]our/)
  })

  test.each<[UncodedReason, RegExp]>([
    ['job_claimed', /^The job is claimed/],
    ['claimed_by_other_wallet', /another wallet/i],
    ['already_claimed_by_current_wallet', /this wallet/i],
    ['session_submitted', /submitted, and its outcome is not final/],
    ['job_paused', /paused/],
    ['job_archived', /archived/],
    ['job_stale', /stale/],
    ['paused_system', /until the pause ends/],
  ])('%s, which is no code of the table, has a sentence of its own', (code, says) => {
    const changes = REFUSALS.find((row) => row[0] === code)?.[2] ?? {}
    expect(first(changes)?.message).toMatch(says)
  })

  test('a deposit is advised only where no cap refuses too', () => {
    const advice = (changes: Partial<EligibilityFacts>) =>
      evaluated({ liquidity: aBalance(0n), ...changes }).blockers.find(({ code }) => code === 'insufficient_liquidity')?.nextActions
    expect(advice({})).toMatchObject([{ path: '/account/deposit/transactions' }])
    const local = evaluate(someFacts({ liquidity: aBalance(0n) }), { ...POLICY, hasFaucet: true }).blockers[0]?.nextActions[0]
    expect(local?.description).toMatch(new RegExp(`npm run faucet -- ${WALLET} --usdc 0.15 --gas$`))
    const full = { openRaw: 1_000_000_000n, lifetimeSettledRaw: 0n, settledJobs: 0, rolling: [] }
    expect(advice({ exposure: known(full) })).toMatchObject([{ path: '/sessions?state=active' }])
    expect(advice({ catalogueUse: known({ totalRaw: 10n ** 12n, earliestClaimedAt: NOW }) })).toMatchObject([
      { kind: 'wait' },
      { path: '/jobs/recommendations' },
    ])
  })

  test('a pause stops the claim that the worker of an external job sends itself', () => {
    const job = aJob({ postingRoute: 'external-direct' })
    expect(evaluated({ job, externalPosting: known(null), paused: known(true) }).blockers.at(-1)?.details).toMatchObject({
      operation: 'claimJob',
    })
  })

  test.each<[string, boolean, Partial<ChainJob>]>([
    ['its own, which is taken over and costs no call', true, {}],
    ['its own and lapsed', false, { claimExpiresAt: NOW - 1_000 }],
    ['its own, whose end is unknown', false, { claimExpiresAt: null }],
    ['another one’s', false, { worker: OTHER }],
  ])('a pause and a claim on chain that is %s', (_whose, passes, changes) => {
    const chainJob = aChainJob({ state: 'claimed', worker: WALLET, claimExpiresAt: NOW + 1_000, ...changes })
    expect(codes({ chainJob, paused: known(true) }).includes('paused_system')).toBe(!passes)
  })

  test.each(['unreadable', 'unknown'] as const)('a pause that is %s refuses nothing', (paused) => {
    expect(codes({ paused })).toEqual([])
  })

  test('a code of the table is explained in its words', () => {
    expect(first({ job: PRO, scores: known(NO_SKILL) })?.message).toBe(ERRORS.tier_locked.meaning)
  })

  test('a daily budget that is unreadable refuses after the open exposure', () => {
    expect(evaluated({ exposure: 'unreadable' }).blockers[1]).toStrictEqual({
      code: 'daily_exposure_budget_unavailable',
      gate: 'allowance',
      message: expect.any(String),
      details: { dailyAllowance: { applies: true, allowed: false, reason: 'daily_exposure_budget_unavailable' } },
      nextActions: [WAIT],
      retryable: true,
    })
  })

  test('names only routes that are served, as they are asked', () => {
    const served: OperationSpec[] = [buildAccountDepositTransactions, getOnboarding, recommendJobs, getHealth, getSession, listSessions]
    const asked = REFUSALS.flatMap(([_code, _gate, changes]) => first(changes)?.nextActions ?? ([] as NextAction[]))
    const wrong = asked.filter(({ kind, method, path }) => {
      const { pathname, searchParams } = new URL(path ?? '', 'https://work.example')
      const spec = served.find((one) => one.method === method && one.path === pathname)
      return kind === 'http' && (spec === undefined || spec.query?.safeParse(Object.fromEntries(searchParams)).success === false)
    })
    expect(wrong).toEqual([])
  })
})

describe('the priority window', () => {
  const job = aJob({ listedAt: NOW - 600_000 })
  const inWindow = (changes: Partial<EligibilityFacts> = {}) => evaluated({ job, ...changes }, WINDOW)

  test('refuses until its instant, says who qualifies and what this wallet lacks', () => {
    expect(inWindow().blockers).toStrictEqual([
      {
        code: 'priority_window_active',
        gate: 'priority_window',
        message: ERRORS.priority_window_active.meaning,
        retryable: true,
        retryAfterSeconds: 1200,
        details: {
          openAt: '2026-03-01T12:20:00.000Z',
          priorityWindow: { openAt: '2026-03-01T12:20:00.000Z', qualifiesWith: expect.stringContaining('vested pool deposit') },
          qualification: has({ status: 'priority_window_active', qualifies: false, thresholdRaw: '1000000' }),
        },
        nextActions: [{ kind: 'wait', availableAt: '2026-03-01T12:20:00.000Z', description: expect.stringContaining('opens to everyone') }],
      },
    ])
  })

  test('is asked only while it is open, and of those who do not qualify', () => {
    const { priority } = someFacts()
    expect(inWindow({ priority: { ...priority, directoryListed: known(true) } }).eligible).toBe(true)
    expect(inWindow({ now: NOW + 1_200_000 }).eligible).toBe(true)
    expect(inWindow({ latestSession: aClaim() }).blockers.map((found) => found.code)).toEqual(['claimed_by_other_wallet'])
    expect(inWindow({ wallet: null }).blockers).toEqual([])
    expect(evaluated({ job }).eligible).toBe(true)
  })
})

describe('designated claimants', () => {
  test('a taken job gives both reasons, an untaken one gives one', () => {
    expect(evaluated({ job: NAMED_OTHER, latestSession: aClaim() }).blockers).toMatchObject([
      { code: 'claimed_by_other_wallet' },
      {
        code: 'designated_claimants_only',
        gate: 'designated_claimants',
        retryable: false,
        details: { jobId: 'job-1' },
        nextActions: [ANOTHER_JOB],
      },
    ])
    expect(codes({ job: NAMED_OTHER })).toEqual(['designated_claimants_only'])
  })

  test('the named wallet and a reader without a wallet are refused for the claim alone', () => {
    const job = aJob({ designatedClaimants: [WALLET] })
    expect(codes({ job, latestSession: aClaim() })).toEqual(['claimed_by_other_wallet'])
    expect(codes({ job, latestSession: aClaim(), wallet: null })).toEqual(['job_claimed'])
  })
})

describe('a reader without a wallet', () => {
  test.each([
    ['tier', PRO],
    ['role', CURATOR],
  ])('meets no %s gate, whatever scores were read', (_name, job) => {
    expect(codes({ job, wallet: null, scores: known(NO_SKILL) })).toEqual([])
  })

  test('owns no session', () => {
    expect(first({ wallet: null, latestSession: ownClaim })?.nextActions).toEqual([ANOTHER_JOB])
  })
})

describe('the bond', () => {
  test('a waived claim needs no balance, and none to be read', () => {
    expect(codes({ job: aStarter(), liquidity: aBalance(0n) })).toEqual([])
    expect(codes({ job: aStarter(), liquidity: 'unreadable' })).toEqual([])
    const fourth = known(economicsFor(aStarter(), 3))
    expect(codes({ job: aStarter(), liquidity: aBalance(0n), economics: fourth })).toEqual(['insufficient_liquidity'])
  })

  test('exactly the bond is enough', () => {
    expect(codes({ liquidity: aBalance(150_000n) })).toEqual([])
    expect(codes({ liquidity: aBalance(149_999n) })).toEqual(['insufficient_liquidity'])
  })
})

describe('the escrow under a job', () => {
  const claimed = (worker: string, claimExpiresAt: number | null) => aChainJob({ state: 'claimed', worker, claimExpiresAt })

  test.each<[string, EligibilityFacts['chainJob']]>([
    ['no job yet', known(null)],
    ['a job that the escrow does not know', aChainJob({ state: 'none', specHash: `0x${'0'.repeat(64)}` })],
    ['an open job', aChainJob()],
    ['a hash in capitals', aChainJob({ specHash: `0x${'2'.repeat(64)}`.toUpperCase() })],
    ['the own claim, which converges', claimed(WALLET, NOW + 1000)],
    ['a lapsed claim, which is timed out first', claimed(OTHER, NOW - 1000)],
    ['no answer', 'unreadable'],
  ])('%s lets a claim pass', (_name, chainJob) => {
    expect(codes({ chainJob })).toEqual([])
  })

  test.each<[string, EligibilityFacts['chainJob']]>([
    ['a live claim of another', claimed(OTHER, NOW)],
    ['a claim of another without an end', claimed(OTHER, null)],
    ['own work that was submitted', aChainJob({ state: 'submitted', worker: WALLET })],
    ['another wallet’s lapsed time over submitted work', aChainJob({ state: 'submitted', worker: OTHER, claimExpiresAt: NOW - 1000 })],
  ])('%s refuses', (_name, chainJob) => {
    expect(evaluated({ chainJob }).blockers).toMatchObject([{ code: 'job_not_claimable', gate: 'chain_state' }])
  })

  test.each<[string, Partial<ChainJob>]>([
    ['pays by milestones', { payoutMode: 'milestone' }],
    ['pays in another asset', { asset: OTHER }],
    ['pays one unit less', { rewardRaw: 999_999n }],
    ['pays one unit more', { rewardRaw: 1_000_001n }],
    ['gives a second less', { claimTtlSeconds: 3_599n }],
    ['gives a second more', { claimTtlSeconds: 3_601n }],
  ])('a job of the listed id that %s is not the listed one, open or claimed', (_name, terms) => {
    for (const changes of [{}, { state: 'claimed', worker: WALLET, claimExpiresAt: NOW + 1000 } as const])
      expect(codes({ chainJob: aChainJob({ ...changes, ...terms }) })).toEqual(['job_definition_chain_mismatch'])
  })
})
