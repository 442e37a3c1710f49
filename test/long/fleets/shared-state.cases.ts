import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import type { Reply } from '../../e2e/support/http.ts'
import { GOOD_WORK } from '../../e2e/support/jobs.ts'
import { extraWallet } from '../../e2e/support/mutations.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import { openedWorld } from './two-of-each.ts'

const LIMIT = 30
const TOO_MANY = 20
const DAY_SECONDS = 86_400
const WIDE = { limit: 1_000_000, windowSeconds: 60 }
/** Two buckets: one counts addresses, one wallets. */
const NARROW = { limit: LIMIT, windowSeconds: DAY_SECONDS }
const limits = Object.fromEntries(Object.keys(RATE_BUCKETS).map((bucket) => [bucket, WIDE]))
const RATE_LIMITS = JSON.stringify({ ...limits, jobs_validate: NARROW, jobs_submit: NARROW })

let world: FleetWorld
beforeAll(() => {
  world = openedWorld()
})

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const codeOf = ({ status, body }: Reply): string => (status < 300 ? 'passed' : body.code)
const me = (index: number, token: string): Promise<Reply> => world.apiAt(index).call('/me', { token })
const refresh = (index: number, token: string): Promise<Reply> => world.apiAt(index).call('/auth/refresh', { token, body: {} })

/** What an answer says that its caller has left. */
const remaining = ({ headers }: Reply): number => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1])

describe('two API processes on one database', () => {
  test('a token of one is good at the other', async () => {
    const agent = await world.apiAt(0).agent()
    const reply = await world.apiAt(1).call('/me', { token: agent.token() })
    expect([reply.status, reply.body.wallet]).toEqual([200, agent.account.address.toLowerCase()])
  })

  test('give one token for a signed message that arrives at both at once', async () => {
    const attempts = await Promise.all(
      times(10, async () => {
        const account = extraWallet()
        const { message } = await world.expectCall(200, '/auth/nonce', { body: { wallet: account.address } })
        const body = { message, signature: await account.signMessage({ message }) }
        const replies = await Promise.all([0, 1].map((index) => world.apiAt(index).call('/auth/verify', { body })))
        return replies.map(codeOf).sort()
      }),
    )
    expect(attempts).toEqual(times(10, () => ['invalid_nonce', 'passed']))
  })

  test('refuse at once at one what was signed out at the other', async () => {
    const agent = await world.apiAt(0).agent()
    expect((await me(1, agent.token())).status).toBe(200)
    expect((await agent.call('/auth/logout', { body: {} })).status).toBe(200)
    for (const index of [1, 0]) expect(codeOf(await me(index, agent.token()))).toBe('token_revoked')
  })

  test('pass a session on from token to token, whichever of them is asked', async () => {
    const first = (await world.apiAt(0).agent()).token()
    const second: string = (await refresh(1, first)).body.token
    const third: string = (await refresh(0, second)).body.token
    for (const index of [0, 1]) {
      expect([await me(index, first), await me(index, second), await me(index, third)].map(codeOf)).toEqual([
        'token_revoked',
        'token_revoked',
        'passed',
      ])
    }
    // The first token is older than the one before the last: two parties hold the sign-in.
    expect([await refresh(0, first), await refresh(1, first), await me(1, third), await me(0, third)].map(codeOf)).toEqual([
      'refresh_reused',
      'token_revoked',
      'token_revoked',
      'token_revoked',
    ])
  })

  test('exchange a token once when both are asked at once: both answer the same new one', async () => {
    const token = (await world.agent()).token()
    const replies = await Promise.all([0, 1].map((index) => refresh(index, token)))
    expect(replies.map(codeOf)).toEqual(['passed', 'passed'])
    const [one, two] = replies.map(({ body }) => decodeJwt(body.token))
    expect(one?.jti).toBeDefined()
    expect(one).toEqual(two)
  })
})

describe('two API processes with narrow limits', () => {
  const restart = (env: Record<string, string>) =>
    Promise.all(
      world.apis.map(async (api) => {
        await api.stop()
        await api.start({ env })
      }),
    )
  beforeAll(() => restart({ RATE_LIMITS }))
  afterAll(() => restart({}))

  test.each([
    ['an address', '/jobs/validate-submission', { jobId: 'unknown', submission: {} }, 'job_not_found'],
    ['a wallet', '/jobs/submit', { sessionId: `unknown:0x${'1'.repeat(40)}`, submission: {} }, 'session_not_found'],
  ])('count the calls of %s together: exactly as many pass as the limit says', async (_who, path, body, passed) => {
    const token = (await world.agent()).token()
    const replies = await Promise.all(times(LIMIT + TOO_MANY, (index) => world.apiAt(index).call(path, { token, body })))
    const [through, stopped] = [replies.filter((reply) => codeOf(reply) === passed), replies.filter(({ status }) => status === 429)]
    expect([through.length, stopped.length]).toEqual([LIMIT, TOO_MANY])
    expect(through.map(remaining).sort((left, right) => left - right)).toEqual(times(LIMIT, (index) => index))
    expect(new Set(through.map(({ headers }) => /;q=(\d+);/.exec(headers.get('ratelimit-policy') ?? '')?.[1]))).toEqual(
      new Set([String(LIMIT)]),
    )
    expect(stopped.map(({ body: { details } }) => [details.limit, details.remaining])).toEqual(times(TOO_MANY, () => [LIMIT, 0]))
  })

  test('count each wallet for itself', async () => {
    const submit = { path: '/jobs/submit', body: { sessionId: `unknown:0x${'1'.repeat(40)}`, submission: GOOD_WORK } }
    const token = (await world.agent()).token()
    expect(remaining(await world.apiAt(1).call(submit.path, { token, body: submit.body }))).toBe(LIMIT - 1)
  })
})
