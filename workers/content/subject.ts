import { createDisclosureSteps } from '../../activities/content/disclosure.ts'
import { disclosureRecovery } from '../../activities/content/recovery.ts'
import type { ContentChainActivities, ContentRecordActivities } from '../../schemas/content/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): ContentRecordActivities & ContentChainActivities => createDisclosureSteps(deps),
  recovery: disclosureRecovery,
} satisfies WorkerSubject
