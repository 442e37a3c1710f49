import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { claimWebhook } from '../../../activities/pull-requests/webhook-deliveries.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { deleteExpired } from '../../../api/housekeeping.ts'
import { createPullRequestHandlers } from '../../../api/pull-requests/handlers.ts'
import { deliver, pullRequestEvent, signatureOf } from '../../../local/codehost/hooks.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { type Api, startApi } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { aDelivery } from '../../support/records/delivery-row.ts'
import { addSession, payoutTx } from '../support/work-rows.ts'

const SECRET = 'a-secret-of-the-hook'
const WALLET = `0x${'b2'.repeat(20)}`
const SHA = 'c'.repeat(40)

let place: TestDatabase
let api: Api
let closed: Api
let signalled: [string, string][] = []
let tracked: [string, string][] = []
let engineFails = false

const start = async (settings: Record<string, string>): Promise<Api> => {
  const engine = {
    notifyDeliveryChanged: async (sessionId: string, deliveryId: string) => {
      tracked.push([sessionId, deliveryId])
      return true
    },
    notifyPullRequestChanged: async (sessionId: string, deliveryId: string) => {
      if (engineFails) throw new ServiceError('workflow_engine_unavailable')
      signalled.push([sessionId, deliveryId])
      return true
    },
  }
  // The handlers need what the API is made of, which exists only once it runs.
  const holder: { handlers?: ReturnType<typeof createPullRequestHandlers> } = {}
  const started = await startApi({
    databaseUrl: place.url,
    settings,
    handlers: {
      receiveCodehostEvent: (input: never) => holder.handlers?.receiveCodehostEvent(input) ?? Promise.reject(new Error('too early')),
    },
  })
  holder.handlers = createPullRequestHandlers({ ...started.deps, engine } as unknown as ApiDeps)
  return started
}

const offer = async (jobId: string, changes: { status?: string; chainState?: string; number?: number; repo?: string } = {}) => {
  const { status = 'submitted', chainState = 'submitted', number = 12, repo = 'acme/widgets' } = changes
  const now = Date.now()
  const sessionId = await addSession(api.deps.database, WALLET, jobId, now, {
    ...{ status, chainState, submittedAt: now },
    ...(status === 'resolved' && { payoutTx: payoutTx('1950000') }),
  })
  await api.deps.database.rows
    .insertInto('pull_request')
    .values({
      sessionId,
      jobId,
      wallet: WALLET,
      host: 'codehost.example',
      repo,
      number,
      url: 'https://codehost.example/x',
      delivery: 'open',
      submittedAt: now,
      disposition: null,
      headSha: SHA,
      readAt: null,
    })
    .execute()
  return sessionId
}

let waiting: string
beforeAll(async () => {
  place = await createTestDatabase()
  api = await start({ CODEHOST_HOOK_SECRET: SECRET })
  closed = await start({})
  waiting = await offer('waiting')
  await offer('another-number', { number: 13 })
  await offer('another-repository', { repo: 'acme/gadgets' })
  await offer('settled', { status: 'rejected', chainState: 'rejected' })
  await offer('with-an-arbitrator', { status: 'disputed', chainState: 'disputed' })
})
afterAll(async () => {
  await api.close()
  await closed.close()
  await place.drop()
})
beforeEach(() => {
  signalled = []
  tracked = []
  engineFails = false
})

let happened = 0
/** An event that never was before: a host never sends two equal bodies about two events. */
const event = () => {
  happened += 1
  return { event: 'pull_request', body: { ...pullRequestEvent('Acme/Widgets', 12, SHA), happened } }
}
const KNOWN = event()
const deliveries = () => api.deps.database.rows.selectFrom('hook_delivery').selectAll().execute()
const hook = async (delivery: Parameters<typeof deliver>[1] = event(), secret = SECRET, to = api) => {
  const response = await deliver({ url: `${to.url}/codehost/events`, secret }, delivery)
  return { status: response.status, body: await response.json() }
}

