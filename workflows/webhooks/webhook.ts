import { allHandlersFinished, condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import { TASK_QUEUES } from '../../schemas/processes.ts'
import {
  eventsRecorded,
  type WebhookActivities,
  type WebhookInput,
  type WebhookProgress,
  webhookProgress,
  webhookTest,
} from '../../schemas/webhooks/process.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { toUpdateFailure } from '../common/failures.ts'
import { LIMITS } from '../common/limits.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { clock } from '../common/proxies.ts'

/** A round of deliveries takes half a minute. What an endpoint answers is no failure; what fails here is the database, so it is retried. */
const deliveries = proxyActivities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '2m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
})

/** Longest wait for a signal: the records are read once a day in case one was lost. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

/** Delivers events to one endpoint, in order, one at a time. It ends when the endpoint is paused or deleted; the next signal starts it again. */
export async function webhook(input: WebhookInput): Promise<{ state: string }> {
  const { id } = input
  const view = createOperatorView()
  let changes = 0
  let progress: WebhookProgress | null = null

  setHandler(eventsRecorded, () => {
    changes += 1
  })
  setHandler(webhookTest, async ({ requestId }) => {
    try {
      return await deliveries.deliverTestEvent({ id, requestId })
    } catch (refusal) {
      throw toUpdateFailure(refusal)
    }
  })
  setHandler(webhookProgress, () => progress)

  while (!workflowInfo().continueAsNewSuggested) {
    const seen = changes
    const hasChanged = (): boolean => changes !== seen
    progress = await deliveries.deliverEvents({ id })
    const { state, dueAt, details } = progress
    view.show({ state, deadlineAt: dueAt, details })
    if (state === 'paused' || state === 'deleted') {
      await condition(allHandlersFinished)
      if (hasChanged()) continue
      return { state }
    }
    if (state === 'waiting') await condition(hasChanged, LONGEST_WAIT_MS)
    if (dueAt !== null) await waitUntilSettled(dueAt, hasChanged, clock)
  }
  await condition(allHandlersFinished)
  return continueAsNew<typeof webhook>(input)
}
