import { allHandlersFinished, condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import {
  settlementObserved,
  type VerificationActivities,
  type VerificationInput,
  type VerificationProgress,
  verificationProgress,
} from '../../schemas/paid-verification/process.ts'
import type { RunState } from '../../schemas/paid-verification/record.ts'
import { TASK_QUEUES } from '../../schemas/processes.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { LIMITS } from '../common/limits.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { CHAIN_STEPS, clock } from '../common/proxies.ts'

/** The longest profile runs for two minutes and repeats its run; a lost worker is noticed by its heartbeat. */
const profiles = proxyActivities<Pick<VerificationActivities, 'executeRun'>>({
  taskQueue: TASK_QUEUES.verification,
  startToCloseTimeout: '15m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
})
const payments = proxyActivities<Pick<VerificationActivities, 'billRun'>>(CHAIN_STEPS)

/** Runs a profile once and takes its payment if the result is decisive. It goes on until the chain says what became of the payment. */
export async function verificationRun(input: VerificationInput): Promise<{ state: RunState }> {
  const { runKey } = input
  const view = createOperatorView()
  let changes = 0
  let progress: VerificationProgress | null = null
  setHandler(verificationProgress, () => progress)
  setHandler(settlementObserved, () => {
    changes += 1
  })
  const show = (next: VerificationProgress): VerificationProgress => {
    progress = next
    view.show({ state: next.state, deadlineAt: next.nextAt, details: next.details })
    return next
  }

  show(await profiles.executeRun({ runKey }))
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = changes
    const { isOver, state, nextAt } = show(
      await view.retryUntilAccepted(
        () => payments.billRun({ runKey }),
        () => changes,
      ),
    )
    if (isOver) {
      await condition(allHandlersFinished)
      return { state }
    }
    if (nextAt !== null) await waitUntilSettled(nextAt, () => changes !== seen, clock)
  }
  await condition(allHandlersFinished)
  return continueAsNew<typeof verificationRun>(input)
}
