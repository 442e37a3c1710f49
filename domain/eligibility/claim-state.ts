import { type ClaimReason, type ClaimState, type FundingState, LIFECYCLE_STATUS_MEANING } from '../../schemas/catalogue/claim-status.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { ClaimStatus } from '../../schemas/catalogue/shapes.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { type FundingTerms, fundingOf, type RewardBankReading } from '../catalogue/funding.ts'
import { type Readiness, unreadyReason } from '../catalogue/readiness.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { isoOrNull } from '../common/instants.ts'
import { isLapsedSession, isRejectionFinal } from '../sessions/state-machine.ts'

/** Recorded problem with the escrow of an external posting. */
export type ExternalPostingProblem =
  | 'legacy_posting_unclaimable'
  | 'external_posting_escrow_unverified'
  | 'external_posting_not_open_on_chain'

/** Facts that decide the claim state of a job, all from the database. */
export interface ClaimStateFacts {
  /** Epoch ms. */
  now: number
  job: JobRecord
  latestSession: SessionRecord | null
  /** Sessions of the job that reached a submission and count (decision in one SQL view). */
  claimAttemptCount: number
  /** Lower case; null for an anonymous reader. */
  wallet: string | null
  rewardBank: Fact<RewardBankReading>
  externalPosting: Fact<ExternalPostingProblem | null>
  /** Whether a verdict on the job could be given now. */
  readiness: Fact<Readiness>
}

type OpenReason = 'claimable' | 'claim_ttl_expired_reopen_available' | 'designated_claimant_authorized'
type ClosedReason = Exclude<ClaimReason, OpenReason>

interface PublicState {
  claimState: ClaimState
  /** For any wallet, before the wallet's own gates. */
  claimable: boolean
}
/** `openToWallet` is for the wallet of the facts; it equals `claimable` except on designated jobs. */
type Open = PublicState & { openToWallet: true; reason: OpenReason }
type Closed = PublicState & { openToWallet: false; reason: ClosedReason }
type Row = Open | Closed

export type ClaimStateDecision = Row & { fundingState: FundingState | null }

const closed = (claimState: ClaimState, reason: ClosedReason): Closed => ({ claimState, claimable: false, openToWallet: false, reason })
const open = (claimState: ClaimState, reason: OpenReason): Open => ({ claimState, claimable: true, openToWallet: true, reason })

/** Claims the job still allows; null when unlimited. */
export const remainingAttempts = (retryLimit: number, attempts: number): number | null =>
  retryLimit === 0 ? null : Math.max(0, retryLimit - attempts)

const LIFECYCLE_REASON = { paused: 'job_paused', archived: 'job_archived', stale: 'job_stale' } as const

const lifecycleBlock = (job: JobRecord, now: number): keyof typeof LIFECYCLE_REASON | null => {
  if (job.lifecycleStatus !== 'open') return job.lifecycleStatus
  // claimStatus has no state for a delisted job; its blocker has the exact code.
  if (job.delistedAt !== null) return 'archived'
  return job.staleAt !== null && now >= job.staleAt ? 'stale' : null
}

/** Rows 3 to 5: why a job without a live session is closed to every wallet; null when it is open. */
const unavailable = (facts: ClaimStateFacts, terms: FundingTerms): Closed | null => {
  if (remainingAttempts(facts.job.definition.retryLimit, facts.claimAttemptCount) === 0) return closed('exhausted', 'retry_limit_exhausted')
  const lifecycle = lifecycleBlock(facts.job, facts.now)
  if (lifecycle !== null) return closed(lifecycle, LIFECYCLE_REASON[lifecycle])
  const { blocking } = fundingOf(facts.job, facts.rewardBank, terms)
  if (blocking !== null) return closed('open', blocking)
  return unreadyReason(facts.readiness) === null ? null : closed('open', 'verifier_not_ready')
}

/** Row 2: a job for designated wallets is never publicly claimable. */
const designatedRow = (facts: ClaimStateFacts, named: readonly (string | null)[], blocked: Closed | null): Row => {
  if (!named.includes(facts.wallet)) return closed('restricted', 'designated_claimants_only')
  if (blocked !== null) return closed('restricted', blocked.reason)
  return { claimState: 'restricted', claimable: false, openToWallet: true, reason: 'designated_claimant_authorized' }
}

