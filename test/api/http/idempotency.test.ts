import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Rows } from '../../../activities/database/database.ts'
import { bindKey, deleteCompletedKeys, findKey, type KeyedRequest, releaseKey, storeAnswer } from '../../../activities/http/idempotency.ts'
import { deleteExpired } from '../../../api/housekeeping.ts'
import { type ProcessKey, withIdempotentTransaction, withProcessKey } from '../../../api/http/idempotency.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import type { WalletPrincipal } from '../../../schemas/identity/authorisation.ts'
import { operation, type RequestFacts, WALLET } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { IdempotencyKeyInput } from '../../../schemas/operations/values.ts'
import { type Api, accounts, makePem, type Reply, startApi, tokenOf } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { useStarted } from '../../support/started.ts'

let token: string
let otherToken: string

/** A mutation of one transaction: takes a number from a table and gives it back. */
const draw = operation('draw', 'POST /draw', {
  summary: 'Draw a number.',
  tags: ['Platform'],
  auth: WALLET,
  action: 'wallet_sign_in',
  idempotent: 'draw',
  body: z.strictObject({
    note: z.string().optional(),
    fail: z.enum(['refuse', 'crash', 'lock']).optional(),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 201: z.object({ number: z.int() }) },
  errors: ['job_exists'],
})

interface DrawInput {
  body: { note?: string; fail?: string }
  caller: WalletPrincipal
  request: RequestFacts
}

const startProcesses = async () => {
  const { url: databaseUrl, drop } = await createTestDatabase()
  const JWT_KEY = makePem()
  const startProcess = () =>
    startApi({
      databaseUrl,
      settings: { JWT_KEY },
      operations: [...operationList, draw],
      handlers: (deps) => ({ draw: drawHandler(deps) }),
    })
  return { one: await startProcess(), two: await startProcess(), drop }
}

const drawHandler =
  (deps: Api['deps']) =>
  ({ body, caller, request }: DrawInput) =>
    withIdempotentTransaction<{ status: 201; body: { number: number } }>(deps, { caller, request }, async (rows) => {
      const { rows: drawn } = await sql<{ number: number }>`insert into drawn default values returning number`.execute(rows)
      if (body.fail === 'refuse') throw new ServiceError('job_exists')
      if (body.fail === 'crash') throw new Error('crash')
      if (body.fail === 'lock') await sql`set local lock_timeout = 100; lock table drawn_elsewhere`.execute(rows)
      return { status: 201 as const, body: { number: drawn[0]?.number ?? 0 } }
    })

/** Two processes with one database. */
const apis = useStarted(startProcesses, async ({ one, two, drop }) => {
  await Promise.all([one.close(), two.close()])
  await drop()
})
beforeAll(async () => {
  await sql`create table drawn (number serial primary key)`.execute(rows())
  await sql`create table drawn_elsewhere (number serial primary key)`.execute(rows())
  token = await tokenOf(apis.one, accounts.worker)
  otherToken = await tokenOf(apis.one, accounts.other)
})

const rows = () => apis.one.deps.database.rows
let key = ''
let keys = 0
beforeEach(() => {
  keys += 1
  key = `key-${keys}`
})
const post = (body: object, { on = apis.one, as = token, header = key as string | null } = {}) =>
  on.call('/draw', { body, token: as, ...(header !== null && { headers: { 'idempotency-key': header } }) })
const drawn = async (): Promise<number> => Number((await sql<{ n: string }>`select count(*) as n from drawn`.execute(rows())).rows[0]?.n)

/** What `ask` is answered while another transaction has done `work` and has not ended. */
const whileHolding = (work: (rows: Rows) => Promise<unknown>, ask: () => Promise<Reply>): Promise<Reply> =>
  apis.two.deps.database.transaction(async (holder) => {
    await work(holder)
    return ask()
  })

describe('a mutation of one transaction', () => {
  test('repeats its status and body for the same key, and marks the repeat', async () => {
    const first = await post({ note: 'a' })
    const again = await post({ note: 'a' })
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect([again.status, again.headers.get('idempotent-replayed'), again.body.number]).toEqual([201, 'true', first.body.number])
  })

  test('has one effect for fifty parallel duplicates on two processes', async () => {
    const before = await drawn()
    const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => post({}, { on: index % 2 === 0 ? apis.one : apis.two })))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    expect(new Set(replies.map(({ body }) => body.number)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect(await drawn()).toBe(before + 1)
  })

  test('refuses the same key for other content', async () => {
    await post({ note: 'a' })
    const { status, body } = await post({ note: 'b' })
    expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(body.details).toEqual({
      operation: 'draw',
      originalRequestHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      requestHash: expect.any(String),
    })
    expect(body.details.originalRequestHash).not.toBe(body.details.requestHash)
  })

  test('keeps the keys of two wallets apart', async () => {
    const mine = await post({ note: 'a' })
    const theirs = await post({ note: 'b' }, { as: otherToken })
    expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect(theirs.body.number).not.toBe(mine.body.number)
  })

  test.each([
    ['refuse', 409],
    ['crash', 500],
  ])('leaves nothing behind when it fails (%s), so the key can be used again', async (fail, status) => {
    const before = await drawn()
    expect((await post({ fail })).status).toBe(status)
    expect(await drawn()).toBe(before)
    expect((await post({ note: 'now' })).status).toBe(201)
  })

  test('runs each time without a key', async () => {
    const [first, second] = [await post({}, { header: null }), await post({}, { header: null })]
    expect(first.body.number).not.toBe(second.body.number)
  })

  test('takes the key from the body as well, and refuses two different ones', async () => {
    const first = await post({ idempotencyKey: key }, { header: null })
    expect((await post({ idempotencyKey: key })).body.number).toBe(first.body.number)
    expect((await post({})).body.number).toBe(first.body.number)
    const { status, body } = await post({ idempotencyKey: 'another' })
    expect([status, body.errors[0].pointer]).toEqual([400, 'header/idempotency-key'])
  })

  test.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'caf\u00e9'],
  ])('refuses a key that is %s', async (_name, bad) => {
    const { status, body } = await post({}, { header: bad })
    expect([status, body.errors[0].pointer]).toEqual([400, 'header/idempotency-key'])
    const inBody = await post({ idempotencyKey: bad }, { header: null })
    expect([inBody.status, inBody.body.errors[0].pointer]).toEqual([400, '/idempotencyKey'])
  })

  test('answers 409 only when a duplicate takes longer than the wait', async () => {
    const scope = { subject: accounts.worker.address.toLowerCase(), operation: 'draw', key }
    const duplicate = await whileHolding(
      (holder) => bindKey(holder, { scope, fingerprint: 'x', now: Date.now() }),
      () => post({}, { on: apis.two }),
    )
    expect([duplicate.status, duplicate.body.code, duplicate.body.retryable]).toEqual([409, 'idempotency_key_in_flight', true])
  })

  test('reports the database, not a duplicate, when it cannot get a lock of its own work', async () => {
    const { status, body } = await whileHolding(
      (holder) => sql`lock table drawn_elsewhere`.execute(holder),
      () => post({ fail: 'lock' }),
    )
    expect([status, body.code, body.retryable]).toEqual([503, 'state_store_unavailable', true])
  })
})

