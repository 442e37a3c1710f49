import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect } from '@jest/globals'
import { createJob } from '../../e2e/support/jobs.ts'
import { inTurns } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import type { Member } from '../../support/fleet/fleet.ts'
import { childrenOf } from '../../support/fleet/process-tree.ts'
import { openVanisher } from '../../support/fleet/vanisher.ts'
import { claimOf, refusalOf, repeated, sessionPath, submissionOf } from '../support/outages.ts'
import { ask, expectPaidOnce, gate, prepareJobs, transactionWaits, world } from './failing.ts'

const test = inTurns(3)

describe.each([
  ['the database', 'postgres', [503, 'state_store_unavailable', true]],
  ['the workflow engine', 'temporal', [503, 'workflow_engine_unavailable', true]],
] as const)('%s is down', (_what, part, refusal) => {
  test('claim and submission are refused; once it is back nothing is done behind the refusals, and both converge when they are repeated', async () => {
    const { agent, jobId, claimant, claimedJobId, claimed, sessionId } = await prepareJobs()
    await world()[part].kill()
    expect(await refusalOf(claimOf(agent, jobId))).toEqual(refusal)
    expect(await refusalOf(submissionOf(claimant, sessionId))).toEqual(refusal)
    await world()[part].start()
    // Once all parts work for others, what was left behind would have been done.
    const later = await prepareJobs()
    expect(later.claimed.status).toBe(200)
    const rows = await world()
      .database.rows.selectFrom('session')
      .select(['status', 'submission'])
      .where('jobId', 'in', [jobId, claimedJobId])
      .execute()
    expect(rows).toEqual([{ status: 'claimed', submission: null }])
    await Promise.all([expectPaidOnce(agent, jobId), expectPaidOnce(claimant, claimedJobId, claimed)])
  })
})

/** The server with all its backends, as under a machine that swaps or a disk that hangs. */
const signalDatabase = (name: 'SIGSTOP' | 'SIGCONT'): void => {
  for (const pid of [...childrenOf(world().postgres.pid()), world().postgres.pid()]) process.kill(pid, name)
}

describe('the database is frozen', () => {
  afterEach(() => signalDatabase('SIGCONT'))

  test('claim, submission and catalogue are refused, and all converge once it goes on', async () => {
    const { agent, jobId, claimant, claimedJobId, claimed, sessionId } = await prepareJobs()
    const refusal = [503, 'state_store_unavailable', true]
    const path = `/jobs?limit=3&q=${jobId}`
    signalDatabase('SIGSTOP')
    const calls = [claimOf(agent, jobId), submissionOf(claimant, sessionId), () => agent.call(path)]
    expect(await Promise.all(calls.map(refusalOf))).toEqual(calls.map(() => refusal))
    expect(await refusalOf(claimOf(agent, jobId))).toEqual(refusal)
    signalDatabase('SIGCONT')
    await Promise.all([expectPaidOnce(agent, jobId), expectPaidOnce(claimant, claimedJobId, claimed)])
    expect((await agent.call(path)).status).toBe(200)
  })
})

describe.each([
  ['the chain', 'chain', 502, /^(blockchain|claim_economics)_unavailable$/],
  ['the workflow engine', 'temporal', 503, /^workflow_engine_unavailable$/],
] as const)('%s is frozen', (_what, part, status, code) => {
  /** Enough to fill every pool; more would measure the machine. */
  const CROWD = 30
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => void process.kill(world()[part].pid(), name)
  afterEach(() => signal('SIGCONT'))

  test('a crowd of claims is refused, each of them, and a claim converges once it goes on', async () => {
    const { agent, jobId } = await prepareJobs()
    const jobs = await Promise.all(Array.from({ length: CROWD }, () => createJob(world())))
    signal('SIGSTOP')
    const refusals = await Promise.all(jobs.map((job) => refusalOf(claimOf(agent, job))))
    expect(refusals).toEqual(jobs.map(() => [status, expect.stringMatching(code), true]))
    signal('SIGCONT')
    await expectPaidOnce(agent, jobId)
  })
})

describe('the database is on another host that vanishes without a word, and a successor takes its connections', () => {
  test('an API is well and serves again', async () => {
    const vanisher = await openVanisher(world().databaseUrl)
    const [api] = world().apis
    const statusOf = async (path: string): Promise<number> => (await fetch(`${api?.base}${path}`)).status
    const allAnswered = async (): Promise<void> => {
      for (const path of ['/health', '/jobs'])
        await eventually(
          `${path} is answered`,
          () => statusOf(path),
          (status) => status === 200,
        )
    }
    await api?.stop()
    await api?.start({ env: { DATABASE_URL: vanisher.url } })
    try {
      await allAnswered()
      vanisher.vanish()
      expect(await statusOf('/health')).toBe(503)
      await allAnswered()
    } finally {
      await api?.stop()
      vanisher.close()
    }
  })
})

describe.each([
  ['dies', () => world().postgres.kill(), () => world().postgres.start()],
  ['freezes', async () => signalDatabase('SIGSTOP'), async () => signalDatabase('SIGCONT')],
] as const)('the database %s under a claim that is on its way', (_how, fails, returns) => {
  afterEach(async () => {
    if (world().postgres.isUp()) signalDatabase('SIGCONT')
    await ask('evm_setAutomine', [true])
  })

  test('the waiting caller gets the outage, and the claim converges once the database is back', async () => {
    const { agent, jobId } = await prepareJobs()
    await ask('evm_setAutomine', [false])
    const claiming = claimOf(agent, jobId)()
    await transactionWaits()
    await fails()
    expect(await refusalOf(() => claiming)).toEqual([503, 'state_store_unavailable', true])
    await returns()
    await ask('evm_setAutomine', [true])
    await ask('evm_mine')
    await expectPaidOnce(agent, jobId)
  })
})

