import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { privateKeyToAccount } from 'viem/accounts'
import { storeReport } from '../../../activities/audit/records.ts'
import { storeReading } from '../../../activities/catalogue/reward-bank.ts'
import { openDatabase } from '../../../activities/database/database.ts'
import { databaseOutage } from '../../../activities/database/outages.ts'
import { verificationWarnings } from '../../../api/health/verification.ts'
import { staleWhileRevalidate } from '../../../api/http/cache.ts'
import type { AuditOutcome } from '../../../schemas/audit/record.ts'
import type { ReadinessReason } from '../../../schemas/catalogue/readiness.ts'
import { type Api, type ApiOptions, accounts, startApi, testChain, tokenOf, wellProbes } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { meetVerdictNeeds, storeCheckAged } from '../../support/records/verdict-needs.ts'
import { NOW } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { addSession } from '../support/work-rows.ts'

let database: TestDatabase
const databases: TestDatabase[] = []
const started: Api[] = []
const start = async (options: Omit<ApiOptions, 'databaseUrl'> & { databaseUrl?: string } = {}): Promise<Api> => {
  const api = await startApi({ databaseUrl: database.url, ...options })
  started.push(api)
  return api
}
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((api) => api.close()))
})
afterAll(async () => {
  await Promise.all([database, ...databases].map((place) => place.drop()))
})

const NO_GAP = { gapBlock: null, missedEvents: 0, gapFoundAt: null }

const failing = async (): Promise<never> => {
  throw new Error('down')
}

