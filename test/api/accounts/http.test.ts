import { beforeAll, describe, expect, test } from '@jest/globals'
import { createBadgeHandlers } from '../../../api/reputation/badge-handlers.ts'
import { accounts, startApi, tokenOf } from '../../support/api.ts'
import { useStarted } from '../../support/started.ts'
import { BASE_URL, lower, mint, NOW, startStage } from '../support/account-world.ts'
import { addBadge, addSession, approvedAt } from '../support/work-rows.ts'

const stage = useStarted(startStage, async () => undefined)
const startHttp = () => {
  const handlers = { ...stage.accounts, ...stage.reputation, ...createBadgeHandlers({ ...stage.deps, baseUrl: BASE_URL }) }
  return startApi({ databaseUrl: stage.deps.settings.DATABASE_URL, isLocal: true, handlers })
}
const api = useStarted(startHttp, async ({ close }) => {
  await close()
  await stage.stop()
})
/** Token of a wallet that is not the backend signer's. */
let other = ''
beforeAll(async () => {
  other = await tokenOf(api, accounts.other)
})

describe('the account over HTTP', () => {
  const rule = { pointer: '/amount', rule: 'pattern', message: 'must be a positive integer in base units, as digits' }
  test.each([
    ['/account/deposit/transactions', { amount: '0' }, { reason: 'ZeroAmount', errors: [rule] }],
    ['/account/deposit/transactions', { amount: '5' }, { reason: 'InsufficientBalance' }],
    ['/account/deposit/transactions', { amount: 5 }, { errors: [{ pointer: '/amount', rule: 'type' }] }],
    ['/account/deposit/transactions', { amount: '5', asset: 'DOGE' }, { errors: [{ pointer: '/asset', rule: 'enum', limit: 'USDC' }] }],
    ['/account/deposit/transactions', { amount: '5', signature: '0x00' }, { errors: [{ pointer: '/signature', rule: 'unknown' }] }],
    ['/account/fund', { amount: '0' }, { reason: 'ZeroAmount', errors: [rule] }],
    ['/account/fund', { amount: '1.5' }, { errors: [rule] }],
  ])('%s of %j is refused with its reason', async (path, sent, expected) => {
    const { body } = await api.call(path, { body: sent, token: other })
    expect(body).toMatchObject({ status: 400, code: 'invalid_request', ...expected })
    expect('reason' in body).toBe('reason' in expected)
  })

  test('a deposit of what the wallet holds is built', async () => {
    await mint(stage.world, accounts.other.address, 5n)
    const { body } = await api.call('/account/deposit/transactions', { body: { amount: '5' }, token: other })
    expect(body.templates).toHaveLength(2)
  })

  test('only the backend signer is funded', async () => {
    const reply = await api.call('/account/fund', { body: { amount: '1' }, token: other })
    expect(reply.body).toMatchObject({ status: 403, code: 'funding_route_restricted', reason: 'not_the_backend_signer' })
    expect(reply.body.nextActions[0].description).toMatch(
      new RegExp(`: npm run faucet -- ${lower(accounts.other.address)} --usdc 5 --gas$`),
    )
  })
})

describe('badges over HTTP', () => {
  const worker = lower(accounts.other.address)

  test('a badge is listed and read at its address, and a matching ETag gets 304', async () => {
    const id = await addSession(stage.database, worker, 'http-1', NOW, approvedAt(NOW))
    await addBadge(stage.database, worker, 'http-1', NOW)
    const path = `/badges/${encodeURIComponent(id)}`
    const list = await api.call('/badges?limit=1')
    expect([list.headers.get('cache-control'), list.body.badges[0].sessionId]).toEqual(['public, max-age=30', id])
    const reply = await api.call(path)
    expect(reply.body.service).toMatchObject({ sessionId: id, jobId: 'http-1', metadataURI: `${BASE_URL}${path}` })
    expect(reply.headers.get('cache-control')).toBe('public, max-age=60')
    const again = await api.call(path, { headers: { 'if-none-match': reply.headers.get('etag') ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('a missing badge is a problem document with the status and the next action', async () => {
    const session = await addSession(stage.database, worker, 'http-open', Date.now())
    const { body } = await api.call(`/badges/${encodeURIComponent(session)}`)
    expect(body).toMatchObject({ status: 404, code: 'badge_not_ready', reason: 'claimed', nextActions: [{ kind: 'http', method: 'GET' }] })
    expect((await api.call('/badges/nothing:here')).body).toMatchObject({ status: 404, code: 'session_not_found' })
  })
})
