// Service tokens and grants to wallets: issue, rotate, revoke, and what the holders may do.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { createGrantHandlers } from '../../../api/identity/grant-handlers.ts'
import { capabilitiesOf, GRANTABLE_CAPABILITIES } from '../../../schemas/identity/authorisation.ts'
import { accounts, type Reply, tokenOf } from '../../support/api.ts'
import { useApi } from '../support/started.ts'

const WORKER = accounts.worker.address.toLowerCase()
const ADMIN = accounts.admin.address.toLowerCase()
const UNLIMITED = Object.fromEntries(['admin_jobs', 'auth_nonce', 'auth_verify', 'auth_refresh'].map((name) => [name, { limit: 9_999 }]))

const api = useApi({
  settings: { RATE_LIMITS: JSON.stringify(UNLIMITED) },
  handlers: { getReputation: async () => ({ status: 200, body: REPUTATION }) },
})
const REPUTATION = {
  ...{ wallet: WORKER, skill: 0, reliability: 0, economic: 0, tier: 'starter', scoringVersion: 1 },
  deliveries: { open: 0, merged: 0, closedUnmerged: 0, stale: 0, reverted: 0 },
  events: { count: 0, lastAt: null },
}

let admin: string
let worker: string
beforeAll(async () => {
  admin = await tokenOf(api, accounts.admin)
  worker = await tokenOf(api, accounts.worker)
})

const post = (path: string, body: object, init: { token?: string; key?: string } = {}): Promise<Reply> =>
  api.call(path, { token: init.token ?? admin, body, ...(init.key !== undefined && { headers: { 'idempotency-key': init.key } }) })
const TERMS = { subject: accounts.worker.address, capabilities: ['reputation:read'] }
const issue = async (more: object = {}): Promise<Reply['body']> => {
  const { status, body, text } = await post('/admin/service-tokens', { ...TERMS, ...more })
  if (status !== 201) throw new Error(text)
  return body
}
const sessionOf = async (token: string): Promise<Reply['body']> => (await api.call('/auth/session', { token })).body
const reputation = async (token: string): Promise<unknown[]> => {
  const { status, body } = await api.call('/reputation', { token })
  return [status, body.code]
}
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const ALLOWED = [200, undefined]
const REFUSED = [403, 'missing_capability']

/** Everything that the database holds, as text. */
const everyRow = async (): Promise<string> => {
  const { rows } = api.deps.database
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(rows)
  const texts = await Promise.all(
    tables.rows.map(({ name }) => sql<{ text: string }>`select to_jsonb(t)::text as text from ${sql.table(name)} t`.execute(rows)),
  )
  return texts.flatMap((table) => table.rows.map(({ text }) => text)).join('\n')
}

