import { z } from 'zod'

/** Source: GitHub REST v3, "Get a repository". */
const Repository = z.object({
  id: z.int(),
  full_name: z.string().regex(/^[^/]+\/[^/]+$/),
  archived: z.boolean().default(false),
  disabled: z.boolean().default(false),
  has_pull_requests: z.boolean().optional(),
  pull_request_creation_policy: z.string().nullish(),
})

/** A repository of the code host. */
export interface RepositoryFacts {
  id: number
  /** `owner/name` in the host's current spelling. */
  fullName: string
  /** True where it takes no pull request of a stranger. */
  isClosed: boolean
}

/** Parses a repository; null for another shape. */
export const repositoryOf = (value: unknown): RepositoryFacts | null => {
  const found = Repository.safeParse(value)
  if (!found.success) return null
  const { id, full_name: fullName, archived, disabled, has_pull_requests: hasPulls, pull_request_creation_policy: creators } = found.data
  return { id, fullName, isClosed: archived || disabled || hasPulls === false || creators === 'collaborators_only' }
}

const Entries = z.array(z.object({ name: z.string(), path: z.string(), type: z.string(), sha: z.string() }))
export type DirectoryEntry = z.infer<typeof Entries>[number]

/** Parses the listing of a directory; null for another shape. Source: GitHub REST v3, "Get repository content". */
export const entriesOf = (value: unknown): DirectoryEntry[] | null => Entries.safeParse(value).data ?? null

const File = z.object({ encoding: z.literal('base64'), content: z.string() })

/** Text of a file; null for another shape, as of one above a megabyte, whose content the host leaves out. */
export const fileTextOf = (value: unknown): string | null => {
  const found = File.safeParse(value)
  return found.success ? Buffer.from(found.data.content, 'base64').toString('utf8') : null
}

/** Source: GitHub REST v3, "Get an issue". */
const Issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  repository_url: z.string(),
})

/** An issue of the code host. */
export interface IssueFacts {
  number: number
  title: string
  body: string
  state: 'open' | 'closed'
  /** `owner/name` of the repository that has it now. */
  repo: string
}

/** Parses an issue; null for another shape. */
export const issueOf = (value: unknown): IssueFacts | null => {
  const found = Issue.safeParse(value)
  if (!found.success) return null
  const { number, title, body, state, repository_url: address } = found.data
  return { number, title, body: body ?? '', state, repo: address.split('/').slice(-2).join('/') }
}
