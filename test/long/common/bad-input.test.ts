import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { generateKeyPair, SignJWT } from 'jose'
import { moveTime } from '../../../local/time/move.ts'
import { whilePaused } from '../../crash/acts/elsewhere.ts'
import { quietCounts } from '../../e2e/support/effects.ts'
import type { Agent, CallInit, Reply } from '../../e2e/support/http.ts'
import { BAD_WORK, claim, createJob, encode, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { readBalances } from '../../e2e/support/money.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { fingerprint, useWorld } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'

// A stack of this file alone: the tests compare all records, and deadlines of other files would change them.
const world = useWorld({ env: {} })
const engine = useTemporalClient(world)
const UNKNOWN_JOB = 'no-such-job'

let owner: Agent
let other: Agent
let poor: Agent
let openJob: string
let claimed: Reply['body']
let done: Reply['body']
let rejected: Reply['body']

const finish = async (work: unknown): Promise<Reply['body']> => {
  const { sessionId } = await claim(owner, await createJob(world()))
  await owner.post('/jobs/submit', { sessionId, submission: work })
  return leaves(owner, sessionId, 'submitted')
}

beforeAll(async () => {
  ;[owner, other, poor] = [await fundedAgent(world()), await fundedAgent(world()), await world().agent()]
  openJob = await createJob(world())
  claimed = await claim(owner, await createJob(world()))
  done = await finish(GOOD_WORK)
  rejected = await finish(BAD_WORK)
})

/** Sends a request that must be refused with this problem, and proves that records and money stand as before. */
const refused = async (status: number, code: string, path: string, init: CallInit = {}): Promise<Reply['body']> => {
  const look = async () => ({ ...(await fingerprint(world())), balances: await readBalances(world(), owner.account.address) })
  const before = await look()
  const reply = await world().call(path, init)
  expect([reply.status, reply.body.code]).toEqual([status, code])
  expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(reply.body).toMatchObject({ status, requestId: reply.headers.get('x-request-id'), retryable: expect.any(Boolean) })
  expect(await look()).toEqual(before)
  return reply.body
}
const as = (agent: Agent, body?: unknown): CallInit => ({ token: agent.token(), ...(body !== undefined && { body }) })
const claiming = (jobId: string, agent = other): CallInit => as(agent, { jobId })
const submitting = (sessionId: string, submission: unknown, agent = owner): CallInit => as(agent, { sessionId, submission })

describe('what does not exist', () => {
  test('an unknown job', async () => {
    await refused(404, 'job_not_found', '/jobs/claim', claiming(UNKNOWN_JOB))
    for (const path of [`/jobs/preflight?jobId=${UNKNOWN_JOB}`, `/jobs/definition?jobId=${UNKNOWN_JOB}`, `/jobs/${UNKNOWN_JOB}/estimate`])
      await refused(404, 'job_not_found', path, as(other))
  })

  test('an unknown session', async () => {
    const unknown = `${UNKNOWN_JOB}:${owner.account.address}`
    await refused(404, 'session_not_found', '/jobs/submit', submitting(unknown, GOOD_WORK))
    await refused(404, 'session_not_found', `/session?sessionId=${encode(unknown)}`, as(owner))
    await refused(404, 'session_not_found', `/badges/${encode(unknown)}`)
  })
})

describe('a wallet without the right', () => {
  test('another wallet cannot read or submit a session, whatever its role', async () => {
    const path = `/session?sessionId=${encode(claimed.sessionId)}`
    for (const agent of [other, world().admin, world().verifier]) {
      await refused(403, 'session_not_owned', path, as(agent))
      await refused(403, 'session_not_owned', '/jobs/submit', submitting(claimed.sessionId, GOOD_WORK, agent))
    }
  })

  test('a wallet without a role is refused at restricted endpoints', async () => {
    await refused(403, 'missing_role', '/admin/jobs', as(owner))
    await refused(403, 'missing_role', '/admin/jobs', as(owner, {}))
    await refused(403, 'missing_role', '/verifier/run', as(owner, { sessionId: claimed.sessionId }))
    await refused(403, 'funding_route_restricted', '/account/fund', as(owner, { amount: '5' }))
  })

  test('a message signed by another key, and one for another wallet', async () => {
    const { message } = await world().expectCall(200, '/auth/nonce', { body: { wallet: owner.account.address } })
    const signature = await other.account.signMessage({ message })
    await refused(401, 'siwe_signature_mismatch', '/auth/verify', { body: { message, signature } })
    const swapped = message.replace(owner.account.address, other.account.address)
    const body = { message: swapped, signature: await other.account.signMessage({ message: swapped }) }
    await refused(401, 'nonce_wallet_mismatch', '/auth/verify', { body })
  })

  test('a nonce that was used', async () => {
    const { message } = await world().expectCall(200, '/auth/nonce', { body: { wallet: owner.account.address } })
    const body = { message, signature: await owner.account.signMessage({ message }) }
    await world().expectCall(200, '/auth/verify', { body })
    await refused(401, 'invalid_nonce', '/auth/verify', { body })
  })
})

describe('tokens', () => {
  const parts = (): { header: Record<string, unknown>; payload: Record<string, unknown>; signature: string } => {
    const [header = '', payload = '', signature = ''] = owner.token().split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    return { header: read(header), payload: read(payload), signature }
  }
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

  test.each<[string, string, () => Promise<string>]>([
    ['none', 'missing_token', async () => ''],
    ['of three words', 'malformed_token', async () => 'not.a.token'],
    [
      'without a signature algorithm',
      'unsupported_alg',
      async () => `${encoded({ ...parts().header, alg: 'none' })}.${encoded(parts().payload)}.`,
    ],
    [
      'whose roles were changed',
      'bad_signature',
      async () => {
        const { header, payload, signature } = parts()
        return `${encoded(header)}.${encoded({ ...payload, roles: ['admin'] })}.${signature}`
      },
    ],
    [
      'signed by a key of the forger',
      'bad_signature',
      async () => {
        const { header, payload } = parts()
        const { privateKey } = await generateKeyPair('ES256')
        return new SignJWT({ ...payload, roles: ['admin'] }).setProtectedHeader({ ...header, alg: 'ES256' }).sign(privateKey)
      },
    ],
    [
      'that ended two minutes ago',
      'token_expired',
      async () => {
        const { header, payload } = parts()
        const exp = Math.floor(Date.now() / 1000) - 120
        const key = createPrivateKey(readFileSync(join(world().dir, 'jwt-key.pem')))
        return new SignJWT({ ...payload, iat: exp - 60, nbf: exp - 60, auth_time: exp - 60, exp })
          .setProtectedHeader({ ...header, alg: 'ES256' })
          .sign(key)
      },
    ],
  ])('a token %s is %s', async (_name, code, forge) => {
    const token = await forge()
    await refused(401, code, '/jobs/claim', { body: { jobId: openJob }, ...(token !== '' && { token }) })
  })

  test('a token that was revoked', async () => {
    const visitor = await world().agent()
    await visitor.post('/auth/logout', {})
    await refused(401, 'token_revoked', '/jobs/claim', claiming(openJob, visitor))
  })
})

describe('bodies', () => {
  const claimWith = (raw: string | Uint8Array<ArrayBuffer>): CallInit => ({ token: other.token(), method: 'POST', raw })

  test('over the limit', async () => {
    const body = { sessionId: claimed.sessionId, submission: { ...GOOD_WORK, output: 'x'.repeat(66_000) } }
    await refused(413, 'payload_too_large', '/jobs/submit', as(owner, body))
  })

  test('that are no JSON object', async () => {
    for (const raw of ['{"jobId":', '[]', '"text"', 'null', '\u0000', new Uint8Array([0x7b, 0xff, 0x7d])])
      await refused(400, 'invalid_request', '/jobs/claim', claimWith(raw))
  })

  test.each<[string, unknown, string]>([
    ['an unknown member', { jobId: 'x', wallet: 'y' }, '/wallet'],
    ['a wrong type', { jobId: 7 }, '/jobId'],
    ['a missing member', {}, '/jobId'],
    ['an empty id', { jobId: '' }, '/jobId'],
    ['an unprintable key', { jobId: 'x', idempotencyKey: 'a\nb' }, '/idempotencyKey'],
  ])('with %s name it', async (_name, body, pointer) => {
    const problem = await refused(400, 'invalid_request', '/jobs/claim', as(other, body))
    expect(problem.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
  })

  test('of a deposit: zero, a fraction, a sign, a key, the account of another wallet', async () => {
    const path = '/account/deposit/transactions'
    for (const amount of ['0', '1.5', '-1', '0x10', 5, '9'.repeat(79)]) await refused(400, 'invalid_request', path, as(owner, { amount }))
    for (const extra of [{ privateKey: `0x${'1'.repeat(64)}` }, { onBehalfOf: other.account.address }, { signature: '0x' }])
      await refused(400, 'invalid_request', path, as(owner, { amount: '1', ...extra }))
    const problem = await refused(400, 'invalid_request', path, as(poor, { amount: '1000000' }))
    expect(problem.reason).toBe('InsufficientBalance')
  })

  test('of a new job: another id rule, a reward of nothing, a verifier that passes everything, an id that is taken', async () => {
    const job = {
      id: 'another-job',
      title: 'A job',
      description: 'Do it.',
      category: 'coding',
      rewardAmount: 1,
      lane: 'liveness',
      verifierMode: 'benchmark',
      verifierTerms: ['alpha', 'beta', 'gamma'],
    }
    const { admin } = world()
    for (const change of [{ id: 'Not An Id' }, { rewardAmount: 0 }, { rewardAmount: 0.0000001 }, { tier: 'legend' }, { surprise: true }])
      await refused(400, 'invalid_request', '/admin/jobs', as(admin, { ...job, ...change }))
    const blind = { ...job, verifierTerms: ['summary', 'output'], verifierMinimumMatches: 1 }
    await refused(400, 'catalog_verifier_cannot_reject_bad_work', '/admin/jobs', as(admin, blind))
    await refused(409, 'job_exists', '/admin/jobs', as(admin, { ...job, id: openJob }))
  })
})

describe('claims', () => {
  test('of a claimed job name who has it and until when', async () => {
    const { details } = await refused(409, 'job_already_claimed', '/jobs/claim', claiming(claimed.jobId))
    expect(details).toMatchObject({
      jobId: claimed.jobId,
      claimedBy: owner.account.address.toLowerCase(),
      claimExpiresAt: claimed.claimExpiresAt,
    })
  })

  test('of a job that was done, and of one whose work was refused', async () => {
    await refused(409, 'job_session_completed', '/jobs/claim', claiming(done.jobId))
    await refused(409, 'job_already_claimed', '/jobs/claim', claiming(rejected.jobId))
  })

  test('of a stale, a paused and an archived job', async () => {
    for (const action of ['mark_stale', 'pause', 'archive']) {
      const jobId = await createJob(world())
      await world().admin.post('/admin/jobs/lifecycle', { jobId, action })
      await refused(409, 'job_not_claimable', '/jobs/claim', claiming(jobId))
    }
  })

  test('of a job of a tier that is locked', async () => {
    const jobId = await createJob(world(), { tier: 'pro' })
    const { details } = await refused(403, 'tier_locked', '/jobs/claim', claiming(jobId))
    expect(details).toMatchObject({ requires: { skill: 100 }, has: { skill: 0 }, missing: { skill: 100 } })
  })

  test('without the money for the bond name the shortfall and the way to it', async () => {
    const problem = await refused(409, 'insufficient_liquidity', '/jobs/claim', claiming(openJob, poor))
    expect(problem.details).toMatchObject({ requiredRaw: '150000', availableRaw: '0', shortfallRaw: '150000' })
    expect(problem.nextActions.map(({ path }: { path: string }) => path)).toContain('/account/deposit/transactions')
  })

  test('with a key that stood for something else', async () => {
    const headers = { 'idempotency-key': 'one-key' }
    const jobId = await createJob(world())
    await world().expectCall(200, '/jobs/claim', { ...claiming(jobId), headers })
    await refused(422, 'idempotency_key_reused', '/jobs/claim', { ...claiming(openJob), headers })
  })

  test('while the contracts are paused learn when to retry, as preflight and health say; then the same request is taken', async () => {
    const jobId = await createJob(world())
    const agent = await fundedAgent(world(), 150_000n)
    const headers = { 'idempotency-key': 'through-the-pause' }
    const request = { ...claiming(jobId, agent), headers }
    const place = { view: world().view, chainFile: world().chain }
    await whilePaused(place, async () => {
      expect(await agent.get(`/jobs/preflight?jobId=${encode(jobId)}`)).toMatchObject({
        eligible: false,
        reason: 'paused_system',
        currentWalletCanClaim: false,
        blockers: [{ code: 'paused_system', gate: 'protocol_pause', retryable: true, retryAfterSeconds: 60 }],
      })
      const problem = await refused(409, 'blockchain_revert', '/jobs/claim', request)
      expect(problem).toMatchObject({ reason: 'paused_system', retryable: true, details: { customError: 'ProtocolPaused' } })
      const { capabilityHealth, warnings } = await world().expectCall(200, '/health')
      expect(capabilityHealth.treasuryMutations).toBe('degraded')
      expect(warnings.map(({ code }: { code: string }) => code)).toContain('treasury_mutations_paused')
    })
    expect(await world().expectCall(200, '/jobs/claim', request)).toMatchObject({ jobId, status: 'claimed' })
  })

  test('by six wallets at once have one winner, and the others leave nothing', async () => {
    const jobId = await createJob(world())
    const agents: Agent[] = []
    for (let count = 0; count < 6; count += 1) agents.push(await fundedAgent(world(), 150_000n))
    const replies = await Promise.all(agents.map((agent) => agent.call('/jobs/claim', { body: { jobId } })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    const standings = await Promise.all(agents.map((agent) => world().view.standingOf(agent.account.address)))
    expect(standings.map(({ stakedRaw }) => stakedRaw).sort()).toEqual([0n, 0n, 0n, 0n, 0n, 150_000n])
  })
})

describe('submissions', () => {
  test('of the wrong shape leave the session claimed', async () => {
    const { sessionId } = claimed
    const problem = await refused(400, 'invalid_request', '/jobs/submit', submitting(sessionId, { summary: 'Only this.' }))
    expect(problem.errors.length).toBeGreaterThan(0)
    await refused(400, 'invalid_submission_shape', '/jobs/submit', submitting(sessionId, { output: { wrapped: true } }))
    await refused(400, 'invalid_request', '/jobs/submit', submitting(sessionId, 'just text'))
    await refused(400, 'invalid_request', '/jobs/submit', as(owner, { sessionId }))
    expect((await owner.get(`/session?sessionId=${encode(sessionId)}`)).status).toBe('claimed')
  })

  test('of other work after a decision', async () => {
    await refused(409, 'job_session_completed', '/jobs/submit', submitting(done.sessionId, BAD_WORK))
    await refused(409, 'job_session_completed', '/jobs/submit', submitting(rejected.sessionId, GOOD_WORK))
  })
})

describe('too late', () => {
  let message: string

  beforeAll(async () => {
    message = (await world().expectCall(200, '/auth/nonce', { body: { wallet: owner.account.address } })).message
    // Claims that the tests above made later expire by this instant too, and not while a refusal is watched.
    await moveTime(world().info, { instant: Date.parse(claimed.claimExpiresAt) + 5 * 60_000 })
    const lastMove = async () => (await owner.get(`/session?sessionId=${encode(claimed.sessionId)}`)).statusHistory.at(-1).to
    await eventually('the claim expires', lastMove, (to) => to === 'expired')
    // Other claims of the stack expire with it.
    await quietCounts(world(), engine)
  })

  test('a nonce after its five minutes', async () => {
    await refused(401, 'siwe_expired', '/auth/verify', { body: { message, signature: await owner.account.signMessage({ message }) } })
  })

  test('a submission after the claim has run out', async () => {
    const { details } = await refused(409, 'claim_expired', '/jobs/submit', submitting(claimed.sessionId, GOOD_WORK))
    expect(details).toMatchObject({ jobId: claimed.jobId, claimExpiresAt: claimed.claimExpiresAt })
  })

  test('a token after its day', async () => {
    await moveTime(world().info, { plusSeconds: 25 * 3600 })
    await refused(401, 'token_expired', '/jobs/claim', claiming(openJob))
  })
})