describe('the life of a service token', () => {
  test('is issued, shown once, used within its grant, revoked, and listed without its secret', async () => {
    const session = await sessionOf(admin)
    expect(session.roles).toContain('admin')
    const needed = ['read', 'grant', 'revoke'].map((name) => `admin:capabilities:${name}`)
    expect(session.capabilities).toEqual(expect.arrayContaining([...needed, 'reputation:read']))

    const given = await issue({ capabilities: ['session:read', 'reputation:read'], scope: 'nightly', note: 'For the worker on host 7.' })
    const { token, grant } = given
    expect(given).toMatchObject({ tokenKind: 'service', tokenType: 'Bearer', tokenAvailable: true, wallet: WORKER })
    expect([grant.subject, grant.issuedBy, grant.status, grant.scope]).toEqual([WORKER, ADMIN, 'active', 'nightly'])
    expect(grant.id).toMatch(/^grant-[0-9a-f]{12}$/)
    expect([given.capabilities, grant.capabilities]).toEqual(Array(2).fill(['reputation:read', 'session:read']))
    expect(given.tokenOmittedReason).toBeUndefined()

    const own = await sessionOf(token)
    expect(own).toMatchObject({ tokenKind: 'service', serviceToken: true, capabilityGrantId: grant.id, serviceScope: 'nightly', roles: [] })
    expect([own.capabilities, own.refreshableUntil, own.wallet]).toEqual([['reputation:read', 'session:read'], null, WORKER])
    expect(own.expiresAt).toBe(given.expiresAt)

    expect(await reputation(token)).toEqual(ALLOWED)
    const outside = await api.call('/account', { token })
    expect([outside.status, outside.body.code, outside.body.details.missingCapabilities]).toEqual([...REFUSED, ['account:read']])

    const revoked = await post(`/admin/service-tokens/${grant.id}/revoke`, { note: 'Host 7 is gone.' })
    expect(revoked.body).toMatchObject({ tokenKind: 'service', tokenAvailable: false, status: 'revoked', alreadyRevoked: false })
    expect(revoked.body.grant).toMatchObject({ id: grant.id, status: 'revoked', revokedBy: ADMIN, revokeNote: 'Host 7 is gone.' })

    const after = await api.call('/reputation', { token })
    expect([after.status, after.body.code, after.body.reason]).toEqual([...REFUSED, 'capability_grant_revoked'])
    expect((await sessionOf(token)).capabilities).toEqual([])

    const listed = await api.call(`/admin/service-tokens?subject=${accounts.worker.address}&status=revoked&limit=5`, { token: admin })
    const row = listed.body.items.find((item: Reply['body']) => item.grant.id === grant.id)
    expect(row).toMatchObject({
      tokenKind: 'service',
      tokenAvailable: false,
      tokenExpiresAt: given.expiresAt,
      grant: { status: 'revoked' },
    })
    expect(listed.text).not.toContain(token)
  })

  test('carries exactly the promised claims', async () => {
    const { token, grant, expiresAt } = await issue({ scope: 'nightly', tokenTtlSeconds: 600 })
    const claims = claimsOf(token)
    expect(claims).toMatchObject({ sub: WORKER, roles: [], tokenKind: 'service', serviceToken: true, capabilityGrantId: grant.id })
    expect([claims.serviceScope, claims.exp - claims.iat, claims.auth_time]).toEqual(['nightly', 600, claims.iat])
    expect(new Date(claims.exp * 1000).toISOString()).toBe(expiresAt)
    expect(claimsOf((await issue()).token).serviceScope).toBeUndefined()
  })

  test('leaves the sign-in of its wallet as it is, and a second token too', async () => {
    const [first, second] = [await issue(), await issue()]
    await post(`/admin/service-tokens/${first.grant.id}/revoke`, {})
    expect([await reputation(first.token), await reputation(second.token), await reputation(worker)]).toEqual([REFUSED, ALLOWED, ALLOWED])
  })

  test('ends with a logout of its own, and is never refreshed', async () => {
    const { token } = await issue()
    const refreshed = await post('/auth/refresh', {}, { token })
    expect([refreshed.status, refreshed.body.code]).toEqual([401, 'service_token_refresh_unsupported'])
    expect((await post('/auth/logout', {}, { token })).body).toMatchObject({ status: 'logged_out', wallet: WORKER })
    expect(await reputation(token)).toEqual([401, 'token_revoked'])
  })

  test('a revoked one still logs out, and nothing else', async () => {
    const { token, grant } = await issue()
    await post(`/admin/service-tokens/${grant.id}/revoke`, {})
    expect((await api.call('/jobs/tiers', { token })).body).toMatchObject({
      code: 'missing_capability',
      reason: 'capability_grant_revoked',
    })
    expect((await post('/auth/logout', {}, { token })).status).toBe(200)
  })

  test('is shorter than asked where the bound or the grant is, and says so', async () => {
    const DAY = 86_400
    const long = await issue({ tokenTtlSeconds: 90 * DAY })
    expect([long.ttlClampedTo, claimsOf(long.token).exp - claimsOf(long.token).iat]).toEqual([30 * DAY, 30 * DAY])
    const soon = new Date(Date.now() + 120_000).toISOString()
    const short = await issue({ expiresAt: soon })
    expect(short.ttlClampedTo).toBeLessThanOrEqual(120)
    expect(Date.parse(short.expiresAt)).toBeLessThanOrEqual(Date.parse(soon))
    expect(short.grant.expiresAt).toBe(soon)
    expect((await issue({ tokenTtlSeconds: 60 })).ttlClampedTo).toBeUndefined()
  })

  test('gives nothing once its grant has ended, while the signature is still good', async () => {
    const { token } = await issue({ expiresAt: new Date(Date.now() + 60_000).toISOString() })
    api.clock.at = Date.now() + 61_000
    try {
      const { status, body } = await api.call('/reputation', { token })
      expect([status, body.code, body.reason]).toEqual([...REFUSED, 'capability_grant_expired'])
    } finally {
      api.clock.at = null
    }
  })
})

