import { proxyActivities } from '@temporalio/workflow'
import type {
  DisputeChainActivities,
  DisputeProofActivities,
  DisputeRecordActivities,
  DisputeSiblingActivities,
} from '../../schemas/disputes/process.ts'
import { TASK_QUEUES } from '../../schemas/processes.ts'
import { LIMITS } from '../common/limits.ts'
import { CHAIN_STEPS, RECORD_STEPS, SIGNAL_STEPS } from '../common/proxies.ts'

export const chain = proxyActivities<DisputeChainActivities>(CHAIN_STEPS)

export const records = proxyActivities<DisputeRecordActivities>(RECORD_STEPS)

export const siblings = proxyActivities<DisputeSiblingActivities>(SIGNAL_STEPS)

/** A run of a profile: minutes of a runner. A run without a result is refused, and the arbitrator asks again. */
export const proofs = proxyActivities<DisputeProofActivities>({
  taskQueue: TASK_QUEUES.verification,
  startToCloseTimeout: '10m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
})
