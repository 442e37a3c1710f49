// Faults in the middle of a client's work.
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from '@jest/globals'
import { decodeJwt, decodeProtectedHeader, importPKCS8, SignJWT } from 'jose'
import { stateFiles } from '../../../local/files.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import { eventually } from '../../support/eventually.ts'
import type { Agent } from '../support/http.ts'
import { claim, createJob, encode, fundedAgent, GOOD_WORK, leaves, sessionOf } from '../support/jobs.ts'
import { serviceNow } from '../support/time.ts'
import { useWorld } from '../support/world.ts'
import { connectTools, type ToolClient } from './support/clients.ts'
import { callWell, follow, suggestedCall } from './support/follow.ts'

const world = useWorld({ shared: true })

const open: ToolClient[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

const connect = async (agent: Agent): Promise<ToolClient> => {
  const client = await connectTools(world().base, { token: agent.token() })
  open.push(client)
  return client
}

describe('a submission in another shape', () => {
  const claimed = async () => {
    const agent = await fundedAgent(world())
    const { sessionId } = await claim(agent, await createJob(world()))
    return { agent, sessionId, client: await connect(agent) }
  }

  test('that is wrapped in output counts as its content', async () => {
    const { agent, sessionId, client } = await claimed()
    await callWell(client, 'submitWork', { sessionId, submission: { output: GOOD_WORK } })
    const session = await leaves(agent, sessionId, 'submitted')
    expect(session).toMatchObject({ status: 'resolved', submission: { structured: GOOD_WORK } })
  })

  test('that is JSON as text is refused with the way out, and can be corrected', async () => {
    const { agent, sessionId, client } = await claimed()
    const { isError, body } = await client.callTool('submitWork', { sessionId, submission: JSON.stringify(GOOD_WORK) })
    expect(isError).toBe(true)
    expect(body).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/submission', rule: 'type', limit: 'object' }],
      details: { hint: expect.stringContaining('parse it first') },
    })
    expect(await sessionOf(agent, sessionId)).toMatchObject({ status: 'claimed' })
    const { needs, arguments: filled } = suggestedCall(body, 'submitWork')
    const missing: Record<string, unknown> = { sessionId, submission: GOOD_WORK }
    const corrected = { ...filled, ...Object.fromEntries(needs.map((name) => [name, missing[name]])) }
    expect(['submitted', 'resolved', 'pending']).toContain((await callWell(client, 'submitWork', corrected)).status)
  })
})

/** The claims of a token of this service, signed again so that they ended an hour ago. */
const expired = async (token: string): Promise<string> => {
  const key = await importPKCS8(readFileSync(stateFiles(world().dir).jwtKey, 'utf8'), 'ES256')
  const { iat = 0, exp = 0, ...claims } = decodeJwt(token)
  const earlier = exp - iat + 3_600
  const { alg = '', ...header } = decodeProtectedHeader(token)
  return new SignJWT({ ...claims, iat: iat - earlier, nbf: iat - earlier, exp: exp - earlier })
    .setProtectedHeader({ ...header, alg })
    .sign(key)
}

/** What can happen to a token while a client uses it. */
const TOKEN_ENDS: Record<string, (agent: Agent) => Promise<string | undefined>> = {
  token_expired: ({ token }) => expired(token()),
  token_revoked: async ({ token }) => {
    await world().expectCall(200, '/auth/logout', { token: token(), body: {} })
    return token()
  },
  bad_signature: async ({ token }) => {
    const [header, payload] = token().split('.')
    const [, , another] = (await world().agent()).token().split('.')
    return `${header}.${payload}.${another}`
  },
  malformed_token: async () => 'nonsense',
  missing_token: async () => undefined,
}

describe('a token that ends in the middle', () => {
  test.each(Object.entries(TOKEN_ENDS))('is refused as %s, and the next actions lead to a new one', async (code, end) => {
    const agent = await fundedAgent(world())
    const client = await connect(agent)
    const jobId = await createJob(world())
    await callWell(client, 'preflightJob', { jobId })
    client.useToken(await end(agent))
    const { isError, body } = await client.callTool('claimJob', { jobId })
    expect({ isError, code: body.code, status: body.status }).toEqual({ isError: true, code, status: 401 })
    expect(body.nextActions?.[0]).toMatchObject({ kind: 'sign_in', tool: 'fetchAuthNonce' })
    const { account } = agent
    const challenge = await follow(client, body, 'fetchAuthNonce', { wallet: account.address })
    const signature = await account.signMessage({ message: challenge.message })
    const { token } = await follow(client, challenge, 'verifySiwe', { signature })
    client.useToken(token)
    expect(await callWell(client, 'claimJob', { jobId })).toMatchObject({ sessionId: `${jobId}:${account.address}` })
  })
})