describe('a grant to a wallet', () => {
  const grantTo = async (more: object = {}) =>
    (await post('/admin/capability-grants', { subject: accounts.other.address, capabilities: ['ops:view'], ...more })).body
  test('adds to every token of its sign-in without a new one, gives no role, and is taken back at once', async () => {
    const token = await tokenOf(api, accounts.other)
    const events = async (): Promise<number> => (await api.call('/events/poll?scope=all', { token })).status
    expect(await events()).toBe(403)
    const grant = await grantTo({ note: 'Watches all events.' })
    expect(grant).toMatchObject({ subject: accounts.other.address.toLowerCase(), capabilities: ['ops:view'], status: 'active' })
    expect(await events()).toBe(200)
    expect((await api.call('/admin/sessions', { token })).body.code).toBe('missing_role')
    expect((await sessionOf(token)).capabilities).toEqual([...capabilitiesOf([]), 'ops:view'])
    const signedIn = await post('/auth/refresh', {}, { token })
    expect(signedIn.body.capabilities).toContain('ops:view')
    const again = await tokenOf(api, accounts.other)
    expect((await sessionOf(again)).capabilities).toContain('ops:view')

    const revoked = await post(`/admin/capability-grants/${grant.id}/revoke`, { note: 'No longer.' })
    expect(revoked.body).toMatchObject({ id: grant.id, status: 'revoked', revokeNote: 'No longer.' })
    const { status, body } = await api.call('/events/poll?scope=all', { token: again })
    expect([status, body.details.missingCapabilities, body.details.grantedBy.capabilities]).toEqual([403, ['ops:view'], ['ops:view']])
  })

  test('gives nothing to a service token of the same wallet', async () => {
    await grantTo({ subject: accounts.worker.address })
    const { token } = await issue({ capabilities: ['events:read'] })
    expect((await api.call('/events/poll?scope=all', { token })).status).toBe(403)
    expect((await sessionOf(token)).capabilities).toEqual(['events:read'])
  })

  test('ends at its time', async () => {
    await grantTo({ expiresAt: new Date(Date.now() + 60_000).toISOString(), capabilities: ['jobs:timeline'] })
    const token = await tokenOf(api, accounts.other)
    expect((await sessionOf(token)).capabilities).toContain('jobs:timeline')
    api.clock.at = Date.now() + 61_000
    const later = await sessionOf(token)
    api.clock.at = null
    expect(later.capabilities).not.toContain('jobs:timeline')
  })
})

