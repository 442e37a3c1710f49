import { defineSearchAttributeKey } from '@temporalio/common'
import { defineSignal } from '@temporalio/workflow'

/** The one task queue of this release; more are a matter of configuration. */
export const TASK_QUEUE = 'agent-work'

/** Typed search attributes, registered on the namespace by whoever runs the server. */
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

/** Answers how long the service clock still has to run; workflows never subtract their own clock. */
export interface ClockActivities {
  /** Milliseconds until `instant` (ISO 8601) by the service clock; 0 when it is reached. */
  millisecondsUntil(instant: string): Promise<number>
}

/** A confirmed chain event that touches a process. It only wakes: the process reads the chain itself. */
export interface ChainNews {
  /** Escrow job, 32 bytes hex. */
  chainJobId: string
  /** Name of the event, as `DisputeOpened`. */
  event: string
  txHash: string
  /** Decimal digits. */
  blockNumber: string
  logIndex: number
}

/** Sent by the chain follower to the disputes about the job concerned, and of what others did there to its claim. */
export const chainMoved = defineSignal<[ChainNews]>('chainMoved')
