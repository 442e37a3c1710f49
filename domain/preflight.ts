import { ServiceError } from '../schemas/errors.ts'
import type { VerifierMode } from '../schemas/job-definition.ts'
import { type ClaimEconomics, depositNeededRaw, economicsView, termsOf } from './claim-economics.ts'
import type { Assessment } from './eligibility/assessment.ts'
import type { GateName } from './eligibility/blocker.ts'
import { knownValue } from './eligibility/fact.ts'
import type { Liquidity } from './eligibility/facts.ts'
import type { Evaluation } from './eligibility.ts'
import { iso, isoOrNull } from './instants.ts'
import { floorSubtract, toDisplay } from './money.ts'
import { priorityWindowView } from './priority-window.ts'
import { tierOf } from './tiers.ts'

/** What a worker prefers; the defaults of a wallet that never said anything. */
export interface WorkerProfile {
  preferredCategories: readonly string[]
  verifierCompatibility: readonly VerifierMode[]
}

export const DEFAULT_PROFILE: WorkerProfile = {
  preferredCategories: ['coding'],
  verifierCompatibility: ['benchmark', 'deterministic', 'human_fallback', 'codehost_pr'],
}

/** Parts of the served job definition that a preflight repeats. */
export interface DefinitionParts {
  lifecycle: object
  submissionContract: object
  verificationContract: object
  disclosure?: object | undefined
}

/** Ways in which a claim can still fail after an eligible preflight. */
const STANDING_FAILURES = [
  'verifier_timeout',
  'submission_rejected',
  'dispute_opened',
  'insufficient_liquidity',
  'onboarding_subsidy_exhausted',
  'paused_system',
]

const CATALOGUE_GATES: readonly GateName[] = ['delisted', 'claim_state', 'designated_claimants', 'tier', 'role', 'priority_window']

/** Economics of the evaluation. Throws `claim_economics_unavailable`: a failed read never becomes a zero. */
export const requiredEconomics = ({ facts }: Assessment): ClaimEconomics => {
  const economics = knownValue(facts.economics)
  if (economics === undefined) throw new ServiceError('claim_economics_unavailable', { details: { jobId: facts.job.id } })
  return economics
}

const requiredLiquidity = ({ facts }: Assessment): Liquidity => {
  const liquidity = knownValue(facts.liquidity)
  if (liquidity === undefined) throw new ServiceError('blockchain_unavailable')
  return liquidity
}

/** Whether the profile can work with the job's verifier; it makes a preflight ineligible and never blocks a claim. */
export const supportsVerifier = (evaluation: Evaluation, profile: WorkerProfile): boolean =>
  profile.verifierCompatibility.includes(evaluation.assessment.facts.job.definition.verifierMode)

const verdictView = (evaluation: Evaluation, profile: WorkerProfile) => {
  const { blockers, assessment } = evaluation
  const supported = supportsVerifier(evaluation, profile)
  const unsupported = evaluation.eligible && !supported
  const message =
    blockers[0]?.message ?? (unsupported ? 'The profile of this wallet does not include the verifier mode of the job.' : undefined)
  return {
    wallet: assessment.facts.wallet,
    jobId: assessment.facts.job.id,
    catalogEligible: !blockers.some((found) => CATALOGUE_GATES.includes(found.gate)),
    eligible: evaluation.eligible && supported,
    reason: unsupported ? 'verifier_mode_not_supported' : evaluation.reason,
    ...(message !== undefined && { reasonMessage: message }),
    blockers,
    failureStates: [...new Set([...STANDING_FAILURES, ...blockers.map((found) => found.code)])],
  }
}