describe('a rotation', () => {
  test('replaces token and grant in one step, with the terms of the old grant but for those named', async () => {
    const old = await issue({ scope: 'nightly', note: 'kept', capabilities: ['reputation:read', 'jobs:claim'] })
    const given = (await post(`/admin/service-tokens/${old.grant.id}/rotate`, { capabilities: ['reputation:read'], revokeNote: 'leaked' }))
      .body
    expect(given.rotatedFrom).toMatchObject({ id: old.grant.id, status: 'revoked', revokeNote: 'leaked', revokedBy: ADMIN })
    const { id, ...grant } = given.grant
    expect(id).not.toBe(old.grant.id)
    expect(grant).toMatchObject({ scope: 'nightly', note: 'kept', subject: WORKER, status: 'active', rotatedFrom: old.grant.id })
    expect(given.capabilities).toEqual(['reputation:read'])
    expect([await reputation(old.token), await reputation(given.token)]).toEqual([REFUSED, ALLOWED])
  })

  test('of a revoked grant is refused, and of an expired one needs a new end', async () => {
    const { grant } = await issue({ expiresAt: new Date(Date.now() + 60_000).toISOString() })
    api.clock.at = Date.now() + 61_000
    const expired = await post(`/admin/service-tokens/${grant.id}/rotate`, {})
    api.clock.at = null
    expect([expired.status, expired.body.errors[0].pointer]).toEqual([400, '/expiresAt'])
    await post(`/admin/service-tokens/${grant.id}/revoke`, {})
    const revoked = await post(`/admin/service-tokens/${grant.id}/rotate`, {})
    expect([revoked.status, revoked.body.code]).toEqual([409, 'service_token_grant_revoked'])
  })

  test('that cannot sign leaves the old token and the old grant as they were', async () => {
    const { token, grant } = await issue()
    const failing = { ...api.deps, tokens: { ...api.deps.tokens, issueService: () => Promise.reject(new Error('no signature')) } }
    const caller = { subject: ADMIN, wallet: ADMIN, capabilities: capabilitiesOf(['admin']) }
    const request = { keyScope: 'service_token_rotate', idempotencyKey: 'fails', fingerprint: '0x00' }
    const rotation = createGrantHandlers(failing).rotateServiceToken({ params: { id: grant.id }, body: {}, caller, request } as never)
    await expect(rotation).rejects.toThrow('no signature')
    expect(await reputation(token)).toEqual(ALLOWED)
    const { items } = (await api.call('/admin/service-tokens?limit=200', { token: admin })).body
    expect(items.filter((item: Reply['body']) => item.grant.rotatedFrom === grant.id)).toEqual([])
  })
})

