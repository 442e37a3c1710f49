import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { ChainFollowerActivities } from '../../schemas/chain/process.ts'
import type { ClaimChainActivities, ClaimRecordActivities } from '../../schemas/claims/process.ts'
import type { DisputeChainActivities, DisputeRecordActivities, DisputeSiblingActivities } from '../../schemas/disputes/process.ts'
import type { VerifierHandlerActivities, VerifierRecordActivities } from '../../schemas/verification/process.ts'

/** Short, idempotent database steps: milliseconds each, retried for ever (the database comes back), no task of their own. */
const RECORDS = {
  startToCloseTimeout: '10s',
  localRetryThreshold: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
} as const

export const records = proxyLocalActivities<ClaimRecordActivities & VerifierRecordActivities>(RECORDS)

/** Chain steps resume from the journal: a lost worker is noticed by the missing heartbeat, a slow chain is waited for. */
const CHAIN = {
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
} as const

export const chain = proxyActivities<ClaimChainActivities>(CHAIN)

/** One verifier candidate may take three minutes, a worker that died in it costs fifteen seconds. Three tries, then it counts as unavailable: the process itself asks again, and watches the review deadline. */
export const handlers = proxyActivities<Pick<VerifierHandlerActivities, 'evaluateSubmission' | 'lookAtPullRequest'>>({
  startToCloseTimeout: '180s',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
})

/** News for a sibling: retried until the engine takes it. */
const NEWS = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
} as const

export const siblings = proxyActivities<Pick<VerifierHandlerActivities, 'announceVerdict'>>(NEWS)

/**
 * A round takes a minute, and waits for a node that is away; a worker that died in it costs ten seconds. There is one such step per chain,
 * so it is tried again soon however often that happened: workers that died one after another must not leave the chain unread for long.
 */
export const follower = proxyActivities<ChainFollowerActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '4s' },
})

/** Database steps of a dispute: as {@link records}. */
export const disputeRecords = proxyLocalActivities<DisputeRecordActivities>(RECORDS)

/** Chain steps of a dispute: as {@link chain}. A step that the chain would refuse now waits for its block; what stands still for half a minute is handed to the process, which holds it. */
export const disputeChain = proxyActivities<DisputeChainActivities>(CHAIN)

/** News for the claim: as {@link siblings}. */
export const disputeSiblings = proxyActivities<DisputeSiblingActivities>(NEWS)
