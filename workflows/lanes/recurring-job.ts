import { allHandlersFinished, condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import {
  type RecurringActivities,
  type RecurringInput,
  type RecurringProgress,
  recurringProgress,
  templateChanged,
} from '../../schemas/lanes/process.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { clock, RECORD_STEPS } from '../common/proxies.ts'

const records = proxyActivities<RecurringActivities>(RECORD_STEPS)

/** Longest wait of a paused template for a change: then its record is read again, in case a signal was lost. */
const PAUSED_WAIT_MS = 24 * 60 * 60 * 1000

/** A recurring template from its listing to its last job. It lists the job of each due time, and waits for the next one by the service clock. */
export async function recurringJob(input: RecurringInput): Promise<{ runs: number; details: string }> {
  const { templateId } = input
  const view = createOperatorView()
  let progress: RecurringProgress | null = null
  let changed = false
  setHandler(templateChanged, () => {
    changed = true
  })
  setHandler(recurringProgress, () => progress)

  while (changed || !workflowInfo().continueAsNewSuggested) {
    changed = false
    progress = await records.advanceTemplate({ templateId })
    const { state, until, runs, details } = progress
    view.show({ state, deadlineAt: until, details })
    if (state === 'ended') return { runs, details }
    if (until === null) await condition(() => changed, PAUSED_WAIT_MS)
    else await waitUntilSettled(until, () => changed, clock)
  }
  await condition(allHandlersFinished)
  return continueAsNew<typeof recurringJob>(input)
}
