import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Agent, Reply } from '../e2e/support/http.ts'
import { createJob, fundedAgent, GOOD_WORK, leaves } from '../e2e/support/jobs.ts'
import type { Member } from '../support/fleet.ts'
import { type FleetWorld, openFleet } from '../support/fleet-world.ts'

/** How long a claim may hold a caller before it is answered with 202. */
const WAIT_SECONDS = 4
const BLOCK_SECONDS = 10
const SLOW = 120_000

let world: FleetWorld
beforeAll(async () => {
  world = await openFleet({ env: { CHAIN_WAIT_SECONDS: String(WAIT_SECONDS) } })
}, 180_000)
afterAll(() => world?.close(), 60_000)

/** Every part is back before the next test, in the order in which they stand on each other. */
afterEach(async () => {
  const parts: Member[] = [world.postgres, world.temporal, world.chain]
  for (const level of [parts, [...world.apis, ...world.workers]])
    await Promise.all(level.filter((one) => !one.isUp()).map((one) => one.start()))
}, 60_000)

const timed = async (call: () => Promise<Reply>): Promise<{ reply: Reply; seconds: number }> => {
  const began = performance.now()
  const reply = await call()
  return { reply, seconds: (performance.now() - began) / 1000 }
}

/** The refusal of an outage: its status and code, that a repeat helps, and that it came within two seconds. */
const refusalOf = async (call: () => Promise<Reply>): Promise<[number, string, boolean, string]> => {
  const { reply, seconds } = await timed(call)
  return [reply.status, reply.body.code, reply.body.retryable, seconds < 2 ? 'in time' : `after ${seconds} s`]
}

const claimOf = (agent: Agent, jobId: string) => () =>
  agent.call('/jobs/claim', { body: { jobId }, headers: { 'idempotency-key': `claim-${jobId}` } })
const submissionOf = (agent: Agent, sessionId: string) => () =>
  agent.call('/jobs/submit', { body: { sessionId, submission: GOOD_WORK }, headers: { 'idempotency-key': `submit-${sessionId}` } })

const sleep = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1000))

/** The final answer to a call that is repeated as it was. */
const repeated = async (call: () => Promise<Reply>): Promise<Reply> => {
  for (;;) {
    const reply = await call()
    if (reply.status !== 202 && reply.body.retryable !== true) return reply
    await sleep(reply.body.retryAfterSeconds ?? 1)
  }
}

/** The claim goes on to its badge by the same requests, and nothing was done twice. */
const expectPaidOnce = async (agent: Agent, jobId: string, known?: Reply): Promise<void> => {
  const claimed = known ?? (await repeated(claimOf(agent, jobId)))
  expect([claimed.status, claimed.body.code]).toEqual([200, undefined])
  const { sessionId } = claimed.body
  expect((await repeated(submissionOf(agent, sessionId))).status).toBe(200)
  expect((await leaves(agent, sessionId, 'submitted')).status).toBe('resolved')
  const sent = await world.database.rows
    .selectFrom('chain_transaction')
    .select(['functionName', 'status'])
    .where('jobId', '=', jobId)
    .execute()
  expect(sent.filter(({ functionName }) => /claimJobFor|submitWorkFor|resolve/.test(functionName)).map(({ status }) => status)).toEqual([
    ...['mined', 'mined', 'mined'],
  ])
  expect((await world.view.standingOf(agent.account.address)).badges).toHaveLength(1)
}

/** A job, a funded agent, and another agent that has claimed already. */
const scene = async () => {
  const [jobId, claimedJobId] = [await createJob(world), await createJob(world)]
  const [agent, claimant] = [await fundedAgent(world), await fundedAgent(world)]
  const claimed = await repeated(claimOf(claimant, claimedJobId))
  return { agent, jobId, claimant, claimedJobId, claimed, sessionId: claimed.body.sessionId }
}

