import { CLAIM_REASONS, type ClaimReason, type FundingState } from '../../schemas/catalogue/claim-status.ts'
import type { ClaimStatus } from '../../schemas/catalogue/shapes.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type Assessment, assess } from './assessment.ts'
import { claimStatusView } from './claim-state.ts'
import { type EligibilityFacts, type EligibilityPolicy, type FactName, unreadFacts } from './facts.ts'
import { type Blocker, type BlockerCode, GATES, type GateName, refusalCode } from './gates/blocker.ts'
import { delegateBudgetGate } from './gates/delegate.ts'
import { maintainerPolicyGate, openPrCapGate, responsiblePersonGate } from './gates/maintainers.ts'
import {
  allowanceGate,
  catalogueBudgetGate,
  claimEconomicsGate,
  onboardingSubsidyGate,
  openExposureGate,
  walletFundingGate,
} from './gates/money.ts'
import {
  chainStateGate,
  claimStateGate,
  definitionIntegrityGate,
  delistedGate,
  designatedClaimantsGate,
  ownPostingGate,
  protocolPauseGate,
} from './gates/state.ts'
import { earningIdentityGate, paidSourceGate, priorityGate, roleGate, tierGate } from './gates/wallet.ts'

type Gate = (assessment: Assessment) => Blocker | null

const WINDOW: readonly FactName[] = ['priority.directoryListed', 'priority.capacity', 'priority.outstandingCreditRaw']
const STATE: readonly FactName[] = ['rewardBank', 'externalPosting', 'readiness']

/** Facts that raise the caps of a wallet. */
const CAPACITY: readonly FactName[] = ['vestedRaw', 'locks', 'rewardBank', 'priority.outstandingCreditRaw']

/**
 * Every gate by its name, with the facts that decide it besides the job's own rows; `GATES` has their order. The priority gate needs the claim
 * state too, because it applies to open jobs only.
 */
const GATE_OF: Record<GateName, readonly [Gate, ...FactName[]]> = {
  maintainer_policy: [maintainerPolicyGate, 'maintainers'],
  delisted: [delistedGate],
  claim_state: [claimStateGate, ...STATE],
  own_posting: [ownPostingGate],
  earning_identity: [earningIdentityGate, 'identity'],
  designated_claimants: [designatedClaimantsGate, ...STATE],
  tier: [tierGate, 'scores'],
  role: [roleGate, 'scores'],
  priority_window: [priorityGate, ...WINDOW, ...STATE],
  paid_source: [paidSourceGate, 'paidSource'],
  responsible_person: [responsiblePersonGate, 'maintainers', 'responsiblePerson'],
  open_pr_cap: [openPrCapGate, 'maintainers'],
  claim_economics: [claimEconomicsGate, 'economics'],
  delegate_budget: [delegateBudgetGate, 'delegate', 'economics'],
  // With the facts of the caps, which decide whether a deposit helps.
  wallet_funding: [walletFundingGate, 'economics', 'liquidity', 'exposure', ...CAPACITY, 'catalogueUse'],
  onboarding_subsidy: [onboardingSubsidyGate, 'economics', 'subsidyAllocatedRaw'],
  definition_integrity: [definitionIntegrityGate, 'definitionIntact', 'chainJob'],
  open_exposure: [openExposureGate, 'exposure', ...CAPACITY],
  allowance: [allowanceGate, 'exposure'],
  catalogue_budget: [catalogueBudgetGate, 'catalogueUse'],
  chain_state: [chainStateGate, 'chainJob'],
  protocol_pause: [protocolPauseGate, 'paused', 'chainJob'],
}

/** Gates that two claims can race for; the reserving transaction repeats them on fresh facts. */
const RACING_GATES: readonly GateName[] = [
  'maintainer_policy',
  'delisted',
  'claim_state',
  'paid_source',
  'responsible_person',
  'open_pr_cap',
  'delegate_budget',
  'wallet_funding',
  'onboarding_subsidy',
  'open_exposure',
  'allowance',
  'catalogue_budget',
]

