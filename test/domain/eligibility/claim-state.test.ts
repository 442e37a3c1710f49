import { describe, expect, test } from '@jest/globals'
import { known } from '../../../domain/common/fact.ts'
import { type ClaimStateFacts, claimStateOf, claimStatusView } from '../../../domain/eligibility/claim-state.ts'
import { aClaim, aJob, NOW, OTHER, POLICY, SUBMISSION, someFacts, WALLET } from '../builders/eligibility.ts'

const DAY = 86_400_000
const stateOf = (changes: Partial<ClaimStateFacts> = {}) => claimStateOf(someFacts(changes), POLICY.funding)
const EMPTY_BANK = known({ fresh: true, asset: 'USDC', liquidRaw: 0n })
const named = (...wallets: string[]) => aJob({ designatedClaimants: wallets })

describe('a job without a claim', () => {
  test('is claimable, out of the bank', () => {
    expect(stateOf()).toEqual({ claimState: 'open', claimable: true, openToWallet: true, reason: 'claimable', fundingState: 'available' })
  })

  test('is exhausted once its attempts are used up, and never with an unlimited budget', () => {
    expect(stateOf({ claimAttemptCount: 1 })).toMatchObject({ claimState: 'exhausted', claimable: false, reason: 'retry_limit_exhausted' })
    const unlimited = aJob({ definition: { retryLimit: 0 } })
    expect(stateOf({ job: unlimited, claimAttemptCount: 99 })).toMatchObject({ claimable: true })
  })

  test.each(['paused', 'archived'] as const)('shows the lifecycle status while %s', (status) => {
    expect(stateOf({ job: aJob({ lifecycleStatus: status }) })).toMatchObject({
      claimState: status,
      claimable: false,
      reason: `job_${status}`,
    })
  })

  test('is stale from its instant on', () => {
    expect(stateOf({ job: aJob({ staleAt: NOW + 1 }) })).toMatchObject({ claimState: 'open' })
    expect(stateOf({ job: aJob({ staleAt: NOW }) })).toMatchObject({ claimState: 'stale', reason: 'job_stale' })
    expect(stateOf({ job: aJob({ staleAt: null }) })).toMatchObject({ claimState: 'open' })
  })

  test('is not claimable once delisted', () => {
    expect(stateOf({ job: aJob({ delistedAt: NOW }) })).toMatchObject({ claimState: 'archived', claimable: false })
  })

  test('stays open but not claimable while its reward is not proved', () => {
    expect(stateOf({ rewardBank: EMPTY_BANK })).toMatchObject({
      claimState: 'open',
      claimable: false,
      reason: 'reward_funding_pending',
      fundingState: 'pending',
    })
    expect(stateOf({ rewardBank: 'unreadable' })).toMatchObject({ reason: 'reward_funding_unverified', fundingState: 'unverified' })
  })

  test('stays open but not claimable while no verdict could be given, and claimable while that was not read', () => {
    const readiness = known({ reason: 'code_host_unavailable', checkedAt: NOW, lastVerdictAt: null } as const)
    const refused = { claimState: 'open', claimable: false, reason: 'verifier_not_ready' }
    expect(stateOf({ readiness })).toMatchObject(refused)
    expect(stateOf({ readiness: 'unreadable' })).toMatchObject(refused)
    expect(stateOf({ readiness: 'unknown' })).toMatchObject({ claimable: true, reason: 'claimable' })
    expect(stateOf({ readiness, latestSession: aClaim({ status: 'expired' }) })).toMatchObject({ ...refused, claimState: 'expired' })
    expect(stateOf({ readiness, rewardBank: EMPTY_BANK }).reason).toBe('reward_funding_pending')
    expect(stateOf({ readiness, job: named(WALLET) })).toMatchObject({ ...refused, claimState: 'restricted', openToWallet: false })
  })

  test('a used-up budget is named before the lifecycle, the lifecycle before funding', () => {
    const job = aJob({ lifecycleStatus: 'paused' })
    expect(stateOf({ job, rewardBank: EMPTY_BANK, claimAttemptCount: 1 }).reason).toBe('retry_limit_exhausted')
    expect(stateOf({ job, rewardBank: EMPTY_BANK }).reason).toBe('job_paused')
  })
})

describe('a job for designated claimants', () => {
  test('is restricted in public and open to the named wallet', () => {
    const restricted = { claimState: 'restricted', claimable: false }
    expect(stateOf({ job: named(WALLET), wallet: null })).toMatchObject({
      ...restricted,
      openToWallet: false,
      reason: 'designated_claimants_only',
    })
    expect(stateOf({ job: named(OTHER) })).toMatchObject({ ...restricted, openToWallet: false, reason: 'designated_claimants_only' })
    expect(stateOf({ job: named(WALLET) })).toMatchObject({ ...restricted, openToWallet: true, reason: 'designated_claimant_authorized' })
  })

  test('names to its claimant what else blocks it', () => {
    expect(stateOf({ job: named(WALLET), rewardBank: EMPTY_BANK })).toMatchObject({
      claimState: 'restricted',
      openToWallet: false,
      reason: 'reward_funding_pending',
    })
  })

  test('stays restricted after an expired claim', () => {
    expect(stateOf({ job: named(WALLET), latestSession: aClaim({ status: 'expired' }) })).toMatchObject({
      claimState: 'restricted',
      openToWallet: true,
    })
  })
})

