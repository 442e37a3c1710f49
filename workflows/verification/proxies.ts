import { proxyActivities } from '@temporalio/workflow'
import { TASK_QUEUES } from '../../schemas/processes.ts'
import type { VerdictNoticeActivities, VerifierHandlerActivities, VerifierRecordActivities } from '../../schemas/verification/process.ts'
import { LIMITS } from '../common/limits.ts'
import { RECORD_STEPS, SIGNAL_STEPS } from '../common/proxies.ts'

/** A verifier handler has three minutes and three attempts. After them it counts as unavailable, and the process decides when to retry. */
export const handlers = proxyActivities<VerifierHandlerActivities>({
  taskQueue: TASK_QUEUES.verification,
  startToCloseTimeout: '180s',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
})

/** The same for a handler that runs a profile: it fetches artefacts and runs tests, and waits for a runner. */
export const profileHandlers = proxyActivities<VerifierHandlerActivities>({
  taskQueue: TASK_QUEUES.verification,
  startToCloseTimeout: '10m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
})

export const records = proxyActivities<VerifierRecordActivities>(RECORD_STEPS)

export const siblings = proxyActivities<VerdictNoticeActivities>(SIGNAL_STEPS)
