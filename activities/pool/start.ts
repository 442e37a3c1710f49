import { DEPOSIT_VESTING_SECONDS, inHours } from '../../domain/common/constants.ts'
import { type VestingInput, vestingWorkflowId } from '../../schemas/pool/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'

/** Start options of a wallet's vesting, for every starter. */
export const vestingStart = (input: VestingInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: vestingWorkflowId(input.wallet),
  args: [input] as [VestingInput],
  staticSummary: `Vesting of ${input.wallet}`,
  staticDetails: `Waits ${inHours(DEPOSIT_VESTING_SECONDS)} for each deposit in the pool, longer under an open loan, and announces when it has vested.`,
  typedSearchAttributes: [{ key: SEARCH.wallet, value: input.wallet }],
})
