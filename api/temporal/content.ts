import { WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from '@temporalio/client'
import { type ContentDisclosureInput, contentDisclosureWorkflowId } from '../../schemas/content/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import type { EngineCalls } from './calls.ts'

/** Start options of an early publication. A run that ended well is never repeated. */
export const contentDisclosureStart = (input: ContentDisclosureInput): WorkflowStartOptions => ({
  taskQueue: TASK_QUEUE,
  workflowId: contentDisclosureWorkflowId(input.hash, input.owner),
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  args: [input],
  staticSummary: `Publication of ${input.hash}`,
  staticDetails: `Content of ${input.owner}.`,
  typedSearchAttributes: [{ key: SEARCH.wallet, value: input.owner }],
})

/** Calls of the API to the publications of content. */
export const createContentCalls = ({ client, waitMs, within }: EngineCalls) => ({
  /** Starts the publication of a blob, or joins the running one, and waits for its end. The records hold the outcome. */
  publishContent: async (input: ContentDisclosureInput): Promise<void> => {
    try {
      await within(waitMs, 'workflow_engine_unavailable', () => client.workflow.execute('contentDisclosure', contentDisclosureStart(input)))
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
  },
})
