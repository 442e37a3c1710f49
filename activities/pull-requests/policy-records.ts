import { sql } from 'kysely'
import { repoKey } from '../../domain/pull-requests/address.ts'
import type { RepositoryPolicy, SourceIssue } from '../../schemas/pull-requests/policy.ts'
import { changeLifecycle } from '../catalogue/writes.ts'
import { type Rows, readRows } from '../database/database.ts'

/** A stored value with its age by the wall clock of the database. */
export interface Aged<T> {
  value: T
  ageSeconds: number
}

const NOW = sql<number>`now()`
const AGE = sql<string>`extract(epoch from now() - read_at)`.as('age')

/** Stores the policy of a repository under the name that jobs use. */
export const storePolicy = async (rows: Rows, repo: string, { repo: fullName, repoId, ...policy }: RepositoryPolicy): Promise<void> => {
  const row = { ...policy, fullName, repoId: BigInt(repoId), readAt: NOW }
  await rows
    .insertInto('repository_policy')
    .values({ repo: repoKey(repo), ...row })
    .onConflict((conflict) => conflict.column('repo').doUpdateSet(row))
    .execute()
}

/** Policies of repositories (lower case) by name. */
export const findPolicies = async (rows: Rows, repos: readonly string[]): Promise<Map<string, Aged<RepositoryPolicy>>> => {
  if (repos.length === 0) return new Map()
  const found = await rows.selectFrom('repository_policy').selectAll().select(AGE).where('repo', 'in', repos).execute()
  return new Map(
    found.map(({ age, repo, repoId, fullName, ...policy }) => [
      repo,
      { value: { ...policy, repo: fullName, repoId: Number(repoId) }, ageSeconds: Number(age) },
    ]),
  )
}

/** Stores the reading of an issue of a repository. */
export const storeIssue = async (rows: Rows, repo: string, issue: SourceIssue): Promise<void> => {
  const row = { ...issue, readAt: NOW }
  await rows
    .insertInto('source_issue')
    .values({ repo: repoKey(repo), ...row })
    .onConflict((conflict) => conflict.columns(['repo', 'number']).doUpdateSet(row))
    .execute()
}

/** `owner/name#number` of an issue. */
export const issueName = (repo: string, number: number): string => `${repo}#${number}`

/** Issues of repositories (lower case) by `owner/name#number`. */
export const findIssues = async (
  rows: Rows,
  issues: readonly { repo: string; number: number }[],
): Promise<Map<string, Aged<SourceIssue>>> => {
  if (issues.length === 0) return new Map()
  const found = await rows
    .selectFrom('source_issue')
    .selectAll()
    .select(AGE)
    .where('repo', 'in', [...new Set(issues.map(({ repo }) => repo))])
    .where('number', 'in', [...new Set(issues.map(({ number }) => number))])
    .execute()
  return new Map(
    found.map(({ age, repo, readAt: _readAt, ...issue }) => [issueName(repo, issue.number), { value: issue, ageSeconds: Number(age) }]),
  )
}
/** Actor of a pause that a policy caused. */
const BY_POLICY = 'maintainer_policy'

/**
 * Pauses the open jobs of a repository (lower case), or those of one of its issues, so that no list shows them. `reason` stands in the
 * history of each job. An operator opens them again. Returns their ids. `presentId`: leaves the jobs of the repository that has this id.
 */
export const pauseJobs = async (
  rows: Rows,
  {
    repo,
    issueNumber,
    reason,
    now,
    presentId,
  }: { repo: string; issueNumber: number | null; reason: string; now: number; presentId?: number },
): Promise<string[]> => {
  // All rows first: a change of the catalogue's version comes after the locks of jobs.
  const found = await readRows(
    rows,
    sql<{ id: string; issue: string | null; repoId: string | null }>`
      select id, definition #>> '{source,issueNumber}' as issue, definition #>> '{source,repoId}' as "repoId" from job
      where verifier_mode = 'codehost_pr' and lifecycle_status = 'open' and posting_route = 'curated'
        and lower(coalesce(definition #>> '{source,repo}', definition #>> '{source,declared,repo}')) = ${repo}
      order by id for update`,
  )
  const isMeant = ({ issue, repoId }: (typeof found)[number]): boolean =>
    (issueNumber === null || issue === String(issueNumber)) &&
    (presentId === undefined || (repoId !== null && repoId !== String(presentId)))
  const paused = found.filter(isMeant).map(({ id }) => id)
  for (const jobId of paused) await changeLifecycle(rows, { jobId, status: 'paused', action: 'pause', reason, by: BY_POLICY }, now)
  return paused
}
