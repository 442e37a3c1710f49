// Workers that take different kinds of work, and what becomes of a kind that none takes.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Reply } from '../../e2e/support/http.ts'
import { claim, createJob, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'

let receiver: Awaited<ReturnType<typeof startReceiver>>
let world: FleetWorld
beforeAll(async () => {
  receiver = await startReceiver()
  world = await openFleet({ apis: 1, workers: 2, env: { LOCAL_CALLER_HOSTS: receiver.host } })
})
afterAll(async () => {
  await world?.close()
  await receiver?.close()
})

const health = async (): Promise<Reply['body']> => (await world.call('/health')).body.serviceHealth.components.workflowWorker
/** Settings of a worker that takes these kinds of work. */
const kinds = (...queues: string[]) => ({ env: { WORKER_QUEUES: queues.join(',') } })

test('work of a kind waits without a worker for it, everything else goes on, and it is done once a worker takes it', async () => {
  const [first, second] = world.workers
  const agent = await fundedAgent(world)
  await agent.post('/webhooks', { url: receiver.url, topics: ['settlement.session_resolved'] }, 201)
  await Promise.all([first?.stop(), second?.stop()])
  await first?.start(kinds('claims'))
  const { sessionId } = await claim(agent, await createJob(world))
  await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
  // The verifier is a kind of its own.
  await second?.start(kinds('verification', 'chain'))
  expect((await leaves(agent, sessionId, 'submitted')).status).toBe('resolved')
  expect(receiver.received).toEqual([])

  await second?.stop()
  await second?.start(kinds('webhooks', 'ingestion', 'chain', 'verification'))
  await eventually('the webhook arrives', () => receiver.received.length > 0)
  expect(receiver.received.map(({ event }) => event.sessionId)).toEqual([sessionId])
  await eventually('health sees a worker for each kind', health, ({ state }) => state === 'polling')
})