describe.each([
  ['the database', 'postgres', [503, 'state_store_unavailable', true, 'in time']],
  ['the workflow engine', 'temporal', [503, 'workflow_engine_unavailable', true, 'in time']],
] as const)('%s is down', (_what, part, refusal) => {
  test(
    'claim and submission are refused within two seconds, and both converge once it is back',
    async () => {
      const { agent, jobId, claimant, claimedJobId, claimed, sessionId } = await scene()
      await world[part].kill()
      expect(await refusalOf(claimOf(agent, jobId))).toEqual(refusal)
      expect(await refusalOf(submissionOf(claimant, sessionId))).toEqual(refusal)
      await world[part].start()
      await Promise.all([expectPaidOnce(agent, jobId), expectPaidOnce(claimant, claimedJobId, claimed)])
    },
    SLOW,
  )
})

describe('the workflow engine is down', () => {
  test(
    'what only reads the records is served all the same',
    async () => {
      const { claimant, sessionId } = await scene()
      await world.temporal.kill()
      const { reply, seconds } = await timed(() => claimant.call(`/session?sessionId=${encodeURIComponent(sessionId)}`))
      expect([reply.status, reply.body.status, seconds < 2]).toEqual([200, 'claimed', true])
      expect((await claimant.call('/jobs')).status).toBe(200)
    },
    SLOW,
  )
})

describe('the chain is down', () => {
  test(
    'a claim is refused within two seconds, since nobody knows its price; a submission is accepted and lands once it is back',
    async () => {
      const { agent, jobId, claimant, claimedJobId, claimed, sessionId } = await scene()
      await world.chain.flush()
      await world.chain.kill()
      expect(await refusalOf(claimOf(agent, jobId))).toEqual([
        502,
        expect.stringMatching(/^(blockchain|claim_economics)_unavailable$/),
        true,
        'in time',
      ])
      const accepted = await timed(submissionOf(claimant, sessionId))
      expect([accepted.reply.status, accepted.reply.body.stage]).toEqual([202, 'submitting'])
      expect(accepted.seconds).toBeLessThan(WAIT_SECONDS + 1)
      await world.chain.start()
      await Promise.all([expectPaidOnce(agent, jobId), expectPaidOnce(claimant, claimedJobId, claimed)])
    },
    SLOW,
  )
})

describe('the chain is slow', () => {
  const ask = (method: string, params: unknown[]) => world.view.client.request({ method, params } as never)
  // An interval of 0 mines nothing at all: mining at once is switched on after it.
  afterEach(async () => {
    await ask('evm_setIntervalMining', [0])
    await ask('evm_setAutomine', [true])
  })

  test(
    'a claim is accepted when its wait ends, pending with its transaction, and the same request finds the session',
    async () => {
      const { agent, jobId } = await scene()
      await ask('evm_setAutomine', [false])
      await ask('evm_setIntervalMining', [BLOCK_SECONDS])
      const { reply, seconds } = await timed(claimOf(agent, jobId))
      expect([reply.status, reply.body.status, reply.body.txHash]).toEqual([202, 'pending', expect.stringMatching(/^0x/)])
      expect(seconds).toBeGreaterThanOrEqual(WAIT_SECONDS - 0.1)
      expect(seconds).toBeLessThan(WAIT_SECONDS + 2)
      const claimed = await repeated(claimOf(agent, jobId))
      expect([claimed.status, claimed.body.sessionId]).toEqual([200, reply.body.sessionId])
      await expectPaidOnce(agent, jobId)
    },
    SLOW,
  )
})

describe('no worker is up', () => {
  test(
    'a claim is started and a submission accepted; both are in progress until a worker comes and finds them',
    async () => {
      const { agent, jobId, claimant, claimedJobId, claimed, sessionId } = await scene()
      await world.workers[0]?.kill()
      const [claiming, submitting] = await Promise.all([timed(claimOf(agent, jobId)), timed(submissionOf(claimant, sessionId))])
      // Nobody has admitted the claim: there is no session yet that could be shown as pending.
      expect([claiming.reply.status, claiming.reply.body.code, claiming.reply.body.retryable]).toEqual([409, 'claim_in_progress', true])
      expect([submitting.reply.status, submitting.reply.body.stage]).toEqual([202, 'submitting'])
      for (const { seconds } of [claiming, submitting]) expect(seconds).toBeLessThan(WAIT_SECONDS + 2)
      await world.workers[0]?.start()
      await Promise.all([expectPaidOnce(agent, jobId), expectPaidOnce(claimant, claimedJobId, claimed)])
    },
    SLOW,
  )
})
