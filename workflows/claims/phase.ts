import type { ExpiryResult, RecordedClaim, SessionOutcome } from '../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import type { VerdictToSettle } from '../../schemas/verification/process.ts'
import type { Shown } from '../common/operator-view.ts'

/** Where a claim stands. */
export type Phase =
  /** Admission, bond and record are under way. */
  | { name: 'claiming' }
  | { name: 'claimed'; session: RecordedClaim }
  /** The claim ran out. A submission is accepted while the time-out is `due`; once it is `sent` none is, and the chain answers with its result. */
  | { name: 'expiring'; session: RecordedClaim; expiry: 'due' | 'sent' | ExpiryResult }
  /** `reviewEndsAt`: when people are called without a verdict (ISO 8601). */
  | { name: 'submitted'; session: RecordedClaim; reviewEndsAt: string }
  | { name: 'paying'; session: RecordedClaim; reviewEndsAt: string; verdict: VerdictToSettle }
  /** The dispute process owns the session until it is final. */
  | { name: 'contested'; session: RecordedClaim; verdict: VerdictToSettle }
  | { name: 'ended'; outcome: SessionOutcome; details: string }

/** Session of a phase; null before one is recorded and after the end. */
export const sessionOf = (phase: Phase): RecordedClaim | null => ('session' in phase ? phase.session : null)

const deadlineOf = (phase: Phase): string | null => {
  switch (phase.name) {
    case 'claimed':
    case 'expiring':
      return phase.session.claimExpiresAt
    case 'submitted':
    case 'paying':
      return phase.reviewEndsAt
    default:
      return null
  }
}

const detailsOf = (phase: Phase, wallet: string): string => {
  switch (phase.name) {
    case 'claiming':
      return `Locking the bond of ${wallet}.`
    case 'claimed':
      return `Claimed by ${wallet}. The submission is due by ${phase.session.claimExpiresAt}.`
    case 'expiring':
      return 'The claim ran out. Returning the job to the catalogue.'
    case 'submitted':
      return 'Submitted. Waiting for the verifier.'
    case 'paying':
      return 'Approved. Paying the worker.'
    case 'contested':
      return `Not approved (${phase.verdict.reasonCode}). ${disputeWorkflowId(phase.session.sessionId)} owns the session until it is final.`
    case 'ended':
      return phase.details
  }
}

/** What an operator sees of a claim in a phase. */
export const describePhase = (phase: Phase, wallet: string): Omit<Shown, 'attributes'> => ({
  state: phase.name === 'ended' ? (phase.outcome.status.split(':')[0] ?? 'ended') : phase.name,
  deadlineAt: deadlineOf(phase),
  details: detailsOf(phase, wallet),
})

/** What a claim waits for, and what happens without it. */
export const waitsFor = (phase: Phase, isSubmitting: boolean): string => {
  switch (phase.name) {
    case 'claiming':
      return 'the chain: the bond'
    case 'claimed':
      return isSubmitting ? 'the chain: the submission' : `a submission; without one the claim expires at ${phase.session.claimExpiresAt}`
    case 'expiring':
      return 'the chain: the time-out of the claim'
    case 'submitted':
      return `the verifier; without a verdict people are called at ${phase.reviewEndsAt}`
    case 'paying':
      return 'the chain: the payout'
    case 'contested':
      return `the end of ${disputeWorkflowId(phase.session.sessionId)}`
    case 'ended':
      return 'nothing'
  }
}
