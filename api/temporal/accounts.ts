import { WorkflowExecutionAlreadyStartedError, WorkflowFailedError, type WorkflowStartOptions } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { type GasGrantInput, gasGrantWorkflowId } from '../../schemas/accounts/process.ts'
import { GAS_GRANT_REASONS, type GasGrantReason } from '../../schemas/accounts/record.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import type { EngineCalls } from './calls.ts'

/** How a request for a gas grant ended: `over` when the records hold the outcome, `pending` while it is being sent. */
export type GasGrantOutcome = { kind: 'over' } | { kind: 'pending' } | { kind: 'refused'; reason: GasGrantReason }

const isReason = (type: string | null | undefined): type is GasGrantReason => type != null && type in GAS_GRANT_REASONS

const outcomeOf = (error: unknown): GasGrantOutcome => {
  if (error instanceof WorkflowExecutionAlreadyStartedError) return { kind: 'over' }
  if (!(error instanceof WorkflowFailedError)) throw error
  const { cause } = error
  return cause instanceof ApplicationFailure && isReason(cause.type) ? { kind: 'refused', reason: cause.type } : { kind: 'over' }
}

/** Start options of a gas grant. A refused run sent nothing, so it may be followed by another one; a run that ended well may not. */
export const gasGrantStart = (input: GasGrantInput): WorkflowStartOptions => ({
  taskQueue: TASK_QUEUE,
  workflowId: gasGrantWorkflowId(input.wallet),
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  args: [input],
  staticSummary: `Gas grant of ${input.wallet}`,
  staticDetails: `First withdrawal of ${input.wallet}, ${input.amountRaw} base units.`,
  typedSearchAttributes: [{ key: SEARCH.wallet, value: input.wallet }],
})

/** Calls of the API to the processes of accounts. */
export const createAccountCalls = ({ client, waitMs, within }: EngineCalls) => ({
  /** Starts the gas grant of a wallet, or joins the running one, and waits for its end. A wallet whose grant was sent gets no other run. */
  requestGasGrant: async (input: GasGrantInput): Promise<GasGrantOutcome> => {
    const run = () => client.workflow.execute('gasGrant', gasGrantStart(input))
    try {
      const ended = await within(waitMs, 'workflow_engine_unavailable', run)
      return { kind: ended.kind === 'done' ? 'over' : 'pending' }
    } catch (error) {
      return outcomeOf(error)
    }
  },
})
