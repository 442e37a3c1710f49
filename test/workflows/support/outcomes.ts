import { type WorkflowHandle, WorkflowNotFoundError, WorkflowUpdateStage } from '@temporalio/client'
import type { Engine } from './engine.ts'
import { refusalOf, until, untilProcessed } from './engine.ts'
import type { Reached } from './reach.ts'
import type { Step } from './scripted-service.ts'

/**
 * What a message does to a process in a state. The answer of an update is a status or verdict, the code of a refusal, `waits` while the
 * process goes on without an answer, or `gone` once the process has ended; a signal has `–`. The steps and the state follow, read once the
 * process is idle.
 */
export type Outcome = readonly [answer: string, steps: string, state: string]

/** Steps that only read the clock or a record. */
const READINGS: ReadonlySet<Step> = new Set(['millisecondsUntil', 'disputeStanding'])

const isGone = (error: unknown): boolean => error instanceof WorkflowNotFoundError

const describeAnswer = (value: unknown): string => {
  const answer = value as { status?: string; outcome?: string; kind?: string; sessionId?: string }
  return answer.status ?? answer.outcome ?? answer.kind ?? 'session'
}

/** Answer of an update that was sent; a refusal is its code. */
export const answerOf = (result: Promise<unknown>): Promise<string> =>
  result.then(describeAnswer, async (error) => (isGone(error) ? 'gone' : refusalOf(Promise.reject(error))))

/** Updates that a process took and has not answered. */
const unanswered = async (handle: WorkflowHandle): Promise<boolean> => {
  const events = (await handle.fetchHistory()).events ?? []
  const accepted = events.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length
  return accepted > events.filter((event) => event.workflowExecutionUpdateCompletedEventAttributes).length
}

/** State of a process, as it reports it, or how it ended. */
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

/** `PendingActivityState` of the server for a step that a worker has. */
const STARTED = 2

/** Waits until the process goes on only when a step ends that the scripted service holds, or that waits for its next attempt. */
const untilHeld = async (engine: Engine, handle: WorkflowHandle): Promise<void> => {
  let before = -1
  await until(async () => {
    const { pendingActivities, pendingWorkflowTask } = (await handle.describe()).raw
    const pending = pendingActivities ?? []
    const started = pending.filter(({ state }) => state === STARTED).length
    const calls = engine.service.steps().length
    const isNew = calls !== before
    before = calls
    const isWaiting = pending.every(({ state, attempt }) => state === STARTED || (attempt ?? 1) > 1)
    return !pendingWorkflowTask && !isNew && isWaiting && started <= engine.service.callsInHand()
  })
}

/** Sends an update, releases the process, and returns the answer. */
export const updateAndSee = async (
  engine: Engine,
  handle: WorkflowHandle,
  send: { update: string; args: unknown[] },
  release: Reached['release'],
): Promise<string> => {
  try {
    const [first, ...rest] = send.args
    const sent = await (first === undefined
      ? handle.startUpdate(send.update, { waitForStage: WorkflowUpdateStage.ACCEPTED })
      : handle.startUpdate(send.update, { args: [first, ...rest], waitForStage: WorkflowUpdateStage.ACCEPTED }))
    const answer = answerOf(sent.result())
    await untilHeld(engine, handle)
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

/** Sends a signal, releases the process, and waits until it is idle. */
export const signalAndSee = async (
  engine: Engine,
  handle: WorkflowHandle,
  send: { signal: string; args: unknown[] },
  release: Reached['release'],
): Promise<string> => {
  try {
    await handle.signal(send.signal, ...send.args)
    // The workflow receives the signal before the step under way ends.
    await untilProcessed(handle)
    return '–'
  } catch (error) {
    if (!isGone(error)) throw error
    return 'gone'
  } finally {
    await release()
    await engine.untilIdle()
  }
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Payloads that Temporal accepts and no workflow can decode. */
export const UNREADABLE = [
  { metadata: { encoding: bytes('json/protobuf') }, data: bytes('{}') },
  { metadata: { encoding: bytes('json/plain') }, data: bytes('{no json') },
  { metadata: { encoding: bytes('json/plain') }, data: new Uint8Array([0x22, 0xff, 0x22]) },
  { metadata: {}, data: bytes('no encoding is named') },
]

/** Sends a signal with a payload that no data converter has made. */
export const signalRaw = async (
  { client: { workflowService, options } }: Pick<Engine, 'client'>,
  { workflowId }: { workflowId: string },
  { signal, payload }: { signal: string; payload: (typeof UNREADABLE)[number] },
): Promise<void> => {
  await workflowService.signalWorkflowExecution({
    namespace: options.namespace,
    workflowExecution: { workflowId },
    signalName: signal,
    identity: 'somewhere',
    input: { payloads: [payload] },
  })
}
