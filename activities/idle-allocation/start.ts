import { type IdleAllocationInput, idleAllocationWorkflowId } from '../../schemas/idle-allocation/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'

/** Start options of the idle-balance allocation of a wallet, for every starter. */
export const idleAllocationStart = (input: IdleAllocationInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: idleAllocationWorkflowId(input.wallet),
  args: [input] as [IdleAllocationInput],
  staticSummary: `Idle balance of ${input.wallet}`,
  staticDetails: 'Lends the idle balance of the wallet to the deposit pool while its consent is active.',
  typedSearchAttributes: [{ key: SEARCH.wallet, value: input.wallet }],
})
