import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { changeListing } from '../../../activities/consents/listing.ts'
import { storeContent } from '../../../activities/content/records.ts'
import { openDatabase } from '../../../activities/database/database.ts'
import { insertDecision } from '../../../activities/disputes/rows.ts'
import { createRoundEnd, endRound, openDispute } from '../../../activities/disputes/writes.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { findShareId, shareToken } from '../../../activities/shares/tokens.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createDirectoryHandlers } from '../../../api/directory/handlers.ts'
import { openSignIn } from '../../../api/identity/sign-ins.ts'
import { createShareHandlers } from '../../../api/shares/handlers.ts'
import type { Hex } from '../../../domain/common/hashes.ts'
import { disputeId } from '../../../domain/common/ids.ts'
import { rationaleBlob } from '../../../domain/disputes/evidence.ts'
import { POLICIES } from '../../../domain/shares/policies.ts'
import { createShare, getShare } from '../../../schemas/shares/operations.ts'
import { type FollowerWorld, startFollowerWorld } from '../../activities/support/follower-world.ts'
import { type Api, accounts, startApi, tokenOf } from '../../support/api.ts'
import { inputOf, refusal } from '../support/account-world.ts'

const WALLET: Hex = `0x${'e7'.repeat(20)}`
const SECRET = 'the share secret of this suite, long'
const MARKER = 'marker-of-private-work'
const MAIL = 'worker@private.example'
const WORK = { summary: `Try again ${MARKER}.`, output: `Write to ${MAIL}; eyJhbGciOiJub25lIn0.e30.x`, status: 'complete' }
const RATIONALE = `The work ${MARKER} was read against the whole task.`

let world: FollowerWorld
let api: Api
/** The same service after its secret was replaced. */
let renewed: Api
const tokens: Record<string, string> = {}
/** A session whose work is private, its dispute, and their parties. */
let session: { sessionId: string; wallet: string }
let dispute: string
const RESPONDENT = accounts.other.address.toLowerCase()

const open = async (secret: string): Promise<Api> => {
  const { chain, database, clock, settings } = world
  const handlers = createShareHandlers({
    settings: { ...settings, SHARE_SECRET: secret },
    chain,
    database,
    clock,
    baseUrl: 'https://work.example',
  } as unknown as ApiDeps)
  const limits = { RATE_LIMITS: '{"shares":{"limit":1000}}' }
  const directory = createDirectoryHandlers({ ...world, settings, baseUrl: 'https://work.example' } as unknown as ApiDeps)
  return startApi({
    databaseUrl: settings.DATABASE_URL,
    handlers: { ...directory, ...handlers },
    settings: { ...limits, SHARE_SECRET: secret },
  })
}

const issue = async (wallet: string): Promise<string> => {
  const { deps } = api
  return (await openSignIn(deps, deps.database.rows, { wallet, subject: wallet, roles: [], ip: '192.0.2.1' }, Date.now())).token
}

beforeAll(async () => {
  world = await startFollowerWorld()
  api = await open(SECRET)
  renewed = await open(`${SECRET}er`)
  session = await world.life.submitted(WORK)
  const { sessionId } = session
  dispute = disputeId(sessionId)
  await world.database.transaction(async (rows) => {
    await rows.updateTable('session').set({ poster: RESPONDENT }).where('sessionId', '=', sessionId).execute()
    const about = { session: await getSession(rows, sessionId), stage: 'arbitration', origin: 'review', reasonCode: 'X' } as const
    await openDispute(rows, { ...about, rewardRaw: 1_000_000n, at: world.clock.now(), actor: 'operator:the night shift', arbitrator: null })
  })
  for (const name of ['verifier', 'arbitrator', 'admin'] as const) tokens[name] = await tokenOf(api, accounts[name])
  tokens.respondent = await tokenOf(api, accounts.other)
  tokens.owner = await issue(session.wallet)
  tokens.stranger = await issue(`0x${'d4'.repeat(20)}`)
})
afterAll(async () => {
  await Promise.all([api?.close(), renewed?.close()])
  await world?.stop()
})

