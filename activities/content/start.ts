import { type ContentDisclosureInput, contentDisclosureWorkflowId } from '../../schemas/content/process.ts'
import { RUN_ONCE, SEARCH } from '../../schemas/processes.ts'

/** Start options of an early publication, for every starter. */
export const contentDisclosureStart = (input: ContentDisclosureInput) => ({
  ...RUN_ONCE,
  workflowId: contentDisclosureWorkflowId(input.hash, input.owner),
  args: [input] as [ContentDisclosureInput],
  staticSummary: `Publication of ${input.hash}`,
  staticDetails: `Content of ${input.owner}.`,
  typedSearchAttributes: [{ key: SEARCH.wallet, value: input.owner }],
})
