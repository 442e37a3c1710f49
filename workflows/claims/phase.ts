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

/** What an operator sees of a claim in a phase. `next`: what it waits for, and what happens without it. */
export const describePhase = (phase: Phase, wallet: string, isSubmitting: boolean): Omit<Shown, 'attributes'> & { next: string } => {
  const state = phase.name
  switch (phase.name) {
    case 'claiming':
      return { state, deadlineAt: null, details: `Locking the bond of ${wallet}.`, next: 'the chain: the bond' }
    case 'claimed': {
      const deadlineAt = phase.session.claimExpiresAt
      const next = isSubmitting ? 'the chain: the submission' : `a submission; without one the claim expires at ${deadlineAt}`
      return { state, deadlineAt, details: `Claimed by ${wallet}. The submission is due by ${deadlineAt}.`, next }
    }
    case 'expiring': {
      const details = 'The claim ran out. Returning the job to the catalogue.'
      return { state, deadlineAt: phase.session.claimExpiresAt, details, next: 'the chain: the time-out of the claim' }
    }
    case 'submitted': {
      const deadlineAt = phase.reviewEndsAt
      const next = `the verifier; without a verdict people are called at ${deadlineAt}`
      return { state, deadlineAt, details: 'Submitted. Waiting for the verifier.', next }
    }
    case 'paying':
      return { state, deadlineAt: phase.reviewEndsAt, details: 'Approved. Paying the worker.', next: 'the chain: the payout' }
    case 'contested': {
      const owner = disputeWorkflowId(phase.session.sessionId)
      const details = `Not approved (${phase.verdict.reasonCode}). ${owner} owns the session until it is final.`
      return { state, deadlineAt: null, details, next: `the end of ${owner}` }
    }
    case 'ended': {
      const { outcome, details } = phase
      return { state: outcome.status.split(':')[0] ?? 'ended', deadlineAt: null, details, next: 'nothing' }
    }
  }
}