type Who = 'owner' | 'respondent' | 'stranger' | 'verifier' | 'arbitrator' | 'admin'
const share = (who: Who, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  api.call('/shares', { token: tokens[who], body, headers })
const shareSession = (who: Who = 'owner', more: Record<string, unknown> = {}) =>
  share(who, { surface: 'session', sessionId: session.sessionId, ...more })
const read = (token: string, at: Api = api, headers: Record<string, string> = {}) => at.call(`/shares/${token}`, { headers })
const revoke = (id: string, who: Who) => api.call(`/shares/${id}/revoke`, { token: tokens[who], body: {} })
const consent = (body: Record<string, boolean>) => api.call('/agents/consent', { token: tokens.owner, body })
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code].filter(Boolean).join(' ')

describe('a share token', () => {
  test('is that of the published vector', () => {
    const secret = '0123456789abcdef0123456789abcdef'
    expect(shareToken(secret, 'shr_01')).toBe('shr_01.lrgUfLTM8Jqc88GTybZzgsR9TyVK1iDbfPv5vX7Rpp8')
    expect(findShareId(secret, shareToken(secret, 'shr_01'))).toBe('shr_01')
    expect(findShareId(`${secret}0`, shareToken(secret, 'shr_01'))).toBeNull()
  })

  test('of another secret, of another id or cut is refused before a row is read', async () => {
    const { token, share: made } = (await shareSession()).body
    expect(codeOf(await read(token, renewed))).toBe('403 invalid_share_token')
    expect(codeOf(await read(token.replace('shr_', 'shr-')))).toBe('403 invalid_share_token')
    // The last character of a MAC has two bits that decode to nothing.
    const [last] = [...'AEIMQUYcgkosw048'].filter((letter) => token.endsWith(letter))
    const altered = token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1)
    expect([last === undefined, codeOf(await read(altered))]).toEqual([false, '403 invalid_share_token'])
    expect(codeOf(await read(token.slice(0, -1)))).toBe('400 invalid_request')
    expect(codeOf(await read(made.id))).toBe('400 invalid_request')
    const unread = {
      get rows(): never {
        throw new Error('a row was read')
      },
    }
    const handlers = createShareHandlers({
      settings: { ...world.settings, SHARE_SECRET: SECRET },
      chain: world.chain,
      clock: world.clock,
      baseUrl: 'https://work.example',
      database: unread as never,
    } as unknown as ApiDeps)
    const forged = shareToken(`${SECRET}er`, made.id)
    expect(await refusal(handlers.getShare(inputOf(getShare, { params: { token: forged } })))).toBe('invalid_share_token')
    await expect(handlers.getShare(inputOf(getShare, { params: { token } }))).rejects.toThrow('a row was read')
  })

  test('of an unknown id is 404', async () => {
    expect(codeOf(await read(shareToken(SECRET, 'shr_unknown')))).toBe('404 share_not_found')
  })
})

describe('the right to share', () => {
  const CREATED = '201'
  test.each([
    ['session', 'owner', CREATED],
    ['session', 'admin', CREATED],
    ['session', 'respondent', '403 session_not_owned'],
    ['session', 'verifier', '403 session_not_owned'],
    ['session', 'arbitrator', '403 session_not_owned'],
    ['session', 'stranger', '403 session_not_owned'],
    ['dispute', 'owner', CREATED],
    ['dispute', 'respondent', CREATED],
    ['dispute', 'verifier', CREATED],
    ['dispute', 'arbitrator', CREATED],
    ['dispute', 'admin', CREATED],
    ['dispute', 'stranger', '404 dispute_not_found'],
    ['policy', 'admin', CREATED],
    ['policy', 'owner', '403 share_forbidden'],
    ['policy', 'verifier', '403 share_forbidden'],
    ['policy', 'arbitrator', '403 share_forbidden'],
    ['agent', 'owner', '404 agent_not_found'],
    ['agent', 'admin', '403 share_forbidden'],
    ['agent', 'stranger', '403 share_forbidden'],
  ] as const)('of a %s: %s gets %s', async (surface, who, expected) => {
    const id = { session: session.sessionId, dispute, policy: 'receipt-co-sign', agent: session.wallet }[surface]
    expect(codeOf(await share(who, { surface, id }))).toBe(expected)
  })

  test('needs a token', async () => {
    expect(codeOf(await api.call('/shares', { body: { surface: 'policy', tag: 'receipt-co-sign' } }))).toBe('401 missing_token')
    expect(codeOf(await api.call('/shares/shr_01/revoke', { body: {} }))).toBe('401 missing_token')
  })

  test.each([
    ['agent', 'owner', 'agent_not_found'],
    ['session', 'owner', 'session_not_found'],
    ['dispute', 'owner', 'dispute_not_found'],
    ['policy', 'admin', 'policy_not_found'],
  ] as const)('ends at a missing %s with its own 404', async (surface, who, code) => {
    const id = surface === 'agent' ? session.wallet : 'no-such-record'
    expect(codeOf(await share(who, { surface, id }))).toBe(`404 ${code}`)
  })

  test.each([
    ['no record', { surface: 'session' }, '/sessionId'],
    ['two records', { surface: 'session', id: 'a', sessionId: 'b' }, '/id'],
    ['a record of another surface', { surface: 'session', id: 'a', tag: 'b' }, '/tag'],
    ['an unknown surface', { surface: 'account', id: 'a' }, '/surface'],
    ['no life', { surface: 'session', id: 'a', ttlSeconds: 0 }, '/ttlSeconds'],
    ['a life over 30 days', { surface: 'session', id: 'a', ttlSeconds: 2_592_001 }, '/ttlSeconds'],
    ['half a second', { surface: 'session', id: 'a', ttlSeconds: 0.5 }, '/ttlSeconds'],
    ['a long reference', { surface: 'session', id: 'x'.repeat(241) }, '/id'],
    ['a snapshot of the caller', { surface: 'session', id: 'a', snapshot: {} }, '/snapshot'],
  ])('refuses %s', async (_what, body, pointer) => {
    const reply = await share('owner', body)
    expect([codeOf(reply), reply.body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      '400 invalid_request',
      [pointer],
    ])
  })
})

