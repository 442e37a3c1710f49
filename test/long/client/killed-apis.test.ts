import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../../client/src/index.ts'
import { createJob, GOOD_WORK } from '../../e2e/support/jobs.ts'
import { type LoadBalancer, startLoadBalancer } from '../../support/fleet/load-balancer.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'

const CLIENTS = 4
/** A new wallet has three claims without a bond. */
const FLOWS = 3
const BETWEEN_KILLS_MS = 2_000
const ORDER = ['pending', 'claimed', 'submitted', 'resolved']

let world: FleetWorld
let balancer: LoadBalancer
beforeAll(async () => {
  world = await openFleet({ apis: 2, workers: 1 })
  balancer = await startLoadBalancer(() => world.apis.filter((api) => api.isUp()).map(({ base }) => base))
}, 180_000)
afterAll(async () => {
  await balancer?.close()
  await world?.close()
}, 60_000)

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** One worker: claims, watches, submits and ends with the badge. Returns the states that its watches showed. */
const work = async (jobIds: readonly string[]): Promise<string[][]> => {
  const account = privateKeyToAccount(generatePrivateKey())
  const client = createClient({ baseUrl: balancer.base, account, maxRetries: 20 })
  const shown: string[][] = []
  for (const jobId of jobIds) {
    const { sessionId } = await client.claimJob({ jobId })
    const states: string[] = []
    const submitted = pause(500).then(() => client.submitWork({ sessionId, submission: GOOD_WORK }))
    for await (const { status } of client.watch(sessionId)) states.push(status)
    await submitted
    const { service } = await client.getBadge({ sessionId })
    expect(service.worker).toBe(account.address.toLowerCase())
    shown.push(states)
  }
  const { badges } = await world.view.standingOf(account.address)
  expect(badges).toHaveLength(jobIds.length)
  return shown
}

test('clients earn every badge, and each watch ends with the terminal state, while one API after the other is killed', async () => {
  const jobIds: string[] = []
  for (let made = 0; made < CLIENTS * FLOWS; made += 1)
    jobIds.push(await createJob(world, { onboardingWaiverEligible: true, rewardAmount: 0.2 }))
  let isOver = false
  let kills = 0
  // Each has its own turn, so that at times none of them answers.
  const killing = world.apis.map(async (api, index) => {
    for (; !isOver; kills += 1) {
      await pause(BETWEEN_KILLS_MS * (index + 1))
      await api.kill()
      await api.start()
    }
  })
  const workers = Array.from({ length: CLIENTS }, (_, index) => work(jobIds.slice(index * FLOWS, (index + 1) * FLOWS)))
  const shown = await Promise.all(workers).finally(async () => {
    isOver = true
    await Promise.all(killing)
  })
  expect(shown.flat().map((states) => states.at(-1))).toEqual(jobIds.map(() => 'resolved'))
  // A status is shown again when something else of the session changed, and none comes back.
  for (const states of shown.flat()) expect(states).toEqual([...states].sort((left, right) => ORDER.indexOf(left) - ORDER.indexOf(right)))
  expect(kills).toBeGreaterThan(3)
}, 240_000)
