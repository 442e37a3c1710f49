import { allHandlersFinished, condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import {
  type DeliveryActivities,
  type DeliveryInput,
  type DeliveryProgress,
  deliveryChanged,
  deliveryProgress,
} from '../../schemas/deliveries/process.ts'
import { TASK_QUEUES } from '../../schemas/processes.ts'
import type { DeliveryState } from '../../schemas/sessions/delivery-shapes.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { LIMITS } from '../common/limits.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { clock } from '../common/proxies.ts'

/** A reading takes up to some twenty requests. What a host answers is no failure; what fails here is the database, so it is retried. */
const deliveries = proxyActivities<DeliveryActivities>({
  taskQueue: TASK_QUEUES.ingestion,
  startToCloseTimeout: '10m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
})

/** Follows what a paid session delivered until its state stays: reads it every day, at its deadlines, and when it may have changed. */
export async function deliveryTracking(input: DeliveryInput): Promise<{ state: DeliveryState }> {
  const { sessionId } = input
  const view = createOperatorView()
  let changes = 0
  let progress: DeliveryProgress | null = null
  setHandler(deliveryProgress, () => progress)
  setHandler(deliveryChanged, () => {
    changes += 1
  })

  while (!workflowInfo().continueAsNewSuggested) {
    const seen = changes
    const reading = await view.retryUntilAccepted(
      () => deliveries.readDelivery({ sessionId }),
      () => changes,
    )
    progress = reading
    const { state, nextReadAt, details, isOver } = reading
    view.show({ state, deadlineAt: nextReadAt, details })
    if (isOver || nextReadAt === null) {
      await condition(allHandlersFinished)
      return { state }
    }
    await waitUntilSettled(nextReadAt, () => changes !== seen, clock)
  }
  await condition(allHandlersFinished)
  return continueAsNew<typeof deliveryTracking>(input)
}
