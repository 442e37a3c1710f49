import { CLAIM_REASONS, type ClaimReason, type ClaimStatus, type FundingState } from '../schemas/claim-status.ts'
import { ServiceError } from '../schemas/errors.ts'
import { claimStatusView } from './claim-state.ts'
import { type Assessment, assess } from './eligibility/assessment.ts'
import { type Blocker, type BlockerCode, GATES, type GateName, refusalCode } from './eligibility/blocker.ts'
import { type EligibilityFacts, type EligibilityPolicy, unreadFacts } from './eligibility/facts.ts'
import {
  allowanceGate,
  catalogueBudgetGate,
  claimEconomicsGate,
  onboardingSubsidyGate,
  openExposureGate,
  walletFundingGate,
} from './eligibility/money-gates.ts'
import {
  chainStateGate,
  claimStateGate,
  definitionIntegrityGate,
  delistedGate,
  designatedClaimantsGate,
} from './eligibility/state-gates.ts'
import { earningIdentityGate, paidSourceGate, priorityGate, roleGate, tierGate } from './eligibility/wallet-gates.ts'

type Gate = (assessment: Assessment) => Blocker | null

/** Every gate by its name; `GATES` is the order in which they are asked. */
const GATE_OF: Record<GateName, Gate> = {
  delisted: delistedGate,
  claim_state: claimStateGate,
  earning_identity: earningIdentityGate,
  designated_claimants: designatedClaimantsGate,
  tier: tierGate,
  role: roleGate,
  priority_window: priorityGate,
  paid_source: paidSourceGate,
  claim_economics: claimEconomicsGate,
  wallet_funding: walletFundingGate,
  onboarding_subsidy: onboardingSubsidyGate,
  definition_integrity: definitionIntegrityGate,
  open_exposure: openExposureGate,
  allowance: allowanceGate,
  catalogue_budget: catalogueBudgetGate,
  chain_state: chainStateGate,
}

/** What two claims can race for; asked again on fresh facts inside the reserving transaction. */
const RACING_GATES: readonly GateName[] = [
  'delisted',
  'claim_state',
  'paid_source',
  'onboarding_subsidy',
  'open_exposure',
  'allowance',
  'catalogue_budget',
]

/** The one answer about one job and one wallet; list, definition, preflight, explain, recommendations and claim are projections of it. */
export interface Evaluation {
  /** Nothing stands in the way, as far as the facts go. */
  eligible: boolean
  /** Code of the first blocker, else the positive reason of the claim state. */
  reason: BlockerCode | ClaimReason
  /** Complete and ordered. */
  blockers: Blocker[]
  claimStatus: ClaimStatus
  fundingState: FundingState | null
  /** True for an external job: the worker sends the claim transaction itself and repeats the request. */
  selfPaidClaim: boolean
  assessment: Assessment
}

const runGates = (assessment: Assessment, names: readonly GateName[]): Blocker[] => names.flatMap((name) => GATE_OF[name](assessment) ?? [])

const isClaimReason = (code: string): code is ClaimReason => (CLAIM_REASONS as readonly string[]).includes(code)

/** The claim state speaks first; a wallet gate is named only where claim status knows its word. */
const statusReason = ({ claimState }: Assessment, blockers: readonly Blocker[]): ClaimReason => {
  if (!claimState.openToWallet) return claimState.reason
  return blockers.map((found): string => found.code).find(isClaimReason) ?? claimState.reason
}

/** Evaluates what the facts say; an unread fact never refuses. */
export const evaluate = (facts: EligibilityFacts, policy: EligibilityPolicy): Evaluation => {
  const assessment = assess(facts, policy)
  const blockers = runGates(assessment, GATES)
  const eligible = blockers.length === 0
  return {
    eligible,
    reason: blockers[0]?.code ?? assessment.claimState.reason,
    blockers,
    claimStatus: claimStatusView(facts, assessment.claimState, {
      currentWalletCanClaim: facts.wallet === null ? null : eligible,
      reason: statusReason(assessment, blockers),
    }),
    fundingState: assessment.claimState.fundingState,
    selfPaidClaim: facts.job.postingRoute === 'external-direct',
    assessment,
  }
}

/** A blocker as the refusal of a claim. */
export const refusalOf = (found: Blocker): ServiceError =>
  new ServiceError(refusalCode(found.code), {
    detail: found.message,
    ...(refusalCode(found.code) !== found.code && { reason: found.code }),
    details: found.details,
    retryAfterSeconds: found.retryAfterSeconds,
    nextActions: found.nextActions,
  })

const assertRead = (facts: EligibilityFacts): void => {
  const unread = unreadFacts(facts)
  if (unread.length > 0) throw new Error(`a claim was about to be decided without reading: ${unread.join(', ')}`)
}

/** Gates that read the chain, so that on the records alone they may stay silent. */
const CHAIN_GATES: readonly GateName[] = [
  'priority_window',
  'claim_economics',
  'wallet_funding',
  'onboarding_subsidy',
  'definition_integrity',
  'open_exposure',
  'chain_state',
]
const FIRST_CHAIN_GATE = Math.min(...CHAIN_GATES.map((name) => GATES.indexOf(name)))

/**
 * The refusal that the records alone decide: the first blocker, where no gate before it could say something else once the chain
 * is read. It is the refusal that a claim on all facts would meet, so a claim that cannot win costs no chain read.
 */
export const refusalOfRecords = ({ blockers: [first] }: Evaluation): Blocker | null =>
  first !== undefined && GATES.indexOf(first.gate) < FIRST_CHAIN_GATE ? first : null

/** Throws the first refusal, with its code as a claim answers it. Facts must be complete: an unread one is a fault of the caller. */
export const assertClaimable = (evaluation: Evaluation): void => {
  assertRead(evaluation.assessment.facts)
  const [first] = evaluation.blockers
  if (first !== undefined) throw refusalOf(first)
}

/** First blocker among what can race, or null: for the reserving transaction, on facts read under its locks and the chain facts of the admission. */
export const recheckRacing = (facts: EligibilityFacts, policy: EligibilityPolicy): Blocker | null => {
  assertRead(facts)
  return runGates(assess(facts, policy), RACING_GATES)[0] ?? null
}
