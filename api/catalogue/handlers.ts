import { findJob } from '../../activities/catalogue/jobs.ts'
import type { PageEntry } from '../../activities/eligibility/evaluate.ts'
import { isCapReached, openPullRequestCapacity, type RepositoryRoom, repositoryRoom } from '../../activities/pull-requests/records.ts'
import { scoresOf } from '../../activities/reputation/ledger.ts'
import { latestSessions } from '../../activities/sessions/records.ts'
import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { validateSubmissionAnswer, withoutRoom } from '../../domain/claims/validation-response.ts'
import { servedJob } from '../../domain/eligibility/views/job.ts'
import { tierLadder, walletTierLadder } from '../../domain/reputation/tiers.ts'
import { JOB_SCHEMAS, jobSchemaByRef, jobSchemaPath } from '../../schemas/catalogue/job-schemas/registry.ts'
import type * as jobOperations from '../../schemas/catalogue/operations.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Caller } from '../../schemas/identity/authorisation.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { createClaimHandler } from '../claims/claim.ts'
import { createSubmitHandler } from '../claims/submit.ts'
import type { WorkDeps } from '../deps-work.ts'
import { createCataloguePages } from './pages.ts'

/** Catalogue, eligibility and the two mutations of a worker. */
export const createJobHandlers = (deps: WorkDeps): HandlersOf<typeof jobOperations> => {
  const { database, evaluations, chain, clock, baseUrl, settings } = deps
  const pages = createCataloguePages(deps)

  const isListed = (job: JobRecord): boolean =>
    job.lifecycleStatus === 'open' && job.delistedAt === null && (job.staleAt === null || job.staleAt > clock.now())

  const assertMaySeeArchived = (caller: Caller | null): void => {
    if (caller === null) throw new ServiceError('missing_token')
    if (!caller.roles.includes('admin')) throw new ServiceError('missing_role', { details: { requiredRole: 'admin' } })
  }

  /** How full the repository is that this work would go to, by the claim that holds the job or by the job alone. */
  const roomFor = ({ definition }: JobRecord, session: SessionRecord | null, normalized: unknown): Promise<RepositoryRoom | null> => {
    const terms = { usualCap: settings.MAINTAINER_OPEN_PR_CAP, now: clock.now() }
    return session === null
      ? openPullRequestCapacity(database.rows, definition, terms)
      : repositoryRoom(database.rows, session, normalized, terms)
  }

  /** One job in detail: for a wallet with the chain's facts, so that it says of the wallet what a preflight says. */
  const detail = async (job: JobRecord, wallet: string | null): Promise<PageEntry> => {
    if (wallet !== null) return evaluations.one(job.id, wallet)
    const [entry] = await evaluations.page([job], null)
    if (entry === undefined) throw new Error('a page without its job')
    return entry
  }

  const servedDefinition = async (jobId: string, wallet: string | null, includeArchived: boolean) => {
    const job = await findJob(database.rows, jobId)
    if (job === null || !(includeArchived || isListed(job))) throw new ServiceError('job_not_found', { details: { jobId } })
    const { evaluation, latest } = await detail(job, wallet)
    return servedJob(evaluation, latest, chain, baseUrl)
  }

  return {
    listJobs: ({ query }) => pages.list(query),

    getJobDefinition: async ({ query, caller }) => {
      const includeArchived = query.includeArchived === true
      if (includeArchived) assertMaySeeArchived(caller)
      return { status: 200, body: await servedDefinition(query.jobId, query.wallet ?? null, includeArchived) }
    },

    getJobTiers: async ({ caller }) => {
      if (caller === null) return { status: 200, body: tierLadder() }
      return { status: 200, body: walletTierLadder(caller.wallet, await scoresOf(database.rows, caller.wallet)) }
    },

    listJobSchemas: async () => {
      const schemas = [...JOB_SCHEMAS].map(([name, schema]) => ({
        $id: `schema://jobs/${name}`,
        description: schema.description,
        path: jobSchemaPath(name),
      }))
      return { status: 200, body: { schemas, count: schemas.length, docs: '/docs' } }
    },

    getJobSchema: async ({ params }) => {
      const schema = JOB_SCHEMAS.get(params.name)
      if (schema === undefined) throw new ServiceError('schema_not_found', { details: { name: params.name } })
      return { status: 200, body: { ...schema } }
    },

    validateSubmission: async ({ body }) => {
      const job = await findJob(database.rows, body.jobId)
      if (job === null) throw new ServiceError('job_not_found', { details: { jobId: body.jobId } })
      const latest = (await latestSessions(database.rows, [job.id])).get(job.id)
      const live = latest !== undefined && latest.status === 'claimed'
      const schemaRef = live ? latest.jobSnapshot.outputSchema.ref : job.definition.outputSchemaRef
      const schema = live ? latest.jobSnapshot.outputSchema.schema : jobSchemaByRef(schemaRef)
      const answer = validateSubmissionAnswer({
        definition: job.definition,
        definitionUrl: `${baseUrl}${definitionPath(job.id)}`,
        terms: { schemaRef, schema: schema ?? null },
        submission: body.submission ?? body.output ?? body.evidence,
        claimant: live ? { wallet: latest.wallet, sessionId: latest.sessionId } : null,
      })
      const room = answer.valid ? await roomFor(job, live ? latest : null, answer.normalizedSubmission) : null
      return { status: 200, body: isCapReached(room) ? withoutRoom(answer, room) : answer }
    },

    claimJob: createClaimHandler(deps),
    submitWork: createSubmitHandler(deps),
  }
}
