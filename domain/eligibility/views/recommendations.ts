import { knownValue } from '../../common/fact.ts'
import { iso } from '../../common/instants.ts'
import { rawAndDisplay } from '../../common/money.ts'
import { pick } from '../../common/pick.ts'
import { tierOf } from '../../reputation/tiers.ts'
import { gasRetentionView } from '../../sessions/economics-view.ts'
import type { Assessment } from '../assessment.ts'
import type { Evaluation } from '../evaluate.ts'
import type { GateName } from '../gates/blocker.ts'
import { priorityWindowView } from '../priority-window.ts'
import { getEconomics, PREFERRED_CATEGORY, requireRead } from './preflight.ts'

/** Number of newest open jobs per unlocked tier that the ranking covers. */
export const RANKED_JOBS_PER_TIER = 1000
/** Number of newest open jobs of the next locked tier that are compared, and of them shown. */
export const LOCKED_JOBS = { compared: 200, shown: 10 }

/** Gates that the wallet cannot pass by anything it does. */
const FINAL_GATES: readonly GateName[] = ['delisted', 'claim_state', 'designated_claimants']

/** Whether the wallet can win a claim of the job, now or once what is missing is there. */
const canBeWon = ({ blockers }: Evaluation): boolean => !blockers.some(({ gate }) => FINAL_GATES.includes(gate))

interface FitPart {
  points: number
  met: boolean
  text: string
}

const levelFits = ({ facts, tierGate }: Assessment): boolean => {
  const walletTier = tierOf(tierGate?.has.skill ?? 0)
  return walletTier === 'elite' || (walletTier === 'starter' && facts.job.definition.tier === 'starter')
}

const lockFits = (assessment: Assessment): boolean => {
  const { lockRaw } = getEconomics(assessment)
  const liquidity = knownValue(assessment.facts.liquidity)
  return lockRaw === 0n || (liquidity !== undefined && liquidity.spendableRaw >= lockRaw)
}

const fitParts = (assessment: Assessment): FitPart[] => {
  const { category } = assessment.facts.job.definition
  return [
    { points: 30, met: category === PREFERRED_CATEGORY, text: `${category} is a preferred category` },
    { points: 30, met: true, text: 'the verifier mode is supported' },
    { points: 20, met: levelFits(assessment), text: 'the tier suits the wallet' },
    { points: 20, met: lockFits(assessment), text: 'the bond is covered' },
  ]
}

/** Sentences about the skill that the wallet lacks for the tier and the role of a job. */
const missingSkill = ({ tierGate, roleGate }: Assessment): string[] => {
  const missingTier = tierGate?.missing.skill
  const missingRole = roleGate?.missing.skill
  return [
    ...(missingTier === undefined ? [] : [`Earn ${missingTier} more skill to unlock ${tierGate?.tier} jobs.`]),
    ...(missingRole === undefined ? [] : [`Earn ${missingRole} more skill to take the role of ${roleGate?.role}.`]),
  ]
}

/** Sentences about how the wallet can remove each blocker; none for a pause, which the wallet cannot end. */
const unlockHints = ({ blockers, assessment }: Evaluation): string[] => [
  ...missingSkill(assessment),
  ...blockers
    .filter(({ gate }) => gate !== 'tier' && gate !== 'role' && gate !== 'protocol_pause')
    .flatMap((found) => found.nextActions.map((action) => action.description)),
]

/** Why a job stands in the list: what suits the wallet, or of a job whose tier or role is locked, what it needs. */
const explanationOf = (assessment: Assessment): string => {
  const missing = missingSkill(assessment)
  if (missing.length > 0) return `This job is locked. ${missing.join(' ')}`
  const fitting = fitParts(assessment).filter((part) => part.met)
  return `This job fits because ${fitting.map((part) => part.text).join(', ')}.`
}

/** One row of `GET /jobs/recommendations`. Throws 502 `claim_economics_unavailable` when the economics of the job are not known. */
export const recommendationRow = (evaluation: Evaluation) => {
  const { assessment } = evaluation
  const { job } = assessment.facts
  const economics = getEconomics(assessment)
  const fitting = fitParts(assessment).filter((part) => part.met)
  const priorityWindow = priorityWindowView(job, assessment.policy.priority)
  return {
    jobId: job.id,
    fitScore: fitting.reduce((sum, part) => sum + part.points, 0),
    ...rawAndDisplay({ netReward: economics.netRewardRaw }, economics.asset.decimals),
    gasRetentionSupported: economics.gasRetentionSupported,
    gasRetention: gasRetentionView(economics),
    eligible: evaluation.eligible,
    blockers: evaluation.blockers,
    ...pick(job.definition, 'tier', 'jobType', 'requiredRole'),
    tierGate: requireRead(assessment.tierGate, 'scores'),
    roleGate: requireRead(assessment.roleGate, 'scores'),
    explanation: explanationOf(assessment),
    unlockHints: [...new Set(unlockHints(evaluation))],
    listedAt: iso(job.listedAt),
    ...(priorityWindow !== undefined && { priorityWindow }),
  }
}
export type Recommendation = ReturnType<typeof recommendationRow>

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Jobs that can be claimed, then those of unlocked tiers with a blocker, then those of a locked tier. */
const groupOf = ({ eligible, tierGate }: Recommendation): number => (eligible ? 0 : tierGate.unlocked ? 1 : 2)

/** Claimable jobs first; in each group the best fit, then the higher net reward, then the job id. */
export const byFit = (left: Recommendation, right: Recommendation): number => {
  if (groupOf(left) !== groupOf(right)) return groupOf(left) - groupOf(right)
  if (left.fitScore !== right.fitScore) return right.fitScore - left.fitScore
  const byReward = BigInt(right.netRewardRaw) - BigInt(left.netRewardRaw)
  if (byReward !== 0n) return byReward > 0n ? 1 : -1
  return compareText(left.jobId, right.jobId)
}

/** Ranked rows of the unlocked tiers, then the best of the next locked tier. Jobs that cannot be won are left out. */
export const rankRecommendations = (unlocked: readonly Evaluation[], locked: readonly Evaluation[]): Recommendation[] => {
  const ranked = (evaluations: readonly Evaluation[]) => evaluations.filter(canBeWon).map(recommendationRow).sort(byFit)
  return [...ranked(unlocked), ...ranked(locked).slice(0, LOCKED_JOBS.shown)]
}

/** Body of `GET /jobs/recommendations`; `ranked` names the jobs that the ranking covers. */
export const recommendationsView = (recommendations: Recommendation[], limit: number, nextCursor: string | null) => ({
  recommendations,
  limit,
  nextCursor,
  ranked: `The newest ${RANKED_JOBS_PER_TIER} open jobs of each unlocked tier, then up to ${LOCKED_JOBS.shown} of the next locked tier.`,
})
