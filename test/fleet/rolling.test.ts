import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { missingProof } from '../../local/demo/proof.ts'
import { createReport } from '../../local/demo/report.ts'
import { starterFlow } from '../../local/demo/starter-flow.ts'
import { type Agent, createHttp } from '../e2e/support/http.ts'
import { createJob, encode } from '../e2e/support/jobs.ts'
import { type FleetWorld, openFleet } from '../support/fleet-world.ts'
import { startLoadBalancer } from '../support/load-balancer.ts'

const SLOW = 240_000
const FLOWS_AT_ONCE = 3
const RESTARTS = 6
const RESTART_EVERY_MS = 5_000

let world: FleetWorld
let admin: Agent
let balancer: Awaited<ReturnType<typeof startLoadBalancer>>
beforeAll(async () => {
  balancer = await startLoadBalancer(() => world.apis.map(({ base }) => base))
  world = await openFleet({ apis: 2, workers: 2, env: { PUBLIC_BASE_URL: balancer.base } })
  admin = await createHttp(balancer.base, world.contract).agent(world.admin.account)
}, SLOW)
afterAll(async () => {
  await balancer?.close()
  await world?.close()
}, 60_000)

/** The flow of the demo, told to nobody; answers what the chain does not show of it. */
const flow = async (): Promise<string[]> => {
  await createJob({ admin }, { onboardingWaiverEligible: true, rewardAmount: 0.2 })
  const place = { base: balancer.base, chain: world.view, report: createReport(() => undefined), asset: world.chainFile.asset }
  return missingProof(await starterFlow(place))
}

/** One API and one worker in turn ends in order and comes back. */
const restartInTurn = async (rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    const pair = [world.apis[round % 2], world.workers[round % 2]]
    await Promise.all(
      pair.map(async (one) => {
        await one?.stop()
        await one?.start()
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, RESTART_EVERY_MS - (performance.now() - began))))
  }
}

test(
  'the demo’s flow runs with two of each, also while one of each is restarted every five seconds; nothing that was taken is lost',
  async () => {
    expect(await flow()).toEqual([])
    let restarting = true
    const ended: string[][] = []
    const flows = Array.from({ length: FLOWS_AT_ONCE }, async () => {
      while (restarting) ended.push(await flow())
    })
    await restartInTurn(RESTARTS).finally(() => {
      restarting = false
    })
    await Promise.all(flows)
    expect(ended.length).toBeGreaterThan(FLOWS_AT_ONCE * 2)
    expect(ended.flat()).toEqual([])
    expect(balancer.lost()).toEqual([])
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