describe('a job with a session', () => {
  test('is claimed, by oneself or by another', () => {
    expect(stateOf({ latestSession: aClaim() })).toEqual({
      claimState: 'claimed',
      claimable: false,
      openToWallet: false,
      reason: 'claimed_by_other_wallet',
      fundingState: 'funded',
    })
    expect(stateOf({ latestSession: aClaim({ wallet: WALLET }) }).reason).toBe('already_claimed_by_current_wallet')
    expect(stateOf({ latestSession: aClaim(), wallet: null }).reason).toBe('job_claimed')
  })

  test('reopens strictly after the expiry second', () => {
    const at = (offset: number) => stateOf({ latestSession: aClaim({ claimExpiresAt: NOW - offset }) })
    expect(at(0)).toMatchObject({ claimState: 'claimed' })
    expect(at(1)).toMatchObject({
      claimState: 'expired',
      claimable: true,
      reason: 'claim_ttl_expired_reopen_available',
      fundingState: 'available',
    })
    expect(stateOf({ now: NOW + 999, latestSession: aClaim({ claimExpiresAt: NOW }) })).toMatchObject({ claimState: 'claimed' })
    expect(stateOf({ now: NOW + 1000, latestSession: aClaim({ claimExpiresAt: NOW }) })).toMatchObject({ claimState: 'expired' })
  })

  test('does not reopen while an accepted submission is on its way to the chain', () => {
    expect(stateOf({ latestSession: aClaim({ claimExpiresAt: NOW - DAY, submission: SUBMISSION }) })).toMatchObject({
      claimState: 'claimed',
    })
  })

  test('after an expiry the blocks of a free job apply again', () => {
    const latestSession = aClaim({ status: 'expired' })
    expect(stateOf({ latestSession })).toMatchObject({ claimState: 'expired', claimable: true, fundingState: 'available' })
    expect(stateOf({ latestSession, claimAttemptCount: 1 })).toMatchObject({ claimState: 'exhausted', reason: 'retry_limit_exhausted' })
    expect(stateOf({ latestSession, job: aJob({ lifecycleStatus: 'paused' }) })).toMatchObject({ claimState: 'paused' })
    expect(stateOf({ latestSession, rewardBank: EMPTY_BANK })).toMatchObject({
      claimState: 'expired',
      claimable: false,
      reason: 'reward_funding_pending',
    })
  })

  const SUBMITTED = { claimState: 'submitted', claimable: false, reason: 'session_submitted' }
  const EXHAUSTED = { claimState: 'exhausted', claimable: false, reason: 'job_session_completed' }
  const rejected = (changes: Parameters<typeof aClaim>[0] = {}) => aClaim({ status: 'rejected', rejectedAt: NOW - DAY, ...changes })

  test.each([
    ['submitted work', aClaim({ status: 'submitted' }), SUBMITTED],
    ['disputed work', aClaim({ status: 'disputed' }), SUBMITTED],
    ['work rejected inside its dispute window', rejected(), SUBMITTED],
    ['work whose rejection is final', rejected({ rejectionFinalizedAt: NOW }), EXHAUSTED],
    ['work rejected before its dispute window', rejected({ rejectedAt: NOW - 8 * DAY }), EXHAUSTED],
    ['resolved work', aClaim({ status: 'resolved' }), EXHAUSTED],
    ['closed work', aClaim({ status: 'closed' }), EXHAUSTED],
    ['timed-out work', aClaim({ status: 'timed_out' }), EXHAUSTED],
    ['work that diverged from the chain', aClaim({ status: 'chain_state_diverged' }), EXHAUSTED],
  ])('of %s is not claimable, and says which', (_work, latestSession, state) => {
    expect(stateOf({ latestSession })).toMatchObject(state)
  })
})

describe('an external posting', () => {
  const job = aJob({ postingRoute: 'external-direct' })

  test('is funded by its poster whatever the bank holds', () => {
    expect(stateOf({ job, rewardBank: 'unreadable' })).toMatchObject({ claimable: true, fundingState: 'funded' })
  })

  test('with escrow trouble is unclaimable before anything else', () => {
    const trouble = known('external_posting_not_open_on_chain' as const)
    expect(stateOf({ job, externalPosting: trouble, latestSession: aClaim() })).toMatchObject({
      claimState: 'unclaimable',
      reason: 'external_posting_not_open_on_chain',
    })
    expect(stateOf({ job, externalPosting: 'unreadable' })).toMatchObject({
      claimState: 'unclaimable',
      reason: 'external_posting_escrow_unverified',
    })
    expect(stateOf({ externalPosting: trouble })).toMatchObject({ claimable: true })
  })
})

describe('claim status', () => {
  const view = (changes: Partial<ClaimStateFacts> = {}) => {
    const facts = someFacts(changes)
    return claimStatusView(facts, claimStateOf(facts, POLICY.funding), { currentWalletCanClaim: null, reason: 'claimable' })
  }

  test('of a free job has nothing of a session', () => {
    expect(view()).toMatchObject({
      state: 'open',
      effectiveState: 'claimable',
      retryLimit: 1,
      claimAttemptCount: 0,
      remainingClaimAttempts: 1,
      claimNumber: null,
      claimedBy: null,
      claimedAt: null,
      claimExpiresAt: null,
      sessionId: null,
      claimabilitySource: 'claimStatus',
    })
  })

  test('of a claimed job names the claimant in lower case with ISO times', () => {
    expect(view({ latestSession: aClaim() })).toMatchObject({
      claimState: 'claimed',
      effectiveState: 'claimed',
      claimNumber: 1,
      claimedBy: OTHER,
      claimedAt: '2026-03-01T11:30:00.000Z',
      claimExpiresAt: '2026-03-01T12:30:00.000Z',
    })
  })

  test('an unlimited budget has no remaining number', () => {
    expect(view({ job: aJob({ definition: { retryLimit: 0 } }) })).toMatchObject({ retryLimit: 0, remainingClaimAttempts: null })
  })
})
