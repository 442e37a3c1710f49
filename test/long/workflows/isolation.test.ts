import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { findTemporal } from '../../../local/temporal/binary.ts'
import { ISOLATION } from '../../../workers/temporal/isolation.ts'
import { brief, compute, spin, stubborn } from '../../workers/support/slow-workflow.ts'

const taskQueue = 'isolation'
/** Time-out of the SDK for a turn, where none is configured. */
const SDK_LIMIT_MS = 5_000
const SPIN_MS = 7_500
const NEIGHBOURS = 12
/** Turns of the slow process, each with twice as many rounds. */
const MOST_TURNS = 4

let environment: TestWorkflowEnvironment
const endings: (() => Promise<void>)[] = []

beforeAll(async () => {
  const path = await findTemporal(() => undefined)
  environment = await TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'existing-path', path } } })
  endings.unshift(() => environment.teardown())
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('../../workers/support/slow-workflow.ts', import.meta.url)),
    ...ISOLATION,
  })
  const running = worker.run()
  endings.unshift(async () => {
    worker.shutdown()
    await running
  })
})
afterAll(async () => {
  for (const end of endings) await end()
})

/** Millions of rounds that take so long here. */
const roundsFor = (ms: number): number => {
  const sample = 50
  // The first round is compiled while it runs; the fastest one tells what an idle machine needs.
  const taken = Array.from({ length: 5 }, () => {
    const began = performance.now()
    compute(sample)
    return performance.now() - began
  })
  return Math.ceil((sample * ms) / Math.min(...taken))
}

const eventsOf = async (handle: WorkflowHandle) => (await handle.fetchHistory()).events ?? []

/** The longest turn of a process by the engine's clock. */
const longestTurn = async (handle: WorkflowHandle): Promise<number> => {
  let [startedAt, longest] = [0, 0]
  for (const { eventTime, workflowTaskStartedEventAttributes, workflowTaskCompletedEventAttributes } of await eventsOf(handle)) {
    const at = Number(eventTime?.seconds) * 1000 + Number(eventTime?.nanos) / 1e6
    if (workflowTaskStartedEventAttributes) startedAt = at
    if (workflowTaskCompletedEventAttributes) longest = Math.max(longest, at - startedAt)
  }
  return longest
}

test('what a process has begun when it computes for long never becomes the step of another one', async () => {
  const { workflow } = environment.client
  // Room for a busy machine: a task that takes longer would be given out again.
  const slow = await workflow.start(stubborn, { taskQueue, workflowId: 'slow', workflowTaskTimeout: '60s' })
  const warm = await workflow.start(brief, { taskQueue, workflowId: 'warm' })
  await warm.result()
  /** Neighbours run while the slow one computes: each has its own step alone. */
  const runBeside = async (rounds: number, turn: number): Promise<void> => {
    await slow.signal(spin, rounds)
    const neighbours = await Promise.all(
      Array.from({ length: NEIGHBOURS }, (_, index) => workflow.start(brief, { taskQueue, workflowId: `neighbour-${turn}-${index}` })),
    )
    expect(await Promise.all(neighbours.map((one) => one.result()))).toEqual(Array(NEIGHBOURS).fill('done'))
    for (const one of neighbours) {
      const timers = (await eventsOf(one)).filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes).length
      expect([one.workflowId, timers]).toEqual([one.workflowId, 1])
    }
  }
  // A machine that was busy while the rounds were measured needs more of them, or else nothing was shown.
  for (let [rounds, turn] = [roundsFor(SPIN_MS), 1]; (await longestTurn(slow)) <= SDK_LIMIT_MS; rounds *= 2, turn += 1) {
    expect(turn).toBeLessThanOrEqual(MOST_TURNS)
    await runBeside(rounds, turn)
  }
  await slow.terminate()
})
