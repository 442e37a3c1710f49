import { type WorkflowHandle, WorkflowNotFoundError, WorkflowUpdateStage } from '@temporalio/client'
import type { Engine } from './engine.ts'
import { refusalOf, until } from './engine.ts'
import type { Reached } from './reach.ts'
import type { Step } from './scripted-service.ts'

/**
 * What a message does to a process in a state: the answer of an update (a status or verdict, the code of a refusal, `waits` while the
 * process goes on without an answer, `gone` when nothing runs any more; `–` for a signal), the steps it makes, and where the process
 * stands when all is still again.
 */
export type Outcome = readonly [answer: string, steps: string, state: string]

/** Reading clock and record is no effect. */
const READINGS: ReadonlySet<Step> = new Set(['millisecondsUntil', 'disputeStanding'])

const isGone = (error: unknown): boolean => error instanceof WorkflowNotFoundError

const wordOf = (value: unknown): string => {
  const answer = value as { status?: string; outcome?: string; kind?: string; sessionId?: string }
  return answer.status ?? answer.outcome ?? answer.kind ?? 'session'
}

/** Answer of an update that was sent; a refusal is its code. */
export const answerOf = (result: Promise<unknown>): Promise<string> =>
  result.then(wordOf, async (error) => (isGone(error) ? 'gone' : refusalOf(Promise.reject(error))))

/** Updates that a process took and has not answered. */
const unanswered = async (handle: WorkflowHandle): Promise<boolean> => {
  const events = (await handle.fetchHistory()).events ?? []
  const accepted = events.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length
  return accepted > events.filter((event) => event.workflowExecutionUpdateCompletedEventAttributes).length
}

/** Where a process stands: what it says itself, or how it ended. */
export const standOf = async (handle: WorkflowHandle, ask: (handle: WorkflowHandle) => Promise<string>): Promise<string> => {
  const { status } = await handle.describe()
  if (status.name !== 'COMPLETED') return ask(handle)
  const end = (await handle.result()) as { status?: string } | undefined
  return `ended ${end?.status ?? ''}`.trim()
}

/** Steps that the process made between two moments. */
export const stepsSince = (engine: Engine, before: number, others: ReadonlySet<string>): string =>
  engine.service
    .steps()
    .slice(before)
    .filter((step) => !READINGS.has(step) && !others.has(step))
    .join(' ')

const underWay = async (handle: WorkflowHandle) => {
  const { pendingActivities, pendingWorkflowTask } = (await handle.describe()).raw
  return { steps: pendingActivities?.length ?? 0, hasTask: pendingWorkflowTask != null }
}

const OTHERS_MS = 2_000

/** Waits until no step is under way but so many held ones; two seconds at most, since a message may wait for these. */
const untilOthersEnded = async (handle: WorkflowHandle, held: number): Promise<void> => {
  for (const end = Date.now() + OTHERS_MS; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const { steps, hasTask } = await underWay(handle)
    if (steps <= held && !hasTask) return
  }
}

/** Sends an update, lets go of what held the process, and tells what came of it. */
export const updateAndSee = async (
  engine: Engine,
  handle: WorkflowHandle,
  send: { update: string; args: unknown[] },
  release: Reached['release'],
): Promise<string> => {
  try {
    const [first, ...rest] = send.args
    const { steps } = await underWay(handle)
    const sent = await (first === undefined
      ? handle.startUpdate(send.update, { waitForStage: WorkflowUpdateStage.ACCEPTED })
      : handle.startUpdate(send.update, { args: [first, ...rest], waitForStage: WorkflowUpdateStage.ACCEPTED }))
    const answer = answerOf(sent.result())
    await untilOthersEnded(handle, steps)
    await release()
    await engine.untilIdle()
    return (await unanswered(handle)) ? 'waits' : await answer
  } catch (error) {
    await release()
    if (!isGone(error)) throw error
    await engine.untilIdle()
    return 'gone'
  }
}

/** Sends a signal, lets go of what held the process, and waits until all is still. */
export const signalAndSee = async (
  engine: Engine,
  handle: WorkflowHandle,
  send: { signal: string; args: unknown[] },
  release: Reached['release'],
): Promise<string> => {
  try {
    await handle.signal(send.signal, ...send.args)
    // The workflow receives the signal before the step under way ends.
    await until(async () => !(await handle.describe()).raw.pendingWorkflowTask)
    return '–'
  } catch (error) {
    if (!isGone(error)) throw error
    return 'gone'
  } finally {
    await release()
    await engine.untilIdle()
  }
}
