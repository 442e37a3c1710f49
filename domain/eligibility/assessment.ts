import { knownValue } from '../common/fact.ts'
import { countingTier } from '../locked-deposits/tiers.ts'
import { type RoleGate, roleGate, type TierGate, tierGate } from '../reputation/tiers.ts'
import { type ClaimStateDecision, claimStateOf } from './claim-state.ts'
import {
  allowanceValve,
  bankShareRaw,
  catalogueBudgetValve,
  claimExposureRaw,
  dailyExposureValve,
  externalCeilingValve,
  lifetimeCreditValve,
  notApplicable,
  type OnboardingSubsidy,
  onboardingSubsidy,
  openExposureValve,
  unavailableValve,
  type Valve,
  type VestedCapacity,
  vestedCapacity,
} from './exposure.ts'
import type { EligibilityFacts, EligibilityPolicy } from './facts.ts'
import { type PriorityDecision, priorityDecision } from './priority-window.ts'

/** Input of every gate and every view, computed once. Null where a fact was not read. */
export interface Assessment {
  facts: EligibilityFacts
  policy: EligibilityPolicy
  claimState: ClaimStateDecision
  priority: PriorityDecision
  tierGate: TierGate | null
  roleGate: RoleGate | null
  capacity: VestedCapacity | null
  openExposure: Valve | null
  /** Evidence only: rolling window and lifetime credit, even where the allowance uses the other one. */
  dailyExposure: Valve | null
  catalogueAccess: Valve | null
  allowance: Valve | null
  catalogueBudget: Valve | null
  subsidy: OnboardingSubsidy | null
}

/** Platform-funded jobs are claimed and paid for by the operator's signer. */
export const isBrokered = ({ job }: Pick<EligibilityFacts, 'job'>): boolean => job.postingRoute === 'curated'

/** Base units this claim would put at risk. */
const candidateRaw = ({ facts, policy }: { facts: EligibilityFacts; policy: EligibilityPolicy }): bigint =>
  claimExposureRaw(facts.job.rewardRaw, isBrokered(facts), policy.limits)

const DESIGNATED = notApplicable('designated_claimants_job')
const NO_ALLOWANCE = notApplicable('external_job_has_no_catalogue_allowance')
const NO_BUDGET = notApplicable('external_job_has_no_catalogue_budget')

/** Share of the bank by the tier of the wallet; null while a fact that decides it is unread. A holder of t90 that owes anything counts as Flex. */
const bankShareOf = ({ locks, rewardBank, priority: { outstandingCreditRaw } }: EligibilityFacts): bigint | null => {
  const held = knownValue(locks)
  if (held === undefined || rewardBank === 'unknown') return null
  if (held.tier === 't90' && outstandingCreditRaw === 'unknown') return null
  return bankShareRaw(countingTier(held.tier, knownValue(outstandingCreditRaw)), rewardBank)
}

const capacityOf = (facts: EligibilityFacts, policy: EligibilityPolicy): VestedCapacity | null => {
  // A deposit can only raise a cap. An unreadable deposit raises nothing; with an unread one the cap is unknown.
  const shareRaw = policy.tierPerksEnabled ? bankShareOf(facts) : 0n
  if (shareRaw === null) return null
  if (facts.vestedRaw === 'unreadable') return vestedCapacity(0n, policy.limits, shareRaw)
  const vestedRaw = knownValue(facts.vestedRaw)
  return vestedRaw === undefined ? null : vestedCapacity(vestedRaw, policy.limits, shareRaw)
}

const exposureValveOf = (facts: EligibilityFacts, policy: EligibilityPolicy, capacity: VestedCapacity | null): Valve | null => {
  if (facts.job.designatedClaimants !== null) return DESIGNATED
  if (!isBrokered(facts)) return capacity && externalCeilingValve(facts.job.rewardRaw, capacity, policy.limits)
  if (facts.exposure === 'unreadable') return unavailableValve('worker_open_exposure_unavailable')
  const use = knownValue(facts.exposure)
  return use && capacity ? openExposureValve(use, candidateRaw({ facts, policy }), capacity, policy.limits) : null
}

/** With an unreadable deposit the base cap still lets a claim pass, but refuses none for good: the deposit might raise it. */
const openExposureOf = (facts: EligibilityFacts, policy: EligibilityPolicy, capacity: VestedCapacity | null): Valve | null => {
  const valve = exposureValveOf(facts, policy, capacity)
  return facts.vestedRaw === 'unreadable' && valve?.refusal ? unavailableValve('worker_open_exposure_unavailable') : valve
}

type WalletValve = typeof allowanceValve

const walletValve = (facts: EligibilityFacts, policy: EligibilityPolicy, valve: WalletValve): Valve | null => {
  if (facts.job.designatedClaimants !== null) return DESIGNATED
  if (!isBrokered(facts)) return NO_ALLOWANCE
  if (facts.exposure === 'unreadable') return unavailableValve('daily_exposure_budget_unavailable')
  const use = knownValue(facts.exposure)
  return use ? valve(use, candidateRaw({ facts, policy }), policy.limits, facts.now) : null
}

const catalogueBudgetOf = (facts: EligibilityFacts, policy: EligibilityPolicy): Valve | null => {
  if (facts.job.designatedClaimants !== null) return DESIGNATED
  if (!isBrokered(facts)) return NO_BUDGET
  if (facts.catalogueUse === 'unreadable') return unavailableValve('catalogue_daily_budget_unavailable')
  const use = knownValue(facts.catalogueUse)
  return use ? catalogueBudgetValve(use, candidateRaw({ facts, policy }), policy.limits, facts.now) : null
}

const subsidyOf = (facts: EligibilityFacts, policy: EligibilityPolicy): OnboardingSubsidy | null => {
  const economics = knownValue(facts.economics)
  const allocatedRaw = knownValue(facts.subsidyAllocatedRaw)
  if (economics === undefined || allocatedRaw === undefined) return null
  return onboardingSubsidy(economics, allocatedRaw, policy.limits, facts.now)
}

/** Computes the input of every gate from the facts. */
export const assess = (facts: EligibilityFacts, policy: EligibilityPolicy): Assessment => {
  const scores = knownValue(facts.scores)
  const capacity = capacityOf(facts, policy)
  return {
    facts,
    policy,
    claimState: claimStateOf(facts, policy.funding),
    priority: priorityDecision(facts.job, facts.priority, policy.priority, facts.now),
    tierGate: scores ? tierGate(facts.job.definition.tier, scores) : null,
    roleGate: scores ? roleGate(facts.job.definition.requiredRole, scores) : null,
    capacity,
    openExposure: openExposureOf(facts, policy, capacity),
    dailyExposure: walletValve(facts, policy, dailyExposureValve),
    catalogueAccess: walletValve(facts, policy, lifetimeCreditValve),
    allowance: walletValve(facts, policy, allowanceValve),
    catalogueBudget: catalogueBudgetOf(facts, policy),
    subsidy: subsidyOf(facts, policy),
  }
}