describe('a claim', () => {
  test('by repeated calls, at once and later, by tool and over HTTP, is one session', async () => {
    const agent = await fundedAgent(world())
    const client = await connect(agent)
    const jobId = await createJob(world())
    const atOnce = await Promise.all([1, 2, 3].map(() => callWell(client, 'claimJob', { jobId })))
    const later = [await callWell(client, 'claimJob', { jobId }), await claim(agent, jobId)]
    const ids = [...atOnce, ...later].map(({ sessionId }) => sessionId)
    expect(new Set(ids)).toEqual(new Set([`${jobId}:${agent.account.address}`]))
    const { sessions } = await agent.get(`/sessions?jobId=${jobId}`)
    expect(sessions).toHaveLength(1)
  })

  test('without money is refused with the deposit that it needs, and accepted after it', async () => {
    const agent = await world().agent()
    const client = await connect(agent)
    const jobId = await createJob(world())
    const { body: refusal } = await client.callTool('claimJob', { jobId })
    expect(refusal).toMatchObject({ code: 'insufficient_liquidity', status: 409 })
    const { arguments: deposit } = suggestedCall(refusal, 'buildAccountDepositTransactions')
    expect(deposit).toEqual({ amount: refusal.details.shortfallRaw })
    // The preflight leads to the same deposit.
    expect(suggestedCall(await callWell(client, 'preflightJob', { jobId }), 'buildAccountDepositTransactions').arguments).toEqual(deposit)
    await world().view.fund(agent.account.address, BigInt(refusal.details.shortfallRaw))
    const { templates } = await follow(client, refusal, 'buildAccountDepositTransactions')
    for (const { to, data } of templates) await world().view.send(agent.account, { to, data })
    expect(await callWell(client, 'claimJob', { jobId })).toMatchObject({ sessionId: `${jobId}:${agent.account.address}` })
  })

  /** Closes the client while its claim is under way. Returns how the call ended. */
  const leaveDuringClaim = async (agent: Agent, jobId: string): Promise<'answered' | 'cut'> => {
    const client = await connect(agent)
    const call = client.callTool('claimJob', { jobId }).then(
      () => 'answered' as const,
      () => 'cut' as const,
    )
    const path = `/session?sessionId=${encode(`${jobId}:${agent.account.address}`)}`
    await eventually(
      'the claim is recorded',
      () => agent.call(path),
      ({ status }) => status !== 404,
    )
    await client.close()
    return call
  }

  test('goes on when its client disconnects, and the repeat is the same session', async () => {
    const agent = await fundedAgent(world())
    let jobId = await createJob(world())
    // A claim can be answered before its record is seen: then another is tried.
    while ((await leaveDuringClaim(agent, jobId)) === 'answered') jobId = await createJob(world())
    const repeated = await callWell(await connect(agent), 'claimJob', { jobId })
    const session = repeated.status === 'pending' ? await leaves(agent, repeated.sessionId, 'pending') : repeated
    expect(session).toMatchObject({ sessionId: `${jobId}:${agent.account.address}`, status: 'claimed' })
    expect(await world().view.escrowOf(jobId)).toMatchObject({ state: 'claimed', worker: agent.account.address })
  })
})

describe('a wallet above its rate limit', () => {
  const BUCKET = 'tools_authenticated'
  const LIMIT = 1_000_000

  /** Uses the limit of the wallet up, in this window and the next. */
  const useUp = async (wallet: string): Promise<void> => {
    const windowMs = RATE_BUCKETS[BUCKET].windowSeconds * 1000
    const windowStart = Math.floor(serviceNow(world()) / windowMs) * windowMs
    const rows = [windowStart, windowStart + windowMs].map((start) => ({ bucket: BUCKET, key: wallet, windowStart: start, count: LIMIT }))
    await world()
      .database.rows.insertInto('rate_window')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['bucket', 'key', 'windowStart']).doUpdateSet({ count: LIMIT }))
      .execute()
  }

  test('gets rate_limited from each tool, and others do not', async () => {
    const agent = await fundedAgent(world())
    const client = await connect(agent)
    const { wallet } = await agent.get('/me')
    await useUp(wallet)
    for (const tool of ['listJobs', 'recommendJobs', 'getPlatformCapabilities']) {
      const { isError, body } = await client.callTool(tool)
      expect(isError).toBe(true)
      expect(body).toMatchObject({ code: 'rate_limited', status: 429, details: { bucket: BUCKET, limit: LIMIT, remaining: 0 } })
      expect(body.retryAfterSeconds).toBeGreaterThan(0)
      expect(body.nextActions).toMatchObject([{ kind: 'wait', availableAt: body.details.resetAt }])
    }
    expect((await agent.get('/jobs?limit=1')).limit).toBe(1)
    client.useToken(undefined)
    await callWell(client, 'listJobs')
    client.useToken((await world().agent()).token())
    await callWell(client, 'recommendJobs')
  })
})
