import { defineQuery } from '@temporalio/workflow'

/** Workflow id of the follower; one per chain. */
export const followerWorkflowId = (chainId: number): string => `chain-follower/${chainId}`

/** Progress of the follower. */
export interface FollowProgress {
  /** Newest block whose events are recorded, decimal digits. */
  cursor: string
  /** Newest block of the node, decimal digits. */
  head: string
  /** Whole seconds since the follower last had no confirmed block left to read. */
  lagSeconds: number
  /** Error of the last poll, from the node or the database; null after a success. */
  trouble: string | null
}

export interface FollowerInput {
  v: 1
  chainId: number
  /** Progress of the previous run; null for the first. */
  progress: FollowProgress | null
}

export interface ChainFollowerActivities {
  /** Follows the chain for about a minute, heartbeats with its progress, and returns it. Waits while the node is unreachable. */
  followChain(input: { chainId: number }): Promise<FollowProgress>
}

/** Query for operators in the Temporal UI; progress of the last completed round. */
export const followerProgress = defineQuery<FollowProgress | null>('progress')
