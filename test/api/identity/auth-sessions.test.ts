// Sign-ins of a wallet at two processes with one database: what a refresh does, what the owner sees and what an end reaches.
import { afterEach, describe, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { openDatabase } from '../../../activities/database/database.ts'
import { relayEvents } from '../../../activities/events/relay.ts'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { createWebhookSteps } from '../../../activities/webhooks/deliver.ts'
import { deleteExpired } from '../../../api/housekeeping.ts'
import { type Api, makePem, type Reply, startApi, tokenOf } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { untilLocksWait } from '../../support/postgres/waiting-locks.ts'
import { useStarted } from '../../support/started.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import { addWebhook, WEBHOOK_SECRET } from '../../support/webhooks/rows.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

const startProcesses = async () => {
  const { url: databaseUrl, drop } = await createTestDatabase()
  const unlimited = ['auth_nonce', 'auth_verify', 'auth_refresh', 'events_poll'].map((name) => [name, { limit: 9_999 }])
  const settings = { JWT_KEY: makePem(), TRUSTED_PROXIES: '1', RATE_LIMITS: JSON.stringify(Object.fromEntries(unlimited)) }
  const [one, two] = await Promise.all([startApi({ databaseUrl, settings }), startApi({ databaseUrl, settings })])
  return { one, two, databaseUrl, drop }
}
const processes = useStarted(startProcesses, async ({ one, two, drop }) => {
  await Promise.all([one.close(), two.close()])
  await drop()
})
const both = (): [Api, Api] => [processes.one, processes.two]
const rows = () => processes.one.deps.database.rows

/** Sets the clocks of both processes; null for the clock of the machine. */
const setTime = (at: number | null): void => {
  for (const { clock } of both()) clock.at = at
}
afterEach(() => setTime(null))

const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())
const signIn = (account: PrivateKeyAccount): Promise<string> => tokenOf(processes.one, account)
const sidOf = (token: string): string => String(decodeJwt(token).sid)
const refresh = (token: string, api = processes.one): Promise<Reply> => api.call('/auth/refresh', { token, body: {} })
const refreshed = async (token: string, api = processes.one): Promise<string> => {
  const { status, body } = await refresh(token, api)
  expect(status).toBe(200)
  return body.token
}
const list = async (token: string, query = ''): Promise<Reply['body']> =>
  (await processes.two.call(`/auth/sessions${query}`, { token })).body
const revoke = (token: string, body: object): Promise<Reply> => processes.one.call('/auth/sessions/revoke', { token, body })

/** What both processes answer to a token: 200, or code and reason. */
const answersTo = async (token: string): Promise<unknown[]> => {
  const replies = await Promise.all(both().map((api) => api.call('/auth/session', { token })))
  return replies.map(({ status, body }) => (status === 200 ? 200 : `${body.code} ${body.reason}`))
}
const twice = (answer: unknown): unknown[] => [answer, answer]

