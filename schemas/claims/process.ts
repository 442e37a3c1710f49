import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { ChainJobState } from '../chain/job-state.ts'
import type { SessionAdmission } from '../sessions/record.ts'
import type { VerdictNotice, VerdictToSettle } from '../verification/process.ts'

const CLAIM = 'claim/'
/** Workflow id of a job's claim. One run at a time is the job's mutex; one run is one attempt. */
export const claimWorkflowId = (jobId: string): string => `${CLAIM}${jobId}`
/** Job of a claim's workflow id. */
export const jobOfClaim = (workflowId: string): string => workflowId.slice(CLAIM.length)

/** Economics of the evaluation, amounts as digits; what is charged is that of a claim without a waiver. The contract checks them again. */
export interface PredictedEconomics {
  waived: boolean
  claimNumber: number
  /** Number of a wallet's claims with a waived bond, by the live policy. */
  waiverClaimsPerWallet: number
  stakeRaw: string
  stakeBps: number
  feeRaw: string
  feeBps: number
  retainedRaw: string
  gasRetentionSupported: boolean
  claimFeeRetainedOnSuccess: boolean
  /** Source of the numbers (money, "One decision function"). */
  source: 'contract_preview' | 'contract_preview_adjusted_for_sync' | 'current_local_before_ensure'
}

/** Start arguments with the whole claim, which is durable once the start is confirmed. */
export interface ClaimInput {
  v: 1
  jobId: string
  /** Lower case. */
  wallet: string
  /** Grant of the delegate that claims for the wallet; null for every other caller. */
  grantId: string | null
  /** Person who answers for the work before the maintainers; null without one. */
  responsiblePerson: string | null
  /** The caller's key, or the default `<wallet>:<jobId>`. */
  idempotencyKey: string
  /** True when the caller sent the key itself. */
  explicitKey: boolean
  requestId: string
  protocol: 'http' | 'mcp'
  economics: PredictedEconomics
  /** What the chain lets the wallet spend at the block of the evaluation, base units as digits; locked deposits bind a part of it. */
  withdrawableRaw: string
  block: string
  /** Vested principal that raises the wallet's limits, base units; null when it could not be read and raises none. */
  vestedRaw: string | null
  /** What the wallet owed the credit pool, base units as digits; null when unread. A holder of t90 that owes anything counts as Flex. */
  creditDebtRaw: string | null
  /** Evidence of the gates from the evaluator. */
  admission: SessionAdmission
  /** Whether the evaluation compared the specHash on chain with the definition. */
  specSource: 'chain_verified' | 'chain_unavailable_fail_open'
  /** True for a claim that is on chain: it is recorded, and nothing is sent. */
  adopted: boolean
  /** Whether the service had admitted an adopted claim before its record was lost: nothing refuses it again. */
  wasAdmitted: boolean
  /** Whether the worker sends the transactions of the claim itself. */
  selfPaid: boolean
}

/** Start arguments of a claim whose session is recorded and whose process is lost. The record says where it stands. */
export interface ResumedClaim {
  v: 1
  sessionId: string
  jobId: string
  /** Lower case. */
  wallet: string
  requestId: string
  selfPaid: boolean
}

/** A claim to start, with what its process shows of the job. */
export type NewClaim = Omit<ClaimInput, 'v'> & { title: string; chainJobId: string; verifierMode: string }