describe('the workflow engine is down', () => {
  test('what only reads the records is served all the same', async () => {
    const { claimant, sessionId } = await prepareJobs()
    await world().temporal.kill()
    const { status, body } = await claimant.call(sessionPath(sessionId))
    expect([status, body.status]).toEqual([200, 'claimed'])
    expect((await claimant.call('/jobs')).status).toBe(200)
  })
})

describe('the chain is down', () => {
  test('a claim is refused, since its price is unknown; a submission is accepted and lands once it is back', async () => {
    const { agent, jobId, claimant, claimedJobId, claimed, sessionId } = await prepareJobs()
    await world().chain.flush()
    await world().chain.kill()
    expect(await refusalOf(claimOf(agent, jobId))).toEqual([502, expect.stringMatching(/^(blockchain|claim_economics)_unavailable$/), true])
    const accepted = await submissionOf(claimant, sessionId)()
    expect([accepted.status, accepted.body.stage]).toEqual([202, 'submitting'])
    await world().chain.start()
    await Promise.all([expectPaidOnce(agent, jobId), expectPaidOnce(claimant, claimedJobId, claimed)])
  })
})

describe('the chain is down when the services start', () => {
  /** The fleet's chain file with something else in it. */
  const otherChainFile = (changes: object): string => {
    const path = join(world().dir, `chain-${randomUUID()}.json`)
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(world().files.chainFile, 'utf8')), ...changes }))
    return path
  }
  const first = (members: Member[]): Member => {
    const [one] = members
    if (one === undefined) throw new Error('the fleet has none')
    return one
  }
  const api = () => first(world().apis)
  const worker = () => first(world().workers)

  test('both wait for it, callers learn that the service is starting, and the work goes on when it comes', async () => {
    const { agent, jobId } = await prepareJobs()
    await Promise.all([api().stop(), worker().stop()])
    await world().chain.flush()
    await world().chain.kill()
    const ready = worker().start()
    await api().start()
    const refusal = [503, 'service_starting', true]
    expect(await refusalOf(() => agent.call('/jobs'))).toEqual(refusal)
    expect(await refusalOf(claimOf(agent, jobId))).toEqual(refusal)
    expect((await agent.call('/health')).status).toBe(503)
    await world().chain.start()
    await ready
    await expectPaidOnce(agent, jobId)
  })

  test('an API whose chain is not the embedded one serves its records meanwhile', async () => {
    const { agent } = await prepareJobs()
    await api().stop()
    await world().chain.flush()
    await world().chain.kill()
    await api().start({ env: { CHAIN_FILE: otherChainFile({ local: false }) } })
    expect((await agent.call('/jobs')).status).toBe(200)
    expect(await refusalOf(() => agent.call('/account'))).toEqual([502, 'blockchain_unavailable', true])
    await world().chain.start()
    await eventually(
      'the account is read',
      () => agent.call('/account'),
      ({ status }) => status === 200,
    )
    await api().stop()
  })

  test('an API whose node refuses to say which chain it is waits until it does, and serves its records meanwhile', async () => {
    const { agent } = await prepareJobs()
    gate().spoil(({ method }) => (method === 'eth_chainId' ? { error: 'too many requests' } : 'pass'))
    await api().stop()
    try {
      await api().start({ env: { CHAIN_FILE: otherChainFile({ local: false, rpc: { primary: gate().url } }) } })
      await eventually(
        'the node was asked again',
        () => gate().callsOf('eth_chainId').length,
        (count) => count > 1,
      )
      expect((await agent.call('/jobs')).status).toBe(200)
    } finally {
      if (api().isUp()) await api().stop()
    }
  })

  test('an API that finds another chain there than its file says ends', async () => {
    await api().stop()
    const { chainId } = JSON.parse(readFileSync(world().files.chainFile, 'utf8'))
    const env = { CHAIN_FILE: otherChainFile({ local: false, chainId: chainId + 1 }) }
    await expect(api().start({ env })).rejects.toThrow(`the chain file says chain ${chainId + 1}, the node says ${chainId}`)
    await world().chain.flush()
    await world().chain.kill()
    await api().start({ env })
    await world().chain.start()
    await api().gone()
  })
})

describe('the chain is slow', () => {
  afterEach(() => ask('evm_setAutomine', [true]))

  test('a claim is accepted when its wait ends, pending with its transaction, and the same request finds the session', async () => {
    const { agent, jobId } = await prepareJobs()
    await ask('evm_setAutomine', [false])
    const reply = await claimOf(agent, jobId)()
    expect([reply.status, reply.body.status, reply.body.txHash]).toEqual([202, 'pending', expect.stringMatching(/^0x/)])
    await ask('evm_setAutomine', [true])
    await ask('evm_mine')
    const claimed = await repeated(claimOf(agent, jobId))
    expect([claimed.status, claimed.body.sessionId]).toEqual([200, reply.body.sessionId])
    await expectPaidOnce(agent, jobId)
  })
})