/** Gates that say whether a wallet may do the work of a job at all. */
const ADMISSION_GATES: readonly GateName[] = [
  'delisted',
  'claim_state',
  'own_posting',
  'earning_identity',
  'designated_claimants',
  'tier',
  'role',
  'paid_source',
  'open_exposure',
]

/** Of the claim state only these refuse the work: the claim on chain decides the rest. */
const ADMISSION_STATES: ReadonlySet<BlockerCode> = new Set(['retry_limit_exhausted', 'designated_claimants_only'])

/** Evaluation of one job and one wallet, for list, definition, preflight, explain, recommendations and claim. */
export interface Evaluation {
  /** True without a blocker among the known facts. */
  eligible: boolean
  /** Code of the first blocker, else the positive reason of the claim state. */
  reason: BlockerCode | ClaimReason
  /** Complete and ordered. */
  blockers: Blocker[]
  claimStatus: ClaimStatus
  fundingState: FundingState | null
  assessment: Assessment
}

const runGates = (assessment: Assessment, names: readonly GateName[]): Blocker[] =>
  names.flatMap((name) => GATE_OF[name][0](assessment) ?? [])

const isClaimReason = (code: string): code is ClaimReason => (CLAIM_REASONS as readonly string[]).includes(code)

/** Reason of the first blocker that claim status has a reason for, else that of the claim state. */
const statusReason = ({ claimState }: Assessment, blockers: readonly Blocker[]): ClaimReason =>
  blockers.map((found): string => found.code).find(isClaimReason) ?? claimState.reason

/** Evaluates the facts; an unread fact never refuses. */
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
    assessment,
  }
}

/** Error of a claim that a blocker refuses. */
export const refusalOf = (found: Blocker): ServiceError =>
  new ServiceError(refusalCode(found.code), {
    detail: found.message,
    ...(refusalCode(found.code) !== found.code && { reason: found.code }),
    ...(found.reason !== undefined && { reason: found.reason }),
    details: found.details,
    retryAfterSeconds: found.retryAfterSeconds,
    nextActions: found.nextActions,
  })

const assertRead = (facts: EligibilityFacts): void => {
  const unread = unreadFacts(facts)
  if (unread.length > 0) throw new Error(`a claim was about to be decided without reading: ${unread.join(', ')}`)
}

/**
 * First blocker that is certain on the facts read so far: neither its gate nor an earlier one depends on an unread fact. So a claim is
 * refused before the service reads wallet and chain.
 */
export const certainRefusal = ({ assessment }: Evaluation): Blocker | null => {
  const unread = new Set(unreadFacts(assessment.facts))
  for (const name of GATES) {
    const [, ...facts] = GATE_OF[name]
    if (facts.some((fact) => unread.has(fact))) return null
    const [found] = runGates(assessment, [name])
    if (found !== undefined) return found
  }
  return null
}

/** Throws the error of the first blocker. Throws Error when a fact is unread. */
export const assertClaimable = (evaluation: Evaluation): void => {
  assertRead(evaluation.assessment.facts)
  const [first] = evaluation.blockers
  if (first !== undefined) throw refusalOf(first)
}

/** First blocker among the racing gates, or null. The reserving transaction assesses facts read under its locks, and the admission's chain facts. */
export const recheckRacing = (assessment: Assessment): Blocker | null => {
  assertRead(assessment.facts)
  return runGates(assessment, RACING_GATES)[0] ?? null
}

/**
 * Why the wallet may not do the work of a claim that it made on chain itself; null where it may. A blocker that a later repeat can pass does not
 * count, such as an unreadable fact.
 */
export const findAdmissionBlocker = (assessment: Assessment): Blocker | null =>
  runGates(assessment, ADMISSION_GATES).find(
    ({ gate, code, retryable }) => !retryable && (gate !== 'claim_state' || ADMISSION_STATES.has(code)),
  ) ?? null
