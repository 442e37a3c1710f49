import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import type { Hex } from 'viem'
import { storeReport } from '../../../activities/audit/records.ts'
import { createNonceStatus, type SignerStatus } from '../../../activities/chain/journal/nonce-status.ts'
import { openDatabase } from '../../../activities/database/database.ts'
import { emit } from '../../../activities/events/outbox.ts'
import { observeJournal } from '../../../activities/observability/journal.ts'
import { observeProcess } from '../../../activities/observability/process.ts'
import type { AuditResult } from '../../../schemas/audit/record.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { BANK_METRICS, bankSamples } from '../../../workers/catalogue/reward-bank.ts'
import { createNonceAlarm, NONCE_METRICS, nonceSamples, startNonceKeeper } from '../../../workers/chain/nonce-keeper.ts'
import { createWorkerFigures, type WorkerFiguresDeps } from '../../../workers/observability/metrics.ts'
import { startMetricsServer } from '../../../workers/observability/metrics-server.ts'
import { away, type Journal, signer, startJournal, withoutSends } from '../../activities/support/journal-world.ts'
import { bondAt, type Records, startRecords } from '../../activities/support/service.ts'
import { eventually } from '../../support/eventually.ts'
import { collectLog } from '../../support/log.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'

let journal: Journal
let records: Records
beforeAll(async () => {
  ;[journal, records] = await Promise.all([startJournal(), startRecords()])
  await journal.transactions().send('operator', [journal.mint()])
})
afterAll(async () => {
  await records.stop()
  await journal.stop()
})

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const INFO = 30
const ERROR = 50

