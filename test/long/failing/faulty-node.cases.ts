import { beforeAll, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { createScanClient } from '../../../activities/chain/clients.ts'
import { createChainScan, firstBlockOf } from '../../../activities/chain/follower/scan.ts'
import { disputePath, openDispute, RATIONALE } from '../../e2e/support/disputes.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { BAD_WORK, createJob, fundedAgent, leaves } from '../../e2e/support/jobs.ts'
import { sampleOf } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { repeated } from '../support/outages.ts'
import { ask, gate, world } from './failing.ts'
import { FAULTS, type FaultRow } from './node-faults.ts'

let arbitrator: Agent
beforeAll(async () => {
  arbitrator = await world().agent(privateKeyToAccount(world().keys.arbitrator.privateKey))
})

/** The answer to a call that is repeated as it was while it is pending or refused for a while. Any other refusal fails. */
const served = async (call: () => Promise<Reply>): Promise<Reply['body']> => {
  const { status, text, body } = await repeated(call)
  if (status !== 200) throw new Error(`refused: ${status} ${text.slice(0, 1_000)}`)
  return body
}

const health = async (): Promise<Reply['body']> => (await world().call('/health')).body
const warnings = async (): Promise<string[]> => (await health()).warnings.map(({ code }: { code: string }) => code)

const indexerBecomes = (state: string) =>
  eventually(
    'state of the indexer',
    async () => (await health()).capabilityHealth.indexer,
    (found) => found === state,
  )

/** Keys of the logs on the chain, as the real node has them. */
const logsOnChain = async (): Promise<string[]> => {
  const scan = createChainScan(world().chainFile, createScanClient(world().chainFile))
  const page = await scan.page({ from: firstBlockOf(world().chainFile), to: await world().view.client.getBlockNumber({ cacheTime: 0 }) })
  if (page.kind !== 'read') throw new Error('the chain changed')
  return page.logs.map(({ txHash, logIndex, blockHash, blockTime }) => `${txHash} ${logIndex} ${blockHash} ${blockTime}`).sort()
}

const logsRecorded = async (): Promise<string[]> => {
  const rows = await world().database.rows.selectFrom('chain_event').selectAll().where('removedAt', 'is', null).execute()
  return rows.map(({ txHash, logIndex, blockHash, blockTime }) => `${txHash} ${logIndex} ${blockHash} ${blockTime}`).sort()
}

/** Until the records hold every log of the chain and no other. */
const expectConverged = async (): Promise<void> => {
  const onChain = JSON.stringify(await logsOnChain())
  await eventually('the records hold the logs of the chain', logsRecorded, (recorded) => JSON.stringify(recorded) === onChain)
  await indexerBecomes('synced')
}

/** Calls of the node for blocks: worker and follower look for new ones all the time. */
const blockCalls = (): number => gate().callsOf('eth_getBlockByNumber').length + gate().callsOf('eth_blockNumber').length
const ROUNDS = 4

/** Claims under a fault; where the claim must be refused, the fault ends once the follower has met it, too. */
const claimUnder = async ({ isRefused = false, indexer, warning }: FaultRow, agent: Agent, jobId: string): Promise<Reply['body']> => {
  const call = () => agent.call('/jobs/claim', { body: { jobId } })
  if (isRefused) {
    expect(await call()).toMatchObject({ status: 502, body: { code: expect.stringMatching(/unavailable$/), retryable: true } })
    const before = blockCalls()
    await eventually('calls for blocks under the fault', blockCalls, (count) => count >= before + ROUNDS)
    gate().suffer()
  }
  const session = await served(call)
  if (warning !== undefined) expect(await warnings()).toContain(warning)
  if (indexer !== undefined) {
    await indexerBecomes(indexer)
    expect(await warnings()).toContain(`indexer_${indexer}`)
    gate().suffer()
  }
  return session
}

const PLAYED = sampleOf(FAULTS, ({ kind }) => [kind])

describe('a node that', () => {
  test.each(PLAYED)('$name: a claim and a dispute go through, and the records hold every log', async (row) => {
    const [jobId, agent] = [await createJob(world()), await fundedAgent(world())]
    gate().suffer(await row.fault(ask))
    const session = await claimUnder(row, agent, jobId)
    const { sessionId } = session
    await served(() => agent.call('/jobs/submit', { body: { sessionId, submission: BAD_WORK } }))
    expect((await leaves(agent, sessionId, 'submitted')).status).toBe('rejected')
    await openDispute({ chain: world().chainFile, view: world().view }, agent.account, session)
    expect((await leaves(agent, sessionId, 'rejected')).status).toBe('disputed')
    const verdict = { body: { verdict: 'dismissed', rationale: RATIONALE }, headers: { 'idempotency-key': `verdict-${jobId}` } }
    await served(() => arbitrator.call(`${disputePath(session)}/verdict`, verdict))
    expect((await leaves(agent, sessionId, 'disputed')).status).toBe('resolved')
    gate().suffer()
    await expectConverged()
  })
})

test('after every fault the records hold the logs of the chain, and no nonce is stuck', async () => {
  await expectConverged()
  expect(await warnings()).not.toEqual(expect.arrayContaining([expect.stringMatching(/nonce|diverged|indexer/)]))
})
