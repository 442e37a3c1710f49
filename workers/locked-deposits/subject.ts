import { createLockReads } from '../../activities/locked-deposits/reads.ts'
import { lockRecovery } from '../../activities/locked-deposits/recovery.ts'
import { createLockSteps } from '../../activities/locked-deposits/steps.ts'
import { lockSubscriber } from '../../activities/locked-deposits/subscriber.ts'
import type { LockChainActivities, LockRecordActivities } from '../../schemas/locked-deposits/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): LockRecordActivities & LockChainActivities =>
    createLockSteps({ ...deps, reads: createLockReads(deps.chain, deps.clients, deps.readsAfterCursor) }),
  subscriber: lockSubscriber,
  recovery: lockRecovery,
} satisfies WorkerSubject
