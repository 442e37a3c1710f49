import { READINESS_REASONS } from '../../../schemas/catalogue/readiness.ts'
import { CHOOSE_ANOTHER, get, wait } from '../../../schemas/common/error-row.ts'
import type { NextAction } from '../../../schemas/errors.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import { foreignTerms } from '../../catalogue/foreign-terms.ts'
import { readinessView, unreadyReason } from '../../catalogue/readiness.ts'
import { pauseRefusal } from '../../chain/contract-refusals.ts'
import { VERDICT_NEED_PERIOD_SECONDS } from '../../common/constants.ts'
import { knownValue } from '../../common/fact.ts'
import { iso, isPast } from '../../common/instants.ts'
import { disputableUntil } from '../../sessions/waiting.ts'
import { type Assessment, isBrokered } from '../assessment.ts'
import type { ClaimStateDecision } from '../claim-state.ts'
import type { ChainJob, EligibilityFacts } from '../facts.ts'
import { type Blocker, blocker } from './blocker.ts'

/** Refuses a delisted job. */
export const delistedGate = ({ facts: { job } }: Assessment): Blocker | null =>
  job.delistedAt === null
    ? null
    : blocker('delisted', 'external_job_delisted', {
        details: { jobId: job.id, delistedAt: iso(job.delistedAt), delistReason: job.delistReason },
      })

/** Refuses a posted job to the wallet that posted it: a job of one's own earns no reputation. */
export const ownPostingGate = ({ facts: { job, wallet } }: Assessment): Blocker | null =>
  job.postingRoute === 'external-direct' && wallet !== null && job.posterAddress?.toLowerCase() === wallet
    ? blocker('own_posting', 'claimant_is_poster', { details: { jobId: job.id, poster: wallet } })
    : null

const claimantDetails = (session: SessionRecord, claimTtlSeconds: number) => ({
  sessionId: session.sessionId,
  claimedBy: session.wallet,
  claimedAt: iso(session.timestamps.claimedAt),
  claimExpiresAt: iso(session.claimExpiresAt),
  claimTtlSeconds,
})

const stateDetails = (facts: EligibilityFacts, decision: ClaimStateDecision): Record<string, unknown> => {
  const { job, latestSession } = facts
  switch (decision.reason) {
    case 'job_claimed':
    case 'claimed_by_other_wallet':
    case 'already_claimed_by_current_wallet':
    case 'session_submitted':
    case 'job_session_completed':
      return { jobId: job.id, ...(latestSession && claimantDetails(latestSession, job.definition.claimTtlSeconds)) }
    case 'retry_limit_exhausted':
      return { jobId: job.id, retryLimit: job.definition.retryLimit, claimAttemptCount: facts.claimAttemptCount }
    case 'reward_funding_pending':
    case 'reward_funding_unverified':
      return { jobId: job.id, fundingState: decision.fundingState }
    default:
      return { jobId: job.id, lifecycle: decision.claimState }
  }
}

/** Next actions of a wallet that has a session of the job; undefined where those of the code apply. */
const stateActions = ({ latestSession, wallet }: EligibilityFacts, { reason }: ClaimStateDecision): NextAction[] | undefined => {
  if (reason === 'reward_funding_unverified' || latestSession === null || latestSession.wallet !== wallet) return undefined
  return [get(`/session?sessionId=${encodeURIComponent(latestSession.sessionId)}`, 'Read your session of this job.'), CHOOSE_ANOTHER]
}

/** Refuses a claim whose verdict could not be given now. The claim can succeed after a later check. */
const unreadyBlocker = ({ job, readiness }: EligibilityFacts): Blocker => {
  const reason = unreadyReason(readiness) ?? 'not_checked'
  return blocker('claim_state', 'verifier_not_ready', {
    reason,
    retryAfterSeconds: VERDICT_NEED_PERIOD_SECONDS,
    details: { jobId: job.id, readiness: readinessView(readiness) },
    nextActions: [wait(`Repeat the claim later. ${READINESS_REASONS[reason]}`), CHOOSE_ANOTHER],
  })
}

