import { readExpectedOutputs } from '../../activities/catalogue/expected-outputs.ts'
import { bankReading } from '../../activities/catalogue/inventory.ts'
import { findJob } from '../../activities/catalogue/jobs.ts'
import { readScores } from '../../activities/reputation/ledger.ts'
import { amountText } from '../../domain/common/money.ts'
import { claimBond, gasRetainedRaw } from '../../domain/eligibility/claim-economics.ts'
import { type Claimant, readerOf } from '../../domain/eligibility/claimant.ts'
import { isAnswerPublic, servedJob } from '../../domain/eligibility/views/definition.ts'
import { tierLadder, walletTierLadder } from '../../domain/reputation/tiers.ts'
import { JOB_SCHEMAS, jobSchemaIndex } from '../../schemas/catalogue/job-schemas/registry.ts'
import type * as catalogueOperations from '../../schemas/catalogue/operations.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Principal } from '../../schemas/identity/authorisation.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { createOutageReader } from './inventory.ts'
import { jobPage, jobsPage } from './page.ts'
import { createCataloguePages } from './pages.ts'

/** Public reads of jobs, tiers and job schemas. */
export const createCatalogueHandlers = (deps: ApiDeps): HandlersOf<typeof catalogueOperations> => {
  const { database, evaluations, clock, baseUrl, chain, readPoster } = deps
  const pages = createCataloguePages(deps)

  const isListed = (job: JobRecord): boolean =>
    job.lifecycleStatus === 'open' && job.delistedAt === null && (job.staleAt === null || job.staleAt > clock.now())

  const assertMaySeeArchived = (caller: Principal | null): void => {
    if (caller === null) throw new ServiceError('missing_token')
    if (!caller.roles.includes('admin')) throw new ServiceError('missing_role', { details: { requiredRole: 'admin' } })
  }

  /** One job in detail; for a wallet with chain facts, so that it agrees with a preflight. */
  const servedDefinition = async (jobId: string, { wallet, grantId }: Claimant<string | null>, includeArchived: boolean) => {
    const job = await findJob(database.rows, jobId)
    if (job === null || !(includeArchived || isListed(job))) throw new ServiceError('job_not_found', { details: { jobId } })
    const evaluation = await (wallet === null ? evaluations.evaluateListing(job) : evaluations.evaluateJob(jobId, { wallet, grantId }))
    // Only an admin asks for archived jobs.
    const mayRead = includeArchived || isAnswerPublic(evaluation)
    const [outputs, poster] = await Promise.all([mayRead ? readExpectedOutputs(database.rows, jobId) : [], readPoster(job)])
    return servedJob(evaluation, baseUrl, { outputs, poster })
  }

  const readOutage = createOutageReader(deps)

  /** Reward, bond and what is kept for gas of a claim without the waiver, in words. */
  const priceOf = async ({ rewardAmountRaw, rewardAsset }: { rewardAmountRaw: string; rewardAsset: string }) => {
    const { reading } = await bankReading(deps.database.rows, deps)
    const inUnits = (raw: bigint) => amountText(raw, { decimals: chain.asset.decimals, symbol: rewardAsset })
    const rewardRaw = BigInt(rewardAmountRaw)
    // The failed read is logged where it happens.
    const policy = await deps.liveReads.bondPolicy().catch(() => null)
    const gas = policy === null ? 'unknown: the chain was not read' : inUnits(gasRetainedRaw(rewardRaw, policy, true, false))
    return { reward: inUnits(rewardRaw), bond: reading === null ? null : inUnits(claimBond(rewardRaw, reading, false).lockRaw), gas }
  }

  return {
    listJobs: async ({ query, caller, request }) => {
      const { wallet, grantId } = readerOf(query.wallet, caller)
      const asked = { ...query, wallet: wallet ?? undefined, grantId }
      if (!request.accept.prefersPage) return pages.list(asked, request.countBuild)
      const answer = await pages.list({ ...asked, format: 'compact' }, request.countBuild)
      return { ...answer, page: async () => jobsPage(answer.body, query, await readOutage()) }
    },

    getJobDefinition: async ({ query, caller, request }) => {
      const includeArchived = query.includeArchived === true
      if (includeArchived) assertMaySeeArchived(caller)
      const reader = readerOf(query.wallet, caller)
      if (reader.wallet !== null) await request.countBuild()
      const job = await servedDefinition(query.jobId, reader, includeArchived)
      const asPage = async () => jobPage(job, await priceOf(job), { outage: await readOutage(), baseUrl })
      return { status: 200, body: job, page: asPage }
    },

    getJobTiers: async ({ caller }) => {
      if (caller === null) return { status: 200, body: tierLadder() }
      return { status: 200, body: walletTierLadder(caller.wallet, await readScores(database.rows, caller.wallet)) }
    },

    listJobSchemas: async () => {
      const schemas = jobSchemaIndex()
      return { status: 200, body: { schemas, count: schemas.length, docs: '/docs' } }
    },

    getJobSchema: async ({ params }) => {
      const schema = JOB_SCHEMAS.get(params.name)
      if (schema === undefined) throw new ServiceError('schema_not_found', { details: { name: params.name } })
      return { status: 200, body: { ...schema } }
    },
  }
}
