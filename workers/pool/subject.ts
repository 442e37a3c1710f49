import { vestingRecorder } from '../../activities/pool/chain-recorder.ts'
import { vestingRecovery } from '../../activities/pool/recovery.ts'
import { vestingSubscriber } from '../../activities/pool/subscriber.ts'
import { createVestingSteps } from '../../activities/pool/vesting-steps.ts'
import type { VestingActivities } from '../../schemas/pool/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: ({ database, chain, clock }): VestingActivities => createVestingSteps({ database, chain, clock }),
  subscriber: vestingSubscriber,
  recorder: vestingRecorder,
  recovery: vestingRecovery,
} satisfies WorkerSubject