describe('an issue is refused', () => {
  const expired = new Date(Date.now() - 1_000).toISOString()
  test.each<[string, object, number, string, object]>([
    ['without capabilities', { capabilities: [] }, 400, 'invalid_request', {}],
    ['for an unknown name', { capabilities: ['jobs:steal'] }, 400, 'invalid_request', { capability: 'jobs:steal' }],
    ['for a capability over grants', { capabilities: ['admin:capabilities:grant'] }, 400, 'capability_not_grantable', {}],
    ['for one of the wallet itself', { capabilities: ['shares:create'] }, 400, 'capability_not_grantable', { capability: 'shares:create' }],
    [
      'for one that the issuer lacks',
      { capabilities: ['verifier:run', 'jobs:claim'] },
      403,
      'grant_capability_not_owned',
      { issuerWallet: ADMIN, missingCapabilities: ['verifier:run'] },
    ],
    ['for a grant that has ended', { expiresAt: expired }, 400, 'invalid_request', {}],
    ['for an end that is no instant', { expiresAt: 'tomorrow' }, 400, 'invalid_request', {}],
    ['for a lifetime of nothing', { tokenTtlSeconds: 0 }, 400, 'invalid_request', {}],
    ['for a lifetime in parts of a second', { tokenTtlSeconds: 1.5 }, 400, 'invalid_request', {}],
    ['for a long scope', { scope: 'x'.repeat(61) }, 400, 'invalid_request', {}],
    ['for a long note', { note: 'x'.repeat(501) }, 400, 'invalid_request', {}],
    ['for a subject that is no address', { subject: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5' }, 400, 'invalid_request', {}],
    ['with an issue time of its own', { issuedAt: expired }, 400, 'invalid_request', {}],
    ['with an id of its own', { id: 'grant-000000000000' }, 400, 'invalid_request', {}],
  ])('%s', async (_name, more, status, code, details) => {
    for (const path of ['/admin/service-tokens', '/admin/capability-grants']) {
      if (path === '/admin/capability-grants' && 'tokenTtlSeconds' in more) continue
      const reply = await post(path, { ...TERMS, ...more })
      expect([path, reply.status, reply.body.code]).toEqual([path, status, code])
      expect(reply.body.details ?? {}).toMatchObject(details)
    }
  })

  test('to everyone but an admin, with or without a grant', async () => {
    const { token } = await issue({
      capabilities: [...GRANTABLE_CAPABILITIES].filter((name) => !name.startsWith('verifier:') || name.includes('result')),
    })
    for (const caller of [worker, await tokenOf(api, accounts.verifier), token]) {
      const reply = await post('/admin/service-tokens', TERMS, { token: caller })
      expect([reply.status, reply.body.code]).toEqual([403, 'missing_role'])
    }
  })
})

test.each(['rotate', 'revoke'])('to %s, an absent id and one of the other kind are the same', async (action) => {
  const [token, wallet] = [await issue(), (await post('/admin/capability-grants', TERMS)).body]
  const answerTo = async (path: string): Promise<unknown> => {
    const { status, body } = await post(path, {})
    const { requestId: _id, details: _details, ...rest } = body
    return { ...rest, status }
  }
  const absent = await answerTo(`/admin/service-tokens/grant-ffffffffffff/${action}`)
  expect(absent).toMatchObject({ status: 404, code: 'service_token_not_found' })
  expect(await answerTo(`/admin/service-tokens/${wallet.id}/${action}`)).toEqual(absent)
  expect((await post(`/admin/service-tokens/none/${action}`, {})).status).toBe(400)
  if (action === 'rotate') return
  const missing = await answerTo('/admin/capability-grants/grant-ffffffffffff/revoke')
  expect(missing).toMatchObject({ status: 404, code: 'capability_grant_not_found' })
  expect(await answerTo(`/admin/capability-grants/${token.grant.id}/revoke`)).toEqual(missing)
  expect(await reputation(token.token)).toEqual(ALLOWED)
})

test('a second revocation changes nothing, and says so', async () => {
  const { grant } = await issue()
  const path = `/admin/service-tokens/${grant.id}/revoke`
  const first = (await post(path, { note: 'first' })).body
  const second = (await post(path, { note: 'second' })).body
  expect([first.alreadyRevoked, second.alreadyRevoked, second.grant]).toEqual([false, true, first.grant])
})

describe('a repeat with the same key', () => {
  test('has every member of the answer but the token, which no record holds', async () => {
    const first = await post('/admin/service-tokens', TERMS, { key: 'issue once' })
    const again = await post('/admin/service-tokens', TERMS, { key: 'issue once' })
    const { token, ...shown } = first.body
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual({
      ...shown,
      tokenAvailable: false,
      tokenOmittedReason: 'service_token_secret_is_returned_once',
    })
    expect(await reputation(token)).toEqual(ALLOWED)

    const path = `/admin/service-tokens/${first.body.grant.id}/rotate`
    const rotated = await post(path, {}, { key: 'rotate once' })
    const repeated = await post(path, {}, { key: 'rotate once' })
    expect([repeated.status, repeated.body.token, repeated.body.grant]).toEqual([201, undefined, rotated.body.grant])
    const other = await post('/admin/service-tokens', { ...TERMS, scope: 'x' }, { key: 'issue once' })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])

    const records = await everyRow()
    expect(records).toContain(first.body.grant.id)
    for (const secret of [token, rotated.body.token]) for (const part of [secret, secret.split('.')[2]]) expect(records).not.toContain(part)
    expect(api.log.join('')).not.toContain(token)
  })
})

