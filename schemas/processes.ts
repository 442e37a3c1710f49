import { defineSearchAttributeKey } from '@temporalio/common'
import { defineSignal } from '@temporalio/workflow'

/** Task queue of every workflow, and of every step that has none of its own. */
export const TASK_QUEUE = 'agent-work'

/**
 * Task queues by kind of work. `claims`: every process, and the steps that callers wait for. The others hold steps that may take long or be many, so
 * that they take no places of those: `chain` reads the chain and compares it, `verification` judges work, `webhooks` calls endpoints, `ingestion` asks
 * sources and code hosts. Source: docs/adr/0056.
 */
export const TASK_QUEUES = {
  claims: TASK_QUEUE,
  chain: 'agent-work-chain',
  verification: 'agent-work-verification',
  webhooks: 'agent-work-webhooks',
  ingestion: 'agent-work-ingestion',
} as const
export type QueueKind = keyof typeof TASK_QUEUES
export const QUEUE_KINDS = Object.keys(TASK_QUEUES) as [QueueKind, ...QueueKind[]]

/** Start options of a process that runs once. A run that failed changed nothing, so another may follow it; one that ended well may not. */
export const RUN_ONCE = {
  taskQueue: TASK_QUEUE,
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
} as const

/** Typed search attributes; the operator registers them on the namespace. */
export const SEARCH = {
  jobId: defineSearchAttributeKey('JobId', 'KEYWORD'),
  sessionId: defineSearchAttributeKey('SessionId', 'KEYWORD'),
  wallet: defineSearchAttributeKey('Wallet', 'KEYWORD'),
  sessionState: defineSearchAttributeKey('SessionState', 'KEYWORD'),
  chainJobId: defineSearchAttributeKey('ChainJobId', 'KEYWORD'),
  verifierMode: defineSearchAttributeKey('VerifierMode', 'KEYWORD'),
  deadlineAt: defineSearchAttributeKey('DeadlineAt', 'DATETIME'),
}

/** `SEARCH.sessionState` of a process whose next step was refused and is retried at intervals. */
export const BLOCKED = 'blocked'

/** Waiting times by the service clock; workflows never use their own clock for them. */
export interface ClockActivities {
  /** Milliseconds until `instant` (ISO 8601) by the service clock; 0 when it is reached. */
  millisecondsUntil(instant: string): Promise<number>
}

/** A confirmed chain event about a process. The process wakes and reads the chain itself. */
export interface ChainEventNotice {
  /** Escrow job, 32 bytes hex. */
  chainJobId: string
  /** Name of the event, as `DisputeOpened`. */
  event: string
  txHash: string
  /** Decimal digits. */
  blockNumber: string
  logIndex: number
}

/** The chain follower sends this to the job's disputes, and to its claim for transactions of other senders. */
export const chainMoved = defineSignal<[ChainEventNotice]>('chainMoved')
