import { createWebhookSteps } from '../../activities/webhooks/deliver.ts'
import { createWebhookWaker } from '../../activities/webhooks/wake.ts'
import type { WebhookActivities } from '../../schemas/webhooks/process.ts'
import type { WorkerSubject } from '../subjects.ts'
import { startWebhookWaker } from './webhook-waker.ts'

export const subject = {
  activities: (deps): WebhookActivities => createWebhookSteps(deps),
  background: (deps) => ({
    loops: deps.settings.WEBHOOKS ? [startWebhookWaker({ wake: createWebhookWaker(deps), logger: deps.logger })] : [],
  }),
} satisfies WorkerSubject
