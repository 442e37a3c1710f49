import { inHours } from '../../domain/common/constants.ts'
import { EXIT_DELAY_SECONDS } from '../../domain/locked-deposits/lock.ts'
import { type LockedDepositInput, lockedDepositWorkflowId } from '../../schemas/locked-deposits/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'

/** Start options of a locked deposit of a wallet (lower case), for every starter. */
export const lockedDepositStart = (input: LockedDepositInput, wallet: string) => ({
  taskQueue: TASK_QUEUE,
  workflowId: lockedDepositWorkflowId(input.id),
  args: [input] as [LockedDepositInput],
  staticSummary: `Locked deposit of ${wallet}`,
  staticDetails: `Terms ${input.id}. Waits for the end of the term, or ${inHours(EXIT_DELAY_SECONDS)} after an early exit; no funds move.`,
  typedSearchAttributes: [{ key: SEARCH.wallet, value: wallet }],
})