describe('an operation that is a workflow', () => {
  const KEPT = { workflowId: 'claim/job-1', updateId: 'submit/1' }
  /** A caller without a wallet: its subject alone tells its keys apart. */
  const processScope = { subject: '5Grw', operation: 'jobs_submit' }
  const attempt = (work: (key: ProcessKey) => Promise<{ status: number; body: unknown }>, fingerprint: `0x${string}` = '0x1') =>
    withProcessKey(
      { database: apis.one.deps.database, clock: { now: Date.now } },
      {
        caller: { wallet: null, subject: processScope.subject },
        request: { keyScope: processScope.operation, idempotencyKey: key, fingerprint },
      },
      work,
    )
  /** An attempt that works until `goOn` is called. */
  const begin = async (work: (key: ProcessKey) => Promise<{ status: number; body: unknown }>, named?: typeof KEPT) => {
    const [atWork, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const outcome = attempt(async (held) => {
      if (named !== undefined) await held.bind(named.workflowId, named.updateId)
      atWork.resolve()
      await goesOn.promise
      return work(held)
    })
    outcome.catch(() => undefined)
    await atWork.promise
    return { outcome, goOn: goesOn.resolve }
  }
  const done = async () => ({ status: 200, body: { done: true } })
  const refuse = (code: 'job_exists' | 'submit_in_progress') => async (): Promise<never> => {
    throw new ServiceError(code)
  }
  const stored = () => findKey(rows(), { ...processScope, key })

  test('records its workflow under the key before it starts, and releases the key when it is refused', async () => {
    await expect(attempt(refuse('job_exists'))).rejects.toMatchObject({ code: 'job_exists' })
    expect(await stored()).toBeNull()
    const outage = attempt(async (held) => {
      await held.bind(KEPT.workflowId, KEPT.updateId)
      throw new ServiceError('workflow_engine_unavailable')
    })
    await expect(outage).rejects.toMatchObject({ code: 'workflow_engine_unavailable' })
    expect(await stored()).toMatchObject({ ...KEPT, fingerprint: '0x1', answer: null })
  })

  test.each([
    ['the second', 'first'],
    ['the one that took the key', 'second'],
  ])('keeps the answer of a duplicate that is still at work when %s is refused', async (_who, worker) => {
    const first = await begin(worker === 'first' ? done : refuse('job_exists'))
    const second = await begin(worker === 'first' ? refuse('job_exists') : done)
    const [refused, works] = worker === 'first' ? [second, first] : [first, second]
    refused.goOn()
    await expect(refused.outcome).rejects.toMatchObject({ code: 'job_exists' })
    works.goOn()
    await works.outcome
    expect(await attempt(refuse('job_exists'))).toMatchObject({
      status: 200,
      body: { done: true },
      headers: { 'Idempotent-Replayed': 'true' },
    })
  })

  test('gives all duplicates the first stored answer', async () => {
    const [first, second] = [await begin(async () => ({ status: 200, body: { seen: 'later' } })), await begin(done)]
    second.goOn()
    expect(await second.outcome).toEqual({ status: 200, body: { done: true } })
    first.goOn()
    expect(await first.outcome).toEqual({ status: 200, body: { done: true }, headers: { 'Idempotent-Replayed': 'true' } })
  })

  test('keeps the key while its workflow serves a duplicate, and releases it when the workflow refuses', async () => {
    const works = await begin(refuse('job_exists'), KEPT)
    const duplicate = await begin(refuse('submit_in_progress'), KEPT)
    duplicate.goOn()
    await expect(duplicate.outcome).rejects.toMatchObject({ code: 'submit_in_progress' })
    await expect(attempt(done, '0x2')).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    works.goOn()
    await expect(works.outcome).rejects.toMatchObject({ code: 'job_exists' })
    expect(await attempt(done, '0x2')).toMatchObject({ status: 200 })
  })

  test('keeps a key that records another workflow by now', async () => {
    const old = await begin(refuse('job_exists'), KEPT)
    const works = await begin(done, { ...KEPT, updateId: 'submit/2' })
    old.goOn()
    await expect(old.outcome).rejects.toMatchObject({ code: 'job_exists' })
    expect(await stored()).toMatchObject({ updateId: 'submit/2' })
    works.goOn()
    await works.outcome
  })

  test('does not start when other content has taken the released key', async () => {
    const works = await begin(async (held) => {
      await held.bind(KEPT.workflowId, KEPT.updateId)
      return done()
    })
    await expect(attempt(refuse('job_exists'))).rejects.toMatchObject({ code: 'job_exists' })
    await attempt(async () => ({ status: 202, body: {} }), '0x2')
    works.goOn()
    await expect(works.outcome).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect(await stored()).toMatchObject({ fingerprint: '0x2', workflowId: null, answer: null })
  })

  test('shares one update among duplicates, and starts another after one without an answer', async () => {
    const ask = (updateId: string, unavailable: boolean) =>
      attempt(async (held) => {
        const asked = await held.join('verify/session', updateId)
        expect(await held.findUpdate()).toBe(asked)
        if (unavailable) await held.forget(asked)
        return { status: 202, body: { asked } }
      })
    const asked = [await ask('a', false), await ask('b', true), await ask('c', false), await ask('d', false)]
    expect(asked.map(({ body }) => body)).toEqual([{ asked: 'a' }, { asked: 'a' }, { asked: 'c' }, { asked: 'c' }])
  })

  test('loses an unfinished key after two days', async () => {
    const now = Date.now()
    const HOUR = 3_600_000
    const early = { scope: { ...processScope, key }, fingerprint: '0x1' as const, now: now - 47 * HOUR }
    await bindKey(rows(), early)
    // A repeat that joins an update that has no answer leaves it its age.
    await bindKey(rows(), { ...early, now }, KEPT, { joins: true })
    await deleteExpired({ ...apis.one.deps, clock: { now: () => now } })
    expect(await stored()).not.toBeNull()
    await deleteExpired({ ...apis.one.deps, clock: { now: () => now + 2 * HOUR } })
    expect(await stored()).toBeNull()
  })
})

describe('the key of a workflow', () => {
  const scope = () => ({ subject: '0xabc', operation: 'jobs_claim', key })
  const request = (now: number): KeyedRequest => ({ scope: scope(), fingerprint: '0x1', now })

  test('is not released after an answer', async () => {
    await bindKey(rows(), request(1))
    await storeAnswer(rows(), request(5), { status: 200, body: {} })
    await releaseKey(rows(), request(1), { workflowId: null, updateId: null })
    expect(await findKey(rows(), scope())).not.toBeNull()
  })

  test('is deleted some time after completion, never before', async () => {
    await bindKey(rows(), request(1))
    await deleteCompletedKeys(rows(), 1_000_000)
    expect(await findKey(rows(), scope())).not.toBeNull()
    await storeAnswer(rows(), request(500_000), { status: 200, body: {} })
    await deleteCompletedKeys(rows(), 500_000)
    expect(await findKey(rows(), scope())).not.toBeNull()
    await deleteCompletedKeys(rows(), 500_001)
    expect(await findKey(rows(), scope())).toBeNull()
  })
})