describe('health', () => {
  test('is 200 while the service can work, with what the database knows', async () => {
    const now = Date.parse('2027-02-03T04:05:06.000Z')
    const api = await start({ now, settings: { OPERATOR_KEY: `0x${'11'.repeat(32)}` } })
    const { status, body, headers } = await api.call('/health')
    expect([status, body.now, body.chainTime]).toEqual([200, '2027-02-03T04:05:06.000Z', '2027-02-03T04:05:06.000Z'])
    expect(headers.get('date')).toBe('Wed, 03 Feb 2027 04:05:06 GMT')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(body.serviceHealth.components.workflowWorker).toMatchObject({ ok: true, state: 'polling' })
    expect(body.settlement).toMatchObject({ claimed24h: 0, stuck: 0, readable: true, oldestSubmittedAt: null })
    expect(body.capabilityHealth).toMatchObject({
      stateStore: 'available',
      blockchain: 'enabled',
      treasuryMutations: 'available',
      gasSponsor: 'disabled',
    })
    expect(body.addresses.settlementSigner).toBe(accounts.other.address.toLowerCase())
  })

  test('shows what could not be read as unreadable, never as zero', async () => {
    const { body } = await (await start()).call('/health')
    expect(body.rewardBank).toMatchObject({ liquid: null, readable: false, stale: true })
    expect(body.onboarding).toMatchObject({
      waiverEligibleClaimableJobs: null,
      readable: false,
      reason: 'onboarding_waiver_inventory_unverified',
    })
  })

  test('reads the reward bank, and warns when no starter job is left', async () => {
    const api = await start()
    const bank = {
      asset: 'USDC',
      liquidRaw: 12_500_000n,
      posterFeeBps: 500,
      posterFeeFloorRaw: 0n,
      stakeBps: 1000,
      feeBps: 200,
      minFeeRaw: 50_000n,
      blockNumber: 7n,
    }
    await storeReading(api.deps.database.rows, bank)
    const { body } = await api.call('/health')
    expect(body.rewardBank).toMatchObject({
      liquid: { asset: 'USDC', raw: '12500000', decimals: 6, display: '12.5' },
      readable: true,
      stale: false,
    })
    expect(body.warnings.map(({ code }: { code: string }) => code)).toContain('onboarding_waiver_inventory_empty')
    expect(body.onboarding.subsidy).toMatchObject({
      dailyBudget: { display: '8' },
      allocated: { display: '0' },
      headroom: { display: '8' },
      clock: 'UTC',
    })
  })

  test('shows the last check of what verdicts need, and warns of what they lack', async () => {
    const own = await createTestDatabase()
    databases.push(own)
    const api = await start({ databaseUrl: own.url })
    const { rows } = api.deps.database
    await meetVerdictNeeds(rows)
    for (const [need, reason] of [
      ['verifier_key', 'verifier_gas_missing'],
      ['code_host', 'code_host_token_missing'],
      ['source:https://data.example', 'source_unavailable'],
    ] as const)
      await storeCheckAged(rows, need, reason, 1)
    await storeCheckAged(rows, 'source:https://files.example', null, 1)
    const { body } = await api.call('/health')
    const shown = body.components.verification.needs.map(({ need, ready }: { need: string; ready: boolean }) => [need, ready])
    expect([body.status, body.components.verification.ok]).toEqual(['degraded', false])
    expect(shown).toEqual([
      ['code_host', false],
      ...['benchmark', 'codehost_pr', 'deterministic', 'human_fallback'].map((mode) => [`handler:${mode}`, true]),
      ['reviewers', true],
      ['verifier_key', false],
      ['source:https://data.example', false],
    ])
    const warned = body.warnings.filter(({ code }: { code: string }) => code === 'verifier_not_ready')
    expect(warned.map(({ severity, message }: { severity: string; message: string }) => [severity, message.split(': ').at(-1)])).toEqual([
      ['error', 'verifier_key.'],
      ['warn', 'source:https://data.example.'],
    ])
  })

  test('names the verifier key beside a hundred servers that do not answer', () => {
    const check = (reason: ReadinessReason) => ({ reason, checkedAt: 0, ageSeconds: 1, lastVerdictAt: null })
    const servers = Array.from({ length: 100 }, (_, index) => [`source:https://${index}.example`, check('source_unavailable')] as const)
    const warnings = verificationWarnings(new Map([...servers, ['verifier_key', check('verifier_gas_missing')]]))
    expect(warnings.map(({ severity }) => severity)).toEqual(['error', 'warn'])
  })

  test.each([
    ['caught up', { cursor: 7n, head: 7n, lagSeconds: 600, ...NO_GAP }, 'synced', true, []],
    ['too far behind the chain', { cursor: 7n, head: 9n, lagSeconds: 600.5, ...NO_GAP }, 'lagging', false, ['indexer_lagging error']],
    [
      'caught up after a gap',
      { cursor: 7n, head: 7n, lagSeconds: 600, gapBlock: null, missedEvents: 3, gapFoundAt: NOW },
      'synced',
      true,
      [],
    ],
    [
      'known to be incomplete',
      { cursor: 7n, head: 7n, lagSeconds: 600, gapBlock: 5n, missedEvents: 3, gapFoundAt: NOW },
      'behind',
      false,
      ['indexer_behind error'],
    ],
    ['without a follower', null, 'unavailable', false, ['indexer_unavailable warn']],
  ] as const)('tells of records that are %s', async (_what, lag, state, ok, warned) => {
    const { status, body } = await (await start({ probes: { follower: async () => lag } })).call('/health')
    expect([status, body.capabilityHealth.indexer, body.components.indexer.ok]).toEqual([200, state, ok])
    expect(body.components.indexer).toMatchObject({ block: lag === null ? null : '7', lagSeconds: lag === null ? null : 600 })
    const warnings = body.warnings.map(({ code, severity }: { code: string; severity: string }) => `${code} ${severity}`)
    expect(warnings.filter((warning: string) => warning.startsWith('indexer_'))).toEqual(warned)
  })

  test('reports the indexer as unavailable when its state cannot be read', async () => {
    const { body } = await (await start({ probes: { follower: failing } })).call('/health')
    expect([body.capabilityHealth.indexer, body.components.indexer.lagSeconds]).toEqual(['unavailable', null])
  })

  test('counts no claimable job without a fresh bank reading', async () => {
    const id = 'starter-of-health'
    const api = await start({ now: NOW, settings: { REWARD_BANK_MAX_AGE_SECONDS: '900' } })
    const { rows } = api.deps.database
    await listJob(api.deps.database, id, { rewardAmount: 0.2, onboardingWaiverEligible: true })
    await fillBank(api.deps.database)
    expect((await api.call('/health')).body.onboarding).toMatchObject({ waiverEligibleClaimableJobs: 1, readable: true })
    await sql`update reward_bank_reading set read_at = now() - interval '901 seconds'`.execute(rows)
    const { body } = await (await start({ now: NOW, settings: { REWARD_BANK_MAX_AGE_SECONDS: '900' } })).call('/health')
    await sql`delete from reward_bank_reading`.execute(rows)
    expect([body.rewardBank.stale, body.rewardBank.readable]).toEqual([true, true])
    expect(body.onboarding).toMatchObject({
      waiverEligibleClaimableJobs: null,
      readable: false,
      reason: 'onboarding_waiver_inventory_unverified',
    })
  })

  test('an unreadable chain is unhealthy and not a 503', async () => {
    const api = await start({ probes: { chain: failing } })
    const { status, body } = await api.call('/health')
    expect([status, body.status, body.serviceHealth.ok, body.capabilityHealth.blockchain, body.chainTime]).toEqual([
      200,
      'degraded',
      true,
      'unhealthy',
      null,
    ])
  })

  test('paused contracts degrade the treasury; a chain read is at most a second old', async () => {
    const now = Date.now()
    let paused = true
    const settings = { OPERATOR_KEY: `0x${'11'.repeat(32)}` }
    const api = await start({ now, settings, probes: { chain: async () => ({ blockTime: paused ? now : now + 5_000, paused }) } })
    const { body } = await api.call('/health')
    expect(body).toMatchObject({ status: 'degraded', capabilityHealth: { treasuryMutations: 'degraded', blockchain: 'enabled' } })
    expect(body.warnings).toContainEqual({
      code: 'treasury_mutations_paused',
      severity: 'error',
      message: expect.stringContaining('until the pause ends'),
    })
    paused = false
    api.clock.at = now + 1_000
    const after = (await api.call('/health')).body
    expect(after).toMatchObject({ capabilityHealth: { treasuryMutations: 'available' }, chainTime: new Date(now + 5_000).toISOString() })
    expect(after.warnings.map(({ code }: { code: string }) => code)).not.toContain('treasury_mutations_paused')
  })

  test('shows the adapters of registered strategies, and warns of a gas grant without a transfer', async () => {
    const own = await createTestDatabase()
    try {
      const at = Date.parse('2027-02-03T04:05:06.000Z')
      const read = async (now: number) => (await (await start({ databaseUrl: own.url, now })).call('/health')).body
      const { rows } = (await start({ databaseUrl: own.url, now: at })).deps.database
      const adapter = `0x${'e5'.repeat(20)}`
      await sql`insert into chain_event (chain_id, tx_hash, log_index, block_number, block_hash, block_time, address, contract, event, args,
          moves_process, seen_at, revision, notified_revision)
        values (${testChain.chainId}, '0xd', 0, 3, '0x3', now(), '0xa', 'registry', 'StrategyRegistered', ${JSON.stringify({ adapter })}, false,
          now(), 1, 1)`.execute(rows)
      await rows
        .insertInto('gas_grant')
        .values({
          ...{ wallet: '0xw', day: '2027-02-03', status: 'sending', intentHash: '0x1', amountRaw: 1n, liquidRaw: 1n },
          ...{ balanceBeforeRaw: 0n, requestId: 'r', reservedAt: at },
        })
        .execute()
      const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code)
      const young = await read(at + 29 * 60_000)
      expect(young.addresses.strategyAdapters).toEqual([adapter])
      expect(codes(young)).not.toContain('gas_sponsor_grant_unfinished')
      expect(codes(await read(at + 31 * 60_000))).toContain('gas_sponsor_grant_unfinished')
      await rows.updateTable('gas_grant').set({ status: 'failed', txHash: '0xe', failedAt: at }).execute()
      expect(codes(await read(at + 7 * 86_400_000 - 1))).toContain('gas_sponsor_grant_unfinished')
      expect(codes(await read(at + 7 * 86_400_000))).not.toContain('gas_sponsor_grant_unfinished')
    } finally {
      await Promise.all(started.splice(0).map((api) => api.close()))
      await own.drop()
    }
  })

  test('a held pull request is not stuck, and is warned of after its review deadline', async () => {
    const own = await createTestDatabase()
    try {
      const at = Date.parse('2027-02-03T04:05:06.000Z')
      const read = async (now: number) => (await (await start({ databaseUrl: own.url, now })).call('/health')).body
      const { database: records } = (await start({ databaseUrl: own.url, now: at })).deps
      const wallet = `0x${'b2'.repeat(20)}`
      const submitted = { status: 'submitted', chainState: 'submitted', submittedAt: at, reviewEndsAt: at + 48 * 3_600_000 }
      const sessionId = await addSession(records, wallet, 'held', at, submitted)
      // What was handed in is no address, so there is no row of a pull request.
      await records.rows
        .updateTable('session')
        .set({ evidence: sql`evidence || '{"verifierMode":"codehost_pr"}'` })
        .where('sessionId', '=', sessionId)
        .execute()
      await addSession(records, wallet, 'not-held', at, submitted)
      const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code)
      const before = await read(at + 47 * 3_600_000)
      expect(before.settlement.stuck).toBe(1)
      expect(codes(before)).not.toContain('codehost_pr_review_overdue')
      expect(codes(await read(at + 49 * 3_600_000))).toContain('codehost_pr_review_overdue')
      const keepEnd = (reviewEndsAt: number) =>
        records.rows.updateTable('session').set({ reviewEndsAt }).where('sessionId', '=', sessionId).execute()
      await keepEnd(at + 72 * 3_600_000)
      expect(codes(await read(at + 49 * 3_600_000))).not.toContain('codehost_pr_review_overdue')
      await keepEnd(at + 6 * 3_600_000)
      expect(codes(await read(at + 7 * 3_600_000))).toContain('codehost_pr_review_overdue')
    } finally {
      await Promise.all(started.splice(0).map((api) => api.close()))
      await own.drop()
    }
  })

  test('a part that is switched off is disabled, and no failure', async () => {
    const now = Date.parse('2027-02-03T04:05:06.000Z')
    const { body } = await (await start({ now, settings: { OPERATOR_KEY: '' } })).call('/health')
    expect(body.capabilityHealth).toMatchObject({
      treasuryMutations: 'disabled',
      xcmObserver: 'disabled',
      gasSponsor: 'disabled',
      externalPosting: 'disabled',
    })
    expect(body.components).toMatchObject({
      gasSponsor: { ok: true, state: 'disabled' },
      externalPostingWatcher: { ok: true, state: 'disabled' },
    })
    expect(JSON.stringify(body)).not.toContain('"ok":false')
    expect([body.status, body.addresses.settlementSigner]).toEqual(['ok', null])
    const treasury = body.warnings.filter(({ code }: { code: string }) => code.startsWith('treasury_'))
    expect(treasury.map(({ code, severity }: { code: string; severity: string }) => [code, severity])).toEqual([
      ['treasury_mutations_disabled', 'info'],
    ])
    const down = await (await start({ settings: { OPERATOR_KEY: '' }, probes: { chain: failing } })).call('/health')
    expect([down.body.status, down.body.capabilityHealth.treasuryMutations]).toEqual(['degraded', 'disabled'])
  })

  test.each([
    ['refused, and the batches are smaller', 10, { at: 1_000, size: 21 }, ['blockchain_batches_refused']],
    ['refused some time ago, and the batches are large again', 100, { at: 1_000, size: 21 }, []],
    ['never refused', 100, null, []],
  ])('a batch that the node %s is told with its size', async (_what, batchSize, lastRefusal, codes) => {
    const evidence = () => ({ batchSize, configuredSize: 100, refusals: 1, lastRefusal, lastReadAt: null })
    const { body } = await (await start({ probes: { evidence } })).call('/health')
    expect(body.components.blockchain).toMatchObject({
      ...{ batchSize, configuredBatchSize: 100 },
      lastBatchRefusal: lastRefusal && { at: '1970-01-01T00:00:01.000Z', size: 21 },
    })
    const warned = body.warnings.filter(({ code }: { code: string }) => code.startsWith('blockchain_batches'))
    expect(warned.map(({ code }: { code: string }) => code)).toEqual(codes)
    for (const { message } of warned) expect(message).toMatch(/21 requests.*at most 10.*CHAIN_BATCH_SIZE/)
  })

  test('a blocked nonce degrades treasury mutations and names the command', async () => {
    const settings = { OPERATOR_KEY: `0x${'11'.repeat(32)}` }
    const stuck = { signer: '0xabc', trouble: { kind: 'stuck', nonce: 7, forSeconds: 130 } } as const
    const missing = { signer: '0xdef', trouble: { kind: 'missing', nonce: 9, forSeconds: null } } as const
    const { status, body } = await (await start({ settings, probes: { nonces: async () => [stuck, missing] } })).call('/health')
    expect([status, body.status, body.capabilityHealth.treasuryMutations]).toEqual([200, 'degraded', 'degraded'])
    const warnings = body.warnings.filter(({ code }: { code: string }) => code.startsWith('treasury_mutations_'))
    expect(warnings.map(({ code, severity }: { code: string; severity: string }) => [code, severity])).toEqual([
      ['treasury_mutations_nonce_stuck', 'error'],
      ['treasury_mutations_nonce_missing', 'error'],
    ])
    expect(warnings[0].message).toContain('npm run nonce -- replace 7')
    expect(warnings[1].message).toContain('npm run nonce -- fill 9 --signer <its role>')
    const { address } = privateKeyToAccount(settings.OPERATOR_KEY as `0x${string}`)
    const own = { ...stuck, signer: address.toLowerCase() as `0x${string}` }
    const known = await (await start({ settings, probes: { nonces: async () => [own] } })).call('/health')
    expect(JSON.stringify(known.body.warnings)).toContain('replace 7 --signer operator')
    const unknown = await (await start({ settings, probes: { nonces: failing } })).call('/health')
    expect(unknown.body.capabilityHealth.treasuryMutations).toBe('available')
  })

  describe('blocked workflows', () => {
    const warned = async (api: Api): Promise<string[]> =>
      (await api.call('/health')).body.warnings
        .map(({ code }: { code: string }) => code)
        .filter((code: string) => code.startsWith('sessions_held'))

    test('are reported with their number', async () => {
      const { body } = await (await start({ probes: { stopped: async () => ({ refused: 2, failing: 0 }) } })).call('/health')
      expect(body.status).toBe('degraded')
      expect(body.warnings).toContainEqual({
        code: 'sessions_held',
        severity: 'error',
        message: expect.stringMatching(/^The next step of 2 workflows is refused.*SessionState="blocked"/),
      })
      expect(await warned(await start())).toEqual([])
    })

    test('that fail in every workflow task have their own warning', async () => {
      const { body } = await (await start({ probes: { stopped: async () => ({ refused: 0, failing: 3 }) } })).call('/health')
      expect(body.status).toBe('degraded')
      expect(body.warnings.filter(({ code }: { code: string }) => code.startsWith('sessions_'))).toEqual([
        {
          code: 'sessions_failing',
          severity: 'error',
          message: expect.stringMatching(/^3 workflows fail in every workflow task.*TemporalReportedProblems IS NOT NULL\.$/),
        },
      ])
    })

    test('are reported as unknown when they cannot be counted; a failed count keeps the last warning', async () => {
      expect(await warned(await start({ probes: { stopped: failing } }))).toEqual(['sessions_held_unknown'])
      let answers = true
      const now = Date.now()
      const api = await start({ now, probes: { stopped: async () => (answers ? { refused: 1, failing: 0 } : failing()) } })
      expect(await warned(api)).toEqual(['sessions_held'])
      answers = false
      api.clock.at = now + 10_000
      for (let look = 0; look < 3; look += 1) expect(await warned(api)).toEqual(['sessions_held'])
      api.clock.at = now + 40_000
      expect(await warned(api)).toEqual(['sessions_held_unknown'])
    })
  })

  test.each([
    ['a workflow engine that is down', { temporal: failing }, 'engine_unreachable'],
    ['no worker', { temporal: async () => ({ lastPollAt: null }) }, 'no_worker'],
    ['a worker that stopped polling', { temporal: async () => ({ lastPollAt: Date.now() - 121_000 }) }, 'stale'],
  ])('%s is a 503', async (_name, probes, state) => {
    const { status, body } = await (await start({ probes })).call('/health')
    expect([status, body.status, body.serviceHealth.components.workflowWorker.state]).toEqual([503, 'degraded', state])
  })

  test('three failed reads in a row change the status; one or two do not', async () => {
    const flaky = (failures: number) => {
      let left = failures
      return async () => {
        left -= 1
        if (left >= 0) throw new Error('blip')
        return { lastPollAt: Date.now() }
      }
    }
    expect((await (await start({ probes: { temporal: flaky(2) } })).call('/health')).status).toBe(200)
    expect((await (await start({ probes: { temporal: flaky(3) } })).call('/health')).status).toBe(503)
  })

  test('a dependency that never answers does not block the report', async () => {
    const api = await start({ probes: { temporal: () => new Promise(() => undefined) } })
    expect((await api.call('/health')).status).toBe(503)
  })
})

