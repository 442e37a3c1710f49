import { defineQuery, defineSignal } from '@temporalio/workflow'
import type { FreeingStep, PostingStatus } from './terms.ts'

/** Workflow id of a posting. */
export const postingWorkflowId = (jobId: string): string => `posting/${jobId}`

/** Start arguments of a posting's process. */
export interface PostingInput {
  v: 1
  jobId: string
}

/** Where a posting stands by the records and the chain. */
export interface PostingProgress {
  status: PostingStatus
  /** ISO 8601: when time alone changes the status; null when only the chain or an operator does. */
  until: string | null
  /** For operators: what happened and what comes next. */
  details: string
  /** A claim on chain that has no session yet; null without one. */
  unrecordedClaim: { wallet: string; txHash: string } | null
  /** A claim on chain that holds the escrow of a job which is funded but not listed; null without one. */
  unlistedClaim: { wallet: string; txHash: string } | null
  /** True when nothing but a new event of the chain changes the status. */
  isOver: boolean
}

/** What frees an escrow from a claim next. */
export interface Freeing {
  next: FreeingStep
  /** ISO 8601: when it is tried. */
  until: string
  /** ISO 8601: when it comes too late; null without an end. */
  lapsesAt: string | null
  /** The role whose key the process lacks; null when it has the key, or does not need it yet. */
  missingKey: 'operator' | 'verifier' | 'arbitrator' | null
}

/** Steps of a posting. */
export interface PostingActivities {
  /** Compares the posting with the escrow, and records and lists what the chain shows. A repeat changes nothing. */
  reconcilePosting(input: { jobId: string }): Promise<PostingProgress>
  /** Starts the process of a claim that is on chain without a session; false while another claim of the job still ends. */
  bringClaimHome(input: { jobId: string; wallet: string; txHash: string }): Promise<boolean>
  /**
   * Compares the posting with the escrow, and sends the transaction that frees the escrow of a job which is not listed from its claim, if the time has
   * come. Answers what follows; null once the escrow is free. A repeat sends nothing twice.
   */
  freeEscrow(input: { jobId: string }): Promise<Freeing | null>
}

/** Makes the process compare the posting again: the follower sends it with each event of the escrow, the API where it meets what the records lack. */
export const postingChanged = defineSignal('postingChanged')

/** Where the posting stands; null before it was read. */
export const postingProgress = defineQuery<PostingProgress | null>('postingProgress')
