import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { ClaimChainActivities, ClaimRecordActivities } from '../schemas/processes/claim-session.ts'
import type { VerifierHandlerActivities, VerifierRecordActivities } from '../schemas/processes/verifier-run.ts'

/** Short, idempotent database steps: milliseconds each, retried for ever (the database comes back), no task of their own. */
export const records = proxyLocalActivities<ClaimRecordActivities & VerifierRecordActivities>({
  startToCloseTimeout: '10s',
  localRetryThreshold: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
})

/** Chain steps resume from the journal: a lost worker is noticed by the missing heartbeat, a slow chain is waited for. */
export const chain = proxyActivities<ClaimChainActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
})

/** One verifier candidate may take three minutes, a worker that died in it costs fifteen seconds. Three tries, then it counts as unavailable: the process itself asks again, and watches the review deadline. */
export const handlers = proxyActivities<Pick<VerifierHandlerActivities, 'evaluateSubmission'>>({
  startToCloseTimeout: '180s',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
})

/** News for a sibling: retried until the engine takes it. */
export const siblings = proxyActivities<Pick<VerifierHandlerActivities, 'announceVerdict'>>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
})
