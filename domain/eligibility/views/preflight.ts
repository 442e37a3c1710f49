import { explainEligibility } from '../../../schemas/eligibility/operations.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { knownValue } from '../../common/fact.ts'
import { iso, isoOrNull } from '../../common/instants.ts'
import { assetAmount } from '../../common/money.ts'
import { needsResponsiblePerson, strictestStatement } from '../../pull-requests/policy/standing.ts'
import { tierOf } from '../../reputation/tiers.ts'
import type { Assessment } from '../assessment.ts'
import type { ClaimEconomics } from '../claim-economics.ts'
import { DEADLINE_RULES } from '../deadline-rules.ts'
import type { Evaluation } from '../evaluate.ts'
import { type VestedCapacity, vestedCapacity } from '../exposure.ts'
import type { GateName } from '../gates/blocker.ts'
import { priorityWindowView } from '../priority-window.ts'
import { capView, nextRaise } from '../progression.ts'
import { claimMoneyView } from './claim-money.ts'
import type { ServedJob } from './definition.ts'

/** Category that counts as preferred: wallets have no profile yet, and every verifier mode is supported. */
export const PREFERRED_CATEGORY = 'coding'

/** Parts of the served job definition that a preflight repeats. */
export type DefinitionParts = Pick<ServedJob, 'lifecycle' | 'submissionContract' | 'verificationContract' | 'disclosure' | 'poster'>

/** Ways in which a claim can still fail after an eligible preflight. */
const POSSIBLE_FAILURES = [
  'verifier_timeout',
  'submission_rejected',
  'dispute_opened',
  'insufficient_liquidity',
  'onboarding_subsidy_exhausted',
  'paused_system',
]

const CATALOGUE_GATES: readonly GateName[] = ['delisted', 'claim_state', 'designated_claimants', 'tier', 'role', 'priority_window']

/** Value that every evaluation for a wallet has; throws Error when the caller did not read it. */
export const requireRead = <T>(value: T | null, name: string): T => {
  if (value === null) throw new Error(`a wallet's answer was about to be written without reading: ${name}`)
  return value
}

/** Economics of the evaluation. Throws `claim_economics_unavailable`: a failed read never becomes a zero. */
export const getEconomics = ({ facts }: Assessment): ClaimEconomics => {
  const economics = knownValue(facts.economics)
  if (economics === undefined) throw new ServiceError('claim_economics_unavailable', { details: { jobId: facts.job.id } })
  return economics
}

const verdictView = ({ blockers, assessment, eligible, reason }: Evaluation) => {
  const [first] = blockers
  return {
    wallet: requireRead(assessment.facts.wallet, 'wallet'),
    jobId: assessment.facts.job.id,
    catalogEligible: !blockers.some((found) => CATALOGUE_GATES.includes(found.gate)),
    eligible,
    reason,
    ...(first !== undefined && { reasonMessage: first.message }),
    blockers,
    failureStates: [...new Set([...POSSIBLE_FAILURES, ...blockers.map((found) => found.code)])],
  }
}

const contractView = ({ facts }: Assessment, parts: DefinitionParts) => {
  const { definition } = facts.job
  return {
    requiredOutputSchema: definition.outputSchemaRef,
    submissionContract: parts.submissionContract,
    deadlineRules: [...DEADLINE_RULES],
    verificationContract: parts.verificationContract,
    verifierMode: definition.verifierMode,
    verifierConfig: definition.verifierConfig,
    verifierHandler: definition.verifierConfig.handler,
    supportsVerifier: true,
    ...(parts.disclosure !== undefined && { disclosure: parts.disclosure }),
    ...(parts.poster !== undefined && { poster: parts.poster }),
  }
}

const gatesView = (assessment: Assessment, parts: DefinitionParts) => {
  const { definition, designatedClaimants } = assessment.facts.job
  const tierGate = requireRead(assessment.tierGate, 'scores')
  return {
    tier: definition.tier,
    tierGate,
    jobType: definition.jobType,
    requiredRole: definition.requiredRole,
    roleGate: requireRead(assessment.roleGate, 'scores'),
    progressionValvesBypassed: designatedClaimants !== null,
    preferredCategory: definition.category === PREFERRED_CATEGORY,
    reputationTier: tierOf(tierGate.has.skill),
    lifecycle: parts.lifecycle,
  }
}