describe('a refresh', () => {
  test('sent eight times at once by two processes gives one new token to all, which goes on', async () => {
    const old = await signIn(newWallet())
    const onlooker = openDatabase({ url: processes.databaseUrl, poolSize: 1, connectMs: 20_000 })
    // All of them wait for the sign-in before the first goes on.
    const sent = await processes.one.deps.database.transaction(async (locked) => {
      await locked.selectFrom('auth_session').select('id').where('id', '=', sidOf(old)).forUpdate().execute()
      const replies = Array.from({ length: 8 }, (_, place) => refresh(old, both()[place % 2]))
      await untilLocksWait(onlooker, 8)
      return replies
    })
    const replies = await Promise.all(sent)
    await onlooker.close()
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const tokens = replies.map(({ body }): string => body.token)
    expect(new Set(tokens.map((token) => JSON.stringify(decodeJwt(token)))).size).toBe(1)
    for (const token of tokens) expect(await answersTo(token)).toEqual(twice(200))
    expect(await answersTo(old)).toEqual(twice('token_revoked replaced'))
    expect(await answersTo(await refreshed(tokens[7] ?? '', processes.two))).toEqual(twice(200))
  })

  const NOW = Date.parse('2026-03-01T12:00:00.000Z')
  test.each<[string, number, number, number | string]>([
    ['at once', 1, 0, 200],
    ['30 s later', 1, 30_000, 200],
    ['in the 31st second', 1, 30_001, 'refresh_reused'],
    ['12 hours later', 1, 12 * HOUR, 'refresh_reused'],
    ['at once, two exchanges old', 2, 0, 'refresh_reused'],
  ])('of an old token %s', async (_when, exchanges, laterMs, expected) => {
    setTime(NOW)
    const account = newWallet()
    const beside = await signIn(account)
    const old = await signIn(account)
    const family = [old]
    for (let count = 0; count < exchanges; count += 1) family.push(await refreshed(family.at(-1) ?? ''))
    const newest = family.at(-1) ?? ''
    setTime(NOW + laterMs)
    const { status, body } = await refresh(old, processes.two)
    expect(body.code ?? status).toBe(expected)
    if (status === 200) {
      expect(decodeJwt(body.token)).toEqual(decodeJwt(newest))
      expect(await answersTo(newest)).toEqual(twice(200))
      return
    }
    expect(status).toBe(401)
    for (const token of family) {
      expect(await answersTo(token)).toEqual(twice('token_revoked refresh_reused'))
      expect((await refresh(token)).body).toMatchObject({ status: 401, code: 'token_revoked', reason: 'refresh_reused' })
    }
    expect(await answersTo(beside)).toEqual(twice(200))
  })

  test('of an old token tells the owner, in the events and by webhook, once', async () => {
    const receiver = await startReceiver()
    try {
      setTime(NOW)
      const [account, stranger] = [newWallet(), newWallet()]
      const wallet = account.address.toLowerCase()
      const { database, clock } = processes.one.deps
      const { id } = await addWebhook(rows(), wallet, receiver.url, { topics: ['auth.refresh_reused'] })
      const [old, reader, other] = [await signIn(account), await signIn(account), await signIn(stranger)]
      await refreshed(old)
      setTime(NOW + 31_000)
      for (const code of ['refresh_reused', 'token_revoked']) expect((await refresh(old)).body.code).toBe(code)
      while ((await relayEvents(database)) > 0);
      const poll = async (token: string) =>
        (await processes.two.call('/events/poll?topics=auth.refresh_reused&after=0', { token })).body.events
      const data = {
        sessionId: sidOf(old),
        subject: wallet,
        signedInAt: new Date(NOW).toISOString(),
        network: '127.0.0.0/24',
      }
      expect(await poll(reader)).toMatchObject([{ topic: 'auth.refresh_reused', severity: 'warn', wallets: [wallet], data }])
      expect(await poll(other)).toEqual([])
      const settings = { WEBHOOKS: true, WEBHOOK_SECRETS: [WEBHOOK_SECRET] }
      await createWebhookSteps({ settings, database, clock, fetch: createGuardedFetch({ allowedHosts: [receiver.host] }) }).deliverEvents({
        id,
      })
      expect(receiver.received.map(({ event }) => event)).toMatchObject([{ topic: 'auth.refresh_reused', data }])
    } finally {
      await receiver.close()
    }
  })
})