const moneyView = (assessment: Assessment) => {
  const economics = requiredEconomics(assessment)
  const liquidity = requiredLiquidity(assessment)
  const shortfallRaw = depositNeededRaw(economics.lockRaw, liquidity.spendableRaw)
  const display = (raw: bigint) => toDisplay(raw, economics.asset.decimals)
  return {
    ...economicsView(termsOf(economics)),
    netReward: display(economics.netRewardRaw),
    netRewardRaw: economics.netRewardRaw.toString(),
    availableLiquidity: display(liquidity.spendableRaw),
    availableLiquidityRaw: liquidity.spendableRaw.toString(),
    claimEconomicsWaiverScope: 'next_claim_projection',
    claimEconomicsSource: economics.source,
    claimFundingAsset: economics.asset.symbol,
    claimFundingSufficient: shortfallRaw === 0n,
    claimFundingShortfall: display(shortfallRaw),
    claimFundingShortfallRaw: shortfallRaw.toString(),
    strategyUnwindNeeded: shortfallRaw > 0n && liquidity.strategyAllocatedRaw > 0n,
    waiverClaimsPerWallet: economics.waiverClaimsPerWallet,
    waiverSlotsRemaining: Math.max(economics.waiverClaimsPerWallet - (economics.claimNumber - 1), 0),
    onboardingSubsidy: assessment.subsidy,
  }
}

const contractView = (evaluation: Evaluation, profile: WorkerProfile, parts: DefinitionParts) => {
  const { definition } = evaluation.assessment.facts.job
  return {
    requiredOutputSchema: definition.outputSchemaRef,
    submissionContract: parts.submissionContract,
    verificationContract: parts.verificationContract,
    verifierMode: definition.verifierMode,
    verifierConfig: definition.verifierConfig,
    verifierHandler: definition.verifierConfig.handler,
    supportsVerifier: supportsVerifier(evaluation, profile),
    ...(parts.disclosure !== undefined && { disclosure: parts.disclosure }),
  }
}

const gatesView = ({ facts, tierGate, roleGate }: Assessment, profile: WorkerProfile, parts: DefinitionParts) => {
  const { definition, designatedClaimants } = facts.job
  return {
    tier: definition.tier,
    tierGate,
    jobType: definition.jobType,
    requiredRole: definition.requiredRole,
    roleGate,
    progressionValvesBypassed: designatedClaimants !== null,
    preferredCategory: profile.preferredCategories.includes(definition.category),
    reputationTier: tierOf(tierGate?.has.skill ?? 0),
    lifecycle: parts.lifecycle,
  }
}

/** Claim status with its copies at the top level; `reason` and `claimNumber` are left out there, since preflight has its own. */
const claimStatusView = ({ claimStatus, fundingState, assessment }: Evaluation) => {
  const { reason: _reason, claimNumber: _claimNumber, ...copies } = claimStatus
  const { facts, policy, priority } = assessment
  const priorityWindow = priorityWindowView(facts.job, policy.priority)
  return {
    claimStatus,
    ...copies,
    fundingState,
    listedAt: iso(facts.job.listedAt),
    ...(priorityWindow !== undefined && { priorityWindow, openAt: priorityWindow.openAt }),
    priorityQualification: priority.view,
  }
}

const integrityStatus = ({ facts }: Assessment, failure: string | undefined): string => {
  if (failure !== undefined) return failure
  if (facts.chainJob === 'unreadable') return 'chain_unavailable_fail_open'
  const chainJob = knownValue(facts.chainJob)
  return chainJob && chainJob.state !== 'none' ? 'chain_verified' : 'not_on_chain'
}

const integrityView = ({ assessment, blockers }: Evaluation) => {
  const failure = blockers.find((found) => found.gate === 'definition_integrity')
  const status = integrityStatus(assessment, failure?.code)
  return {
    eligible: failure === undefined,
    applies: failure !== undefined || status === 'chain_verified',
    status,
    reason: failure?.message ?? null,
    specHash: assessment.facts.job.specHash,
  }
}

const safetyView = (evaluation: Evaluation) => {
  const { assessment } = evaluation
  const { job } = assessment.facts
  return {
    jobDefinitionIntegrity: integrityView(evaluation),
    workerExposure: assessment.openExposure?.evidence ?? null,
    dailyExposure: assessment.dailyExposure?.evidence ?? null,
    dailyExposureRemaining: assessment.dailyExposure?.evidence.remaining ?? null,
    dailyAllowance: assessment.allowance?.evidence ?? null,
    catalogueAccess: assessment.catalogueAccess?.evidence ?? null,
    catalogueDailyBudget: assessment.catalogueBudget?.evidence ?? null,
    delisted: job.delistedAt !== null,
    delistedAt: isoOrNull(job.delistedAt),
    delistReason: job.delistReason,
  }
}