/** Value of a series of a page, undefined when it is not there. */
const valueIn = (page: string, series: string): number | undefined => {
  const line = page.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const pageOf = (deps: Partial<WorkerFiguresDeps> & Pick<WorkerFiguresDeps, 'database' | 'clock'>) =>
  createWorkerFigures({
    registry: new Registry(),
    chainId: journal.chainId,
    metrics: [BANK_METRICS, NONCE_METRICS],
    readSamples: () => [],
    engine: async () => '',
    ...deps,
  })

describe('the figures of the journal', () => {
  const figures = () => pageOf(journal.deps)()

  test('show what is not out, what is not mined, and since when', async () => {
    const crashed = journal.transactions({ clients: withoutSends(journal.clients, away) })
    await expect(crashed.send('operator', [journal.mint('figures')])).rejects.toThrow('the node is away')
    journal.pass(10)
    const unsent = await figures()
    expect(valueIn(unsent, 'chain_transactions_pending{function="mint",status="signed"}')).toBe(1)
    expect(valueIn(unsent, `chain_journal_oldest_unsent_seconds{signer="${signer}"}`)).toBeGreaterThanOrEqual(10)
    await journal.mining(false)
    await journal.pump().resumeNeglected(signer as Hex)
    const sent = await figures()
    expect(valueIn(sent, 'chain_transactions_pending{function="mint",status="broadcast"}')).toBe(1)
    expect(valueIn(sent, `chain_journal_oldest_unsent_seconds{signer="${signer}"}`)).toBe(0)
    expect(valueIn(sent, `chain_journal_oldest_unmined_seconds{signer="${signer}"}`)).toBeGreaterThanOrEqual(10)
    await journal.mining(true)
    await journal.mine()
    await journal.transactions().send('operator', [journal.mint('figures')])
    const mined = await figures()
    expect(mined).not.toMatch(/^chain_transactions_pending\{/m)
    expect(valueIn(mined, `chain_journal_oldest_unmined_seconds{signer="${signer}"}`)).toBe(0)
  })

  test('show the gap and what holds it up, as the keeper last saw it', async () => {
    await journal.mining(false)
    const outcome = journal.transactions().send('operator', [journal.mint('gap')])
    await journal.untilStatus('gap', 'broadcast')
    journal.pass(5)
    const status = await journal.status(1)
    const page = await pageOf({ ...journal.deps, readSamples: () => nonceSamples([{ at: Date.now() - 3_000, signers: [status] }]) })()
    expect(valueIn(page, `chain_nonce_gap{signer="${signer}"}`)).toBe(1)
    expect(valueIn(page, `chain_nonce_stuck{signer="${signer}",kind="stuck"}`)).toBe(1)
    expect(valueIn(page, `chain_nonce_stuck{signer="${signer}",kind="missing"}`)).toBe(0)
    expect(valueIn(page, 'chain_nonce_check_age_seconds')).toBeGreaterThanOrEqual(3)
    await journal.mining(true)
    await journal.mine()
    await outcome
  })

  test('count each step of a transaction once', async () => {
    const registry = new Registry()
    const { logger, lines } = collectLog()
    const observe = observeJournal(registry, logger)
    journal.observedSteps.length = 0
    const ids = { jobId: 'job-7', sessionId: 'session-7', requestId: 'request-7' }
    const [mined] = await journal.transactions().send('operator', [{ ...journal.mint('counted'), ...ids }])
    for (const { step, ...row } of journal.observedSteps) observe(step, row)
    const page = await registry.metrics()
    for (const step of ['signed', 'sent', 'mined'])
      expect(valueIn(page, `chain_transactions_total{function="mint",step="${step}"}`)).toBe(1)
    expect(lines).toHaveLength(3)
    const { nonce, rawTransaction } = await journal.rowOf('counted')
    const named = { intentKey: 'counted', functionName: 'mint', signer, nonce, txHash: mined?.txHash }
    expect(lines).toMatchObject(['signed', 'sent', 'mined'].map((step) => ({ step, ...named, ...ids })))
    expect(JSON.stringify(lines)).not.toContain(rawTransaction)
  })
})

describe('the figures of claims, sessions and events', () => {
  const figures = () => pageOf(records)()

  test('show admitted claims by stage, and the age of the oldest', async () => {
    const before = await figures()
    expect(valueIn(before, 'claims_pending{stage="locking_bond"}')).toBe(0)
    await records.admission.admitClaim({ ...claimInput(await records.addJob('pending')), runId: 'run-pending' })
    records.clock.move(60_000)
    const after = await figures()
    expect(valueIn(after, 'claims_pending{stage="locking_bond"}')).toBe(1)
    expect(valueIn(after, 'claims_pending_oldest_seconds{stage="locking_bond"}')).toBeGreaterThanOrEqual(60)
  })

  test('show claims past their expiry and submissions that wait for a verdict', async () => {
    const wallet = `0x${'d'.repeat(40)}`
    const claim = { ...claimInput(await records.addJob('overdue'), { wallet, idempotencyKey: 'overdue' }), runId: 'run-overdue' }
    const admitted = await records.admission.admitClaim(claim)
    await records.claims.recordClaim({ claim, admitted, bond: bondAt(records.clock.now()) })
    expect(valueIn(await figures(), 'sessions_overdue')).toBe(0)
    records.clock.move(3_700_000)
    const overdue = await figures()
    expect(valueIn(overdue, 'sessions_overdue')).toBe(1)
    expect(valueIn(overdue, 'sessions_overdue_oldest_seconds')).toBeGreaterThanOrEqual(90)
    const at = records.clock.now()
    await records.rows
      .updateTable('session')
      .set({ status: 'submitted', submittedAt: at })
      .where('sessionId', '=', admitted.sessionId)
      .execute()
    records.clock.move(30_000)
    const submitted = await figures()
    expect(valueIn(submitted, 'sessions_overdue')).toBe(0)
    expect(valueIn(submitted, 'sessions_awaiting_verdict{status="submitted"}')).toBe(1)
    expect(valueIn(submitted, 'sessions_awaiting_verdict_oldest_seconds{status="submitted"}')).toBeGreaterThanOrEqual(30)
    expect(valueIn(submitted, 'sessions_awaiting_verdict{status="disputed"}')).toBe(0)
  })

  test('show events without a public sequence', async () => {
    const before = valueIn(await figures(), 'events_unsequenced') ?? Number.NaN
    await emit(records.rows, { topic: 'session.claimed', wallets: [], at: records.clock.now(), data: {} })
    records.clock.move(20_000)
    const page = await figures()
    expect(valueIn(page, 'events_unsequenced')).toBe(before + 1)
    expect(valueIn(page, 'events_unsequenced_oldest_seconds')).toBeGreaterThanOrEqual(20)
  })
})

describe('the figures of the process', () => {
  test('show the pool and the event loop, and when the bank was last read', async () => {
    const registry = new Registry()
    observeProcess(registry, records.database)
    const readAt = Date.now() - 7_000
    const page = pageOf({ ...records, registry, readSamples: () => bankSamples(readAt) })
    await records.database.transaction(async () => {
      const held = await page()
      expect(valueIn(held, 'database_pool_connections{state="in_use"}')).toBeGreaterThanOrEqual(1)
    })
    const text = await page()
    expect(valueIn(text, 'database_pool_connections{state="in_use"}')).toBe(0)
    expect(valueIn(text, 'database_pool_connections{state="idle"}')).toBeGreaterThanOrEqual(1)
    expect(valueIn(text, 'database_pool_limit')).toBe(20)
    expect(valueIn(text, 'database_pool_waiting')).toBe(0)
    expect(valueIn(text, 'event_loop_delay_seconds{percentile="100"}')).toBeGreaterThanOrEqual(0)
    expect(valueIn(text, 'reward_bank_read_age_seconds')).toBeGreaterThanOrEqual(7)
  })

  test('still answer when the database is down or hangs, and when the engine is silent: what is not known is not shown', async () => {
    const gone = openDatabase({ url: 'postgres://postgres:x@127.0.0.1:1/x', poolSize: 1 })
    const engine = async (): Promise<never> => {
      throw new Error('silent')
    }
    const page = pageOf({ ...records, database: gone, engine, readSamples: () => bankSamples(Date.now()) })
    const text = await page()
    expect([valueIn(text, 'database_up'), valueIn(text, 'workflow_engine_figures_up')]).toEqual([0, 0])
    expect(text).not.toMatch(/^claims_pending/m)
    expect(valueIn(text, 'reward_bank_read_age_seconds')).toBeDefined()
    await gone.close()

    const blocked = records.database.transaction(async (rows) => {
      await rows.selectFrom('event').selectAll().limit(1).execute()
      await sql`lock table claim_intent in access exclusive mode`.execute(rows)
      // The lock is held until the page has answered.
      const hanging = await pageOf(records)()
      expect(valueIn(hanging, 'database_up')).toBe(0)
    })
    await blocked
    expect(valueIn(await pageOf({ ...records, engine: async () => 'temporal_x_total 1\n' })(), 'temporal_x_total')).toBe(1)
  })
})

describe('the page of figures', () => {
  const settingsOf = (changes: Record<string, string>) => readSettings({ DATABASE_URL: 'x', CHAIN_FILE: 'x', ...changes })
  const serve = (changes: Record<string, string>, isLocal: boolean) =>
    startMetricsServer({
      settings: settingsOf(changes),
      isLocal,
      port: 0,
      host: '127.0.0.1',
      figures: async () => 'some_figure 1\n',
      logger: quiet,
    })
  const ask = async (port: number, path = '/metrics', init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const text = await response.text()
    const code = response.ok ? text : (JSON.parse(text) as { code: string }).code
    return [response.status, code, response.headers.get('content-type')]
  }
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  test('needs the metrics secret, as the page of the API does', async () => {
    const secret = 'a-secret-of-the-metrics'
    const { port, close } = await serve({ METRICS_TOKEN: secret }, false)
    expect(await ask(port)).toEqual([401, 'missing_token', 'application/problem+json'])
    expect(await ask(port, '/metrics', bearer('wrong'))).toEqual([401, 'bad_signature', 'application/problem+json'])
    expect(await ask(port, '/metrics', { headers: { authorization: 'Basic x' } })).toEqual([
      401,
      'malformed_token',
      'application/problem+json',
    ])
    expect(await ask(port, '/metrics', bearer(secret))).toEqual([200, 'some_figure 1\n', 'text/plain; version=0.0.4; charset=utf-8'])
    expect(await ask(port, '/elsewhere', bearer(secret))).toEqual([404, 'not_found', 'application/problem+json'])
    expect(await ask(port, '/metrics', { method: 'POST', ...bearer(secret) })).toEqual([
      405,
      'method_not_allowed',
      'application/problem+json',
    ])
    await close()
  })

  test('is closed without a configured secret, and open on the local stack', async () => {
    const closed = await serve({ OPEN_METRICS: 'true' }, false)
    expect((await ask(closed.port)).slice(0, 2)).toEqual([503, 'metrics_auth_unconfigured'])
    await closed.close()
    const open = await serve({ OPEN_METRICS: 'true', NODE_ENV: 'production' }, true)
    expect((await ask(open.port))[0]).toBe(200)
    await open.close()
  })
})

test('the figures of the audit show findings, what could not be read, and since when a check has not passed', async () => {
  const page = () => pageOf({ database: records.database, clock: records.clock })()
  const result = { check: 'badges' as const, outcome: 'passed' as const, findings: 0, examples: [], reason: null, durationMs: 1 }
  const figuresAfter = async (changes: Partial<AuditResult>): Promise<(number | undefined)[]> => {
    await storeReport(records.rows, { block: '1', results: [{ ...result, ...changes }] })
    const text = await page()
    return ['findings', 'unread'].map((name) => valueIn(text, `audit_${name}{check="badges"}`))
  }
  expect(valueIn(await page(), 'audit_passed_age_seconds{check="badges"}')).toBeGreaterThan(0)
  expect(await figuresAfter({})).toEqual([0, 0])
  await sql`update audit_check set passed_at = passed_at - interval '1 day'`.execute(records.rows)
  expect(await figuresAfter({ outcome: 'failed', findings: 3 })).toEqual([3, 0])
  expect(await figuresAfter({ outcome: 'unread' })).toEqual([0, 1])
  expect(valueIn(await page(), 'audit_passed_age_seconds{check="badges"}')).toBeGreaterThanOrEqual(86_400)
})

describe('the keeper', () => {
  test('sends what lost its process', async () => {
    const crashed = journal.transactions({ clients: withoutSends(journal.clients, away) })
    await expect(crashed.send('operator', [journal.mint('orphan')])).rejects.toThrow('the node is away')
    journal.pass(6)
    const status = createNonceStatus({ ...journal.deps, stuckAfterSeconds: 1_000 })
    const { logger } = collectLog()
    const keeper = startNonceKeeper({ pump: journal.pump(), status, raise: async () => [], roleOf: () => undefined, logger })
    await keeper.first
    expect((await journal.rowOf('orphan')).status).toBe('broadcast')
    journal.pass(30)
    await eventually(
      'a round finds the transaction mined',
      () => keeper.round().then(() => journal.rowOf('orphan')),
      (row) => row.status === 'mined',
    )
    await keeper.stop()
  })

  test('the alarm is logged from the second round on, repeated once a minute, and its end is logged only after an alarm', async () => {
    const { logger, lines } = collectLog()
    let time = 0
    const alarm = createNonceAlarm({ roleOf: () => undefined, logger }, () => time)
    const well = { ...(await journal.status(1_000)), open: [] }
    const ill = { ...well, trouble: { kind: 'missing', nonce: 3, forSeconds: null } } as const
    const alarmsAfter = (status: SignerStatus): number => {
      alarm(status)
      return lines.length
    }
    expect([alarmsAfter(ill), alarmsAfter(well), alarmsAfter(ill), alarmsAfter(ill), alarmsAfter(ill)]).toEqual([0, 0, 0, 1, 1])
    time += 60_000
    expect([alarmsAfter(ill), alarmsAfter(well)]).toEqual([2, 3])
    expect(lines.map(({ level }) => level)).toEqual([ERROR, ERROR, INFO])
  })

  test('the keeper pumps, raises the alarm with the command in the second round, and logs its end', async () => {
    const { logger, lines: logged } = collectLog()
    await journal.mining(false)
    const outcome = journal.transactions().send('operator', [journal.mint('alarm')])
    const { nonce } = await journal.untilStatus('alarm', 'broadcast')
    journal.pass(5)
    const status = createNonceStatus({ ...journal.deps, stuckAfterSeconds: 1 })
    const keeper = startNonceKeeper({ pump: journal.pump(), status, raise: async () => [], roleOf: () => 'operator', logger })
    for (let round = 1; round <= 4; round += 1) await keeper.round()
    const alarms = logged.filter(({ level }) => level === ERROR)
    expect(alarms).toHaveLength(1)
    expect(alarms[0]).toMatchObject({ signer, kind: 'stuck', nonce, intentKey: 'alarm' })
    expect(alarms[0]?.msg).toContain(`npm run nonce -- replace ${nonce} --signer operator`)
    expect(keeper.latest()?.signers[0]?.trouble?.kind).toBe('stuck')
    await journal.mining(true)
    await journal.mine()
    await outcome
    await keeper.round()
    expect(logged.at(-1)?.msg).toBe('the nonce is no longer stuck')
    await keeper.stop()
  })
})