/** What is recorded of the maintainers of the job's repository, and its open pull requests; nothing of a job whose maintainers are not asked. */
export const maintainerView = ({ facts }: Assessment) => {
  const maintainers = knownValue(facts.maintainers)
  if (!maintainers) return {}
  const { policy, capacity } = maintainers
  const { verdict = null, path = null, quote = null } = strictestStatement(maintainers) ?? {}
  return {
    ...(capacity !== null && { openPullRequests: capacity }),
    maintainers: {
      verdict,
      path,
      quote,
      responsiblePersonRequired: needsResponsiblePerson(maintainers),
      forbidsTrailers: policy?.forbidsTrailers ?? false,
      readAt: isoOrNull(policy?.readAt ?? null),
    },
  }
}

/** Claim status with its copies at the top level, except `reason` and `claimNumber`, which preflight has itself. */
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
  const dailyExposure = requireRead(assessment.dailyExposure, 'exposure').evidence
  return {
    jobDefinitionIntegrity: integrityView(evaluation),
    workerExposure: requireRead(assessment.openExposure, 'exposure').evidence,
    dailyExposure,
    dailyExposureRemaining: dailyExposure.remaining ?? null,
    dailyExposureRemainingRaw: dailyExposure.remainingRaw ?? null,
    dailyAllowance: requireRead(assessment.allowance, 'exposure').evidence,
    catalogueAccess: requireRead(assessment.catalogueAccess, 'exposure').evidence,
    catalogueDailyBudget: requireRead(assessment.catalogueBudget, 'catalogueUse').evidence,
    delisted: job.delistedAt !== null,
    delistedAt: isoOrNull(job.delistedAt),
    delistReason: job.delistReason,
  }
}

/** Body of `GET /jobs/preflight`. */
export const preflightView = (evaluation: Evaluation, parts: DefinitionParts) => ({
  ...verdictView(evaluation),
  ...claimMoneyView(evaluation.assessment),
  ...contractView(evaluation.assessment, parts),
  ...gatesView(evaluation.assessment, parts),
  ...claimStatusView(evaluation),
  ...safetyView(evaluation),
})
export type Preflight = ReturnType<typeof preflightView>

const EXPLANATION = explainEligibility.responses[200].shape
type Explained = keyof typeof EXPLANATION & keyof Preflight

/** Members of the preflight that the explanation repeats. */
const explainedMembers = (preflight: Preflight): Pick<Preflight, Explained> =>
  Object.fromEntries(Object.entries(preflight).filter(([name]) => name in EXPLANATION)) as Pick<Preflight, Explained>

const ceilingSource = ({ vestedRaw }: VestedCapacity): string => (vestedRaw > 0n ? 'base_and_vested_deposit' : 'base')

/** Binding cap of this job and wallet: capital ceiling of an external job, else open exposure; base caps while vesting is unread. */
const bindingCapView = ({ facts, policy, capacity: read }: Assessment) => {
  const capacity = read ?? vestedCapacity(0n, policy.limits, 0n)
  const exposure = knownValue(facts.exposure)
  const external = facts.job.postingRoute === 'external-direct'
  const raw = external ? capacity.externalRewardCeilingRaw : capacity.openExposureCapRaw
  return {
    currentCap: capView(raw, external ? ceilingSource(capacity) : capacity.openExposureSource, policy.limits),
    capSource: {
      gate: external ? 'external_reward_ceiling' : 'worker_open_exposure',
      tier: facts.job.definition.tier,
      tierLabel: 'claim tier',
      deposit: {
        vested: assetAmount(capacity.vestedRaw, policy.limits.asset),
        perJobRaise: assetAmount(capacity.externalRewardCeilingRaiseRaw, policy.limits.asset),
        concurrentRaise: assetAmount(capacity.openExposureRaiseRaw, policy.limits.asset),
      },
    },
    nextRaise: exposure === undefined ? null : nextRaise(exposure, policy.limits),
  }
}

/** Body of `GET /jobs/explain-eligibility`: members of the preflight, the binding cap and its next raise. */
export const explainView = (evaluation: Evaluation, parts: DefinitionParts) => ({
  ...explainedMembers(preflightView(evaluation, parts)),
  tierLabel: 'claim tier',
  ...bindingCapView(evaluation.assessment),
})
