import { type RecurringInput, recurringWorkflowId } from '../../schemas/lanes/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'

/** Start options of the process of a recurring template, for every starter. */
export const recurringStart = (input: RecurringInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: recurringWorkflowId(input.templateId),
  args: [input] as [RecurringInput],
  staticSummary: `Recurring template ${input.templateId}`,
  staticDetails: 'Lists a job at each due time of its schedule, while its reserve and its lane have room.',
  typedSearchAttributes: [{ key: SEARCH.jobId, value: input.templateId }],
})