describe('the list of sign-ins', () => {
  test('shows the live ones of the wallet, newest first, with the own one marked', async () => {
    const start = Date.parse('2026-04-01T00:00:00.000Z')
    const account = newWallet()
    setTime(start - 2 * DAY)
    const expired = await signIn(account)
    setTime(start)
    const [first, ended] = [await signIn(account), await signIn(account)]
    await processes.one.call('/auth/logout', { token: ended, body: {} })
    await signIn(newWallet())
    setTime(start + HOUR)
    const second = await signIn(account)
    setTime(start + 2 * HOUR)
    const moved = await refreshed(first)
    const { items, nextCursor } = await list(moved)
    const at = (ms: number) => new Date(start + ms).toISOString()
    const common = { lastUsedAt: null, network: '127.0.0.0/24' }
    expect(items).toEqual([
      {
        ...common,
        sessionId: sidOf(second),
        current: false,
        signedInAt: at(HOUR),
        issuedAt: at(HOUR),
        expiresAt: at(HOUR + DAY),
        refreshableUntil: at(HOUR + 30 * DAY),
      },
      {
        ...common,
        sessionId: sidOf(first),
        current: true,
        signedInAt: at(0),
        issuedAt: at(2 * HOUR),
        expiresAt: at(2 * HOUR + DAY),
        refreshableUntil: at(30 * DAY),
      },
    ])
    expect([nextCursor, sidOf(moved)]).toEqual([null, sidOf(first)])
    expect((await processes.two.call('/auth/session', { token: expired })).body.code).toBe('token_expired')
  })

  test('comes in pages, and no cursor of another wallet is taken', async () => {
    const [account, stranger] = [newWallet(), newWallet()]
    const tokens = [await signIn(account), await signIn(account), await signIn(account)]
    const [token = ''] = tokens
    const found: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: Reply['body'] = await list(token, `?limit=2${next === '' ? '' : `&cursor=${next}`}`)
      found.push(...page.items.map(({ sessionId }: { sessionId: string }) => sessionId))
      if (page.nextCursor !== null) expect((await list(await signIn(stranger), `?cursor=${page.nextCursor}`)).code).toBe('invalid_request')
      next = page.nextCursor
    }
    expect(found).toHaveLength(3)
    expect(new Set(found)).toEqual(new Set(tokens.map(sidOf)))
  })
})

