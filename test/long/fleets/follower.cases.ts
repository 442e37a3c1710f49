import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { encodeFunctionData, type Hex } from 'viem'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { followerProgress, followerWorkflowId } from '../../../schemas/chain/process.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import type { ChainEventNotice } from '../../../schemas/processes.ts'
import { BAD_WORK, claim, createJob, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { eventually } from '../../support/eventually.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import { followerAtHead } from '../../support/follower-head.ts'
import { LAG_SECONDS, openedWorld } from './two-of-each.ts'

let world: FleetWorld
let connection: Connection
let engine: Client
beforeAll(async () => {
  world = openedWorld()
  connection = Connection.lazy({ address: world.temporalAddress })
  engine = new Client({ connection })
})
afterEach(async () => {
  for (const part of [world.temporal, world.chain]) if (!part.isUp()) await part.start()
  await Promise.all(world.workers.filter((one) => !one.isUp()).map((one) => one.start()))
})
afterAll(() => connection?.close())

const follower = () => engine.workflow.getHandle(followerWorkflowId(world.chainFile.chainId))
/** Process that the step of the follower runs in. */
const followingPid = async (): Promise<number | undefined> => {
  const { raw } = await follower().describe()
  const [step] = raw.pendingActivities ?? []
  return step?.lastWorkerIdentity ? Number(step.lastWorkerIdentity.split('@')[0]) : undefined
}

/** A claim from its request to its badge, and how often the chain's events of it are in the records. */
const expectLifeRecorded = async (): Promise<void> => {
  const [jobId, agent] = [await createJob(world), await fundedAgent(world)]
  const { sessionId } = await claim(agent, jobId)
  await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
  expect((await leaves(agent, sessionId, 'submitted')).status).toBe('resolved')
  await followerAtHead(world)
  const recorded = await world.database.rows
    .selectFrom('event')
    .select('topic')
    .where('sessionId', '=', sessionId)
    .where('source', '=', 'chain')
    .execute()
  const topics = recorded.map(({ topic }) => topic).sort()
  expect(topics).toEqual([...new Set(topics)])
  expect(topics).toEqual(
    expect.arrayContaining(['escrow.job_claimed', 'escrow.job_closed', 'escrow.work_submitted', 'reputation.badge_minted']),
  )
}

const indexer = async () => {
  const { body } = await world.call('/health')
  return {
    state: body.capabilityHealth.indexer,
    warnings: body.warnings.map(({ code }: { code: string }) => code),
    ...body.components.indexer,
  }
}

describe('the follower of two workers', () => {
  test('records a life once, and shows that it is caught up', async () => {
    await expectLifeRecorded()
    const head = await world.view.client.getBlockNumber({ cacheTime: 0 })
    expect(await indexer()).toMatchObject({ state: 'synced', ok: true, block: head.toString(), headBlock: head.toString() })
  })

  test('goes on in the other worker when its own is killed', async () => {
    const pid = await eventually('a worker follows the chain', followingPid, (found) => found !== undefined)
    const victim = world.workers.find((worker) => worker.pid() === pid)
    if (victim === undefined) throw new Error(`no worker is ${pid}`)
    await victim.kill()
    await expectLifeRecorded()
    expect(await followingPid()).not.toBe(pid)
  })

  test('is the same run after every worker was ended and started again', async () => {
    const { runId } = await follower().describe()
    await Promise.all(world.workers.map((worker) => worker.stop()))
    await Promise.all(world.workers.map((worker) => worker.start()))
    await expectLifeRecorded()
    expect((await follower().describe()).runId).toBe(runId)
    expect(await follower().query(followerProgress)).toMatchObject({ trouble: null })
  })

  test('that cannot reach the node raises the alarm in health, and catches up when the node is back', async () => {
    await world.chain.stop()
    const lagging = await eventually('the indexer is lagging', indexer, ({ state }) => state === 'lagging')
    expect(lagging).toMatchObject({ ok: false, warnings: expect.arrayContaining(['indexer_lagging']) })
    expect(lagging.lagSeconds).toBeGreaterThanOrEqual(LAG_SECONDS)
    await world.chain.start()
    await eventually('the indexer is synced', indexer, ({ state }) => state === 'synced')
    await expectLifeRecorded()
  })
})

describe('a claim whose work was refused', () => {
  const noticesTo = async (workflowId: string): Promise<string[]> => {
    const { events } = await engine.workflow.getHandle(workflowId).fetchHistory()
    return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
      if (signal?.signalName !== 'chainMoved') return []
      const [payload] = signal.input?.payloads ?? []
      return [(JSON.parse(Buffer.from(payload?.data ?? []).toString()) as ChainEventNotice).event]
    })
  }

  test('hears through its dispute what its worker opens on chain, also when the engine was away meanwhile', async () => {
    const [jobId, agent] = [await createJob(world), await fundedAgent(world)]
    const { sessionId } = await claim(agent, jobId)
    await agent.post('/jobs/submit', { sessionId, submission: BAD_WORK })
    expect((await leaves(agent, sessionId, 'submitted')).status).toBe('rejected')
    await followerAtHead(world)
    const left = await engine.workflow.start('dispute', {
      workflowId: `dispute/${sessionId}`,
      taskQueue: 'no-worker',
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [],
    })
    await world.temporal.kill()
    const data = encodeFunctionData({ abi: escrowCoreAbi, functionName: 'openDispute', args: [chainJobId(jobId) as Hex] })
    await world.view.send(agent.account, { to: liveEscrow(world.chainFile), data })
    await world.temporal.start()
    await followerAtHead(world)
    // The follower notifies after it has recorded.
    const notices = await eventually(
      'the notice',
      () => noticesTo(`dispute/${sessionId}`),
      (events) => events.includes('DisputeOpened'),
    )
    expect(notices).toContain('DisputeOpened')
    // The claim is not notified: what follows a verdict is its dispute's.
    expect(await noticesTo(claimWorkflowId(jobId))).toEqual([])
    // The modules after this one wait until no workflow has a task.
    await left.terminate()
  })
})
