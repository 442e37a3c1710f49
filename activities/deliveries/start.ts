import { type DeliveryInput, deliveryWorkflowId } from '../../schemas/deliveries/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import type { TrackedDelivery } from './records.ts'

/** Start options of the tracking of a delivery, for every starter. */
export const deliveryStart = ({
  sessionId,
  jobId,
  wallet,
  address,
}: Pick<TrackedDelivery, 'sessionId' | 'jobId' | 'wallet' | 'address'>) => ({
  taskQueue: TASK_QUEUE,
  workflowId: deliveryWorkflowId(sessionId),
  args: [{ v: 1, sessionId }] as [DeliveryInput],
  staticSummary: `Track ${address}`,
  staticDetails: `Delivery of ${wallet} for job ${jobId}: what became of it at its host.`,
  typedSearchAttributes: [
    { key: SEARCH.jobId, value: jobId },
    { key: SEARCH.sessionId, value: sessionId },
    { key: SEARCH.wallet, value: wallet },
  ],
})