test('each change is an event for its wallet and its operator, without a token', async () => {
  const { grant } = await issue({ note: 'an internal note' })
  const rotated = (await post(`/admin/service-tokens/${grant.id}/rotate`, {})).body
  await post(`/admin/service-tokens/${rotated.grant.id}/revoke`, {})
  const added = (await post('/admin/capability-grants', TERMS)).body
  await post(`/admin/capability-grants/${added.id}/revoke`, {})
  const ids = [grant.id, rotated.grant.id, added.id]
  const events = await api.deps.database.rows.selectFrom('event').selectAll().where('correlationId', 'in', ids).orderBy('id').execute()
  expect(events.map(({ topic, correlationId }) => [topic, correlationId])).toEqual([
    ['service-token.issue', grant.id],
    ['service-token.rotate', rotated.grant.id],
    ['service-token.revoke', rotated.grant.id],
    ['capability.grant', added.id],
    ['capability.revoke', added.id],
  ])
  for (const { wallets, source } of events) expect([wallets, source]).toEqual([[WORKER, ADMIN], 'governance'])
  expect(events[1]?.data).toMatchObject({ rotatedFrom: grant.id, by: ADMIN, capabilities: ['reputation:read'] })
  const text = JSON.stringify(events, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
  for (const hidden of [rotated.token, 'an internal note']) expect(text).not.toContain(hidden)
})

describe('the lists', () => {
  test('have each kind alone, newest first, by pages and by filters', async () => {
    const subject = accounts.arbitrator.address.toLowerCase()
    const issued: string[] = []
    for (let count = 0; count < 5; count += 1) issued.unshift((await issue({ subject })).grant.id)
    const granted = (await post('/admin/capability-grants', { ...TERMS, subject })).body.id
    const page = async (query: string, path = '/admin/service-tokens'): Promise<Reply['body']> =>
      (await api.call(`${path}?subject=${subject}${query}`, { token: admin })).body
    const idsOf = ({ items }: Reply['body']): string[] => items.map((item: Reply['body']) => item.grant?.id ?? item.id)
    const first = await page('&limit=3')
    expect([first.limit, idsOf(first).length]).toEqual([3, 3])
    const second = await page(`&limit=3&cursor=${encodeURIComponent(first.nextCursor)}`)
    expect([...idsOf(first), ...idsOf(second)].sort()).toEqual([...issued].sort())
    expect(second.nextCursor).toBeNull()
    await post(`/admin/service-tokens/${issued[0]}/revoke`, {})
    expect(idsOf(await page('&status=revoked'))).toEqual([issued[0]])
    expect(idsOf(await page('&status=active'))).toHaveLength(4)
    expect(idsOf(await page('', '/admin/capability-grants'))).toEqual([granted])
    expect((await api.call('/admin/service-tokens?limit=201', { token: admin })).status).toBe(400)
  })
})

describe('the hints of a refusal', () => {
  test('name the capability and who can grant it', async () => {
    const grantedBy = (capabilities: string[]) => ({
      role: 'admin',
      capability: 'admin:capabilities:grant',
      capabilities,
      routes: ['POST /admin/service-tokens', 'POST /admin/capability-grants'],
    })
    const anonymous = await api.call('/reputation')
    expect(anonymous.body.details).toMatchObject({ requiredCapabilities: ['reputation:read'], grantedBy: grantedBy(['reputation:read']) })
    const { token } = await issue({ capabilities: ['account:read'] })
    const refused = await api.call('/me', { token })
    expect(refused.body.details).toMatchObject({
      requiredCapabilities: ['account:read', 'reputation:read'],
      missingCapabilities: ['reputation:read'],
      grantedBy: grantedBy(['reputation:read']),
    })
  })

  test('promise no grant where none helps: a role, the wallet itself, a capability that no grant carries', async () => {
    const { token } = await issue()
    for (const path of ['/admin/sessions', '/admin/service-tokens'])
      expect((await api.call(path, { token })).body.details.grantedBy).toBeUndefined()
    expect((await post('/shares', {}, { token })).body).toMatchObject({ code: 'wallet_session_required' })
    expect((await post('/shares', {}, { token })).body.details.grantedBy).toBeUndefined()
  })
})
