import { createSiblings } from '../../activities/temporal/siblings.ts'
import type { ClaimSiblingActivities } from '../../schemas/claims/process.ts'
import type { DisputeSiblingActivities } from '../../schemas/disputes/process.ts'
import type { VerdictNoticeActivities } from '../../schemas/verification/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): ClaimSiblingActivities & VerdictNoticeActivities & DisputeSiblingActivities => createSiblings(deps),
} satisfies WorkerSubject
