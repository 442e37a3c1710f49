import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { findTemporal } from '../../local/temporal-binary.ts'
import { ISOLATION } from '../../workers/isolation.ts'
import { brief, spin, stubborn } from './support/slow-workflow.ts'

const taskQueue = 'isolation'
/** Longer than the SDK lets code run that nobody told it about. */
const SPIN_MS = 7_000
const NEIGHBOURS = 12

let environment: TestWorkflowEnvironment
let ending: () => Promise<void>

beforeAll(async () => {
  const path = await findTemporal(() => undefined)
  environment = await TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'existing-path', path } } })
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('support/slow-workflow.ts', import.meta.url)),
    ...ISOLATION,
  })
  const running = worker.run()
  ending = async () => {
    worker.shutdown()
    await running
    await environment.teardown()
  }
}, 60_000)
afterAll(() => ending())

/** Rounds of the loop that take so long here. */
const roundsFor = (ms: number): number => {
  const rounds = 20_000_000
  const began = performance.now()
  let sum = 0
  for (let round = 0; round < rounds; round++) sum = (sum * 31 + round) % 1_000_003
  return Math.ceil((rounds * ms) / (performance.now() - began)) + (sum < 0 ? 1 : 0)
}

test('what a process leaves undone after a long computation never becomes the step of another one', async () => {
  const { workflow } = environment.client
  const slow = await workflow.start(stubborn, { taskQueue, workflowId: 'slow' })
  const warm = await workflow.start(brief, { taskQueue, workflowId: 'warm' })
  await warm.result()
  await slow.signal(spin, roundsFor(SPIN_MS))
  const neighbours = await Promise.all(
    Array.from({ length: NEIGHBOURS }, (_, index) => workflow.start(brief, { taskQueue, workflowId: `neighbour-${index}` })),
  )
  expect(await Promise.all(neighbours.map((one) => one.result()))).toEqual(Array(NEIGHBOURS).fill('done'))
  for (const one of neighbours) {
    const { events = [] } = await one.fetchHistory()
    const timers = events?.filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes).length
    expect([one.workflowId, timers]).toEqual([one.workflowId, 1])
  }
  await slow.terminate()
}, 60_000)
