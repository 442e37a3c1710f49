import { defineQuery } from '@temporalio/workflow'

const PREFIX = 'chain-follower/'

/** One follower per chain, whoever starts it. */
export const followerWorkflowId = (chainId: number): string => `${PREFIX}${chainId}`
/** Inverse of `followerWorkflowId`; null for the id of another process. */
export const chainOfFollowerWorkflow = (workflowId: string): number | null =>
  /^chain-follower\/\d+$/.test(workflowId) ? Number(workflowId.slice(PREFIX.length)) : null

/** Where the follower stands. */
export interface FollowProgress {
  /** Newest block whose events are recorded, decimal digits. */
  cursor: string
  /** Newest block the node named, decimal digits. */
  head: string
  /** Whole seconds since nothing confirmed was left to read. */
  lagSeconds: number
  /** Why the last look failed, as the node or the database said; null when it went well. */
  trouble: string | null
}

export interface FollowerInput {
  v: 1
  chainId: number
  /** Where the run before this one ended; null for the first. */
  progress: FollowProgress | null
}

export interface ChainFollowerActivities {
  /** Follows the chain for about a minute, heartbeating with its progress, and answers how far it came. A node that is away is waited for. */
  followChain(input: { chainId: number }): Promise<FollowProgress>
}

/** For operators in the Temporal UI only; as of the end of the last minute's work. */
export const followerProgress = defineQuery<FollowProgress | null>('progress')
