import { OBSERVATION_SECONDS } from '../../domain/cross-chain/watch.ts'
import { type CrossChainInput, crossChainWorkflowId } from '../../schemas/cross-chain/process.ts'
import { TASK_QUEUE } from '../../schemas/processes.ts'

const MINUTES = OBSERVATION_SECONDS / 60

/** Start options of a cross-chain request, for every starter. */
export const crossChainStart = (input: CrossChainInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: crossChainWorkflowId(input.requestId),
  args: [input] as [CrossChainInput],
  staticSummary: `Cross-chain request ${input.requestId}`,
  staticDetails: `Watches the balance at the destination for ${MINUTES} minutes and settles the request by what it saw.`,
})
