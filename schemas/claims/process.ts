import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { ClockActivities } from '../processes.ts'

const CLAIM = 'claim/'
/** One running at a time is the job's mutex; one run is one attempt. */
export const claimWorkflowId = (jobId: string): string => `${CLAIM}${jobId}`
/** Job of such an id. */
export const jobOfClaim = (workflowId: string): string => workflowId.slice(CLAIM.length)

/** Economics as the evaluation saw them, in digit strings; re-checked on chain by the contract itself. */
export interface PredictedEconomics {
  waived: boolean
  claimNumber: number
  /** Claims of a wallet whose bond is waived, by the live policy. */
  waiverClaimsPerWallet: number
  stakeRaw: string
  stakeBps: number
  feeRaw: string
  feeBps: number
  retainedRaw: string
  /** Stake without the waiver: what the onboarding subsidy carries. */
  unwaivedStakeRaw: string
  gasRetentionSupported: boolean
  claimFeeRetainedOnSuccess: boolean
  /** Where the numbers come from (money, "One decision function"). */
  source: 'contract_preview' | 'contract_preview_adjusted_for_sync' | 'current_local_before_ensure' | 'legacy_local'
}

/** The whole claim travels in the start arguments: once the start is confirmed it is durable. */
export interface ClaimInput {
  v: 1
  jobId: string
  /** Lower case. */
  wallet: string
  /** The caller's key, or the default `<wallet>:<jobId>`. */
  idempotencyKey: string
  /** True when the caller sent the key itself. */
  explicitKey: boolean
  requestId: string
  protocol: 'http' | 'mcp'
  economics: PredictedEconomics
  /** Evidence of the gates, as the evaluator produced it. */
  admission: Record<string, unknown>
  /** On-chain specHash agreed with the definition when the claim was evaluated. */
  specSource: 'chain_verified' | 'chain_unavailable_fail_open'
  /** Id of the update that awaits the outcome: fresh per started run, reused by every twin. */
  updateId: string
}

/** An admitted claim: what the reserving transaction wrote. */
export interface AdmittedClaim {
  runId: string
  sessionId: string
  chainJobId: string
  jobId: string
  wallet: string
  title: string
  verifierMode: string
}

export interface LockedBond {
  txHash: string
  blockNumber: string
  /** ISO 8601, block time. */
  claimedAt: string
  /** ISO 8601, the escrow's deadline; a submission at this instant is accepted. */
  claimExpiresAt: string
  stakeRaw: string
  feeRaw: string
  waived: boolean
  claimNumber: number
  brokered: boolean
  poster: string
}

export interface ClaimedSession {
  sessionId: string
  claimExpiresAt: string
}

/** A claim as it was recorded. */
export interface RecordedClaim extends ClaimedSession {
  /** Milliseconds until the claim's last second is over, by the service clock. */
  lapsesInMs: number
}

/** Outcome of `claimJob`: recorded, or locked on chain while the record refused it with a code. */
export type ClaimResult = RecordedClaim | { sessionId: string; blockedBy: string }

export interface SubmitInput {
  sessionId: string
  /** What the worker sent, before normalisation. */
  submission: unknown
  requestId: string
  protocol: 'http' | 'mcp'
  /** When the service took it in (ISO 8601); by this instant it is in time or not, however long it then waits for a worker. */
  acceptedAt?: string
}

export interface SubmittedSession {
  sessionId: string
  status: string
}

/** What the record of a submission answers to its process. */
export interface RecordedSubmission extends SubmittedSession {
  /** When people are called (ISO 8601), as stored with the submission. */
  reviewEndsAt: string
}

export interface VerdictNotice {
  sessionId: string
  verdictId: string
}

/** Settlement the claim has to make for a verdict. */
export interface VerdictToSettle {
  verdictId: string
  outcome: 'approved' | 'rejected' | 'disputed' | 'inconclusive' | 'platform_fault'
  reasonCode: string
}

export type ExpiryResult = {
  result: 'expired' | 'chain_closed' | 'diverged'
  observedState: string
  observedWorker: string | null
  blockNumber: string
  txHash: string | null
}

export interface SessionOutcome {
  sessionId: string | null
  status: string
}

/** Steps of a claim that touch the outside world. Chain steps are regular activities, database steps local ones. */
export interface ClaimChainActivities {
  /**
   * Admits the claim, locks the bond and records the session; a repeat converges on what is there. A refusal (4xx code) means that no bond is
   * locked: the workflow then releases the reservation.
   */
  claimJob(input: ClaimInput & { runId: string }): Promise<ClaimResult>
  submitOnChain(input: {
    runId: string
    sessionId: string
    requestId: string
    submitNumber: number
    /** When the service accepted the submission (ISO 8601); absent when an operator sent it by signal. */
    acceptedAt?: string | undefined
  }): Promise<{ txHash: string; submittedAt: string }>
  timeoutClaim(input: { runId: string; sessionId: string }): Promise<ExpiryResult>
  /** Pays an approved session and answers its status: resolved, or as the chain showed it. */
  settleApproval(input: { runId: string; sessionId: string; verdictId: string }): Promise<{ status: string }>
  startVerifier(input: { sessionId: string; requestId: string }): Promise<void>
  /** The verdict on a submission that was given on chain past the service, stored as one of ours; null while there is none. */
  observeVerdict(input: { sessionId: string }): Promise<{ verdictId: string } | null>
  /** Makes sure that the dispute of a session runs, and tells it of a verdict. */
  startDispute(input: { sessionId: string; verdictId: string; requestId: string }): Promise<void>
}

export interface ClaimRecordActivities extends ClockActivities {
  /** Releases what a refused claim had reserved; does nothing when it reserved nothing. */
  releaseClaim(input: { runId: string; code: string }): Promise<void>
  /** `timingOut`: the claim is being timed out on chain, so that nothing is taken any more, however early it came. */
  admitSubmission(input: SubmitInput & { runId: string; timingOut?: boolean }): Promise<{ alreadySubmitted: boolean; status: string }>
  recordSubmission(input: {
    runId: string
    sessionId: string
    txHash: string
    submittedAt: string
    protocol: 'http' | 'mcp'
  }): Promise<RecordedSubmission>
  dropSubmission(input: { sessionId: string; code: string }): Promise<void>
  recordLateSubmission(input: { sessionId: string }): Promise<SessionOutcome>
  recordExpiry(input: { runId: string; sessionId: string; expiry: ExpiryResult }): Promise<SessionOutcome>
  readVerdict(input: VerdictNotice): Promise<VerdictToSettle | null>
  /** How a session ended; null while it is not final (a rejection in its dispute window is not). */
  readEnd(input: { sessionId: string }): Promise<SessionOutcome | null>
}

/** Awaits the outcome of the claim this run was started with. */
export const claimedUpdate = defineUpdate<ClaimedSession>('claimed')
export const submitUpdate = defineUpdate<SubmittedSession, [SubmitInput]>('submit')
/** The same for a caller who has stopped waiting: stored by the engine before any worker has looked at it. */
export const submissionOffered = defineSignal<[SubmitInput]>('submissionOffered')
export const verdictReached = defineSignal<[VerdictNotice]>('verdictReached')
/** Somebody met the claim after its expiry: ask the clock again now. */
export const expiryDue = defineSignal('expiryDue')
/** The session is final: sent by its dispute, which owned everything after the verdict. */
export const sessionFinal = defineSignal<[{ sessionId: string; status: string }]>('sessionFinal')
/** For operators in the Temporal UI only; resources are read from the database. */
export const claimProgress = defineQuery<{ state: string; sessionId: string | null; deadlineAt: string | null; next: string }>('progress')
