import { continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { SessionLogActivities, SessionLogInput } from '../../schemas/session-log/process.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { clock, RECORD_STEPS } from '../common/proxies.ts'

const records = proxyActivities<SessionLogActivities>(RECORD_STEPS)

/** Days of one run. */
const DAYS = 30

/** Closes each day of the session log at midnight UTC, without end. */
export async function sessionLog(input: SessionLogInput): Promise<void> {
  const view = createOperatorView()
  for (let closed = 0; closed < DAYS; closed += 1) {
    const { day, entryCount, nextAt } = await view.retryUntilAccepted(() => records.closeLogDay())
    view.show({ state: 'open', deadlineAt: nextAt, details: `Closed ${day} with ${entryCount} entries.` })
    await waitUntilSettled(nextAt, () => false, clock)
  }
  await continueAsNew<typeof sessionLog>(input)
}
