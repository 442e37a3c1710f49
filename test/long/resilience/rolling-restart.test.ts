import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { demoFlow, flowsWhile, type Restart, restart } from '../../e2e/support/demo-flow.ts'
import { type Agent, createHttp } from '../../e2e/support/http.ts'
import { createJob, encode } from '../../e2e/support/jobs.ts'
import type { Member } from '../../support/fleet.ts'
import { type FleetWorld, openFleet } from '../../support/fleet-world.ts'
import { type LoadBalancer, startLoadBalancer } from '../../support/load-balancer.ts'

const SLOW = 240_000
const RESTARTS = 6

let world: FleetWorld
let admin: Agent
let balancer: LoadBalancer
beforeAll(async () => {
  balancer = await startLoadBalancer(() => world.apis.map(({ base }) => base))
  world = await openFleet({ apis: 2, workers: 2, env: { PUBLIC_BASE_URL: balancer.base } })
  admin = await createHttp(balancer.base, world.contract).agent(world.admin.account)
}, SLOW)
afterAll(async () => {
  await balancer?.close()
  await world?.close()
}, 60_000)

const member = <One extends Member>(members: readonly One[], index: number): One => {
  const found = members[index % members.length]
  if (found === undefined) throw new Error('the fleet is too small')
  return found
}

/** One API and one worker at once, each in turn. */
const restartPair = (round: number): Promise<Restart[]> => {
  const [api, worker] = [member(world.apis, round), member(world.workers, round)]
  return Promise.all([balancer.without(api.base, () => restart('api', api.name, api)), restart('worker', worker.name, worker)])
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