/** A claim that the reserving transaction admitted. */
export interface AdmittedClaim {
  runId: string
  sessionId: string
  chainJobId: string
  jobId: string
  wallet: string
  /** Whether its bond is on chain already. */
  adopted: boolean
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

/** A recorded claim. */
export interface RecordedClaim extends ClaimedSession {
  /** ISO 8601, block time. */
  claimedAt: string
  /** Milliseconds until the claim's last second is over, by the service clock. */
  lapsesInMs: number
}

/** Outcome of `claimJob`: recorded, or locked on chain while the record refused it with a code. */
export type ClaimResult = RecordedClaim | { sessionId: string; blockedBy: string }

/** Where a recorded session stands, for a process that takes it over. */
export type ResumedSession =
  /** `accepted`: how work came that was accepted and is not known to be on chain; null without such work. */
  | { kind: 'claimed'; session: RecordedClaim; accepted: 'http' | 'mcp' | null }
  | { kind: 'submitted'; session: RecordedClaim; reviewEndsAt: string }
  /** Its newest verdict is no approval that was paid: the dispute owns it. */
  | { kind: 'contested'; session: RecordedClaim; verdict: VerdictToSettle }
  | { kind: 'ended'; outcome: SessionOutcome }

export interface SubmitInput {
  sessionId: string
  /** The worker's input, before normalisation. */
  submission: unknown
  requestId: string
  protocol: 'http' | 'mcp'
  /** When the service accepted it (ISO 8601). This time decides whether it is in time, even if it then waits for a worker process. */
  acceptedAt?: string
}

export interface SubmittedSession {
  sessionId: string
  status: string
}

/** Result of recording a submission. */
export interface RecordedSubmission extends SubmittedSession {
  /** Start of the human review (ISO 8601), stored with the submission. */
  reviewEndsAt: string
}

export type ExpiryResult = {
  /** `removed`: a fork removed the claim, so that it never ran out. */
  result: 'expired' | 'removed' | 'chain_closed' | 'diverged'
  observedState: ChainJobState
  observedWorker: string | null
  blockNumber: string
  txHash: string | null
}

/**
 * What the chain shows of a submission that the worker sends itself. `awaited`: none yet, or one whose content is not known. `removed`: a fork
 * removed the claim.
 */
export type ObservedSubmission =
  | { kind: 'awaited' }
  | { kind: 'recorded'; status: string; reviewEndsAt: string }
  | { kind: 'removed'; expiry: ExpiryResult }

export interface SessionOutcome {
  sessionId: string | null
  status: string
}

/** Chain steps of a claim. */
export interface ClaimChainActivities {
  /** Admits the claim, locks the bond and records the session; idempotent. A 4xx code means that no bond is locked. */
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
  /**
   * Records the submission that the worker of an adopted claim has sent itself. Content that the service lacks is awaited until `isOver`: then the
   * submission is recorded without it.
   */
  bringSubmissionHome(input: { sessionId: string; isOver: boolean }): Promise<ObservedSubmission>
}

/** Steps of a claim that settle its session. */
export interface ClaimSettlementActivities {
  /** Pays an approved session and returns its status: resolved, or the status that the chain implies. */
  settleApproval(input: { runId: string; sessionId: string; verdictId: string }): Promise<{ status: string }>
  /** Stores a verdict that another verifier sent directly on chain; null without one. */
  observeVerdict(input: { sessionId: string }): Promise<{ verdictId: string } | null>
}

/** Steps of a claim that start other processes. */
export interface ClaimSiblingActivities {
  /** Starts the verifier run of a session. If a verdict exists, announces it again instead. */
  startVerifier(input: { sessionId: string; requestId: string }): Promise<void>
  /** Starts the dispute of a session unless it runs, and notifies it of a verdict. */
  startDispute(input: { sessionId: string; verdictId: string; requestId: string }): Promise<void>
}

export interface ClaimRecordActivities {
  /** Releases the reservation of a refused claim; does nothing without one. */
  releaseClaim(input: { runId: string; code: string }): Promise<void>
  /** Gives a session to this run of its job's claim, in place of the run that was lost, and says where it stands. */
  resumeClaim(input: { runId: string; sessionId: string }): Promise<ResumedSession>
  admitSubmission(input: SubmitInput & { runId: string }): Promise<{ alreadySubmitted: boolean; status: string }>
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
}

/** Step of a claim that reads what its dispute decided. */
export interface ClaimOutcomeActivities {
  /** Final status of a session; null while it is not final, such as a rejection in its dispute window. */
  readEnd(input: { sessionId: string }): Promise<SessionOutcome | null>
}

/** Awaits the outcome of this run's claim. */
export const claimedUpdate = defineUpdate<ClaimedSession>('claimed')
export const submitUpdate = defineUpdate<SubmittedSession, [SubmitInput]>('submit')
/** Submission of a caller who no longer waits; Temporal stores it before a worker process handles it. */
export const submissionOffered = defineSignal<[SubmitInput]>('submissionOffered')
export const verdictReached = defineSignal<[VerdictNotice]>('verdictReached')
/** A request found the claim past its expiry: the run checks the clock now. */
export const expiryDue = defineSignal('expiryDue')
/** The session is final; its dispute sends this. */
export const sessionFinal = defineSignal<[{ sessionId: string; status: string }]>('sessionFinal')
/** Query for operators in the Temporal UI; the API reads the database instead. */
export const claimProgress = defineQuery<{ state: string; sessionId: string | null; deadlineAt: string | null; next: string }>('progress')