describe('the webhook of the code host', () => {
  test('signals only the runs that wait for the pull request', async () => {
    expect(await hook({ ...event(), id: 'first' })).toEqual({ status: 202, body: { accepted: 1 } })
    expect(signalled).toEqual([[waiting, 'first']])
  })

  test.each([
    ['pull_request_review', { repository: { full_name: 'acme/widgets' }, pull_request: { number: 12 } }],
    ['check_run', { repository: { full_name: 'acme/widgets' }, check_run: { head_sha: 'd'.repeat(40), pull_requests: [{ number: 12 }] } }],
    [
      'check_suite',
      { repository: { full_name: 'acme/widgets' }, check_suite: { head_sha: 'd'.repeat(40), pull_requests: [{ number: 12 }] } },
    ],
  ])('understands %s', async (event, body) => {
    expect((await hook({ event, body })).body).toEqual({ accepted: 1 })
  })

  test('finds the pull request of a fork’s check by its head', async () => {
    const body = { repository: { full_name: 'acme/widgets' }, check_run: { head_sha: SHA, pull_requests: [] } }
    expect((await hook({ event: 'check_run', body })).body).toEqual({ accepted: 2 })
    expect((await hook({ event: 'status', body: { repository: { full_name: 'acme/widgets' }, sha: SHA } })).body).toEqual({ accepted: 2 })
  })

  test.each([
    ['ping', { zen: 'Keep it simple.' }],
    ['issues', event().body],
    ['pull_request', pullRequestEvent('acme/widgets', 99, SHA)],
    ['pull_request', { repository: { full_name: 'acme/widgets' }, pull_request: { number: '12' } }],
    ['pull_request', { repository: { full_name: 'acme/widgets' }, pull_request: { number: 99_999_999_999 } }],
    ['status', { repository: { full_name: 'acme/widgets' }, sha: "' or true --" }],
    ['pull_request', []],
  ])('takes %s and signals no run', async (event, body) => {
    expect(await hook({ event, body })).toEqual({ status: 202, body: { accepted: 0 } })
    expect(signalled).toEqual([])
  })

  test('processes a delivery once', async () => {
    const delivery = { ...event(), id: 'repeated' }
    expect((await hook(delivery)).status).toBe(202)
    expect(await hook(delivery)).toEqual({ status: 200, body: { duplicate: true } })
    expect(signalled).toHaveLength(1)
    const duplicates = { ...event(), id: 'duplicates' }
    const both = await Promise.all([hook(duplicates), hook(duplicates)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 202])
    expect(signalled).toHaveLength(2)
  })

  test('processes a body once under any delivery id, which is not signed', async () => {
    const captured = { ...event(), id: 'captured' }
    expect((await hook(captured)).status).toBe(202)
    const before = await deliveries()
    const again = [{ id: 'fresh' }, { id: 'fresher', event: 'check_run' }].map((change) => hook({ ...captured, ...change }))
    for (const answer of await Promise.all(again)) expect(answer).toEqual({ status: 200, body: { duplicate: true } })
    expect(signalled).toHaveLength(1)
    expect(await deliveries()).toEqual(before)
  })

  test('processes a body once under two concurrent ids, and stores no id of a failed delivery', async () => {
    for (let round = 0; round < 10; round++) {
      const before = (await deliveries()).length
      const body = event()
      const crossed = ['left', 'right'].map((side) => ({ ...body, id: `${side}-${round}` }))
      const both = await Promise.all(crossed.map((delivery) => hook(delivery)))
      expect(both.map(({ status }) => status).sort()).toEqual([200, 202])
      expect((await deliveries()).length - before).toBe(2)
    }
  })

  test('processes a body that came before under an ignored event kind', async () => {
    const captured = { ...event(), id: 'true' }
    expect(await hook({ ...captured, id: 'early', event: 'ping' })).toEqual({ status: 202, body: { accepted: 0 } })
    expect(await hook(captured)).toEqual({ status: 202, body: { accepted: 1 } })
  })

  test('processes a failed delivery again', async () => {
    const lost = { ...event(), id: 'lost' }
    engineFails = true
    expect((await hook(lost)).status).toBe(503)
    engineFails = false
    expect(await hook(lost)).toEqual({ status: 202, body: { accepted: 1 } })
  })

  test('processes a delivery again after its process was killed, and not while one may still be running', async () => {
    const { database } = api.deps
    const left = { ...event(), id: 'left-behind' }
    const body = `sha256:${createHash('sha256').update(JSON.stringify(left.body)).digest('hex')}`
    await claimWebhook(database, ['left-behind', body], Date.now() - 5_000)
    expect(await hook(left)).toEqual({ status: 200, body: { duplicate: true } })
    await database.rows
      .updateTable('hook_delivery')
      .set({ receivedAt: Date.now() - 11_000 })
      .where('id', 'in', ['left-behind', body])
      .execute()
    const both = await Promise.all([hook(left), hook({ ...left, id: 'left-behind-again' })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 202])
    expect(signalled).toHaveLength(1)
    await database.rows
      .updateTable('hook_delivery')
      .set({ receivedAt: Date.now() - 11_000 })
      .where('id', '=', body)
      .execute()
    expect(await hook({ ...left, id: 'much-later' })).toEqual({ status: 200, body: { duplicate: true } })
  })

  test.each([
    ['another secret', async () => hook(event(), 'another-secret-of-a-hook')],
    ['no signature', async () => hook({ ...event(), signature: '' })],
    ['half a signature', async () => hook({ ...KNOWN, signature: signatureOf(SECRET, JSON.stringify(KNOWN.body)).slice(0, 40) })],
    ['the signature of another body', async () => hook({ ...event(), signature: signatureOf(SECRET, '{}') })],
    ['the old algorithm', async () => hook({ ...event(), signature: 'sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709' })],
  ])('is refused with %s, and its delivery stays ignoredParams', async (_name, send) => {
    const before = await deliveries()
    expect(await send()).toMatchObject({ status: 401, body: { code: 'bad_signature' } })
    expect(signalled).toEqual([])
    expect(await deliveries()).toEqual(before)
  })

  test('verifies the signature over the raw bytes', async () => {
    const { body } = event()
    const spaced = JSON.stringify(body, null, 2)
    expect((await hook({ event: 'pull_request', body: spaced })).body).toEqual({ accepted: 1 })
    expect((await hook({ event: 'pull_request', body: spaced, signature: signatureOf(SECRET, JSON.stringify(body)) })).status).toBe(401)
  })

  test('must name its delivery, and hold JSON', async () => {
    expect((await hook({ ...event(), id: '' })).status).toBe(400)
    expect((await hook({ ...event(), id: 'x'.repeat(101) })).status).toBe(400)
    expect((await hook({ event: 'pull_request', body: 'payload=%7B' })).status).toBe(400)
  })

  test('may be a mebibyte long, where other bodies may not, and no longer', async () => {
    const padded = (size: number) => ({ ...event().body, padding: 'x'.repeat(size) })
    expect((await hook({ event: 'pull_request', body: padded(1_000_000) })).body).toEqual({ accepted: 1 })
    expect((await hook({ event: 'pull_request', body: padded(1_100_000) })).status).toBe(413)
    const other = await api.call('/auth/nonce', { body: { wallet: 'x'.repeat(70_000) } })
    expect(other.status).toBe(413)
  })

  test('does not exist without a secret', async () => {
    expect(await hook(event(), SECRET, closed)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('deletes a delivery after seven days', async () => {
    const old = { ...event(), id: 'old' }
    await hook(old)
    const { database } = api.deps
    const DAY = 86_400_000
    const ids = async () => (await database.rows.selectFrom('hook_delivery').select('id').execute()).map(({ id }) => id)
    await deleteExpired({ ...api.deps, clock: { now: () => Date.now() + 7 * DAY - 60_000 } })
    expect(await ids()).toContain('old')
    await deleteExpired({ ...api.deps, clock: { now: () => Date.now() + 7 * DAY + 60_000 } })
    expect(await ids()).toEqual([])
    expect(await hook(old)).toEqual({ status: 202, body: { accepted: 1 } })
  })
})

test('a webhook about the pull request of paid work wakes the tracking of its delivery, until its state stays', async () => {
  const { rows } = api.deps.database
  const at = Date.now()
  const sessionId = await offer('paid', { status: 'resolved', chainState: 'closed', number: 77 })
  await rows
    .insertInto('tracked_delivery')
    .values(aDelivery({ sessionId, jobId: 'paid', wallet: WALLET }))
    .execute()
  const about = (happened: number) => ({ event: 'pull_request', body: { ...pullRequestEvent('Acme/Widgets', 77, SHA), happened, at } })
  expect((await hook(about(1))).body).toEqual({ accepted: 1 })
  expect(tracked).toEqual([[sessionId, expect.any(String)]])
  expect(signalled).toEqual([])
  await rows.updateTable('tracked_delivery').set({ endedAt: at }).where('sessionId', '=', sessionId).execute()
  expect((await hook(about(2))).body).toEqual({ accepted: 0 })
})
