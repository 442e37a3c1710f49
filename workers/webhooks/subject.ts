import { startLoop } from '../../activities/common/loop.ts'
import { createWebhookSteps } from '../../activities/webhooks/deliver.ts'
import { createWebhookWaker } from '../../activities/webhooks/wake.ts'
import type { WebhookActivities } from '../../schemas/webhooks/process.ts'
import type { WorkerSubject } from '../subjects.ts'

const PERIOD_MS = 200

export const subject = {
  activities: (deps): WebhookActivities => createWebhookSteps({ ...deps, fetch: deps.fetches.callers }),
  background: (deps) => {
    const onFailure = (error: unknown) => deps.logger.warn({ err: error }, 'webhooks could not be woken')
    return { loops: deps.settings.WEBHOOKS ? [startLoop({ round: createWebhookWaker(deps), every: PERIOD_MS, onFailure })] : [] }
  },
} satisfies WorkerSubject
