import { z } from 'zod'
import { listOpenJobs } from '../../activities/catalogue/lists.ts'
import { readNativeGas } from '../../activities/chain/native-gas.ts'
import { readScores } from '../../activities/reputation/ledger.ts'
import { workerGasView } from '../../domain/chain/native-gas.ts'
import { type Assessment, isBrokered } from '../../domain/eligibility/assessment.ts'
import { type Claimant, claimantOf } from '../../domain/eligibility/claimant.ts'
import { servedJob } from '../../domain/eligibility/views/definition.ts'
import { estimateView } from '../../domain/eligibility/views/estimate.ts'
import { explainView, getEconomics, maintainerView, preflightView } from '../../domain/eligibility/views/preflight.ts'
import {
  LOCKED_JOBS,
  RANKED_JOBS_PER_TIER,
  rankRecommendations,
  recommendationsView,
} from '../../domain/eligibility/views/recommendations.ts'
import { tierSkill } from '../../domain/reputation/tiers.ts'
import { TIERS, type Tier } from '../../schemas/common/tiers.ts'
import type * as eligibilityOperations from '../../schemas/eligibility/operations.ts'
import type { WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { listPage } from '../http/pagination.ts'

const RankPosition = z.object({ rank: z.int().min(0) })

/** What a wallet may claim, why not, and what it would earn: views of one evaluation. */
export const createEligibilityHandlers = (deps: ApiDeps): HandlersOf<typeof eligibilityOperations> => {
  const { database, evaluations, clients, chain, clock, baseUrl, readPoster } = deps

  /** Gas that the worker of a posted job pays itself; nothing of a job that the operator claims. */
  const readWorkerGas = async (assessment: Assessment, wallet: string) =>
    isBrokered(assessment.facts) ? {} : { workerGas: workerGasView(await readNativeGas(clients, chain, wallet)) }

  const estimate = async (jobId: string, caller: WalletPrincipal) => {
    const { assessment } = await evaluations.evaluateJob(jobId, claimantOf(caller))
    const view = estimateView(jobId, caller.wallet, getEconomics(assessment))
    return { status: 200 as const, body: { ...view, ...(await readWorkerGas(assessment, caller.wallet)) } }
  }

  const rankedJobs = async (claimant: Claimant) => {
    const { skill } = await readScores(database.rows, claimant.wallet)
    const newestOf = (tier: Tier, limit: number) => listOpenJobs(database.rows, { tier }, { now: clock.now(), limit, after: null })
    const nextLocked = TIERS.find((tier) => skill < tierSkill(tier))
    const [locked, ...unlocked] = await Promise.all([
      nextLocked === undefined ? [] : newestOf(nextLocked, LOCKED_JOBS.compared),
      ...TIERS.filter((tier) => skill >= tierSkill(tier)).map((tier) => newestOf(tier, RANKED_JOBS_PER_TIER)),
    ])
    const evaluated = await evaluations.rankJobs([...locked, ...unlocked.flat()], claimant)
    return rankRecommendations(evaluated.slice(locked.length), evaluated.slice(0, locked.length))
  }

  return {
    recommendJobs: async ({ query, caller }) => {
      const page = listPage({ ...query, operationId: 'recommendJobs', filters: { wallet: caller.wallet }, position: RankPosition })
      const rows = await rankedJobs(claimantOf(caller))
      const from = page.after === null ? 0 : page.after.rank + 1
      const ranked = rows.slice(from, from + page.readLimit).map((row, index) => ({ row, rank: from + index }))
      const cut = page.cut(ranked, ({ rank }) => ({ rank }))
      const shown = cut.rows.map(({ row }) => row)
      return { status: 200, body: recommendationsView(shown, cut.limit, cut.nextCursor) }
    },

    preflightJob: async ({ query, caller }) => {
      const evaluation = await evaluations.evaluateJob(query.jobId, claimantOf(caller))
      const { job } = evaluation.assessment.facts
      const [poster, gas] = await Promise.all([readPoster(job), readWorkerGas(evaluation.assessment, caller.wallet)])
      const view = preflightView(evaluation, servedJob(evaluation, baseUrl, { poster }))
      return { status: 200, body: { ...view, ...gas, ...maintainerView(evaluation.assessment) } }
    },

    explainEligibility: async ({ query, caller }) => {
      const evaluation = await evaluations.evaluateJob(query.jobId, claimantOf(caller))
      return { status: 200, body: explainView(evaluation, servedJob(evaluation, baseUrl)) }
    },

    estimateReward: ({ query, caller }) => estimate(query.jobId, caller),
    estimateJobReward: ({ params, caller }) => estimate(params.id, caller),
  }
}
