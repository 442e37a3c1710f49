import { requestRecorder } from '../../activities/cross-chain/chain-recorder.ts'
import { requestRecovery } from '../../activities/cross-chain/recovery.ts'
import { createCrossChainSteps } from '../../activities/cross-chain/steps.ts'
import { requestSubscriber } from '../../activities/cross-chain/subscriber.ts'
import type { CrossChainActivities, CrossChainRecordActivities } from '../../schemas/cross-chain/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): CrossChainActivities & CrossChainRecordActivities => createCrossChainSteps(deps),
  subscriber: requestSubscriber,
  recorder: requestRecorder,
  recovery: requestRecovery,
} satisfies WorkerSubject
