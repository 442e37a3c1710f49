import { z } from 'zod'
import { createSaltDerivation } from '../../activities/catalogue/expected-outputs.ts'
import { assertLaneCapacity, laneLimits } from '../../activities/catalogue/lanes.ts'
import { countLifecycle, listAllJobs } from '../../activities/catalogue/lists.ts'
import { insertJob, type LifecycleChange } from '../../activities/catalogue/writes.ts'
import type { Rows } from '../../activities/database/database.ts'
import { changeJobLifecycle, insertTemplate } from '../../activities/lanes/templates.ts'
import { HANDLER_MODES } from '../../activities/verification/registry.ts'
import type { BuiltJob } from '../../domain/catalogue/job-definition.ts'
import { LISTING_STALE_SECONDS } from '../../domain/common/constants.ts'
import { plusSeconds } from '../../domain/common/instants.ts'
import { NO_CLAIMANT } from '../../domain/eligibility/claimant.ts'
import { servedJob } from '../../domain/eligibility/views/definition.ts'
import { buildJob } from '../../domain/verification/listing.ts'
import type * as adminOperations from '../../schemas/catalogue/admin-operations.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Answer, HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { memoizeFor } from '../http/cache.ts'
import { withIdempotentTransaction } from '../http/idempotency.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { readInventory } from './inventory.ts'

/** Cache time of the lifecycle counts; a change through this process clears them. */
const COUNTS_MS = 5_000
const JobPosition = z.object({ listedAt: InstantKey, id: TextKey })

/** Columns that a lifecycle action sets. Reopening and marking as stale also set when the listing goes stale. */
const effectOf = (
  action: string,
  staleAt: number | undefined,
  now: number,
): Pick<LifecycleChange, 'status' | 'staleAt' | 'usualStaleAt'> => {
  switch (action) {
    case 'pause':
    case 'paused':
      return { status: 'paused', staleAt }
    case 'archive':
    case 'archived':
      return { status: 'archived', staleAt }
    case 'mark_stale':
      return { staleAt: staleAt ?? now }
    default:
      return { status: 'open', staleAt, usualStaleAt: plusSeconds(now, LISTING_STALE_SECONDS) }
  }
}

const changeOf = ({ body, caller }: Input<typeof adminOperations.setJobLifecycle>, now: number): LifecycleChange => {
  const action = body.action ?? body.status ?? 'reopen'
  const staleAt = body.staleAt === undefined ? undefined : Date.parse(body.staleAt)
  return { jobId: body.jobId, action, reason: body.reason ?? null, by: caller.wallet, ...effectOf(action, staleAt, now) }
}

/** Jobs for operators. Each mutation is one transaction with its idempotency key. */
export const createCatalogueAdminHandlers = (deps: ApiDeps): HandlersOf<typeof adminOperations> => {
  const { database, evaluations, chain, clock, baseUrl, settings, reads } = deps

  /** The job as seen by the transaction that changes it. */
  const served = async (rows: Rows, job: JobRecord) => servedJob(await evaluations.evaluateListing(job, rows), baseUrl)

  const lifecycleCounts = memoizeFor(COUNTS_MS, async () => {
    const { claimableJobs: claimable, asOf } = await readInventory(deps)
    return { ...(await countLifecycle(database.rows, Date.parse(asOf))), claimable, asOf }
  })

  const terms = {
    assetDecimals: new Map([[chain.asset.symbol, chain.asset.decimals]]),
    handlerModes: HANDLER_MODES,
    deniedRepos: settings.MAINTAINER_REPO_DENYLIST,
  }

  /** The router admits an operation that needs the operator only with its key. */
  const posterAddress = (): string => {
    if (reads.operator === null) throw new ServiceError('chain_backend_required', { reason: 'operator_key_missing' })
    return reads.operator.toLowerCase()
  }

  const answerSecret = (): string => {
    if (settings.ANSWER_SECRET === undefined) throw new Error('no answer secret is configured')
    return settings.ANSWER_SECRET
  }

  /** Lists a job in its lane. A template counts in no lane; its jobs do. */
  const list = async (rows: Rows, built: BuiltJob, posterAddress: string): Promise<JobRecord> => {
    const { id, lane, recurring } = built.definition
    if (recurring === true || lane === undefined) {
      const now = clock.now()
      const template = await insertJob(rows, built, { now, posterAddress })
      await insertTemplate(rows, id, now)
      return template
    }
    const limits = laneLimits(settings, lane)
    const now = await assertLaneCapacity(rows, lane, built.rewardRaw, limits, clock)
    return insertJob(rows, built, { now, posterAddress, lane: limits })
  }

  return {
    createJob: async (input) => {
      const { idempotencyKey: _key, ...body } = input.body
      const poster = posterAddress()
      const built = buildJob(body, { ...terms, posterAddress: poster, deriveSalt: createSaltDerivation(answerSecret()) })
      const answer = await withIdempotentTransaction<Answer<typeof adminOperations.createJob>>(deps, input, async (rows) => {
        return { status: 201, body: await served(rows, await list(rows, built, poster)) }
      })
      lifecycleCounts.forget()
      return answer
    },

    setJobLifecycle: async (input) => {
      const answer = await withIdempotentTransaction<Answer<typeof adminOperations.setJobLifecycle>>(deps, input, async (rows) => {
        const now = clock.now()
        const job = await changeJobLifecycle(rows, changeOf(input, now), now)
        return { status: 200, body: { job: await served(rows, job) } }
      })
      lifecycleCounts.forget()
      return answer
    },

    listAdminJobs: async ({ query }) => {
      const page = listPage({ ...query, operationId: 'listAdminJobs', filters: { state: query.state }, position: JobPosition })
      const found = await listAllJobs(database.rows, query.state, { limit: page.readLimit, after: page.after })
      const { rows, ...envelope } = page.cut(found, ({ listedAt, id }) => ({ listedAt, id }))
      const entries = await evaluations.evaluatePage(rows, NO_CLAIMANT)
      const jobs = entries.map((entry) => servedJob(entry, baseUrl, { isRow: true }))
      return { status: 200, body: { jobs, jobLifecycle: await lifecycleCounts.get(), ...envelope } }
    },
  }
}
