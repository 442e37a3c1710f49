/** Time-outs of the steps of workflows. A bundle for tests has a module with shorter ones in place of this one. */
export const LIMITS = {
  /** Start to close of a step that only reads and writes records, or signals another workflow. */
  record: '10s',
  /** Longest pause between two heartbeats of a chain, verifier or webhook step. A missing heartbeat reveals a lost worker. */
  heartbeat: '15s',
  /** The same for a round of the chain follower. */
  followerHeartbeat: '10s',
  /** The same for an audit. */
  auditHeartbeat: '30s',
  /** Longest time in which a runner takes work: longer than one run, so that a busy runner is no missing one. */
  runnerStart: '3m',
}
export type StepLimits = typeof LIMITS
