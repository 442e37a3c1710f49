import { describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { storeReport } from '../../../activities/audit/records.ts'
import { openDatabase } from '../../../activities/database/database.ts'
import { databaseOutage } from '../../../activities/database/outages.ts'
import type { Probes } from '../../../api/health/probes.ts'
import { verificationWarnings } from '../../../api/health/verification.ts'
import { staleWhileRevalidate } from '../../../api/http/cache.ts'
import type { AuditOutcome } from '../../../schemas/audit/record.ts'
import type { ReadinessReason } from '../../../schemas/catalogue/readiness.ts'
import { type Api, type ApiOptions, accounts, pollsAt, type Reply, testChain, tokenOf, wellProbes } from '../../support/api.ts'
import { meetVerdictNeeds, storeCheckAged } from '../../support/records/verdict-needs.ts'
import { NOW } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { useApis } from '../support/started.ts'
import { addSession } from '../support/work-rows.ts'

const { start, createDatabase } = useApis()
/** The report of a new process. */
const report = async (options: Partial<ApiOptions> = {}): Promise<Reply> => (await start(options)).call('/health')
/** Code and severity of the warnings whose code starts so. */
const warningsOf = ({ body }: Pick<Reply, 'body'>, prefix = ''): string[] =>
  body.warnings
    .filter(({ code }: { code: string }) => code.startsWith(prefix))
    .map(({ code, severity }: { code: string; severity: string }) => `${code} ${severity}`)

const OPERATOR_KEY = `0x${'11'.repeat(32)}`
const AT = Date.parse('2027-02-03T04:05:06.000Z')
const failing = async (): Promise<never> => {
  throw new Error('down')
}

const UNVERIFIED = { waiverEligibleClaimableJobs: null, readable: false, reason: 'onboarding_waiver_inventory_unverified' }

describe('health', () => {
  test('is 200 while the service can work, with figures of the database', async () => {
    const { status, body, headers } = await report({ now: AT, settings: { OPERATOR_KEY } })
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

  test('shows the reward bank as unreadable until it is read, and warns when no starter job is left', async () => {
    const { body: unread } = await report()
    expect(unread.rewardBank).toMatchObject({ liquid: null, readable: false, stale: true })
    expect(unread.onboarding).toMatchObject(UNVERIFIED)
    const api = await start()
    await fillBank(api.deps.database, 12_500_000n)
    const reply = await api.call('/health')
    const liquid = { asset: 'USDC', raw: '12500000', decimals: 6, display: '12.5' }
    expect(reply.body.rewardBank).toMatchObject({ liquid, readable: true, stale: false })
    expect(warningsOf(reply, 'onboarding_')).toEqual(['onboarding_waiver_inventory_empty warn'])
    expect(reply.body.onboarding.subsidy).toMatchObject({
      dailyBudget: { display: '8' },
      allocated: { display: '0' },
      headroom: { display: '8' },
      clock: 'UTC',
    })
  })

  test('shows the last check of what verdicts need, and warns of what they lack', async () => {
    const api = await start({ databaseUrl: await createDatabase() })
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
      ['arbitrator_key', true],
      ['code_host', false],
      ...['benchmark', 'codehost_pr', 'deterministic', 'human_fallback', 'verification_profile'].map((mode) => [`handler:${mode}`, true]),
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

  test('shows every instant by the service clock, with its age, also ahead of the clocks of database and process', async () => {
    const jump = 2 * 3_600_000
    const now = Date.now() + jump
    const api = await start({
      now,
      databaseUrl: await createDatabase(),
      probes: {
        follower: async () => ({ ...lag, gapFoundAt: Date.now() - 60_000 }),
        evidence: () => ({
          ...wellProbes(Date.now).evidence(),
          lastReadAt: Date.now() - 60_000,
          lastRefusal: { at: Date.now() - 60_000, size: 9 },
        }),
      },
    })
    const { rows } = api.deps.database
    await fillBank(api.deps.database)
    await meetVerdictNeeds(rows)
    await sql`update verdict_need set checked_at = now() - interval '60 seconds'`.execute(rows)
    await sql`update reward_bank_reading set read_at = now() - interval '60 seconds'`.execute(rows)
    const { rewardBank, components } = (await api.call('/health')).body
    const { blockchain, indexer, verification } = components
    const wall = [
      rewardBank.asOf,
      blockchain.lastReadAt,
      blockchain.lastBatchRefusal.at,
      indexer.gapFoundAt,
      verification.needs[0].checkedAt,
    ]
    expect(wall.filter((instant) => Math.abs(Date.parse(instant) - now) > jump / 2)).toEqual([])
  })

  test.each([
    ['no worker polls', { temporal: async () => ({ polls: pollsAt(null) }) }, 'no_worker'],
    ['the last poll is over two minutes old', { temporal: async () => ({ polls: pollsAt(Date.now() - 121_000) }) }, 'no_worker'],
    ['a task queue has no worker', { temporal: async () => ({ polls: pollsAt(Date.now(), { webhooks: null }) }) }, 'queue_unserved'],
    ['Temporal does not answer', { temporal: failing }, 'engine_unreachable'],
    ['the database does not answer', { database: failing }, 'state_store_unavailable'],
  ] as const)('names the cause before its consequences when %s', async (_case, probes, code) => {
    const { status, body } = await report({ probes: { follower: async () => ({ ...lag, lagSeconds: 601 }), ...probes } })
    expect([status, body.status, body.warnings[0].code, body.warnings[0].severity]).toEqual([503, 'degraded', code, 'error'])
  })

  const lag = { cursor: 7n, head: 7n, lagSeconds: 600, gapBlock: null, missedEvents: 0, gapFoundAt: null }
  test.each([
    ['caught up', lag, 'synced', true, []],
    ['too far behind the chain', { ...lag, head: 9n, lagSeconds: 600.5 }, 'lagging', false, ['indexer_lagging error']],
    ['caught up after a gap', { ...lag, missedEvents: 3, gapFoundAt: NOW }, 'synced', true, []],
    ['known to be incomplete', { ...lag, gapBlock: 5n, missedEvents: 3, gapFoundAt: NOW }, 'behind', false, ['indexer_behind error']],
    ['without a follower', null, 'unavailable', false, ['indexer_unavailable warn']],
  ] as const)('shows whether the records are %s', async (_what, follower, state, ok, warned) => {
    const reply = await report({ probes: { follower: async () => follower } })
    const { capabilityHealth, components } = reply.body
    expect([reply.status, capabilityHealth.indexer, components.indexer.ok, warningsOf(reply, 'indexer_')]).toEqual([200, state, ok, warned])
    expect(components.indexer).toMatchObject(follower === null ? { block: null, lagSeconds: null } : { block: '7', lagSeconds: 600 })
  })

  test('reports the indexer as unavailable when its state cannot be read', async () => {
    const { body } = await report({ probes: { follower: failing } })
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
    const { body } = await report({ now: NOW, settings: { REWARD_BANK_MAX_AGE_SECONDS: '900' } })
    await sql`delete from reward_bank_reading`.execute(rows)
    expect([body.rewardBank.stale, body.rewardBank.readable]).toEqual([true, true])
    expect(body.onboarding).toMatchObject(UNVERIFIED)
  })

  test('an unreadable chain is unhealthy and not a 503', async () => {
    const { status, body } = await report({ probes: { chain: failing } })
    const expected = { status: 'degraded', serviceHealth: { ok: true }, capabilityHealth: { blockchain: 'unhealthy' }, chainTime: null }
    expect([status, body]).toMatchObject([200, expected])
  })

  test.each<[string, Probes['settlement'], unknown, string[]]>([
    ['is not configured', async () => null, undefined, []],
    ['has the configured token', async () => ({ isConfirmed: true }), { ok: true, state: 'ready' }, []],
    ['does not answer its client', async () => ({ isConfirmed: null }), { ok: false, state: 'no_answer' }, ['settlement_no_answer warn']],
    ['does not answer in time', failing, { ok: false, state: 'no_answer' }, ['settlement_no_answer warn']],
    [
      'has another token',
      async () => ({ isConfirmed: false, problem: 'a name of the token' }),
      { ok: false, state: 'another_domain' },
      ['settlement_another_domain warn'],
    ],
  ])('a payment chain that %s is shown and leaves the service as it is', async (_what, settlement, component, warned) => {
    const { status, body: well } = await report()
    const reply = await report({ probes: { settlement } })
    expect(reply.body.components.settlement).toEqual(component)
    expect(warningsOf(reply, 'settlement_')).toEqual(warned)
    const { serviceHealth, capabilityHealth } = well
    expect([reply.status, reply.body]).toMatchObject([status, { status: well.status, serviceHealth, capabilityHealth }])
    expect(reply.text).not.toContain('a name of the token')
  })

  test('paused contracts degrade the treasury; a chain read is at most a second old', async () => {
    const now = Date.now()
    let paused = true
    const api = await start({
      now,
      settings: { OPERATOR_KEY },
      probes: { chain: async () => ({ blockTime: paused ? now : now + 5_000, paused }) },
    })
    const { body } = await api.call('/health')
    expect(body).toMatchObject({ status: 'degraded', capabilityHealth: { treasuryMutations: 'degraded', blockchain: 'enabled' } })
    expect(body.warnings).toContainEqual({
      code: 'treasury_mutations_paused',
      severity: 'error',
      message: expect.stringContaining('until the pause ends'),
    })
    paused = false
    api.clock.at = now + 1_000
    const after = await api.call('/health')
    expect(after.body).toMatchObject({
      capabilityHealth: { treasuryMutations: 'available' },
      chainTime: new Date(now + 5_000).toISOString(),
    })
    expect(warningsOf(after, 'treasury_')).toEqual([])
  })

  test('shows the adapters of registered strategies, and warns of a gas grant without a transfer', async () => {
    const databaseUrl = await createDatabase()
    const read = (now: number) => report({ databaseUrl, now })
    const { rows } = (await start({ databaseUrl })).deps.database
    const adapter = `0x${'e5'.repeat(20)}`
    await sql`insert into chain_event (chain_id, tx_hash, log_index, block_number, block_hash, block_time, address, contract, event, args,
        moves_process, seen_at, revision, notified_revision)
      values (${testChain.chainId}, '0xd', 0, 3, '0x3', now(), '0xa', 'registry', 'StrategyRegistered', ${JSON.stringify({ adapter })}, false,
        now(), 1, 1)`.execute(rows)
    await rows
      .insertInto('gas_grant')
      .values({
        wallet: '0xw',
        day: '2027-02-03',
        dailyCap: 25,
        status: 'sending',
        intentHash: '0x1',
        amountRaw: 1n,
        liquidRaw: 1n,
        balanceBeforeRaw: 0n,
        requestId: 'r',
        reservedAt: AT,
      })
      .execute()
    const unfinished = ['gas_sponsor_grant_unfinished warn']
    const young = await read(AT + 29 * 60_000)
    expect([young.body.addresses.strategyAdapters, warningsOf(young, 'gas_')]).toEqual([[adapter], []])
    expect(warningsOf(await read(AT + 31 * 60_000), 'gas_')).toEqual(unfinished)
    await rows.updateTable('gas_grant').set({ status: 'failed', txHash: '0xe', failedAt: AT }).execute()
    expect(warningsOf(await read(AT + 7 * 86_400_000 - 1), 'gas_')).toEqual(unfinished)
    expect(warningsOf(await read(AT + 7 * 86_400_000), 'gas_')).toEqual([])
  })

  test('a held pull request is not stuck, and is warned of after its review deadline', async () => {
    const databaseUrl = await createDatabase()
    const HOUR = 3_600_000
    const { database: records } = (await start({ databaseUrl, now: AT })).deps
    const submitted = { status: 'submitted', chainState: 'submitted', submittedAt: AT, reviewEndsAt: AT + 48 * HOUR }
    const sessionId = await addSession(records, `0x${'b2'.repeat(20)}`, 'held', AT, submitted)
    // The submission is no address, so there is no row of a pull request.
    const session = records.rows.updateTable('session').where('sessionId', '=', sessionId)
    await session.set({ evidence: sql`evidence || '{"verifierMode":"codehost_pr"}'` }).execute()
    await addSession(records, `0x${'b2'.repeat(20)}`, 'not-held', AT, submitted)
    for (const [endsAfter, hours, warned] of [
      [48, 47, 0],
      [48, 49, 1],
      [72, 49, 0],
      [6, 7, 1],
    ] as const) {
      await session.set({ reviewEndsAt: AT + endsAfter * HOUR }).execute()
      const reply = await report({ databaseUrl, now: AT + hours * HOUR })
      expect([endsAfter, hours, warningsOf(reply, 'codehost_pr_review_overdue').length]).toEqual([endsAfter, hours, warned])
      if (hours === 47) expect(reply.body.settlement.stuck).toBe(1)
    }
  })

  test('a part that is switched off is disabled, and no failure', async () => {
    const reply = await report({ now: AT, settings: { OPERATOR_KEY: '' } })
    const { body } = reply
    const disabled = { ok: true, state: 'disabled' }
    expect(body).toMatchObject({
      capabilityHealth: { treasuryMutations: 'disabled', xcmObserver: 'disabled', gasSponsor: 'disabled', externalPosting: 'disabled' },
      components: { gasSponsor: disabled, externalPostingWatcher: disabled },
    })
    expect(JSON.stringify(body)).not.toContain('"ok":false')
    expect([body.status, body.addresses.settlementSigner]).toEqual(['ok', null])
    expect(warningsOf(reply, 'treasury_')).toEqual(['treasury_mutations_disabled info'])
    const down = await report({ settings: { OPERATOR_KEY: '' }, probes: { chain: failing } })
    expect([down.body.status, down.body.capabilityHealth.treasuryMutations]).toEqual(['degraded', 'disabled'])
  })

  test.each([
    ['refused, and the batches are smaller', 10, { at: 1_000, size: 21 }, ['blockchain_batches_refused']],
    ['refused some time ago, and the batches are large again', 100, { at: 1_000, size: 21 }, []],
    ['never refused', 100, null, []],
  ])('a batch that the node %s is shown with its size', async (_what, batchSize, lastRefusal, codes) => {
    const nodes = { count: 2, inUse: 2, changes: 1, lags: [null, 0] }
    const evidence = () => ({ nodes, batchSize, configuredSize: 100, refusals: 1, lastRefusal, lastReadAt: null })
    const { body } = await report({ probes: { evidence } })
    expect(body.components.blockchain).toMatchObject({
      batchSize,
      configuredBatchSize: 100,
      lastBatchRefusal: lastRefusal && { at: '1970-01-01T00:00:01.000Z', size: 21 },
      nodes: { count: 2, inUse: 2, changes: 1, lagBlocks: [null, 0] },
    })
    const warned = body.warnings.filter(({ code }: { code: string }) => code.startsWith('blockchain_batches'))
    expect(warned.map(({ code }: { code: string }) => code)).toEqual(codes)
    for (const { message } of warned) expect(message).toMatch(/21 requests.*at most 10.*CHAIN_BATCH_SIZE/)
  })

  test('a blocked nonce degrades treasury mutations and names the command', async () => {
    const stuck = { signer: '0xabc', trouble: { kind: 'stuck', nonce: 7, forSeconds: 130 } } as const
    const missing = { signer: '0xdef', trouble: { kind: 'missing', nonce: 9, forSeconds: null } } as const
    const withNonces = (nonces: Probes['nonces']) => report({ settings: { OPERATOR_KEY }, probes: { nonces } })
    const reply = await withNonces(async () => [stuck, missing])
    expect([reply.status, reply.body]).toMatchObject([200, { status: 'degraded', capabilityHealth: { treasuryMutations: 'degraded' } }])
    const warned = ['treasury_mutations_nonce_stuck error', 'treasury_mutations_nonce_missing error']
    expect(warningsOf(reply, 'treasury_mutations_')).toEqual(warned)
    const messages = JSON.stringify(reply.body.warnings)
    for (const command of ['replace 7', 'fill 9 --signer <its role>']) expect(messages).toContain(`npm run nonce -- ${command}`)
    const own = { ...stuck, signer: accounts.other.address.toLowerCase() as `0x${string}` }
    expect(JSON.stringify((await withNonces(async () => [own])).body.warnings)).toContain('replace 7 --signer operator')
    expect((await withNonces(failing)).body.capabilityHealth.treasuryMutations).toBe('available')
  })

  describe('blocked workflows', () => {
    test.each([
      [{ refused: 2, failing: 0 }, 'sessions_held', /^The next step of 2 workflows is refused.*SessionState="blocked"/],
      [{ refused: 0, failing: 3 }, 'sessions_failing', /^3 workflows fail in every workflow task.*TemporalReportedProblems IS NOT NULL\.$/],
    ])('counted as %j are the warning %s', async (stopped, code, message) => {
      const { body } = await report({ probes: { stopped: async () => stopped } })
      expect(body.status).toBe('degraded')
      expect(body.warnings.filter((warning: { code: string }) => warning.code.startsWith('sessions_'))).toEqual([
        { code, severity: 'error', message: expect.stringMatching(message) },
      ])
    })

    const warned = async (api: Api): Promise<string[]> =>
      warningsOf(await api.call('/health'), 'sessions_').map((warning) => warning.split(' ')[0] ?? '')

    test('are reported as unknown when they cannot be counted; a failed count keeps the last warning', async () => {
      expect(await warned(await start())).toEqual([])
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
    ['no worker', { temporal: async () => ({ polls: pollsAt(null) }) }, 'no_worker'],
    ['a worker that stopped polling', { temporal: async () => ({ polls: pollsAt(Date.now() - 121_000) }) }, 'stale'],
    [
      'a task queue without a worker',
      { temporal: async () => ({ polls: pollsAt(Date.now(), { chain: Date.now() - 121_000 }) }) },
      'unserved',
    ],
    ['a workflow engine that never answers', { temporal: () => new Promise<never>(() => undefined) }, 'engine_unreachable'],
  ])('%s is a 503', async (_name, probes, state) => {
    const { status, body } = await report({ probes })
    expect([status, body.status, body.serviceHealth.components.workflowWorker.state]).toEqual([503, 'degraded', state])
  })

  test('three failed reads in a row change the status; one or two do not', async () => {
    const flaky = (failures: number) => {
      let left = failures
      return async () => {
        left -= 1
        if (left >= 0) throw new Error('blip')
        return { polls: pollsAt(Date.now()) }
      }
    }
    expect((await report({ probes: { temporal: flaky(2) } })).status).toBe(200)
    expect((await report({ probes: { temporal: flaky(3) } })).status).toBe(503)
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
    const own = openDatabase({ url: (await start()).deps.settings.DATABASE_URL, poolSize: 1 })
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
  test.each<[string, Partial<ApiOptions>, string | undefined, number, string | undefined]>([
    ['their own secret', { settings: { METRICS_TOKEN: secret } }, secret, 200, undefined],
    ['no token', { settings: { METRICS_TOKEN: secret } }, undefined, 401, 'missing_token'],
    ['another secret', { settings: { METRICS_TOKEN: secret } }, 'wrong', 401, undefined],
    ['no configured secret', {}, undefined, 503, 'metrics_auth_unconfigured'],
    ['an open setting away from the local chain', { settings: { OPEN_METRICS: 'true' } }, undefined, 503, undefined],
    ['an open setting on the local chain', { isLocal: true, settings: { OPEN_METRICS: 'true' } }, undefined, 200, undefined],
    ['a closed setting', { isLocal: true, settings: { METRICS_TOKEN: secret, OPEN_METRICS: 'false' } }, undefined, 401, 'missing_token'],
    ['no setting', { isLocal: true, settings: { METRICS_TOKEN: secret, OPEN_METRICS: '' } }, undefined, 401, 'missing_token'],
    ['no setting, and the secret', { isLocal: true, settings: { METRICS_TOKEN: secret, OPEN_METRICS: '' } }, secret, 200, undefined],
  ])('answer a request with %s by a status of their own', async (_what, options, token, status, code) => {
    const reply = await (await start(options)).call('/metrics', { token })
    expect(reply).toMatchObject({ status, ...(code && { body: { code } }) })
    if (status === 200) expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  test('refuse the token of a wallet', async () => {
    const api = await start({ settings: { METRICS_TOKEN: secret } })
    expect((await api.call('/metrics', { token: await tokenOf(api, accounts.admin) })).status).toBe(401)
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
  const databaseUrl = await createDatabase()
  const { rows } = (await start({ databaseUrl })).deps.database
  const store = (outcome: AuditOutcome): Promise<void> =>
    storeReport(rows, { block: '1', results: [{ check: 'journal', outcome, findings: 1, examples: [], reason: null, durationMs: 1 }] })
  const readWarnings = async (): Promise<string[]> =>
    (await report({ databaseUrl })).body.warnings.flatMap(({ code, message }: { code: string; message: string }) =>
      code.startsWith('audit_') ? `${code}: ${message}` : [],
    )
  expect(await readWarnings()).toEqual([])
  await store('failed')
  expect(await readWarnings()).toEqual(['audit_findings: The last audit found contradictions: journal. See: npm run audit'])
  await store('unread')
  expect(await readWarnings()).toEqual(['audit_unread: The last audit could not read: journal. See: npm run audit'])
  await store('passed')
  expect(await readWarnings()).toEqual([])
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
