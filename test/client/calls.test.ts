import { afterEach, describe, expect, test } from '@jest/globals'
import { createClient } from '../../client/src/client.ts'
import { ConnectionError, isProblem, PendingError, ServiceProblem, UnexpectedAnswer } from '../../client/src/problems.ts'
import type { ClientOptions } from '../../client/src/types.ts'
import { eventually } from '../support/eventually.ts'
import { json, problem, type Script, type ScriptedService, startScriptedService } from './support/scripted-service.ts'

const CLAIM = 'POST /jobs/claim'
const TOKEN = 'secret-token'

let service: ScriptedService | undefined
afterEach(async () => {
  await service?.close()
  service = undefined
})

const start = async (scripts: Record<string, Script>, options: Partial<ClientOptions> = {}) => {
  service = await startScriptedService(scripts)
  return { service, client: createClient({ baseUrl: service.baseUrl, token: TOKEN, ...options }) }
}

/** The error of a call, or its answer. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)

const SESSION = { sessionId: 'a:0x1', totalClaimLockRaw: '250000', lifecycle: { terminal: false } }

describe('a repeat', () => {
  test('follows 202 to the final answer with the same body and the same key', async () => {
    const { client, service } = await start({
      [CLAIM]: (_request, response, number) =>
        number < 3 ? json(response, 202, { status: 'pending', retryAfterSeconds: 0 }) : json(response, 200, SESSION),
    })
    expect(await client.claimJob({ jobId: 'a' })).toMatchObject({ ...SESSION, totalClaimLockRaw: 250_000n })
    const sent = service.of(CLAIM)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1)
    expect(sent[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  })

  test('is left out with follow: false, which gives the pending body', async () => {
    const { client } = await start({ [CLAIM]: (_request, response) => json(response, 202, { status: 'pending', stage: 'recording' }) })
    expect(await client.claimJob({ jobId: 'a' }, { follow: false })).toEqual({ status: 'pending', stage: 'recording' })
  })

  test('ends after followSeconds with the pending body, and the repeated call follows the same request', async () => {
    let isDone = false
    const { client, service } = await start(
      {
        [CLAIM]: (_request, response) =>
          isDone ? json(response, 200, SESSION) : json(response, 202, { status: 'pending', stage: 'recording', retryAfterSeconds: 0 }),
      },
      { followSeconds: 0.3 },
    )
    const error = await failureOf(client.claimJob({ jobId: 'a' }))
    if (!(error instanceof PendingError)) throw new Error('no PendingError', { cause: error })
    expect(error).toMatchObject({ operation: 'claimJob', method: 'POST', path: '/jobs/claim', retryAfterSeconds: 0 })
    expect(error.pending).toEqual({ status: 'pending', stage: 'recording', retryAfterSeconds: 0 })
    expect(error.message).toBe(
      'POST /jobs/claim: no final answer within 0.3 seconds; the service still works on the request: repeat the call with the same input and idempotencyKey',
    )
    isDone = true
    await client.claimJob({ jobId: 'a' }, { idempotencyKey: error.idempotencyKey })
    expect(new Set(service.of(CLAIM).map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('that a 202 asks for later than followSeconds is not waited for; an option of the call goes first', async () => {
    const { client, service } = await start({
      [CLAIM]: (_request, response, number) =>
        number < 3 ? json(response, 202, { status: 'pending', retryAfterSeconds: 1 }) : json(response, 200, SESSION),
    })
    const error = await failureOf(client.claimJob({ jobId: 'a' }, { followSeconds: 0.5 }))
    expect(error).toBeInstanceOf(PendingError)
    expect(service.of(CLAIM)).toHaveLength(1)
    expect(await client.claimJob({ jobId: 'a' }, { followSeconds: Number.POSITIVE_INFINITY })).toMatchObject({ sessionId: 'a:0x1' })
    expect(await failureOf(client.claimJob({ jobId: 'a' }, { followSeconds: -1 }))).toBeInstanceOf(TypeError)
  })

  test('keeps the key of the caller, and makes a new one for each call without', async () => {
    const { client, service } = await start({
      [CLAIM]: (_request, response, number) =>
        number === 1 ? problem(response, 503, 'service_starting', { retryable: true }) : json(response, 200, SESSION),
    })
    await client.claimJob({ jobId: 'a' }, { idempotencyKey: 'mine' })
    await client.claimJob({ jobId: 'a', idempotencyKey: 'alias' })
    await client.claimJob({ jobId: 'a' })
    const keys = service.of(CLAIM).map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['mine', 'mine', 'alias', expect.stringMatching(/^[0-9a-f]{32}$/)])
  })

  /** What a service or a proxy does first, which call it is, and how many requests it leads to. */
  const CASES: [string, 'getAccount' | 'claimJob' | 'validateSubmission', Script, number][] = [
    ['a retryable refusal of a read', 'getAccount', (_r, response) => problem(response, 503, 'service_starting', { retryable: true }), 2],
    [
      'a retryable refusal of a POST without key',
      'validateSubmission',
      (_r, response) => problem(response, 503, 'service_starting', { retryable: true }),
      2,
    ],
    ['a final refusal', 'claimJob', (_r, response) => problem(response, 409, 'tier_locked'), 1],
    [
      'a conflict that names a short wait',
      'claimJob',
      (_r, response) => problem(response, 409, 'claim_in_progress', { retryable: true, retryAfterSeconds: 0 }),
      2,
    ],
    [
      'a conflict that asks for a transaction of the wallet',
      'claimJob',
      (_r, response) =>
        problem(response, 409, 'external_self_paid_claim_required', {
          retryable: true,
          retryAfterSeconds: 0,
          nextActions: [{ kind: 'transaction', description: 'Claim the job.', transaction: {} }],
        }),
      1,
    ],
    ['a conflict that names no wait', 'claimJob', (_r, response) => problem(response, 409, 'verifier_not_ready', { retryable: true }), 1],
    [
      'a refusal with a wait of hours',
      'claimJob',
      (_r, response) => problem(response, 409, 'catalogue_daily_budget_exhausted', { retryable: true, retryAfterSeconds: 9_000 }),
      1,
    ],
    ['a connection that breaks during a read', 'getAccount', (_r, response) => void response.destroy(), 2],
    ['a connection that breaks during a POST with key', 'claimJob', (_r, response) => void response.destroy(), 2],
    ['a connection that breaks during a POST without key', 'validateSubmission', (_r, response) => void response.destroy(), 1],
    [
      'an answer that is cut',
      'getAccount',
      (_r, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        response.write('{"wal', () => response.destroy())
      },
      2,
    ],
    [
      'the page of a proxy on a read',
      'getAccount',
      (_r, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>bad gateway</h1>'),
      2,
    ],
    ['the page of a proxy on a POST without key', 'validateSubmission', (_r, response) => void response.writeHead(502).end(), 1],
  ]

  test.each(CASES)('after %s', async (_what, id, first, requests) => {
    const script: Script = (request, response, number) =>
      number === 1 ? first(request, response, number) : json(response, 200, { ok: true })
    const { client, service } = await start({ 'GET /account': script, [CLAIM]: script, 'POST /jobs/validate-submission': script })
    const call = client.call as (id: string, input: object) => Promise<unknown>
    const outcome = await failureOf(call(id, id === 'getAccount' ? {} : { jobId: 'a' }))
    expect(service.received).toHaveLength(requests)
    if (requests === 2) expect(outcome).toMatchObject({ ok: true })
    else expect(outcome).toBeInstanceOf(Error)
  })

  test('waits as long as the service says, in the document or in the header', async () => {
    const { client, service } = await start({
      'GET /account': (_request, response, number) => {
        if (number === 1) return problem(response, 429, 'rate_limited', { retryable: true, retryAfterSeconds: 1 })
        if (number === 2) return void response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' }).end('busy')
        return json(response, 200, {})
      },
    })
    await client.getAccount()
    const [first, second, third] = service.received.map(({ at }) => at)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(995)
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(995)
  })

  test('ends after maxRetries with the last failure', async () => {
    const busy: Script = (_request, response) => problem(response, 429, 'rate_limited', { retryable: true, retryAfterSeconds: 0 })
    const { client, service } = await start({ 'GET /account': busy }, { maxRetries: 2 })
    expect(isProblem(await failureOf(client.getAccount()), 'rate_limited')).toBe(true)
    expect(service.received).toHaveLength(3)
  })

  test('is made after a request that takes too long', async () => {
    const { client, service } = await start(
      { 'GET /account': (_request, response, number) => (number === 1 ? undefined : json(response, 200, { ok: true })) },
      { timeoutSeconds: 0.2 },
    )
    expect(await client.getAccount()).toMatchObject({ ok: true })
    expect(service.received).toHaveLength(2)
  })
})