const withoutLiveSession = (facts: ClaimStateFacts, terms: FundingTerms, available: Row): Row => {
  const blocked = unavailable(facts, terms)
  if (facts.job.designatedClaimants !== null) return designatedRow(facts, facts.job.designatedClaimants, blocked)
  return blocked ?? available
}

const afterExpiry = (facts: ClaimStateFacts, terms: FundingTerms): Row => {
  const row = withoutLiveSession(facts, terms, open('expired', 'claim_ttl_expired_reopen_available'))
  return row.claimState === 'open' ? { ...row, claimState: 'expired' } : row
}

/** Why a claimed job is closed; a reader without a wallet gets the reason that holds for every wallet. */
const claimedReason = (claimant: string, reader: string | null): ClosedReason => {
  if (reader === null) return 'job_claimed'
  return claimant === reader ? 'already_claimed_by_current_wallet' : 'claimed_by_other_wallet'
}

const withSession = (facts: ClaimStateFacts, session: SessionRecord, terms: FundingTerms): Row => {
  if (isLapsedSession(session, facts.now)) return afterExpiry(facts, terms)
  switch (session.status) {
    case 'expired':
      return afterExpiry(facts, terms)
    case 'claimed':
      return closed('claimed', claimedReason(session.wallet, facts.wallet))
    case 'rejected':
      return isRejectionFinal({ ...session.timestamps, status: 'rejected' }, facts.now)
        ? closed('exhausted', 'job_session_completed')
        : closed('submitted', 'session_submitted')
    case 'submitted':
    case 'disputed':
      return closed('submitted', 'session_submitted')
    case 'resolved':
    case 'closed':
    case 'timed_out':
    case 'chain_state_diverged':
      return closed('exhausted', 'job_session_completed')
  }
}

const decide = (facts: ClaimStateFacts, terms: FundingTerms): Row => {
  const problem = facts.externalPosting === 'unreadable' ? 'external_posting_escrow_unverified' : knownValue(facts.externalPosting)
  if (facts.job.postingRoute === 'external-direct' && problem) return closed('unclaimable', problem)
  if (facts.latestSession !== null) return withSession(facts, facts.latestSession, terms)
  if (facts.job.definition.recurring === true) return closed('unclaimable', 'recurring_template')
  return withoutLiveSession(facts, terms, open('open', 'claimable'))
}

/** Whether a session holds the job or has settled it; an expired or lapsed claim does neither. */
export const isTaken = (facts: ClaimStateFacts): boolean =>
  facts.latestSession !== null && facts.latestSession.status !== 'expired' && !isLapsedSession(facts.latestSession, facts.now)

/** Claim state of a job by the decision table, first match wins; derived at `now`, never stored. */
export const claimStateOf = (facts: ClaimStateFacts, terms: FundingTerms): ClaimStateDecision => ({
  ...decide(facts, terms),
  // The claim of a taken job funded it on chain, whatever the bank's balance is now.
  fundingState: isTaken(facts) ? 'funded' : fundingOf(facts.job, facts.rewardBank, terms).fundingState,
})

/** Result for one wallet that the evaluator adds to a claim state. */
export interface WalletVerdict {
  currentWalletCanClaim: boolean | null
  reason: ClaimReason
}

/** Wire form of a claim status. */
export const claimStatusView = (facts: ClaimStateFacts, decision: ClaimStateDecision, verdict: WalletVerdict): ClaimStatus => {
  const session = facts.latestSession
  const { retryLimit } = facts.job.definition
  return {
    claimState: decision.claimState,
    state: decision.claimState,
    effectiveState: decision.claimable ? 'claimable' : decision.claimState,
    claimable: decision.claimable,
    currentWalletCanClaim: verdict.currentWalletCanClaim,
    reason: verdict.reason,
    retryLimit,
    claimAttemptCount: facts.claimAttemptCount,
    remainingClaimAttempts: remainingAttempts(retryLimit, facts.claimAttemptCount),
    claimNumber: session?.economics.claimNumber ?? null,
    claimedBy: session?.wallet ?? null,
    claimedAt: isoOrNull(session?.timestamps.claimedAt ?? null),
    claimExpiresAt: isoOrNull(session?.claimExpiresAt ?? null),
    sessionId: session?.sessionId ?? null,
    claimabilitySource: 'claimStatus',
    lifecycleStatusMeaning: LIFECYCLE_STATUS_MEANING,
  }
}
