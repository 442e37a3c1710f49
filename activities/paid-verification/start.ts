import { type VerificationInput, verificationWorkflowId } from '../../schemas/paid-verification/process.ts'
import { type ExecutionInput, executionWorkflowId, type RunnerWork } from '../../schemas/paid-verification/runner.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import type { RunRecord } from './records.ts'

/** Start options of the process of a run, for every starter. The id of a run is a secret of its customer: the engine knows its hash. */
export const verificationStart = ({ runKey, profileRef, payer }: Pick<RunRecord, 'runKey' | 'profileRef' | 'payer'>) => ({
  taskQueue: TASK_QUEUE,
  workflowId: verificationWorkflowId(runKey),
  args: [{ v: 1, runKey }] as [VerificationInput],
  staticSummary: `Verify with ${profileRef}`,
  staticDetails: `A paid run of ${profileRef} for ${payer}: executed once, then billed if its result is decisive.`,
  typedSearchAttributes: [{ key: SEARCH.wallet, value: payer }],
})

/** Start options of the process that gives work to a runner. `key` is no secret: the engine shows it. */
export const executionStart = (key: string, work: RunnerWork) => ({
  taskQueue: TASK_QUEUE,
  workflowId: executionWorkflowId(key),
  args: [{ v: 1, work }] as [ExecutionInput],
  staticSummary: work.kind === 'execute' ? `Run ${work.profileRef}` : `Freeze a contract for ${work.profileRef}`,
})
