import { sql } from 'kysely'
import { repoKey } from '../../domain/pull-requests/address.ts'
import { expectedWork } from '../../domain/pull-requests/expected.ts'
import { openPrCap } from '../../domain/pull-requests/maintainer-policy.ts'
import {
  type MaintainedWork,
  type MaintainerFacts,
  maintainedWork,
  POLICY_MAX_AGE_SECONDS,
  type RepositoryCapacity,
} from '../../domain/pull-requests/policy/standing.ts'
import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { type Rows, readRow } from '../database/database.ts'
import { findIssues, findPolicies, issueName } from './policy-records.ts'

/** An open delivery stops counting against its repository after this time. Source: lifecycle, "Delivery tracking". */
export const STALE_DELIVERY_MS = 30 * 24 * 60 * 60 * 1000

/** Names under which jobs know a repository (lower case): those that had the same id when they were read. */
const namesOf = async (rows: Rows, repo: string): Promise<string[]> => {
  const found = await rows
    .selectFrom('repository_policy')
    .select('repo')
    .where('repoId', 'in', (query) => query.selectFrom('repository_policy').select('repoId').where('repo', '=', repo))
    .execute()
  return [...new Set([repo, ...found.map((row) => row.repo)])].sort()
}

/** Orders claims and submissions of one repository (lower case) until the transaction ends. */
export const lockRepository = async (rows: Rows, repo: string): Promise<void> => {
  for (const name of await namesOf(rows, repo)) await sql`select pg_advisory_xact_lock(hashtext(${`pull_request:${name}`}))`.execute(rows)
}

/** What does not count: claims of the job itself, and the pull request that a submission delivers. */
interface Exception {
  jobId: string
  number: number
}

/**
 * Open pull requests of a repository (lower case) and places of claims that may still open one. A claim of a posted job has no place: its
 * submission takes one. `now` in epoch ms.
 */
export const countOpen = async (rows: Rows, { repo, except }: { repo: string; except: Exception }, now: number): Promise<number> => {
  const names = await namesOf(rows, repo)
  const isOfRepo = sql`j.id <> ${except.jobId} and j.posting_route = 'curated' and j.verifier_mode = 'codehost_pr'
    and lower(coalesce(j.definition #>> '{source,repo}', j.definition #>> '{source,declared,repo}')) = any(${names})`
  const { open } = await readRow(
    rows,
    sql<{ open: number }>`
      select (
        (select count(distinct number) from pull_request where repo = any(${names}) and delivery = 'open'
          and submitted_at > ${new Date(now - STALE_DELIVERY_MS)} and number <> ${except.number})
        + (select count(*) from claim_intent i join job j on j.id = i.job_id where i.status = 'open' and ${isOfRepo})
        + (select count(*) from session s join job j on j.id = s.job_id where s.status = 'claimed' and ${isOfRepo}
          and not exists (select 1 from pull_request p where p.session_id = s.session_id))
      )::integer as open`,
  )
  return open
}

/** Capacity of a job's repository before a claim of the job; null if no cap applies. */
export const openPullRequestCapacity = async (
  rows: Rows,
  definition: JobDefinition,
  { usualCap, now }: { usualCap: number; now: number },
): Promise<RepositoryCapacity | null> => {
  const cap = openPrCap(definition, usualCap)
  const { repo } = expectedWork(definition.source)
  if (cap === null || repo === null) return null
  const key = repoKey(repo)
  const openCount = await countOpen(rows, { repo: key, except: { jobId: definition.id, number: 0 } }, now)
  return { repo: key, openCount, openPrCap: cap }
}

interface Maintained {
  job: JobRecord
  work: MaintainedWork
}

const isRecent = (reading: { ageSeconds: number } | undefined): boolean =>
  reading !== undefined && reading.ageSeconds < POLICY_MAX_AGE_SECONDS

/** What is recorded of the maintainers of each job's repository, by job; jobs whose maintainers are not asked are absent. */
export const readMaintainerFacts = async (
  rows: Rows,
  jobs: readonly JobRecord[],
  terms: { usualCap: number; now: number },
): Promise<Map<string, MaintainerFacts>> => {
  const maintained = jobs.flatMap((job): Maintained[] => {
    const work = maintainedWork(job)
    return work === null ? [] : [{ job, work }]
  })
  const numbered = maintained.flatMap(({ work: { key, issueNumber } }) =>
    issueNumber === null ? [] : [{ repo: key, number: issueNumber }],
  )
  const [policies, issues] = await Promise.all([
    findPolicies(rows, [...new Set(maintained.map(({ work }) => work.key))]),
    findIssues(rows, numbered),
  ])
  const facts = maintained.map(async ({ job, work: { repo, key, issueNumber } }): Promise<[string, MaintainerFacts]> => {
    const policy = policies.get(key)
    const issue = issueNumber === null ? undefined : issues.get(issueName(key, issueNumber))
    const isFresh = isRecent(policy) && (issueNumber === null || isRecent(issue))
    const capacity = await openPullRequestCapacity(rows, job.definition, terms)
    return [job.id, { repo, policy: policy?.value ?? null, issue: issue?.value ?? null, isFresh, mustBeFresh: false, capacity }]
  })
  return new Map(await Promise.all(facts))
}