describe('a share of a session', () => {
  test('shows state, times, money and timeline to everyone, and nothing of the work', async () => {
    const made = await shareSession()
    expect(made.body).toMatchObject({
      status: 'created',
      appPath: `/share?token=${made.body.token}`,
      apiPath: `/shares/${made.body.token}`,
    })
    expect(made.body.apiUrl).toBe(`https://work.example/shares/${made.body.token}`)
    expect(made.body.share).toMatchObject({ surface: 'session', mode: 'read_only', ttlSeconds: 604_800 })
    expect(Date.parse(made.body.share.expiresAt) - Date.parse(made.body.share.issuedAt)).toBe(604_800_000)
    const { status, body, text, headers } = await read(made.body.token)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const { resource } = body
    expect(resource).toMatchObject({
      kind: 'session_audit_trail',
      session: { sessionId: session.sessionId, wallet: session.wallet, status: 'submitted', claimStake: expect.any(String) },
    })
    expect(resource.timeline.map(({ topic }: { topic: string }) => topic)).toEqual(
      expect.arrayContaining(['session.claimed', 'session.submitted']),
    )
    for (const secret of [MARKER, MAIL, 'eyJ', 'idempotencyKey', 'night shift', 'submission"']) expect(text).not.toContain(secret)
  })

  test('is a page for a reader that prefers one, without the work', async () => {
    const { token } = (await shareSession()).body
    const { status, text, headers } = await read(token, api, { accept: 'text/html' })
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'private, no-store',
    ])
    expect([headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual(['noindex, nofollow', 'no-referrer'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('vary')).toContain('Accept')
    expect(text).toContain(session.sessionId)
    for (const secret of [MARKER, MAIL, 'eyJ']) expect(text).not.toContain(secret)
  })

  test.each([...['TEXT/HTML', 'text/html;charset=utf-8', 'text/*', 'application/json;q=0.5, text/html', '*/*, application/json;q=0']])(
    'is a page for a reader of %s',
    async (accept) => {
      const { headers } = await read((await shareSession()).body.token, api, { accept })
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    },
  )

  test.each([
    ...['*/*', 'application/json, text/html', 'application/*, text/html;q=0', 'application/json;charset="utf-8", text/html;q=0.9'],
  ])('is JSON for a reader of %s', async (accept) => {
    const { headers } = await read((await shareSession()).body.token, api, { accept })
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('stays as it was when the session changes', async () => {
    const { token } = (await shareSession()).body
    const before = (await read(token)).text
    const rows = world.rows.updateTable('session').where('sessionId', '=', session.sessionId)
    await rows.set({ status: 'disputed', disputedAt: world.clock.now() }).execute()
    expect((await read(token)).text).toBe(before)
    expect((await read((await shareSession()).body.token)).body.resource.session.status).toBe('disputed')
    await rows.set({ status: 'submitted', disputedAt: null }).execute()
  })

  test('ends at its last instant', async () => {
    const now = world.clock.now()
    world.clock.freeze(now)
    try {
      const { token } = (await shareSession('owner', { ttlSeconds: 60 })).body
      world.clock.freeze(now + 59_999)
      expect((await read(token)).status).toBe(200)
      world.clock.freeze(now + 60_000)
      expect(codeOf(await read(token))).toBe('410 share_token_expired')
    } finally {
      world.clock.run()
    }
  })

  test('is revoked at once by its creator or an admin, once, and by no one else', async () => {
    const { token, share: made } = (await shareSession()).body
    for (const who of ['stranger', 'verifier'] as const) expect(codeOf(await revoke(made.id, who))).toBe('404 share_not_found')
    expect((await read(token)).status).toBe(200)
    const first = await revoke(made.id, 'owner')
    expect([first.status, first.body.status, first.body.share.id]).toEqual([200, 'revoked', made.id])
    expect(codeOf(await read(token))).toBe('410 share_revoked')
    const again = await revoke(made.id, 'admin')
    expect([again.status, again.body.share.revokedAt]).toEqual([200, first.body.share.revokedAt])
    const other = (await shareSession()).body
    expect((await revoke(other.share.id, 'admin')).status).toBe(200)
    expect(codeOf(await read(other.token))).toBe('410 share_revoked')
    expect(codeOf(await revoke('shr_unknown', 'admin'))).toBe('404 share_not_found')
  })

  test('is made once for each key, and no stored answer holds its token', async () => {
    const body = { surface: 'session', sessionId: session.sessionId }
    const [first, again] = [
      await share('owner', body, { 'idempotency-key': 's-1' }),
      await share('owner', body, { 'idempotency-key': 's-1' }),
    ]
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const stored = await world.rows.selectFrom('idempotency_key').selectAll().where('key', '=', 's-1').executeTakeFirstOrThrow()
    expect(JSON.stringify(stored.responseBody)).toContain(first.body.share.id)
    expect(JSON.stringify(stored.responseBody)).not.toContain(first.body.token.split('.')[1])
    const { snapshot } = await world.rows.selectFrom('share').selectAll().where('id', '=', first.body.share.id).executeTakeFirstOrThrow()
    for (const secret of [MARKER, MAIL]) expect(JSON.stringify(snapshot)).not.toContain(secret)
  })
})

describe('a share of a dispute', () => {
  const shared = async () => (await read((await share('owner', { surface: 'dispute', disputeId: dispute })).body.token)).body.resource

  test('has deadlines, parties and money, and no evidence', async () => {
    const resource = await shared()
    expect(resource).toMatchObject({
      kind: 'dispute_snapshot',
      dispute: { id: dispute, status: 'open', claimant: session.wallet, respondent: RESPONDENT, remainingPayout: { raw: '1000000' } },
    })
    expect(resource.dispute.timeline).toMatchObject([{ action: 'dispute_opened' }])
    expect(resource.dispute).not.toHaveProperty('evidence')
    for (const secret of [MARKER, MAIL, 'night shift']) expect(JSON.stringify(resource)).not.toContain(secret)
  })

  test('shows the rationale of a verdict only once it is public content', async () => {
    const { rows, database } = world
    const record = await getSession(rows, session.sessionId)
    const payload = rationaleBlob({ disputeId: dispute, verdict: 'upheld', workerPayout: null, rationale: RATIONALE })
    const at = world.clock.now()
    const reasoningHash = await storeContent(rows, { contentType: 'dispute_rationale', payload, owners: [session.wallet], at })
    await insertDecision(rows, dispute, {
      round: 1,
      source: 'arbitrator',
      verdict: 'upheld',
      reasonCode: 'DISPUTE_LOST',
      workerPayoutRaw: 0n,
      payoutSource: null,
      reasoningHash,
      verificationId: null,
      decidedBy: RESPONDENT,
      decisionRequestId: 'r',
      decidedAt: at,
      preparation: null,
      observed: null,
    })
    const before = await shared()
    expect(before.dispute).toMatchObject({ verdict: 'upheld', reasoningHash })
    expect(before.dispute).not.toHaveProperty('rationale')
    const end = createRoundEnd({ txHash: `0x${'7'.repeat(64)}`, blockTime: at }, 'upheld', 0n, RESPONDENT, 'DISPUTE_LOST')
    await database.transaction((own) => endRound(own, record, end, at))
    expect((await shared()).dispute).toMatchObject({ status: 'resolved', rationale: RATIONALE })
  })
})

test.each(POLICIES.map(({ tag }) => tag))('the policy %s is shared as it stands, without an approval', async (tag) => {
  const { token } = (await share('admin', { surface: 'policy', tag })).body
  const { resource } = (await read(token)).body
  expect(resource).toEqual({ kind: 'policy_snapshot', policy: POLICIES.find((policy) => policy.tag === tag) })
  expect(JSON.stringify(resource)).not.toMatch(/"(approvals?|signatures?|signers?)"/i)
})

describe('the page of a share', () => {
  /** Names of the rows, and the texts in cells. */
  const readPage = async (who: Who, body: Record<string, unknown>) => {
    const { text } = await read((await share(who, body)).body.token, api, { accept: 'text/html' })
    const namesOf = (html: string) => [...html.matchAll(/<th scope="row">([^<]*)/g)].map(([, name]) => name ?? '')
    return { text, names: namesOf(text) }
  }

  test.each([
    ['session', 'owner', ['State', 'Worker', 'Stake', 'Badge to earn', 'Last instant to submit']],
    ['dispute', 'owner', ['State', 'Worker', 'Poster', 'Reward in dispute', 'Bond: stake and fee', 'Opened by']],
    ['policy', 'admin', ['Rule', 'Applies to', 'What a breach stops', 'In force since']],
  ] as const)('of a %s has words for every member, amounts with their asset and no JSON', async (surface, who, expected) => {
    const id = { session: session.sessionId, dispute, policy: 'receipt-co-sign' }[surface]
    const { text, names } = await readPage(who, { surface, id })
    expect(names).toEqual(expect.arrayContaining([...expected]))
    expect(names.filter((name) => /^[a-z]|[a-z][A-Z]/.test(name))).toEqual([])
    expect(text).not.toMatch(/\{&quot;|\[object|undefined|null|<td>\d+\.\d+<\/td>/)
  })

  test('of a profile is that of the profile', async () => {
    await consent({ publicProfileOptIn: true })
    const { text } = await readPage('owner', { surface: 'agent', id: session.wallet })
    expect(text).toContain('<th scope="row">Skill</th>')
    expect(text).toContain('<h2>Badges</h2>')
    await consent({ publicProfileOptIn: false })
  })
})

test('the window of the dispute policy is that of the contract', async () => {
  const seconds = await world.world.read('escrow', 'DISPUTE_WINDOW')
  expect(POLICIES.find(({ tag }) => tag === 'dispute-human-review-window')?.rule).toContain(`${seconds} seconds`)
})

describe('the share of a profile', () => {
  test('takes no connection beside the one of its transaction', async () => {
    const database = openDatabase({ url: world.settings.DATABASE_URL, poolSize: 1 })
    const { chain, clock, settings } = world
    const parts = { chain, clock, database, settings: { ...settings, SHARE_SECRET: SECRET }, baseUrl: 'https://work.example' }
    const ask = () =>
      createShareHandlers(parts as unknown as ApiDeps).createShare(
        inputOf(createShare, { wallet: WALLET, body: { surface: 'agent', wallet: WALLET } }),
      )
    await changeListing(database.rows, { wallet: WALLET, jti: null, at: clock.now(), publicProfileOptIn: true })
    expect((await ask()).status).toBe(201)
    await database.close()
  })

  const shareProfile = () => share('owner', { surface: 'agent', wallet: session.wallet })

  test('shows the public profile without present work, and ends when the wallet leaves the directory', async () => {
    expect(codeOf(await shareProfile())).toBe('404 agent_not_found')
    await consent({ publicProfileOptIn: true, currentActivityOptIn: true })
    const { token } = (await shareProfile()).body
    const { resource } = (await read(token)).body
    expect(resource).toMatchObject({ kind: 'agent_profile', profile: { schemaVersion: 'v1', wallet: session.wallet } })
    expect(resource.profile.currentActivity).toBeUndefined()
    await consent({ publicProfileOptIn: false })
    expect(codeOf(await read(token))).toBe('404 share_not_found')
    await consent({ publicProfileOptIn: true })
    expect(codeOf(await read(token))).toBe('404 share_not_found')
    await consent({ publicProfileOptIn: false })
  })
})
