import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { setChainOffset } from '../../local/chain.ts'
import { writeClockOffset } from '../../local/clock.ts'
import { createRpc } from '../../local/rpc.ts'
import type { Agent, Reply } from '../e2e/support/http.ts'
import { createJob, fundedAgent, GOOD_WORK, leaves } from '../e2e/support/jobs.ts'
import { startNodeGate } from '../follower/support/node-gate.ts'
import type { Member } from '../support/fleet.ts'
import { type FleetWorld, openFleet } from '../support/fleet-world.ts'
import { childrenOf } from '../support/process-tree.ts'
import { openVanisher } from '../support/vanisher.ts'

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

const ask = (method: string, params: unknown[] = []): Promise<unknown> => world.view.client.request({ method, params } as never)
/** Transactions that the chain has not mined. */
const waiting = async (): Promise<number> => Number(((await ask('txpool_status')) as { pending: string }).pending)

const sessionPath = (sessionId: string): string => `/session?sessionId=${encodeURIComponent(sessionId)}`

/** No worker, no fresh reading of the bank: as if one had read it at an instant, epoch ms. */
const readBankAt = async (readAt: number): Promise<void> =>
  void (await world.database.rows.updateTable('reward_bank_reading').set({ readAt }).execute())

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

/** The server with all its backends, as under a machine that swaps or a disk that hangs. */
const signalDatabase = (name: 'SIGSTOP' | 'SIGCONT'): void => {
  for (const pid of [...childrenOf(world.postgres.pid()), world.postgres.pid()]) process.kill(pid, name)
}

describe('the database stands still', () => {
  afterEach(() => signalDatabase('SIGCONT'))

  test(
    'claim, submission and catalogue are refused within two seconds, and all converge once it goes on',
    async () => {
      const { agent, jobId, claimant, claimedJobId, claimed, sessionId } = await scene()
      const refusal = [503, 'state_store_unavailable', true, 'in time']
      const path = `/jobs?limit=3&q=${jobId}`
      signalDatabase('SIGSTOP')
      const calls = [claimOf(agent, jobId), submissionOf(claimant, sessionId), () => agent.call(path)]
      expect(await Promise.all(calls.map(refusalOf))).toEqual(calls.map(() => refusal))
      expect(await refusalOf(claimOf(agent, jobId))).toEqual(refusal)
      signalDatabase('SIGCONT')
      await Promise.all([expectPaidOnce(agent, jobId), expectPaidOnce(claimant, claimedJobId, claimed)])
      expect((await agent.call(path)).status).toBe(200)
    },
    SLOW,
  )
})

describe.each([
  ['the chain', 'chain', 502, /^(blockchain|claim_economics)_unavailable$/],
  ['the workflow engine', 'temporal', 503, /^workflow_engine_unavailable$/],
] as const)('%s stands still', (_what, part, status, code) => {
  const CROWD = 60
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => void process.kill(world[part].pid(), name)
  afterEach(() => signal('SIGCONT'))

  test(
    'a crowd of claims is refused within two seconds, each of them, and a claim converges once it goes on',
    async () => {
      const { agent, jobId } = await scene()
      const jobs = await Promise.all(Array.from({ length: CROWD }, () => createJob(world)))
      signal('SIGSTOP')
      const refusals = await Promise.all(jobs.map((job) => refusalOf(claimOf(agent, job))))
      expect(refusals).toEqual(jobs.map(() => [status, expect.stringMatching(code), true, 'in time']))
      signal('SIGCONT')
      await expectPaidOnce(agent, jobId)
    },
    SLOW,
  )
})

describe('the database is on another host that vanishes without a word, and a successor takes its connections', () => {
  test(
    'an API is well and serves again within seconds',
    async () => {
      const vanisher = await openVanisher(world.databaseUrl)
      const [api] = world.apis
      const statusOf = async (path: string): Promise<number> => (await fetch(`${api?.base}${path}`)).status
      const allAnswered = async (): Promise<void> => {
        for (const path of ['/health', '/jobs']) while ((await statusOf(path)) !== 200) await sleep(0.2)
      }
      await api?.stop()
      await api?.start({ env: { DATABASE_URL: vanisher.url } })
      try {
        await allAnswered()
        vanisher.vanish()
        expect(await statusOf('/health')).toBe(503)
        const began = performance.now()
        await allAnswered()
        expect(performance.now() - began).toBeLessThan(10_000)
      } finally {
        await api?.stop()
        vanisher.close()
      }
    },
    SLOW,
  )
})

