import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { createScanClient } from '../../../activities/chain/clients.ts'
import { createChainScan, firstBlockOf } from '../../../activities/chain/follower/scan.ts'
import { type NodeGate, startNodeGate } from '../../activities/support/node-gate.ts'
import { disputePath, openDispute, RATIONALE } from '../../e2e/support/disputes.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { BAD_WORK, createJob, fundedAgent, leaves } from '../../e2e/support/jobs.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'
import { FAULTS, type FaultRow } from './node-faults.ts'

const SLOW = 120_000
/** In which a call is served under a fault that does not end. */
const SERVED_MS = 60_000
const CONVERGED_MS = 75_000

let world: FleetWorld
let gate: NodeGate
let arbitrator: Agent
beforeAll(async () => {
  const front = async (rpcUrl: string): Promise<string> => {
    gate = await startNodeGate(rpcUrl)
    return gate.url
  }
  world = await openFleet({ env: { CHAIN_WAIT_SECONDS: '4' }, front })
  arbitrator = await world.agent(privateKeyToAccount(world.keys.arbitrator.privateKey))
}, 180_000)
afterEach(() => gate?.suffer())
afterAll(async () => {
  await world?.close()
  await gate?.stop()
}, 60_000)

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))
const ask = (method: string, params: unknown[] = []): Promise<unknown> => world.view.client.request({ method, params } as never)

const until = async (what: string, holds: () => Promise<boolean>, limitMs = SERVED_MS): Promise<void> => {
  for (const end = Date.now() + limitMs; !(await holds()); await sleep(150)) if (Date.now() > end) throw new Error(`not in time: ${what}`)
}

/** The answer to a call that is repeated as it was while it is pending or refused for a while. Any other refusal fails. */
const served = async (call: () => Promise<Reply>): Promise<Reply['body']> => {
  let last = ''
  for (const end = Date.now() + SERVED_MS; Date.now() < end; await sleep(300)) {
    const { status, body, text } = await call()
    last = `${status} ${text.slice(0, 1_000)}`
    if (status === 200) return body
    if (status !== 202 && (status === 500 || body.retryable !== true)) throw new Error(`refused: ${last}`)
  }
  throw new Error(`the call was not served in time: ${last}`)
}

const health = async (): Promise<Reply['body']> => (await world.call('/health')).body
const warnings = async (): Promise<string[]> => (await health()).warnings.map(({ code }: { code: string }) => code)

/** Keys of the logs on the chain, as the real node has them. */
const logsOnChain = async (): Promise<string[]> => {
  const scan = createChainScan(world.chainFile, createScanClient(world.chainFile))
  const page = await scan.page({ from: firstBlockOf(world.chainFile), to: await world.view.client.getBlockNumber({ cacheTime: 0 }) })
  if (page.kind !== 'read') throw new Error('the chain changed')
  return page.logs.map(({ txHash, logIndex, blockHash, blockTime }) => `${txHash} ${logIndex} ${blockHash} ${blockTime}`).sort()
}

const logsRecorded = async (): Promise<string[]> => {
  const rows = await world.database.rows.selectFrom('chain_event').selectAll().where('removedAt', 'is', null).execute()
  return rows.map(({ txHash, logIndex, blockHash, blockTime }) => `${txHash} ${logIndex} ${blockHash} ${blockTime}`).sort()
}

/** Until the records hold every log of the chain and no other. */
const expectConverged = async (): Promise<void> => {
  const onChain = await logsOnChain()
  const isEqual = async () => JSON.stringify(await logsRecorded()) === JSON.stringify(onChain)
  await until('the records hold the logs of the chain', isEqual, CONVERGED_MS).catch(() => undefined)
  expect(await logsRecorded()).toEqual(onChain)
  await until('the indexer is synced', async () => (await health()).capabilityHealth.indexer === 'synced')
}

/** Claims under a fault; where the claim must be refused, the fault ends then. */
const claimUnder = async ({ isRefused = false, indexer, warning }: FaultRow, agent: Agent, jobId: string): Promise<Reply['body']> => {
  const call = () => agent.call('/jobs/claim', { body: { jobId } })
  if (isRefused) {
    expect(await call()).toMatchObject({ status: 502, body: { code: expect.stringMatching(/unavailable$/), retryable: true } })
    await sleep(2_000)
    gate.suffer()
  }
  const session = await served(call)
  if (warning !== undefined) expect(await warnings()).toContain(warning)
  if (indexer !== undefined) {
    await until(`the indexer is ${indexer}`, async () => (await health()).capabilityHealth.indexer === indexer)
    expect(await warnings()).toContain(`indexer_${indexer}`)
    gate.suffer()
  }
  return session
}

describe('a node that', () => {
  test.each(FAULTS)(
    '$name: a claim and a dispute go through, and the records hold every log',
    async (row) => {
      const [jobId, agent] = [await createJob(world), await fundedAgent(world)]
      gate.suffer(await row.fault(ask))
      const session = await claimUnder(row, agent, jobId)
      const { sessionId } = session
      await served(() => agent.call('/jobs/submit', { body: { sessionId, submission: BAD_WORK } }))
      expect((await leaves(agent, sessionId, 'submitted')).status).toBe('rejected')
      await openDispute({ chain: world.chainFile, view: world.view }, agent.account, session)
      expect((await leaves(agent, sessionId, 'rejected')).status).toBe('disputed')
      const verdict = { body: { verdict: 'dismissed', rationale: RATIONALE }, headers: { 'idempotency-key': `verdict-${jobId}` } }
      await served(() => arbitrator.call(`${disputePath(session)}/verdict`, verdict))
      expect((await leaves(agent, sessionId, 'disputed')).status).toBe('resolved')
      gate.suffer()
      await expectConverged()
    },
    SLOW,
  )
})

test('after every fault the records hold the logs of the chain, and no nonce is stuck', async () => {
  await expectConverged()
  expect(await warnings()).not.toEqual(expect.arrayContaining([expect.stringMatching(/nonce|diverged|indexer/)]))
})
