import { WorkflowExecutionAlreadyStartedError, WorkflowFailedError, type WorkflowStartOptions } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { contentDisclosureStart } from '../../activities/content/start.ts'
import { type GasGrantInput, gasGrantWorkflowId, UNSENT_CODES } from '../../schemas/accounts/process.ts'
import { GAS_GRANT_REASONS, type GasGrantReason } from '../../schemas/accounts/record.ts'
import type { ContentDisclosureInput } from '../../schemas/content/process.ts'
import { RUN_ONCE, SEARCH } from '../../schemas/processes.ts'
import type { EngineCalls } from './calls.ts'

/** Start options of a gas grant. A refused run sent nothing. */
export const gasGrantStart = (input: GasGrantInput): WorkflowStartOptions => ({
  ...RUN_ONCE,
  workflowId: gasGrantWorkflowId(input.wallet),
  args: [input],
  staticSummary: `Gas grant of ${input.wallet}`,
  staticDetails: `First withdrawal of ${input.wallet}, ${input.amountRaw} base units.`,
  typedSearchAttributes: [{ key: SEARCH.wallet, value: input.wallet }],
})

/** How a run ended: `over` when the records hold the outcome, `pending` while it goes on. */
type RunEnd = { kind: 'over' } | { kind: 'pending' }

const isReason = (type: string | null | undefined): type is GasGrantReason => type != null && type in GAS_GRANT_REASONS

/** What a gas grant failed with: its refusal, or anything else, of which the records hold the outcome. */
const grantFailure = (error: unknown): RunEnd | { kind: 'refused'; reason: GasGrantReason } => {
  if (!(error instanceof WorkflowFailedError)) throw error
  const { cause } = error
  if (cause instanceof ApplicationFailure && UNSENT_CODES.includes(cause.type ?? ''))
    return { kind: 'refused', reason: 'first_withdrawal_gas_grant_address_unmapped' }
  return cause instanceof ApplicationFailure && isReason(cause.type) ? { kind: 'refused', reason: cause.type } : { kind: 'over' }
}

/** Calls of the API to processes that run once. */
export const createSingleRuns = ({ client, waitMs, within }: EngineCalls) => {
  /** Starts a process, or joins the running one, and waits for its end. One that ended well gets no other run. */
  const runOnce = async (workflowType: string, start: WorkflowStartOptions): Promise<RunEnd> => {
    try {
      const ended = await within(waitMs, 'workflow_engine_unavailable', () => client.workflow.execute(workflowType, start))
      return { kind: ended.kind === 'done' ? 'over' : 'pending' }
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return { kind: 'over' }
      throw error
    }
  }

  return {
    /** The gas grant of a wallet. */
    requestGasGrant: (input: GasGrantInput) => runOnce('gasGrant', gasGrantStart(input)).catch(grantFailure),

    /** The publication of a blob. */
    publishContent: async (input: ContentDisclosureInput): Promise<void> => {
      await runOnce('contentDisclosure', contentDisclosureStart(input))
    },
  }
}