describe('a database that is down', () => {
  test('is a 503 on what needs it; liveness and documents still answer', async () => {
    const gone = 'postgres://postgres:x@127.0.0.1:1/x'
    const api = await start({ databaseUrl: gone, probes: { ...wellProbes(Date.now), database: failing } })
    const { status, body, headers } = await api.call('/auth/nonce', { body: { wallet: accounts.worker.address } })
    expect([status, body.code, body.retryable, headers.get('retry-after')]).toEqual([503, 'state_store_unavailable', true, '2'])
    const health = await api.call('/health')
    expect([health.status, health.body.capabilityHealth.stateStore, health.body.settlement.readable]).toEqual([503, 'unavailable', false])
    for (const path of ['/health/live', '/onboarding', '/docs']) expect((await api.call(path)).status).toBe(200)
  })

  test('is distinguished from a chain that is down and from a defect', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    expect(databaseOutage(refused)?.code).toBe('state_store_unavailable')
    expect(databaseOutage(new Error('fetch failed', { cause: refused }))).toBeNull()
    const own = openDatabase({ url: database.url, poolSize: 1 })
    const defect = await sql`select nonsense`.execute(own.rows).catch((error: unknown) => error)
    expect(databaseOutage(defect)).toBeNull()
    const cancelled = await own
      .transaction(async (rows) => {
        await sql`set local statement_timeout = 10`.execute(rows)
        await sql`select count(*) from generate_series(1, 1000000000)`.execute(rows)
      })
      .catch((error: unknown) => error)
    expect(databaseOutage(cancelled)?.code).toBe('state_store_unavailable')
    await own.close()
  })
})