/** Body of `GET /jobs/preflight`. Throws 502 `claim_economics_unavailable` or `blockchain_unavailable` when the money of the claim is not known. */
export const preflightView = (evaluation: Evaluation, parts: DefinitionParts, profile: WorkerProfile = DEFAULT_PROFILE) => ({
  ...verdictView(evaluation, profile),
  ...moneyView(evaluation.assessment),
  ...contractView(evaluation, profile, parts),
  ...gatesView(evaluation.assessment, profile, parts),
  ...claimStatusView(evaluation),
  ...safetyView(evaluation),
})
export type Preflight = ReturnType<typeof preflightView>

const EXPLAINED = [
  'jobId',
  'wallet',
  'tier',
  'lifecycle',
  'tierGate',
  'jobType',
  'requiredRole',
  'roleGate',
  'preferredCategory',
  'supportsVerifier',
  'verifierHandler',
  'eligible',
  'reason',
  'reasonMessage',
  'blockers',
  'claimable',
  'currentWalletCanClaim',
  'claimFundingAsset',
  'availableLiquidity',
  'availableLiquidityRaw',
  'totalClaimLock',
  'totalClaimLockRaw',
  'claimFundingSufficient',
  'claimFundingShortfall',
  'claimFundingShortfallRaw',
  'claimEconomicsWaived',
  'gasRetention',
  'onboardingSubsidy',
  'jobDefinitionIntegrity',
  'workerExposure',
  'dailyExposure',
  'dailyExposureRemaining',
] as const satisfies readonly (keyof Preflight)[]

const pick = <T extends object, K extends keyof T>(source: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.filter((key) => key in source).map((key) => [key, source[key]])) as Pick<T, K>

/** The cap that binds this job for this wallet: capital ceiling of an external job, else open exposure; null while vesting was not read. */
const capView = ({ facts, policy, capacity }: Assessment) => {
  if (capacity === null) return { currentCap: null, capSource: null, nextRaise: null }
  const external = facts.job.postingRoute === 'external-direct'
  const raw = external ? capacity.externalRewardCeilingRaw : capacity.openExposureCapRaw
  const { symbol, decimals } = policy.limits.asset
  const missing = toDisplay(floorSubtract(capacity.nextConcurrentRaiseVestedRaw, capacity.vestedRaw), decimals)
  const raised = toDisplay(capacity.openExposureCapRaw + policy.limits.vestedOpenExposureUnitRaw, decimals)
  return {
    currentCap: {
      asset: symbol,
      raw: raw.toString(),
      amount: toDisplay(raw, decimals),
      source: capacity.vestedRaw > 0n ? 'base_and_vested_deposit' : 'base',
    },
    capSource: {
      gate: external ? 'external_reward_ceiling' : 'worker_open_exposure',
      tier: facts.job.definition.tier,
      tierLabel: 'claim tier',
      deposit: {
        vestedRaw: capacity.vestedRaw.toString(),
        perJobRaiseRaw: capacity.externalRewardCeilingRaiseRaw.toString(),
        concurrentRaiseRaw: capacity.openExposureRaiseRaw.toString(),
      },
    },
    nextRaise: {
      action: 'deposit',
      effect: `${missing} ${symbol} more in vested deposits raise the open-exposure cap to ${raised} ${symbol}.`,
    },
  }
}

/** Body of `GET /jobs/explain-eligibility`: a projection of the same preflight, plus which cap binds and what would raise it. */
export const explainView = (evaluation: Evaluation, parts: DefinitionParts, profile: WorkerProfile = DEFAULT_PROFILE) => ({
  ...pick(preflightView(evaluation, parts, profile), EXPLAINED),
  tierLabel: 'claim tier',
  ...capView(evaluation.assessment),
})