describe('an abort', () => {
  const reason = new Error('enough')
  test.each<[string, Script]>([
    ['a request', () => undefined],
    ['a wait after a refusal', (_r, response) => problem(response, 429, 'rate_limited', { retryable: true, retryAfterSeconds: 30 })],
    ['a wait after a 202', (_r, response) => json(response, 202, { retryAfterSeconds: 30 })],
  ])('ends %s at once with its reason', async (_what, script) => {
    const { client, service } = await start({ [CLAIM]: script })
    const controller = new AbortController()
    const outcome = failureOf(client.claimJob({ jobId: 'a' }, { signal: controller.signal }))
    await eventually('the service has the request', () => service.received.length === 1)
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    expect(service.received).toHaveLength(1)
  })

  test('before the call sends nothing', async () => {
    const { client, service } = await start({})
    expect(await failureOf(client.getAccount({}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(service.received).toEqual([])
  })
})

describe('an error', () => {
  test('of the service has its document and its code narrows', async () => {
    const details = { sessionId: 'b:0x2' }
    const { client } = await start({ [CLAIM]: (_request, response) => problem(response, 409, 'job_already_claimed', { details }) })
    const error = await failureOf(client.claimJob({ jobId: 'a' }))
    if (!isProblem(error, 'job_already_claimed')) throw new Error('not narrowed')
    const code: 'job_already_claimed' = error.code
    expect(error).toMatchObject({
      code,
      status: 409,
      method: 'POST',
      path: '/jobs/claim',
      requestId: 'request-1',
      retryable: false,
      details,
    })
    expect(error.message).toBe('POST /jobs/claim: 409 job_already_claimed: It is job_already_claimed. (request request-1)')
    expect(isProblem(error, 'tier_locked')).toBe(false)
  })

  test.each<[string, number, string, string]>([
    ['a page in place of an answer', 200, 'text/html', `<html>${TOKEN}</html>`],
    ['a page in place of a problem', 403, 'text/html', `<h1>forbidden</h1> ${TOKEN}`],
    ['JSON that is no problem document', 403, 'application/json', '{"error":"denied"}'],
    ['text that calls itself JSON', 200, 'application/json', `{"token": ${TOKEN}`],
  ])('of something else says what it got: %s', async (_what, status, type, body) => {
    const { client } = await start({
      'GET /account': (_r, response) => void response.writeHead(status, { 'content-type': type }).end(body),
    })
    const error = await failureOf(client.getAccount())
    expect(error).toBeInstanceOf(UnexpectedAnswer)
    expect(error).toMatchObject({ status, contentType: type, path: '/account' })
    expect(String(error)).toContain(JSON.stringify(body.replace(TOKEN, '[token]')))
  })

  test('is not made of the bytes of a file', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00, 0xc3])
    const { client } = await start({
      'GET /badges/a%3A0x1/picture.png': (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
    })
    expect(await client.getBadgeImage({ sessionId: 'a:0x1' })).toEqual(new Uint8Array(bytes))
  })

  test('omits an answer that may hold a token', async () => {
    const { client } = await start({
      'POST /auth/verify': (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end('{"token":"eyJsecret"}'),
    })
    const error = await failureOf(client.verifySignature({ message: 'm'.repeat(60), signature: `0x${'0'.repeat(130)}` }))
    expect(error).toBeInstanceOf(UnexpectedAnswer)
    expect(String(error)).toContain('text/plain')
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('eyJsecret')
  })

  test('never shows the token, the key of a share or where they went', async () => {
    const { client, service } = await start({
      'GET /shares/share-secret': (_request, response) => problem(response, 404, 'share_not_found'),
      'POST /auth/verify': (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end('{"token":"eyJsecret"}'),
    })
    const shown = (error: unknown): string => JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error)
    const refused = await failureOf(client.getShare({ token: 'share-secret' }))
    expect(refused).toBeInstanceOf(ServiceProblem)
    expect(shown(refused)).not.toContain('share-secret')
    await service.close()
    const lost = await failureOf(createClient({ baseUrl: service.baseUrl, token: TOKEN, maxRetries: 0 }).getAccount())
    expect(lost).toBeInstanceOf(ConnectionError)
    expect(String(lost)).toMatch(/^ConnectionError: GET \/account: fetch failed: .*ECONNREFUSED/)
    expect(shown(lost)).not.toContain(TOKEN)
    expect(() => createClient({ baseUrl: service.baseUrl, token: `${TOKEN}\n` })).toThrow(/^token has characters that no token has$/)
  })

  test.each<[string, () => unknown]>([
    ['an address that is none', () => createClient({ baseUrl: 'work.example' })],
    ['an address of another protocol', () => createClient({ baseUrl: 'file:///etc' })],
    ['an address with a password', () => createClient({ baseUrl: 'http://user:secret@work.example' })],
    ['an address with a query', () => createClient({ baseUrl: 'http://work.example?a=b' })],
    ['a negative number of repeats', () => createClient({ baseUrl: 'http://work.example', maxRetries: -1 })],
    ['no time to follow a request', () => createClient({ baseUrl: 'http://work.example', followSeconds: 0 })],
    ['an account that cannot sign', () => createClient({ baseUrl: 'http://work.example', account: { address: '0x' } as never })],
  ])('is a TypeError for %s', (_what, create) => {
    expect(create).toThrow(TypeError)
  })

  test('is a TypeError for an input that the operation does not have, and sends no request', async () => {
    const { client, service } = await start({})
    const call = client.call as (id: string) => Promise<unknown>
    const wrong = [
      client.listJobs({ stat: 'claimable' } as never),
      client.claimJob({ jobId: 'a', extra: 1 } as never),
      client.claimJob({ jobId: 'a' }, { idempotencyKey: 'a\nb' }),
      client.claimJob({ jobId: 'a', idempotencyKey: '' }),
      client.receiveCodehostEvent({ body: 7 } as never),
      client.getAccount({}, { token: 'a b' }),
      client.getBadge({ sessionId: '' }),
      client.getBadge({ sessionId: '..' }),
      client.getBadge({} as never),
      client.getAgentProfile({ wallet: {} } as never),
      call('nothing'),
      call('streamEvents'),
    ]
    for (const refused of wrong) expect(await failureOf(refused)).toBeInstanceOf(TypeError)
    expect(service.received).toEqual([])
  })
})

describe('amounts', () => {
  test('of answers are bigint where the schema has them, and only there', async () => {
    const { client } = await start({
      'GET /jobs': (_request, response) =>
        json(response, 200, {
          jobs: [{ format: 'full', rewardAmountRaw: '7', verifierConfig: { raw: '5', decimals: 6 } }],
          nextCursor: null,
        }),
      'GET /badges/a%3A0x1': (_request, response) =>
        json(response, 200, { signature: {}, service: { reward: { asset: 'USDC', amount: '1', decimals: 6 } } }),
      'GET /receipts/0x1': (_request, response) => json(response, 200, { signature: {}, settlement: { workerAmountRaw: '7' } }),
    })
    expect(await client.listJobs()).toMatchObject({
      jobs: [{ format: 'full', rewardAmountRaw: 7n, verifierConfig: { raw: '5', decimals: 6 } }],
      nextCursor: null,
    })
    expect((await client.getBadge({ sessionId: 'a:0x1' })).service.reward.amount).toBe('1')
    // A signed document stays as it was signed.
    expect(await client.getReceipt({ receiptId: '0x1' })).toEqual({ signature: {}, settlement: { workerAmountRaw: '7' } })
  })

  test('of inputs are sent as digits', async () => {
    const { client, service } = await start({ 'POST /account/deposit/transactions': (_request, response) => json(response, 200, {}) })
    await client.buildAccountDepositTransactions({ amount: 12_345_678_901_234_567_890n, asset: 'USDC' })
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({ amount: '12345678901234567890', asset: 'USDC' })
  })
})

test('paginate gives the rows of all pages and asks for a page only when it is needed', async () => {
  const pages: Script = (request, response) => {
    const cursor = new URL(request.url, 'http://service').searchParams.get('cursor')
    const number = cursor === null ? 1 : Number(cursor)
    json(response, 200, {
      jobs: [{ id: `${number}a` }, { id: `${number}b` }],
      limit: 2,
      nextCursor: number < 3 ? String(number + 1) : null,
    })
  }
  const { client, service } = await start({ 'GET /jobs': pages })
  const ids: string[] = []
  for await (const { id } of client.paginate('listJobs', { limit: 2, state: 'claimable' })) ids.push(id)
  expect(ids).toEqual(['1a', '1b', '2a', '2b', '3a', '3b'])
  expect(service.received.map(({ url }) => url)).toEqual([
    '/jobs?limit=2&state=claimable',
    '/jobs?limit=2&cursor=2&state=claimable',
    '/jobs?limit=2&cursor=3&state=claimable',
  ])
  for await (const _row of client.paginate('listJobs')) break
  expect(service.received).toHaveLength(4)
})
