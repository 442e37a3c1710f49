// Delegates as their wallet and as they see themselves: the grant, the list, the end, at two processes.
import { describe, expect, test } from '@jest/globals'
import { verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { insertGrant, lockDelegatesOf } from '../../../activities/identity/grants.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import { DELEGATE_LIMITS } from '../../../schemas/identity/delegate-terms.ts'
import { type Api, accounts, type Reply, startApi, tokenOf } from '../../support/api.ts'
import { untilLocksWait } from '../../support/postgres/waiting-locks.ts'
import { useStarted } from '../../support/started.ts'
import { DELEGATE_TERMS, delegateMessage, grantTo } from '../support/delegates.ts'
import { listJob } from '../support/listed-job.ts'
import { useApi } from '../support/started.ts'

const UNLIMITED = JSON.stringify(Object.fromEntries(Object.keys(RATE_BUCKETS).map((name) => [name, { limit: 99_999 }])))
const settings = { RATE_LIMITS: UNLIMITED, JWT_ALGORITHM: 'HS256', JWT_SECRETS: 'a secret of at least thirty-two characters' }
const DAY = 86_400_000

const api = useApi({ settings })
/** A second process on the same database. */
const other = useStarted(
  () => startApi({ databaseUrl: api.databaseUrl, settings }),
  (started: Api) => started.close(),
)

const newWallet = () => privateKeyToAccount(generatePrivateKey())
const post = (path: string, token: string, body: object, at: Pick<Api, 'call'> = api): Promise<Reply> => at.call(path, { token, body })
const session = (token: string, at: Pick<Api, 'call'> = api): Promise<Reply> => at.call('/auth/session', { token })
const delegatesOf = async (token: string, query = ''): Promise<Reply['body']> =>
  (await other.call(`/auth/delegates${query}`, { token })).body
const codeOf = ({ status, body }: Reply): unknown[] => [status, body.code]
const ENDED = [401, 'delegate_ended']

/** A wallet with its token, and one delegate of it. */
const granted = async (terms: object = {}) => {
  const account = newWallet()
  const token = await tokenOf(api, account)
  const { body } = await grantTo(api, account, terms)
  return {
    account,
    wallet: account.address.toLowerCase(),
    token,
    delegate: body.token as string,
    grantId: body.capabilityGrantId as string,
  }
}

const eventsOf = (grantId: string) =>
  api.deps.database.rows.selectFrom('event').selectAll().where('correlationId', '=', grantId).orderBy('id').execute()

/** A claim of a delegate in the records. */
const claimed = async (wallet: string, grantId: string, { bondRaw, at, status }: { bondRaw: bigint; at: number; status: string }) => {
  const id = crypto.randomUUID()
  await listJob(api.deps.database, `job-${id}`)
  await api.deps.database.rows
    .insertInto('claim_intent')
    .values({
      ...{ runId: id, jobId: `job-${id}`, wallet, sessionId: `job-${id}:${wallet}`, attempt: 1, stage: 'admitted' as never },
      ...{
        status: status as never,
        terms: {} as never,
        exposureRaw: 0n,
        subsidyRaw: 0n,
        bondRaw,
        unwaivedBondRaw: bondRaw,
        grantId,
        claimCount: 0,
      },
      ...{ idempotencyKey: id, requestId: null, failureCode: null, createdAt: at, closedAt: status === 'open' ? null : at },
    })
    .execute()
}

describe('a delegate', () => {
  test('is granted by a signature, listed with its proof by every process, and ended by its wallet at once', async () => {
    const { account, wallet, token, delegate, grantId } = await granted({ name: 'Night shift' })
    const { items, nextCursor } = await delegatesOf(token)
    expect([items.length, nextCursor]).toEqual([1, null])
    const [item] = items
    expect(item).toMatchObject({
      grantId,
      client: { name: 'Night shift', host: null },
      scopes: ['read', 'claim', 'submit'],
      tiers: ['starter', 'pro'],
      budget: { bondPerDay: { asset: 'USDC', raw: '7000000', display: '7' }, jobsPerDay: 10 },
      used: { bonds: { raw: '0' }, jobs: 0 },
      ...{ status: 'active', revokedAt: null, revokedBy: null },
    })
    expect(Date.parse(item.expiresAt) - Date.parse(item.issuedAt)).toBeLessThanOrEqual(3 * DAY)
    expect(item.message).toContain(
      "Let 'Night shift' act for me: read, claim, submit in all my sessions; bonds up to 7 USDC a day; 10 jobs a day; tiers starter, pro;",
    )
    expect(await verifyMessage({ address: account.address, message: item.message, signature: item.signature })).toBe(true)
    expect(JSON.stringify(items)).not.toContain(delegate)

    expect((await session(delegate, other)).status).toBe(200)
    expect((await post('/auth/delegates/revoke', token, { grantId })).body).toEqual({ revoked: [grantId] })
    for (const at of [api, other]) {
      const refused = await session(delegate, at)
      expect([...codeOf(refused), refused.body.reason]).toEqual([...ENDED, 'capability_grant_revoked'])
      expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
    expect((await session(token)).status).toBe(200)
    const [ended] = (await delegatesOf(token)).items
    expect([ended.status, ended.revokedBy]).toEqual(['revoked', 'wallet'])
    const events = await eventsOf(grantId)
    expect(events.map(({ topic, wallets }) => [topic, wallets])).toEqual([
      ['delegate.grant', [wallet]],
      ['delegate.revoke', [wallet]],
    ])
  })

  test('shows its terms and what is left of them to itself, by the claims that count', async () => {
    const { wallet, token, delegate, grantId } = await granted({ bondPerDayRaw: '1000000', jobsPerDay: 2 })
    const second = (await grantTo(api, newWallet())).body.capabilityGrantId
    const now = Date.now()
    await claimed(wallet, grantId, { bondRaw: 300_000n, at: now - 1_000, status: 'open' })
    await claimed(wallet, grantId, { bondRaw: 900_000n, at: now - 2_000, status: 'recorded' })
    await claimed(wallet, grantId, { bondRaw: 5n, at: now - 3_000, status: 'released' })
    await claimed(wallet, grantId, { bondRaw: 7n, at: now - DAY - 1, status: 'recorded' })
    await claimed(wallet, second, { bondRaw: 11n, at: now, status: 'open' })
    const { body } = await session(delegate)
    expect(body).toMatchObject({ tokenKind: 'delegate', capabilityGrantId: grantId, refreshableUntil: null, roles: [] })
    expect(body.delegate).toMatchObject({
      client: { name: 'Test agent', host: null },
      budget: { bondPerDay: { raw: '1000000' }, jobsPerDay: 2 },
      used: { bonds: { raw: '1200000' }, jobs: 2 },
      left: { bonds: { raw: '0', display: '0' }, jobs: 0 },
    })
    expect((await delegatesOf(token)).items[0].used).toEqual(body.delegate.used)
    expect((await session(token)).body.delegate).toBeUndefined()
  })

  test('ends with its own logout, and with it every token of its grant', async () => {
    const { token, delegate, grantId, wallet } = await granted()
    const iat = Math.floor(Date.now() / 1000)
    const { token: second } = await api.deps.tokens.issueDelegate({ sub: wallet, grantId, iat, exp: iat + 60 })
    expect((await session(second, other)).status).toBe(200)
    expect((await post('/auth/logout', delegate, {})).body).toMatchObject({ status: 'logged_out', wallet })
    for (const one of [delegate, second]) expect(codeOf(await session(one, other))).toEqual(ENDED)
    expect((await session(token)).status).toBe(200)
    const [item] = (await delegatesOf(token)).items
    expect([item.status, item.revokedBy]).toEqual(['revoked', 'delegate'])
    expect((await eventsOf(grantId)).map(({ topic }) => topic)).toEqual(['delegate.grant', 'delegate.revoke'])
  })

  test('is never refreshed, and the refusal says why', async () => {
    const { delegate } = await granted()
    const reply = await post('/auth/refresh', delegate, {})
    expect(codeOf(reply)).toEqual([401, 'service_token_refresh_unsupported'])
    expect(reply.body.detail).toContain('The token of a delegate lives as long as its grant')
  })

  test('ends at its time, which the message fixed', async () => {
    const started = Date.now()
    const account = newWallet()
    const { body: challenge } = await delegateMessage(api, account, { days: 1 })
    const signature = await account.signMessage({ message: challenge.message })
    api.clock.at = started + 120_000
    const { body } = await api.call('/auth/verify', { body: { message: challenge.message, signature } })
    const ends = Date.parse(/until (\S+)\.\n/.exec(challenge.message)?.[1] ?? '')
    try {
      expect(Math.floor(Date.parse(body.expiresAt) / 1000)).toBe(Math.floor(ends / 1000))
      api.clock.at = ends - 1_001
      expect((await session(body.token)).status).toBe(200)
      api.clock.at = ends + 1
      expect((await session(body.token)).status).toBe(401)
    } finally {
      api.clock.at = null
    }
    other.clock.at = ends + 1
    const token = await tokenOf(other, account)
    const [item] = (await delegatesOf(token)).items
    expect([item.status, item.revokedAt]).toEqual(['expired', null])
    expect((await post('/auth/delegates/revoke', token, { all: true }, other)).body).toEqual({ revoked: [] })
    other.clock.at = null
  })
})

describe('a revocation', () => {
  test('of all ends every delegate that has not ended, and a repeat finds none', async () => {
    const { account, token, delegate, grantId } = await granted()
    const second = (await grantTo(other, account)).body
    const stranger = await granted()
    await post('/auth/delegates/revoke', token, { grantId })
    expect((await post('/auth/delegates/revoke', token, { all: true }, other)).body).toEqual({ revoked: [second.capabilityGrantId] })
    for (const one of [delegate, second.token]) expect(codeOf(await session(one))).toEqual(ENDED)
    expect((await session(stranger.delegate)).status).toBe(200)
    expect((await post('/auth/delegates/revoke', token, { all: true })).body).toEqual({ revoked: [] })
    expect((await post('/auth/delegates/revoke', token, { grantId })).body).toEqual({ revoked: [grantId] })
    expect(await eventsOf(grantId)).toHaveLength(2)
  })

  test('of an absent delegate, of one of another wallet and of a grant of another kind are the same', async () => {
    const [{ token, wallet }, stranger] = [await granted(), await granted()]
    const terms = { subject: wallet, capabilities: ['reputation:read'] }
    const admin = await tokenOf(api, accounts.admin)
    const ofWallet = (await post('/admin/capability-grants', admin, terms)).body.id
    const answerTo = async (grantId: string): Promise<unknown> => {
      const { status, body } = await post('/auth/delegates/revoke', token, { grantId })
      const { requestId: _id, details, ...rest } = body
      expect(details).toEqual({ grantId })
      return { ...rest, status }
    }
    const absent = await answerTo('grant-ffffffffffff')
    expect(absent).toMatchObject({ status: 404, code: 'delegate_not_found' })
    for (const id of [stranger.grantId, ofWallet]) expect(await answerTo(id)).toEqual(absent)
    expect((await session(stranger.delegate)).status).toBe(200)
  })

  test.each([{}, { grantId: 'none' }, { all: false }, { all: true, grantId: 'grant-0123456789ab' }, { all: true, more: 1 }])(
    'needs exactly one delegate, or all: %j',
    async (body) => {
      const { token, delegate } = await granted()
      expect(codeOf(await post('/auth/delegates/revoke', token, body))).toEqual([400, 'invalid_request'])
      expect((await session(delegate)).status).toBe(200)
    },
  )

  test('and the list are for the wallet itself', async () => {
    const { delegate, wallet } = await granted()
    const admin = await tokenOf(api, accounts.admin)
    const { token } = (await post('/admin/service-tokens', admin, { subject: wallet, capabilities: ['session:read'] })).body
    for (const caller of [delegate, token]) {
      expect(codeOf(await post('/auth/delegates/revoke', caller, { all: true }))).toEqual([403, 'wallet_session_required'])
      expect(codeOf(await api.call('/auth/delegates', { token: caller }))).toEqual([403, 'wallet_session_required'])
    }
    expect((await session(delegate)).status).toBe(200)
  })
})

test('the list goes by pages, and a wallet sees its own delegates only', async () => {
  const { account, token, grantId } = await granted()
  const ids = [grantId]
  for (let count = 0; count < 4; count += 1) ids.unshift((await grantTo(api, account)).body.capabilityGrantId)
  await granted()
  const first = await delegatesOf(token, '?limit=3')
  const second = await delegatesOf(token, `?limit=3&cursor=${encodeURIComponent(first.nextCursor)}`)
  const seen = [...first.items, ...second.items].map((item: Reply['body']) => item.grantId)
  expect([[...seen].sort(), second.nextCursor]).toEqual([[...ids].sort(), null])
  const foreign = await tokenOf(api, newWallet())
  const refused = await api.call(`/auth/delegates?limit=3&cursor=${encodeURIComponent(first.nextCursor)}`, { token: foreign })
  expect([refused.status, (await delegatesOf(foreign)).items]).toEqual([400, []])
})

test('a wallet has 50 delegates at most, also when two processes grant at the same time', async () => {
  const { account, token, wallet, grantId } = await granted()
  const { rows } = api.deps.database
  const [row] = await rows.selectFrom('capability_grant').selectAll().where('id', '=', grantId).execute()
  if (row === undefined) throw new Error('no grant')
  const idOf = (place: number): string => `grant-${String(place).padStart(2, '0')}${wallet.slice(2, 12)}`
  for (let place = 1; place < DELEGATE_LIMITS.live - 2; place += 1) await insertGrant(rows, { ...row, id: idOf(place) })
  await insertGrant(rows, { ...row, id: idOf(98), issuedAt: row.issuedAt - DAY, expiresAt: row.issuedAt - 1 })
  const sent = await api.deps.database.transaction(async (held) => {
    await lockDelegatesOf(held, wallet)
    const asked = Array.from({ length: 6 }, (_one, place) => grantTo(place % 2 === 0 ? api : other, account))
    await untilLocksWait(other.deps.database, 6)
    return asked
  })
  const replies = await Promise.all(sent)
  expect(replies.map(codeOf).sort()).toEqual([...Array(2).fill([200, undefined]), ...Array(4).fill([409, 'delegate_limit_reached'])])
  await post('/auth/delegates/revoke', token, { grantId })
  expect((await grantTo(api, account)).status).toBe(200)
})

describe('a message for a delegate is refused', () => {
  test.each<[string, object]>([
    ['for an unknown scope', { scopes: ['read', 'withdraw'] }],
    ['for a scope that every object has', { scopes: ['constructor'] }],
    ['for a scope twice', { scopes: ['read', 'read'] }],
    ['without a scope', { scopes: [] }],
    ['for an unknown tier', { tiers: ['platinum'] }],
    ['for a tier twice', { tiers: ['pro', 'pro'] }],
    ['for no day', { days: 0 }],
    ['for 31 days', { days: 31 }],
    ['for a part of a day', { days: 1.5 }],
    ['for a bond with a sign', { bondPerDayRaw: '-1' }],
    ['for a bond with a plus', { bondPerDayRaw: '+1' }],
    ['for a bond of 16 digits', { bondPerDayRaw: '1000000000000000' }],
    ['for a bond with a point', { bondPerDayRaw: '7.5' }],
    ['for a bond that is a number', { bondPerDayRaw: 7_000_000 }],
    ['for a bond with a leading zero', { bondPerDayRaw: '07' }],
    ['for fewer than no jobs', { jobsPerDay: -1 }],
    ['for more jobs than a day has', { jobsPerDay: 1_001 }],
    ['without a name', { name: '' }],
    ['for a name of 5 kB', { name: 'x'.repeat(5_000) }],
    ['with a host of its own', { host: 'claude.ai' }],
    ['with capabilities of its own', { capabilities: ['account:fund'] }],
    ['with an end of its own', { endsAt: 9_999_999_999_999 }],
  ])('%s', async (_name, terms) => {
    const reply = await delegateMessage(api, accounts.worker, terms)
    expect(codeOf(reply)).toEqual([400, 'invalid_request'])
    expect(reply.body.errors[0].pointer).toMatch(/^\/delegate/)
  })
})

test.each([
  ['with marks', '<b>Best</b> agent', "Let 'b Best b agent' act for me"],
  ['with line ends', 'Agent\n\nURI: https://evil.example\nNonce: 1', "Let 'Agent URI https evil.example Nonce 1' act for me"],
  ['that runs from right to left', 'agent\u202e\u2066evil', "Let 'agent evil' act for me"],
  ['without a letter that a message can hold', '\u{1f916}\u200b', "Let 'an agent' act for me"],
])('a name %s is cleaned in the message, and in the list', async (_how, name, words) => {
  const { token } = await granted({ name })
  const [item] = (await delegatesOf(token)).items
  expect(item.message).toContain(`\n\n${words}: read, claim, submit in all my sessions;`)
  expect(`Let '${item.client.name}' act for me`).toBe(words)
})

test('a delegate can ask for a message, as everyone can: only the wallet signs it', async () => {
  const { account, token, delegate } = await granted()
  const asked = await post('/auth/nonce', delegate, { wallet: account.address, delegate: { ...DELEGATE_TERMS, days: 30 } })
  expect(asked.status).toBe(200)
  const signature = await newWallet().signMessage({ message: asked.body.message })
  const refused = await post('/auth/verify', delegate, { message: asked.body.message, signature })
  // A contract wallet could accept it: this API has no chain to ask.
  expect([refused.status, refused.body.code, refused.body.token]).toEqual([502, 'blockchain_unavailable', undefined])
  expect((await delegatesOf(token)).items).toHaveLength(1)
})
