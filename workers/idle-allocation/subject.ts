import { createIdleReads } from '../../activities/idle-allocation/reads.ts'
import { idleRecovery } from '../../activities/idle-allocation/recovery.ts'
import { createIdleSteps } from '../../activities/idle-allocation/steps.ts'
import { idleSubscriber } from '../../activities/idle-allocation/subscriber.ts'
import type { IdleChainActivities, IdleRecordActivities } from '../../schemas/idle-allocation/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): IdleRecordActivities & IdleChainActivities =>
    createIdleSteps({ ...deps, reads: createIdleReads(deps.chain, deps.clients, deps.readsAfterCursor) }),
  subscriber: idleSubscriber,
  recovery: idleRecovery,
} satisfies WorkerSubject
