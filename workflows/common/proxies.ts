import { proxyActivities } from '@temporalio/workflow'
import type { GasGrantActivities } from '../../schemas/accounts/process.ts'
import type { AuditActivities } from '../../schemas/audit/process.ts'
import type { ChainFollowerActivities } from '../../schemas/chain/process.ts'
import type { ClaimChainActivities, ClaimRecordActivities } from '../../schemas/claims/process.ts'
import type { ContentChainActivities, ContentRecordActivities } from '../../schemas/content/process.ts'
import type { CrossChainActivities, CrossChainRecordActivities } from '../../schemas/cross-chain/process.ts'
import type { DisputeChainActivities, DisputeRecordActivities, DisputeSiblingActivities } from '../../schemas/disputes/process.ts'
import type { IdleChainActivities, IdleRecordActivities } from '../../schemas/idle-allocation/process.ts'
import type { LockChainActivities, LockRecordActivities } from '../../schemas/locked-deposits/process.ts'
import type { VestingActivities } from '../../schemas/pool/process.ts'
import type { SessionLogActivities } from '../../schemas/session-log/process.ts'
import type { VerifierHandlerActivities, VerifierRecordActivities } from '../../schemas/verification/process.ts'
import type { WebhookActivities } from '../../schemas/webhooks/process.ts'
import { LIMITS } from './limits.ts'

type RecordActivities = ClaimRecordActivities &
  VerifierRecordActivities &
  DisputeRecordActivities &
  VestingActivities &
  LockRecordActivities &
  IdleRecordActivities &
  CrossChainRecordActivities &
  SessionLogActivities &
  ContentRecordActivities

/**
 * Short idempotent database activities, retried until the database answers. None is a local activity: a replay may see the end of a
 * local one together with a timer that fired before it. Source: ADR 7.
 */
export const records = proxyActivities<RecordActivities>({
  startToCloseTimeout: LIMITS.record,
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
})

/**
 * Chain activities resume from the journal. A missing heartbeat reveals a lost worker; a slow chain has 10 minutes. A blocked step
 * of a dispute fails after half a minute, and the process retries it later.
 */
export const chain = proxyActivities<
  ClaimChainActivities &
    DisputeChainActivities &
    GasGrantActivities &
    LockChainActivities &
    IdleChainActivities &
    CrossChainActivities &
    ContentChainActivities
>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
})

/** A verifier handler has three minutes and three attempts. After them it counts as unavailable, and the process decides when to retry. */
export const handlers = proxyActivities<Pick<VerifierHandlerActivities, 'evaluateSubmission' | 'readPullRequest'>>({
  startToCloseTimeout: '180s',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
})

/** Signals to another process: retried until the Temporal server accepts them. */
export const siblings = proxyActivities<Pick<VerifierHandlerActivities, 'announceVerdict'> & DisputeSiblingActivities>({
  startToCloseTimeout: LIMITS.record,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
})

/**
 * A round of the chain follower takes a minute, and longer while the node does not answer. It is the only reader of its chain, so the longest
 * pause between two attempts is short.
 */
export const follower = proxyActivities<ChainFollowerActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: LIMITS.followerHeartbeat,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '4s' },
})

/** A round of deliveries takes half a minute. What an endpoint answers is no failure; what fails here is the database, so it is retried. */
export const deliveries = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
})

/** An audit reads all records and takes minutes. A lost one is begun again; the next one of the schedule comes anyway. */
export const auditor = proxyActivities<AuditActivities>({
  startToCloseTimeout: '2h',
  heartbeatTimeout: LIMITS.auditHeartbeat,
  retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '5m', maximumAttempts: 5 },
})