/** What a wallet reads whose own work was rejected; undefined for every other session. */
const ownRejection = ({ latestSession: session, wallet, now }: EligibilityFacts): string | undefined => {
  if (session === null || session.wallet !== wallet || session.status !== 'rejected') return undefined
  const until = disputableUntil(session, now)
  return until === null
    ? 'Your work on this job was rejected, and the rejection is final. The job cannot be claimed again.'
    : `Your work on this job was rejected. You can dispute the rejection until ${until}; the job cannot be claimed again.`
}

/** Refuses by the claim state of the job. */
export const claimStateGate = ({ facts, claimState }: Assessment): Blocker | null => {
  if (claimState.openToWallet) return null
  if (claimState.reason === 'verifier_not_ready') return unreadyBlocker(facts)
  return blocker('claim_state', claimState.reason, {
    details: stateDetails(facts, claimState),
    nextActions: stateActions(facts, claimState),
    message: ownRejection(facts),
  })
}

/** Refuses other wallets on a designated job, where its claim state has another reason, such as a live session. */
export const designatedClaimantsGate = ({ facts, claimState }: Assessment): Blocker | null => {
  const named = facts.job.designatedClaimants
  if (named === null || facts.wallet === null || named.includes(facts.wallet)) return null
  if (claimState.reason === 'designated_claimants_only') return null
  return blocker('designated_claimants', 'designated_claimants_only', { details: { jobId: facts.job.id } })
}

/** True for an open or absent job, this wallet's own claim, or a lapsed claim that the service can time out first. */
const isChainClaimable = (chainJob: ChainJob, wallet: string | null, now: number): boolean => {
  if (chainJob.state === 'none' || chainJob.state === 'open') return true
  if (chainJob.state !== 'claimed') return false
  return chainJob.worker === wallet || (chainJob.claimExpiresAt !== null && isPast(chainJob.claimExpiresAt, now))
}

/** Refuses by the state of the escrow job, where it was read. */
export const chainStateGate = ({ facts }: Assessment): Blocker | null => {
  const chainJob = knownValue(facts.chainJob)
  if (!chainJob || isChainClaimable(chainJob, facts.wallet, facts.now)) return null
  return blocker('chain_state', 'job_not_claimable', {
    details: { jobId: facts.job.id, chainJobId: facts.job.chainJobId, chainState: chainJob.state },
  })
}

/** A live claim of this wallet on chain, which the service records without a transaction. */
const isOwnOnChain = (chainJob: ChainJob | null | undefined, wallet: string | null, now: number): boolean =>
  chainJob?.state === 'claimed' && chainJob.worker === wallet && chainJob.claimExpiresAt !== null && !isPast(chainJob.claimExpiresAt, now)

/** Refuses during a pause of the contracts, with a time to retry; a wallet with its own claim on chain passes. */
export const protocolPauseGate = ({ facts }: Assessment): Blocker | null => {
  if (knownValue(facts.paused) !== true || isOwnOnChain(knownValue(facts.chainJob), facts.wallet, facts.now)) return null
  const { reason, details, nextActions, retryAfterSeconds } = pauseRefusal(isBrokered(facts) ? 'claimJobFor' : 'claimJob', {
    jobId: facts.job.id,
  })
  return blocker('protocol_pause', reason, { details, nextActions, retryAfterSeconds })
}

/** Refuses when the stored definition differs from its hash, or from the terms in the escrow. Unreadable terms pass. */
export const definitionIntegrityGate = ({ facts }: Assessment): Blocker | null => {
  const { id: jobId, specHash, definition } = facts.job
  if (knownValue(facts.definitionIntact) === false)
    return blocker('definition_integrity', 'job_definition_integrity_invalid', { details: { jobId, specHash } })
  const chainJob = knownValue(facts.chainJob)
  if (!chainJob || chainJob.state === 'none') return null
  const details = foreignTerms({ jobId, specHash, definition }, chainJob)
  return details && blocker('definition_integrity', 'job_definition_chain_mismatch', { details })
}
