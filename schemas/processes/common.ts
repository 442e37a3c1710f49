import { defineSearchAttributeKey } from '@temporalio/common'

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

/** Answers how long the service clock still has to run; workflows never subtract their own clock. */
export interface ClockActivities {
  /** Milliseconds until `instant` (ISO 8601) by the service clock; 0 when it is reached. */
  millisecondsUntil(instant: string): Promise<number>
}
