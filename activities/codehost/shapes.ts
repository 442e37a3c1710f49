import { z } from 'zod'
import type { CheckRun, CommitStatus, PullRequestPage, PullRequestReview } from '../../schemas/codehost/record.ts'

/** Deleted accounts have no user. */
const User = z.object({ login: z.string() }).nullable()
const loginOf = (user: z.infer<typeof User>): string => user?.login ?? ''

/** Members of a pull request that the rules need. Source: GitHub REST v3, "Get a pull request". */
const Pull = z.object({
  html_url: z.string(),
  number: z.int(),
  title: z.string(),
  /** Null means empty. A missing member was not readable. */
  body: z.string().nullable().optional(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  draft: z.boolean().default(false),
  user: User,
  head: z.object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/) }),
  base: z.object({ ref: z.string(), repo: z.object({ id: z.int(), full_name: z.string(), default_branch: z.string() }) }),
})

/** Parses a pull request; null for another shape. */
export const pullOf = (value: unknown): PullRequestPage | null => {
  const found = Pull.safeParse(value)
  if (!found.success) return null
  const { html_url: htmlUrl, body, user, head, base, ...pull } = found.data
  const text = body === undefined ? null : (body ?? '')
  const { id: repoId, full_name: repo, default_branch: defaultBranch } = base.repo
  return { ...pull, htmlUrl, repo, repoId, baseRef: base.ref, defaultBranch, body: text, headSha: head.sha, author: loginOf(user) }
}

const Statuses = z.object({
  statuses: z.array(
    z.object({
      id: z.int(),
      context: z.string(),
      state: z.enum(['success', 'pending', 'failure', 'error']),
      description: z
        .string()
        .nullish()
        .transform((text) => text ?? ''),
      updated_at: z.iso.datetime({ offset: true }),
    }),
  ),
})

/** Parses a combined status; null for another shape. Source: GitHub REST v3, "Get the combined status for a specific reference". */
export const statusesOf = (value: unknown): CommitStatus[] | null => {
  const found = Statuses.safeParse(value)
  if (!found.success) return null
  return found.data.statuses.map(({ updated_at: updatedAt, ...status }) => ({ ...status, updatedAt }))
}

const Runs = z.object({
  check_runs: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      app: z.object({ slug: z.string().optional() }).nullable().optional(),
      status: z.string(),
      conclusion: z.string().nullable(),
      started_at: z.iso.datetime({ offset: true }).nullable(),
    }),
  ),
})

/** Parses check runs; null for another shape. Source: GitHub REST v3, "List check runs for a Git reference". */
export const runsOf = (value: unknown): CheckRun[] | null => {
  const found = Runs.safeParse(value)
  if (!found.success) return null
  return found.data.check_runs.map(({ app, started_at: startedAt, ...run }) => ({ ...run, app: app?.slug ?? null, startedAt }))
}

const WRITERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])
const Reviews = z.array(z.object({ user: User, state: z.string(), author_association: z.string() }))

/** Parses reviews, oldest first; null for another shape. Source: GitHub REST v3, "List reviews for a pull request". */
export const reviewsOf = (value: unknown): PullRequestReview[] | null => {
  const found = Reviews.safeParse(value)
  if (!found.success) return null
  return found.data.map(({ user, state, author_association: association }) => ({
    reviewer: loginOf(user),
    state: state.toLowerCase(),
    maintainer: WRITERS.has(association),
  }))
}