describe('metrics', () => {
  const secret = 'a-secret-of-the-metrics'
  test('need their own secret; a wallet token is refused', async () => {
    const api = await start({ settings: { METRICS_TOKEN: secret } })
    expect((await api.call('/metrics')).body.code).toBe('missing_token')
    expect((await api.call('/metrics', { token: 'wrong' })).status).toBe(401)
    expect((await api.call('/metrics', { token: await tokenOf(api, accounts.admin) })).status).toBe(401)
    const { status, headers } = await api.call('/metrics', { token: secret })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  })

  test('without a configured secret are a 503, and open on the local stack alone', async () => {
    expect((await (await start()).call('/metrics')).body.code).toBe('metrics_auth_unconfigured')
    expect((await (await start({ settings: { OPEN_METRICS: 'true' } })).call('/metrics')).status).toBe(503)
    expect((await (await start({ isLocal: true, settings: { OPEN_METRICS: 'true' } })).call('/metrics')).status).toBe(200)
  })

  test('stay closed on the local chain unless the setting opens them', async () => {
    for (const OPEN_METRICS of ['false', '']) {
      const api = await start({ isLocal: true, settings: { METRICS_TOKEN: secret, OPEN_METRICS } })
      const { status, body } = await api.call('/metrics')
      expect([status, body.code, body.details]).toEqual([401, 'missing_token', undefined])
      expect(body.nextActions.map(({ kind }: { kind: string }) => kind)).toEqual(['http'])
      expect((await api.call('/metrics', { token: secret })).status).toBe(200)
    }
  })

  test('label by template, count by status, time in real buckets, and show no value of a caller', async () => {
    const api = await start({ settings: { METRICS_TOKEN: secret }, isLocal: true })
    await api.call('/health/live')
    await api.call('/jobs/some-job-marker/estimate')
    await api.call('/nowhere-marker')
    await api.call('/health/live', { method: 'BREW' }).catch(() => undefined)
    const { text } = await api.call('/metrics', { token: secret })
    expect(text).toContain('http_requests_total{method="GET",path="/health/live",status="200"} 1')
    expect(text).toContain('http_requests_total{method="GET",path="/jobs/:id/estimate",status="401"} 1')
    expect(text).toContain('http_requests_total{method="GET",path="other",status="404"} 1')
    expect(text).toContain('auth_failures_total{code="missing_token"} 1')
    expect(text).toContain('state_store_backend{backend="postgres"} 1')
    expect(text).toContain('database_pool_limit 20')
    expect(text).toMatch(/^database_pool_connections\{state="idle"\} \d+$/m)
    expect(text).toMatch(/^event_loop_delay_seconds\{percentile="99"\} [\d.e-]+$/m)
    const buckets = [...text.matchAll(/http_request_duration_seconds_bucket\{le="([^"]+)",method="GET",path="\/health\/live"\}/g)].map(
      ([, edge]) => edge,
    )
    expect(buckets).toEqual(['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '+Inf'])
    expect(text).not.toContain('marker')
  })
})

test('a check of the audit that did not pass is a warning with its name, until it passes', async () => {
  const place = await createTestDatabase()
  databases.push(place)
  const api = await start({ databaseUrl: place.url })
  const open = openDatabase({ url: place.url, poolSize: 1 })
  const store = (outcome: AuditOutcome): Promise<void> =>
    storeReport(open.rows, { block: '1', results: [{ check: 'journal', outcome, findings: 1, examples: [], reason: null, durationMs: 1 }] })
  const readWarnings = async (): Promise<[string, string][]> => {
    const { body } = await (await start({ databaseUrl: place.url })).call('/health')
    return body.warnings.flatMap(({ code, message }: { code: string; message: string }) =>
      code.startsWith('audit_') ? [[code, message]] : [],
    )
  }
  expect((await api.call('/health')).body.warnings.some(({ code }: { code: string }) => code.startsWith('audit_'))).toBe(false)
  await store('failed')
  expect(await readWarnings()).toEqual([['audit_findings', 'The last audit found contradictions: journal. See: npm run audit']])
  await store('unread')
  expect(await readWarnings()).toEqual([['audit_unread', 'The last audit could not read: journal. See: npm run audit']])
  await store('passed')
  expect(await readWarnings()).toEqual([])
  await open.close()
})

test('a cached answer is served while it is reloaded, and not once it is too old by the service clock', async () => {
  let loads = 0
  let time = 1_000
  const read = staleWhileRevalidate(async () => ++loads, { freshMs: 20, staleMs: () => 80, now: () => time })
  expect([await read(), await read()]).toEqual([1, 1])
  time += 30
  expect(await read()).toBe(1)
  await new Promise(setImmediate)
  expect(await read()).toBe(2)
  time += 100
  expect(await read()).toBe(3)
})
