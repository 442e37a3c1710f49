import { findJob } from '../../activities/catalogue/jobs.ts'
import { openPullRequestCapacity } from '../../activities/pull-requests/capacity.ts'
import { findRepositoryCapacity, isCapReached } from '../../activities/pull-requests/records.ts'
import { latestSessions } from '../../activities/sessions/records.ts'
import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { validateSubmissionAnswer, withCapacityWarning } from '../../domain/claims/validation-response.ts'
import { expectedPullRequest } from '../../domain/pull-requests/expected.ts'
import type { RepositoryCapacity } from '../../domain/pull-requests/policy/standing.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type * as claimOperations from '../../schemas/claims/operations.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { createClaimJob } from './claim.ts'
import { createSubmitWork } from './submit.ts'

/** A worker's claim and submission, and the check of a submission before it is sent. */
export const createClaimHandlers = (deps: ApiDeps): HandlersOf<typeof claimOperations> => {
  const { database, clock, baseUrl, settings } = deps

  /** Open pull requests of the repository this work would go to: of the live claim if there is one, otherwise of the job. */
  const capacityFor = (
    { definition }: JobRecord,
    session: SessionRecord | null,
    normalized: unknown,
  ): Promise<RepositoryCapacity | null> => {
    const terms = { usualCap: settings.MAINTAINER_OPEN_PR_CAP, now: clock.now() }
    return session === null
      ? openPullRequestCapacity(database.rows, definition, terms)
      : findRepositoryCapacity(database.rows, session, normalized, terms)
  }

  return {
    validateSubmission: async ({ body }) => {
      const job = await findJob(database.rows, body.jobId)
      if (job === null) throw new ServiceError('job_not_found', { details: { jobId: body.jobId } })
      const latest = (await latestSessions(database.rows, [job.id])).get(job.id)
      const live = latest !== undefined && latest.status === 'claimed'
      const definition = live ? pinnedDefinition(latest.jobSnapshot) : job.definition
      const schemaRef = definition.outputSchemaRef
      const schema = live ? latest.jobSnapshot.outputSchema.schema : jobSchemaByRef(schemaRef)
      const answer = validateSubmissionAnswer({
        definition,
        definitionUrl: `${baseUrl}${definitionPath(job.id)}`,
        terms: { schemaRef, schema: schema ?? null, pullRequest: expectedPullRequest(definition) },
        submission: body.submission ?? body.output ?? body.evidence,
        claimant: live ? { wallet: latest.wallet, sessionId: latest.sessionId, responsiblePerson: latest.responsiblePerson } : null,
      })
      const capacity = answer.valid ? await capacityFor(job, live ? latest : null, answer.normalizedSubmission) : null
      return { status: 200, body: isCapReached(capacity) ? withCapacityWarning(answer, capacity) : answer }
    },

    claimJob: createClaimJob(deps),
    submitWork: createSubmitWork(deps),
  }
}
