import { MAX_FAILING_HOURS } from '../../domain/webhooks/schedule.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import { type WebhookInput, webhookWorkflowId } from '../../schemas/webhooks/process.ts'

/** Start options of the deliveries to a webhook endpoint of a wallet (lower case), for every starter. */
export const webhookStart = (input: WebhookInput, wallet: string) => ({
  taskQueue: TASK_QUEUE,
  workflowId: webhookWorkflowId(input.id),
  args: [input] as [WebhookInput],
  staticSummary: `Webhook of ${wallet}`,
  staticDetails: `Delivers the events of the wallet to its endpoint, in order, and tries again for ${MAX_FAILING_HOURS} hours.`,
  typedSearchAttributes: [{ key: SEARCH.wallet, value: wallet }],
})
