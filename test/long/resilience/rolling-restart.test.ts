import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { TASK_QUEUE } from '../../../schemas/processes.ts'
import { demoFlow, flowsWhile, type Restart, restart } from '../../e2e/support/demo-flow.ts'
import { type Agent, createHttp } from '../../e2e/support/http.ts'
import { createJob, encode } from '../../e2e/support/jobs.ts'
import type { Member } from '../../support/fleet/fleet.ts'
import { type LoadBalancer, startLoadBalancer } from '../../support/fleet/load-balancer.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'

const SLOW = 240_000
const RESTARTS = 4
/** The engine names a workflow that fails at its fifth task; it waits longer before each, a minute in all. */
const FLAGGED_MS = 180_000

let world: FleetWorld
let admin: Agent
let balancer: LoadBalancer
let connection: Connection
/** Fails in every task, as no worker knows its type. */
let failing: WorkflowHandle
beforeAll(async () => {
  balancer = await startLoadBalancer(() => world.apis.map(({ base }) => base))
  world = await openFleet({ apis: 2, workers: 2, env: { PUBLIC_BASE_URL: balancer.base } })
  admin = await createHttp(balancer.base, world.contract).agent(world.admin.account)
  connection = await Connection.connect({ address: world.temporalAddress })
  expect(await isReported()).toBe(false)
  const { workflow } = new Client({ connection })
  failing = await workflow.start('noSuchProcess', { taskQueue: TASK_QUEUE, workflowId: 'no-such-process' })
}, SLOW)
afterAll(async () => {
  await connection?.close()
  await balancer?.close()
  await world?.close()
}, 60_000)

/** Whether the health report names a workflow that fails. */
const isReported = async (): Promise<boolean> => {
  const { status, warnings } = await world.expectCall(200, '/health')
  return warnings.some(({ code }: { code: string }) => code === 'sessions_failing') && status === 'degraded'
}
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + FLAGGED_MS; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 100)))
    if (Date.now() > end) throw new Error('it did not happen in time')
}

const member = <One extends Member>(members: readonly One[], index: number): One => {
  const found = members[index % members.length]
  if (found === undefined) throw new Error('the fleet is too small')
  return found
}

/** One API and one worker at once, each in turn. */
const restartPair = (round: number): Promise<Restart[]> => {
  const [api, worker] = [member(world.apis, round), member(world.workers, round)]
  return Promise.all([balancer.without(api.base, () => restart(api.name, api)), restart(worker.name, worker)])
}

test(
  'the demo’s flow runs with two of each, also while one of each is restarted every five seconds; nothing that was taken is lost',
  async () => {
    const place = { base: balancer.base, admin, chain: world.view, asset: world.chainFile.asset }
    expect(await demoFlow(place)).toEqual([])
    const { flows, told } = await flowsWhile(place, RESTARTS, restartPair)
    expect(told).toEqual(
      Array.from({ length: RESTARTS }, (_, round) =>
        ['api', 'worker'].map((kind) => ({ name: `${kind}-${round % 2}`, ended: 'in order and in time', isAnother: true })),
      ).flat(),
    )
    expect(flows.length).toBeGreaterThan(RESTARTS)
    expect([balancer.lost(), flows.flat()]).toEqual([[], []])
    expect(balancer.onKeptConnections()).toBeGreaterThan(0)
    // A connection is closed under a read only in the moment in which its API stops.
    expect(balancer.sentAgain()).toBeLessThanOrEqual(RESTARTS * 3)
  },
  SLOW,
)

test(
  'an API that is asked to end answers whoever waits for news with what there is',
  async () => {
    const [first] = world.apis
    const agent = await world.door(0).agent()
    const session = await agent.post('/jobs/claim', {
      jobId: await createJob({ admin }, { onboardingWaiverEligible: true, rewardAmount: 0.2 }),
    })
    const began = performance.now()
    const waiting = agent.get(`/session?sessionId=${encode(session.sessionId)}&waitSeconds=25`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const stopping = first?.stop()
    expect((await waiting).status).toBe('claimed')
    expect(performance.now() - began).toBeLessThan(5_000)
    await stopping
    await first?.start()
  },
  SLOW,
)

/** Connections that callers leave open in every state: what was sent, and whether the answers are read. */
const LEFT_OPEN: readonly (readonly [string, boolean])[] = [
  ['', true],
  ['GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n', true],
  ['GET /jobs HTTP/1.1\r\nHost: a\r\n', true],
  ['POST /auth/nonce HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{', true],
  ['CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', true],
  [`${'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(40)}CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n`, false],
  ['GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(40), false],
  [`GET /jobs HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`, true],
  [`GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, true],
  ['NOISE\r\n\r\n', true],
]

const leaveOpen = (base: string) => {
  const { hostname: host, port } = new URL(base)
  const sockets = LEFT_OPEN.flatMap((kind) => Array(10).fill(kind)).map(([sent, isReading]) => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true }).on('error', () => undefined)
    if (isReading) socket.resume()
    socket.write(sent)
    return socket
  })
  return { close: () => sockets.forEach((socket) => void socket.destroy()) }
}

test(
  'an API that is asked to end while connections of every kind are open ends in time, and answers the claim that it took',
  async () => {
    const [first] = world.apis
    if (first === undefined) throw new Error('the fleet is too small')
    const agent = await world.door(0).agent()
    const jobId = await createJob({ admin }, { onboardingWaiverEligible: true, rewardAmount: 0.2 })
    const open = leaveOpen(first.base)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const claiming = agent.call('/jobs/claim', { body: { jobId } })
    await new Promise((resolve) => setTimeout(resolve, 30))
    const stopping = restart('the API', first)
    expect([200, 202]).toContain((await claiming).status)
    expect(await stopping).toEqual({ name: 'the API', ended: 'in order and in time', isAnother: true })
    open.close()
  },
  SLOW,
)

test(
  'a workflow that fails in every task is reported by /health until it is gone, also by an API that was restarted',
  async () => {
    await until(isReported)
    await failing.terminate()
    await until(async () => !(await isReported()))
  },
  SLOW + FLAGGED_MS,
)