describe.each([
  ['dies', () => world.postgres.kill(), () => world.postgres.start()],
  ['stands still', async () => signalDatabase('SIGSTOP'), async () => signalDatabase('SIGCONT')],
] as const)('the database %s under a claim that is on its way', (_how, fails, returns) => {
  afterEach(async () => {
    if (world.postgres.isUp()) signalDatabase('SIGCONT')
    await ask('evm_setAutomine', [true])
  })

  test(
    'whoever waits is told so within two seconds, and the claim converges once it is back',
    async () => {
      const { agent, jobId } = await scene()
      await ask('evm_setAutomine', [false])
      const claiming = claimOf(agent, jobId)()
      while ((await waiting()) === 0) await sleep(0.1)
      await fails()
      expect(await refusalOf(() => claiming)).toEqual([503, 'state_store_unavailable', true, 'in time'])
      await returns()
      await ask('evm_setAutomine', [true])
      await ask('evm_mine')
      await expectPaidOnce(agent, jobId)
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
      const { reply, seconds } = await timed(() => claimant.call(sessionPath(sessionId)))
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

describe('the chain is down when the services start', () => {
  /** The fleet's chain file with something else in it. */
  const otherChainFile = (changes: object): string => {
    const path = join(world.dir, `chain-${randomUUID()}.json`)
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(world.files.chainFile, 'utf8')), ...changes }))
    return path
  }
  const first = (members: Member[]): Member => {
    const [one] = members
    if (one === undefined) throw new Error('the fleet has none')
    return one
  }
  const api = () => first(world.apis)
  const worker = () => first(world.workers)

  test(
    'both wait for it, callers are told so, and the work goes on when it comes',
    async () => {
      const { agent, jobId } = await scene()
      await Promise.all([api().stop(), worker().stop()])
      await world.chain.flush()
      await world.chain.kill()
      const ready = worker().start()
      await api().start()
      const refusal = [503, 'service_starting', true, 'in time']
      expect(await refusalOf(() => agent.call('/jobs'))).toEqual(refusal)
      expect(await refusalOf(claimOf(agent, jobId))).toEqual(refusal)
      expect((await agent.call('/health')).status).toBe(503)
      await world.chain.start()
      await ready
      await expectPaidOnce(agent, jobId)
    },
    SLOW,
  )

  test(
    'an API whose chain is not the embedded one serves its records meanwhile',
    async () => {
      const { agent } = await scene()
      await api().stop()
      await world.chain.flush()
      await world.chain.kill()
      await api().start({ env: { CHAIN_FILE: otherChainFile({ local: false }) } })
      expect((await agent.call('/jobs')).status).toBe(200)
      expect(await refusalOf(() => agent.call('/account'))).toEqual([502, 'blockchain_unavailable', true, 'in time'])
      await world.chain.start()
      while ((await agent.call('/account')).status !== 200) await sleep(0.2)
      await api().stop()
    },
    SLOW,
  )

  test(
    'an API whose node refuses to say which chain it is waits until it does, and serves its records meanwhile',
    async () => {
      const { agent } = await scene()
      const gate = await startNodeGate(world.rpcUrl)
      gate.spoil(({ method }) => (method === 'eth_chainId' ? { error: 'too many requests' } : 'pass'))
      await api().stop()
      try {
        await api().start({ env: { CHAIN_FILE: otherChainFile({ local: false, rpc: { primary: gate.url } }) } })
        await sleep(2)
        expect((await agent.call('/jobs')).status).toBe(200)
      } finally {
        if (api().isUp()) await api().stop()
        await gate.stop()
      }
    },
    SLOW,
  )

  test(
    'an API that finds another chain there than its file says ends',
    async () => {
      await api().stop()
      const { chainId } = JSON.parse(readFileSync(world.files.chainFile, 'utf8'))
      const env = { CHAIN_FILE: otherChainFile({ local: false, chainId: chainId + 1 }) }
      await expect(api().start({ env })).rejects.toThrow(`the chain file says chain ${chainId + 1}, the node says ${chainId}`)
      await world.chain.flush()
      await world.chain.kill()
      await api().start({ env })
      await world.chain.start()
      await api().gone()
    },
    SLOW,
  )
})

