// A new build takes over from the old one and gives back to it, while agents work and claims and disputes are open.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { privateKeyToAccount } from 'viem/accounts'
import { versionOf } from '../../../activities/temporal/deployments.ts'
import { auditScheduleId } from '../../../schemas/audit/process.ts'
import { decide, openDispute } from '../../e2e/support/disputes.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { BAD_WORK, claim, createJob, fundedAgent, GOOD_WORK, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { auditStack } from '../../support/audit.ts'
import { PLAYS_ALL } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'
import { changedBuild } from './support/builds.ts'
import { runVersions } from './support/versions.ts'

/** Open claims, and as many open disputes. */
const OPEN = PLAYS_ALL ? 25 : 4
const DEPLOYMENT = 'agent-work'

let world: FleetWorld
let connection: Connection
const builds = { patched: changedBuild('patched'), unpatched: changedBuild('unpatched') }
beforeAll(async () => {
  world = await openFleet({ apis: 1, workers: 2, env: { WORKER_DEPLOYMENT: DEPLOYMENT, BUILD_ID: 'old' } })
  connection = await Connection.connect({ address: world.temporalAddress })
})
afterAll(async () => {
  await connection?.close()
  await world?.close()
  for (const { remove } of Object.values(builds)) remove()
})

const versions = (buildId: string, bundle: string | undefined, ...args: string[]) =>
  runVersions(
    {
      TEMPORAL_ADDRESS: world.temporalAddress,
      WORKER_DEPLOYMENT: DEPLOYMENT,
      BUILD_ID: buildId,
      ...(bundle !== undefined && { WORKFLOW_BUNDLE: bundle }),
    },
    ...args,
  )

interface Open {
  agent: Agent
  session: Reply['body']
}

const openClaim = async (): Promise<Open> => {
  const agent = await fundedAgent(world)
  return { agent, session: await claim(agent, await createJob(world)) }
}

const openDisputed = async (): Promise<Open> => {
  const { agent, session } = await openClaim()
  await agent.post('/jobs/submit', { sessionId: session.sessionId, submission: BAD_WORK })
  await leaves(agent, session.sessionId, 'submitted')
  await openDispute({ chain: world.chainFile, view: world.view }, agent.account, session)
  await eventually(
    'the dispute is open',
    () => sessionOf(agent, session.sessionId),
    ({ status }) => status === 'disputed',
  )
  return { agent, session }
}

const submitGood = async ({ agent, session }: Open): Promise<string> => {
  await agent.post('/jobs/submit', { sessionId: session.sessionId, submission: GOOD_WORK })
  return (await leaves(agent, session.sessionId, 'submitted')).status
}

/** Processes whose workflow tasks fail. */
const failing = async (): Promise<string[]> => {
  const { workflow } = new Client({ connection })
  const found: string[] = []
  for await (const { workflowId } of workflow.list({ query: 'ExecutionStatus="Running" AND TemporalReportedProblems IS NOT NULL' }))
    found.push(workflowId)
  return found
}

test('a changed build takes over and gives back while claims and disputes are open: each ends as it would have', async () => {
  const [, second] = world.workers
  const arbitrator = await world.agent(privateKeyToAccount(world.keys.arbitrator.privateKey))
  const decided = async ({ agent, session }: Open): Promise<string> => {
    await decide(arbitrator, { session }, { verdict: 'dismissed' })
    return (await leaves(agent, session.sessionId, 'disputed')).status
  }
  expect(await versions('old', undefined, 'current')).toMatchObject({ code: 0 })
  const claims = await Promise.all(Array.from({ length: OPEN }, openClaim))
  const disputes = await Promise.all(Array.from({ length: OPEN }, openDisputed))

  let isChanging = true
  const flows: string[] = []
  const busy = Promise.all(
    [0, 1].map(async () => {
      while (isChanging) flows.push(await submitGood(await openClaim()))
    }),
  )
  await second?.stop()
  const { bundle } = builds.patched
  await second?.start({ env: { BUILD_ID: 'new', WORKFLOW_BUNDLE: bundle } })
  const broken = await versions('broken', builds.unpatched.bundle, 'check')
  expect(broken.code).toBe(1)
  expect(broken.text).toMatch(/cannot continue on this build:\n {2}\w+ .*/)
  expect(await versions('broken', builds.unpatched.bundle, 'current')).toMatchObject({
    code: 1,
    text: expect.stringContaining('nothing was'),
  })
  expect(await versions('new', bundle, 'check')).toMatchObject({ code: 0 })
  expect(await versions('new', bundle, 'current')).toMatchObject({ code: 0, text: expect.stringContaining('new is the current version') })
  // They take the patch, and outlive the new build's turn.
  const late = await Promise.all([openClaim(), openDisputed()])
  const half = Math.floor(OPEN / 2)
  const ends = [...(await Promise.all(claims.slice(0, half).map(submitGood))), ...(await Promise.all(disputes.slice(0, half).map(decided)))]

  // The old build lacks the patch that some processes have taken.
  const strict = await versions('old', undefined, 'current')
  expect(strict).toMatchObject({ code: 1, text: expect.stringContaining('nothing was changed: --pin leaves them') })
  const back = await versions('old', undefined, 'current', '--pin')
  expect(back).toMatchObject({ code: 0, text: expect.stringMatching(/old is the current version[\s\S]*pinned to the version/) })
  isChanging = false
  await busy
  ends.push(...(await Promise.all(claims.slice(half).map(submitGood))), ...(await Promise.all(disputes.slice(half).map(decided))))

  const [lateClaim, lateDispute] = late
  ends.push(await submitGood(lateClaim), await decided(lateDispute))

  // An audit ends within an hour, so its code pins it.
  const client = new Client({ connection })
  await client.schedule.getHandle(auditScheduleId(world.chainFile.chainId)).trigger()
  const audits = async () => {
    for await (const found of client.workflow.list({ query: 'WorkflowType="audit" AND ExecutionStatus="Completed"' })) return found
    return undefined
  }
  const audit = await eventually('an audit has ended', audits, (found) => found !== undefined)
  const history = await client.workflow.getHandle(audit?.workflowId ?? '', audit?.runId).fetchHistory()
  expect(versionOf(history)).toEqual({ buildId: 'old', pinnedBy: 'code' })

  expect(ends).toEqual(Array(2 * OPEN + late.length).fill('resolved'))
  expect(flows.filter((status) => status !== 'resolved')).toEqual([])
  expect(flows.length).toBeGreaterThan(0)
  await eventually('no process fails', failing, (found) => found.length === 0)
  expect(await auditStack({ ...world, chain: world.chainFile })).toEqual([])
  const listed = await versions('old', undefined, 'list')
  expect(listed.text).toMatch(/^old {2}current {2}\d+ running process/m)
})
