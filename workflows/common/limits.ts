/** Time-outs of the steps of workflows. */
export interface StepLimits {
  /** Start to close of a step that only reads and writes records, or signals another workflow. */
  record: string
  /** Longest pause between two heartbeats of a chain, verifier or webhook step. A missing heartbeat reveals a lost worker. */
  heartbeat: string
  /** The same for a round of the chain follower. */
  followerHeartbeat: string
  /** The same for an audit. */
  auditHeartbeat: string
}

/** Limits of the product. A bundle for tests has a module with shorter ones in place of this one. */
export const LIMITS: StepLimits = {
  record: '10s',
  heartbeat: '15s',
  followerHeartbeat: '10s',
  auditHeartbeat: '30s',
}