describe('an owner', () => {
  test('ends with all also a sign-in whose token has expired, and still counts for the clock difference', async () => {
    const start = Date.parse('2026-05-01T00:00:00.000Z')
    const account = newWallet()
    setTime(start)
    const stolen = await signIn(account)
    setTime(start + DAY + 20_000)
    expect(await answersTo(stolen)).toEqual([200, 200])
    expect((await revoke(await signIn(account), { all: true })).status).toBe(200)
    expect(await answersTo(stolen)).toEqual(twice('token_revoked session_ended'))
    expect((await refresh(stolen)).body.code).toBe('token_revoked')
  })

  test.each<[string, (own: string, others: string[]) => object, boolean[]]>([
    ['ends one sign-in', (_own, [other = '']) => ({ sessionId: sidOf(other) }), [false, true, false]],
    ['ends the own sign-in', (own) => ({ sessionId: sidOf(own) }), [true, false, false]],
    ['ends all but this', () => ({ allBut: 'this' }), [false, true, true]],
    ['ends all', () => ({ all: true }), [true, true, true]],
  ])('%s, at every process', async (_name, bodyOf, ends) => {
    const account = newWallet()
    const tokens = [await signIn(account), await signIn(account), await signIn(account)]
    const strange = await signIn(newWallet())
    const [own = '', ...others] = tokens
    const { status, body } = await revoke(own, bodyOf(own, others))
    const ended = tokens.filter((_token, place) => ends[place])
    expect(status).toBe(200)
    expect(body.ended.toSorted()).toEqual(ended.map(sidOf).sort())
    for (const token of tokens) expect(await answersTo(token)).toEqual(twice(ended.includes(token) ? 'token_revoked session_ended' : 200))
    expect(await answersTo(strange)).toEqual(twice(200))
    for (const token of ended) expect((await refresh(token)).body.code).toBe('token_revoked')
  })

  test('who repeats an end gets the same answer', async () => {
    const account = newWallet()
    const [own, other] = [await signIn(account), await signIn(account)]
    const replies = [await revoke(own, { sessionId: sidOf(other) }), await revoke(own, { sessionId: sidOf(other) })]
    expect(replies.map(({ body }) => body)).toEqual(twice({ ended: [sidOf(other)] }))
  })

  test('gets one answer for an absent sign-in and for that of another wallet, which goes on', async () => {
    const [own, strange] = [await signIn(newWallet()), await signIn(newWallet())]
    const answerFor = async (sessionId: string) => {
      const { status, text } = await revoke(own, { sessionId })
      return [status, text.replaceAll(sessionId, 'ID').replaceAll(/"requestId":"[^"]+"/g, '')]
    }
    const absent = await answerFor('00000000-0000-4000-8000-000000000000')
    expect(absent).toEqual([404, expect.stringContaining('sign_in_not_found')])
    expect(await answerFor(sidOf(strange))).toEqual(absent)
    expect(await answersTo(strange)).toEqual(twice(200))
  })

  test.each<[string, object]>([
    ['nothing', {}],
    ['two members', { all: true, allBut: 'this' }],
    ['another word', { allBut: 'that' }],
    ['a negation', { all: false }],
    ['an id that is no UUID', { sessionId: 'x' }],
    ['an unknown member', { everything: true }],
  ])('who names %s is refused, and nothing ends', async (_name, body) => {
    const own = await signIn(newWallet())
    const { status, body: problem } = await revoke(own, body)
    expect([status, problem.code]).toEqual([400, 'invalid_request'])
    expect(await answersTo(own)).toEqual(twice(200))
  })

  test('who logs out ends that sign-in alone', async () => {
    const account = newWallet()
    const [own, other] = [await signIn(account), await signIn(account)]
    await processes.two.call('/auth/logout', { token: own, body: {} })
    expect(await answersTo(own)).toEqual(twice('token_revoked logout'))
    expect(await answersTo(other)).toEqual(twice(200))
  })
})

describe('the last use of a sign-in', () => {
  const noon = Date.parse('2026-05-01T12:00:00.000Z')
  const useFrom = async (api: Api, token: string, from: string): Promise<void> => {
    expect((await api.call('/auth/session', { token, headers: { 'x-forwarded-for': from } })).status).toBe(200)
  }
  const rowOf = (token: string) =>
    rows().selectFrom('auth_session').select(['lastUsedAt', 'network']).where('id', '=', sidOf(token)).executeTakeFirstOrThrow()

  test('is written by housekeeping, once an hour by whichever process, with the network of the client', async () => {
    setTime(noon + 60_000)
    const token = await signIn(newWallet())
    await useFrom(processes.one, token, '203.0.113.77')
    expect(await rowOf(token)).toEqual({ lastUsedAt: null, network: '127.0.0.0/24' })
    await processes.one.deps.sessionUses.write()
    expect(await rowOf(token)).toEqual({ lastUsedAt: noon, network: '203.0.113.0/24' })
    setTime(noon + HOUR - 1)
    await useFrom(processes.two, token, '198.51.100.1')
    await processes.two.deps.sessionUses.write()
    expect(await rowOf(token)).toEqual({ lastUsedAt: noon, network: '203.0.113.0/24' })
    setTime(noon + HOUR)
    await useFrom(processes.two, token, '2001:db8:1:2::3')
    await processes.two.deps.sessionUses.write()
    expect(await rowOf(token)).toEqual({ lastUsedAt: noon + HOUR, network: '2001:db8:1::/48' })
    // A use that was written is not written again.
    await rows().updateTable('auth_session').set({ lastUsedAt: null }).where('id', '=', sidOf(token)).execute()
    for (const { deps } of both()) await deps.sessionUses.write()
    expect((await rowOf(token)).lastUsedAt).toBe(null)
  })

  test('is not lost by a write that fails', async () => {
    setTime(noon)
    const token = await signIn(newWallet())
    await useFrom(processes.one, token, '203.0.113.77')
    await sql`alter table auth_session rename to auth_session_away`.execute(rows())
    await expect(processes.one.deps.sessionUses.write()).rejects.toThrow('auth_session')
    await sql`alter table auth_session_away rename to auth_session`.execute(rows())
    await processes.one.deps.sessionUses.write()
    expect((await rowOf(token)).lastUsedAt).toBe(noon)
  })
})

test('housekeeping deletes a sign-in a day after its last token, ended or not', async () => {
  const start = Date.parse('2026-06-01T00:00:00.000Z')
  const account = newWallet()
  setTime(start)
  const [live, ended] = [await signIn(account), await signIn(account)]
  await revoke(live, { sessionId: sidOf(ended) })
  const left = async () => {
    await deleteExpired(processes.one.deps)
    const found = await rows().selectFrom('auth_session').select('id').where('subject', '=', account.address.toLowerCase()).execute()
    return found.map(({ id }) => id).sort()
  }
  setTime(start + 2 * DAY)
  expect(await left()).toEqual([live, ended].map(sidOf).sort())
  setTime(start + 2 * DAY + 1)
  expect(await left()).toEqual([])
  // A token whose sign-in is gone is refused, also by a process whose clock is behind.
  setTime(start)
  expect(await answersTo(live)).toEqual(twice('token_revoked undefined'))
})