describe('the chain is slow', () => {
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

test(
  'a worker that hears both stop signals ends in order all the same',
  async () => {
    const [worker] = world.workers
    process.kill(worker?.pid() ?? 0, 'SIGINT')
    await sleep(0.1)
    expect(await worker?.stop()).toMatchObject({ code: 0, signal: null })
  },
  SLOW,
)

test(
  'a worker that starts hands out again what the chain has lost, before it does anything else',
  async () => {
    const { agent, jobId } = await scene()
    await ask('evm_setAutomine', [false])
    try {
      const claiming = claimOf(agent, jobId)()
      while ((await waiting()) === 0) await sleep(0.1)
      expect((await claiming).status).toBe(202)
      const sent = await waiting()
      await world.workers[0]?.kill()
      await ask('anvil_dropAllTransactions')
      expect(await waiting()).toBe(0)
      // Ready within seconds: the engine gives a dead worker's step to another one only after fifteen.
      await world.workers[0]?.start()
      expect(await waiting()).toBe(sent)
    } finally {
      await ask('evm_setAutomine', [true])
      await ask('evm_mine')
    }
    await expectPaidOnce(agent, jobId)
  },
  SLOW,
)

describe('no worker is up', () => {
  test(
    'claim and submission are accepted, a stranger is told that the job is being claimed, and a worker that comes finds both',
    async () => {
      const { agent, jobId, claimant, claimedJobId, claimed, sessionId } = await scene()
      await world.workers[0]?.kill()
      const [claiming, submitting] = await Promise.all([timed(claimOf(agent, jobId)), timed(submissionOf(claimant, sessionId))])
      const { status, body: pending } = claiming.reply
      expect([status, pending.status, pending.stage, pending.txHash]).toEqual([202, 'pending', 'admitting', null])
      expect([submitting.reply.status, submitting.reply.body.stage]).toEqual([202, 'submitting'])
      for (const { seconds } of [claiming, submitting]) expect(seconds).toBeLessThan(WAIT_SECONDS + 2)
      const [stranger, looked] = await Promise.all([claimOf(claimant, jobId)(), agent.call(sessionPath(pending.sessionId))])
      expect([stranger.status, stranger.body.code]).toEqual([409, 'claim_in_progress'])
      expect([looked.status, looked.body.status, looked.body.stage]).toEqual([200, 'pending', 'admitting'])
      expect((await claimant.call(sessionPath(pending.sessionId))).body.code).toBe('session_not_found')
      await world.workers[0]?.start()
      const recorded = await repeated(claimOf(agent, jobId))
      expect([recorded.status, recorded.body.sessionId]).toEqual([200, pending.sessionId])
      await Promise.all([expectPaidOnce(agent, jobId, recorded), expectPaidOnce(claimant, claimedJobId, claimed)])
    },
    SLOW,
  )

  test(
    'a key that joined a claim under another one stays with its job, also when the session has ended',
    async () => {
      const { agent, jobId } = await scene()
      const other = await createJob(world)
      const underKey = (id: string, key: string) => agent.call('/jobs/claim', { body: { jobId: id }, headers: { 'idempotency-key': key } })
      await world.workers[0]?.kill()
      const accepted = await Promise.all(['first', 'second'].map((key) => underKey(jobId, key)))
      expect(accepted.map(({ status }) => status)).toEqual([202, 202])
      await world.workers[0]?.start()
      for (const key of ['first', 'second']) expect((await repeated(() => underKey(jobId, key))).status).toBe(200)
      await expectPaidOnce(agent, jobId, await underKey(jobId, 'first'))
      await sleep(WAIT_SECONDS + 6)
      for (const key of ['first', 'second']) {
        expect((await underKey(other, key)).body.code).toBe('idempotency_key_reused')
        expect((await underKey(jobId, key)).body.code).toBe('idempotency_key_already_used')
      }
    },
    SLOW,
  )

  test(
    'a key is accepted for one of two jobs',
    async () => {
      const { agent, jobId } = await scene()
      const other = await createJob(world)
      const underKey = (id: string, key: string) => () =>
        agent.call('/jobs/claim', { body: { jobId: id }, headers: { 'idempotency-key': key } })
      await world.workers[0]?.kill()
      const replies = await Promise.all([underKey(jobId, 'one'), underKey(other, 'one')].map((call) => call()))
      expect(replies.map(({ status, body }) => `${status} ${body.code ?? body.status}`).sort()).toEqual([
        '202 pending',
        '422 idempotency_key_reused',
      ])
      const [won, lost] = replies[0]?.status === 202 ? [jobId, other] : [other, jobId]
      expect((await underKey(lost, 'one')()).body.code).toBe('idempotency_key_reused')
      expect((await underKey(lost, 'two')()).status).toBe(202)
      await world.workers[0]?.start()
      for (const [id, key] of [
        [won, 'one'],
        [lost, 'two'],
      ] as const) {
        const claimed = await repeated(underKey(id, key))
        expect([claimed.status, claimed.body.jobId]).toEqual([200, id])
      }
    },
    SLOW,
  )

  test(
    'a claim that was accepted is still on its way when nobody has read the bank for long, and nobody else’s is begun',
    async () => {
      const { agent, jobId, claimant } = await scene()
      await world.workers[0]?.kill()
      const first = await claimOf(agent, jobId)()
      await readBankAt(Date.now() - 3_600_000)
      const again = await claimOf(agent, jobId)()
      expect([first.status, again.status, again.body.sessionId]).toEqual([202, 202, first.body.sessionId])
      const other = await createJob(world)
      expect((await claimOf(claimant, other)()).body.code).toBe('reward_funding_unverified')
      await world.workers[0]?.start()
      await expectPaidOnce(agent, jobId)
    },
    SLOW,
  )

  test(
    'one that is started before its engine begins when the engine does',
    async () => {
      const { agent, jobId } = await scene()
      await Promise.all([world.workers[0]?.kill(), world.temporal.kill()])
      const starting = world.workers[0]?.start()
      await sleep(2)
      await world.temporal.start()
      await starting
      await expectPaidOnce(agent, jobId)
    },
    SLOW,
  )

  test(
    'what was accepted goes on by itself also when the engine is killed before a worker comes',
    async () => {
      const { agent, jobId, claimant, sessionId } = await scene()
      await world.workers[0]?.kill()
      const [claiming, submitting] = await Promise.all([claimOf(agent, jobId)(), submissionOf(claimant, sessionId)()])
      expect([claiming.status, submitting.status]).toEqual([202, 202])
      await world.temporal.kill()
      await world.temporal.start()
      await world.workers[0]?.start()
      expect((await leaves(agent, claiming.body.sessionId, 'pending')).status).toBe('claimed')
      await leaves(claimant, sessionId, 'claimed')
      expect((await leaves(claimant, sessionId, 'submitted')).status).toBe('resolved')
    },
    SLOW,
  )
})

// The last: the clocks of service and chain never go back.
describe('no worker is up when a deadline passes', () => {
  const CLAIM_SECONDS = 3_700
  const goAhead = async (seconds: number): Promise<void> => {
    writeClockOffset(world.files.clockOffset, seconds * 1_000)
    const rpc = createRpc(world.rpcUrl)
    await setChainOffset(rpc, seconds)
    await rpc('evm_mine')
    rpc.close()
  }

  test(
    'who wants the job of a claim that has lapsed is told within two seconds to come back, and gets it once a worker is there',
    async () => {
      const { agent, claimedJobId } = await scene()
      await world.workers[0]?.kill()
      await goAhead(CLAIM_SECONDS)
      await readBankAt(Date.now() + CLAIM_SECONDS * 1_000)
      expect(await refusalOf(claimOf(agent, claimedJobId))).toEqual([409, 'claim_in_progress', true, 'in time'])
      await world.workers[0]?.start()
      const claimed = await repeated(claimOf(agent, claimedJobId))
      expect([claimed.status, claimed.body.wallet]).toEqual([200, agent.account.address.toLowerCase()])
    },
    SLOW,
  )

  test(
    'the bond of who submitted in time is not slashed: the session is left to people',
    async () => {
      const { claimant, claimedJobId, sessionId } = await scene()
      await world.workers[0]?.kill()
      expect((await submissionOf(claimant, sessionId)()).status).toBe(202)
      const before = await world.view.standingOf(claimant.account.address)
      expect(before.stakedRaw).toBeGreaterThan(0n)
      await goAhead(2 * CLAIM_SECONDS)
      await world.workers[0]?.start()
      // As recorded: by its clock alone the claim has lapsed.
      const recorded = () =>
        world.database.rows.selectFrom('session').select('status').where('sessionId', '=', sessionId).executeTakeFirstOrThrow()
      while ((await recorded()).status === 'claimed') await sleep(0.2)
      expect((await claimant.call(sessionPath(sessionId))).body.status).toBe('chain_state_diverged')
      expect(await world.view.standingOf(claimant.account.address)).toEqual(before)
      expect(await world.view.escrowOf(claimedJobId)).toMatchObject({ state: 'claimed' })
    },
    SLOW,
  )
})
