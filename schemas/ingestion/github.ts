import { z } from 'zod'
import type { RepositoryPolicy } from '../pull-requests/policy.ts'

/** Qualifiers that the service sets itself, or that ask for something other than open issues. */
const RESERVED =
  /(?:^|[\s(])-?(?:updated|sort|order):|(?:^|[\s(])(?:-is:(?:issue|open)|(?:is|type):(?:pr|pull-request)|(?:is|state):(?:closed|merged))\b/i

/** What the document states of a search: no control character, and a character that is no space. */
const TEXT = '[^\\u0000-\\u001f\\u007f-\\u009f]'
const QUERY_PATTERN = `^${TEXT}*[^\\s\\u0000-\\u001f\\u007f-\\u009f]${TEXT}*$`

const Query = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'holds characters that no query has')
  .refine((text) => !RESERVED.test(text), 'names updated:, sort: or something other than open issues, which the service decides itself')
  .meta({
    description: 'Search for issues in the syntax of the code host. The service adds is:issue and is:open.',
    pattern: QUERY_PATTERN,
  })

/** Members of POST /admin/jobs/ingest/github of its own. Source: http, "Jobs". */
export const GithubInput = z.strictObject({ query: Query })
export type GithubInput = z.infer<typeof GithubInput>

/** What the host says of a repository beside its policy. Times are ISO 8601, null where the host gives none. */
export interface GithubRepository {
  /** `owner/name` in the host's current spelling, after renames and transfers. */
  name: string
  /** Numeric id of the host, which survives both. */
  id: number
  isArchived: boolean
  isDisabled: boolean
  isPrivate: boolean
  createdAt: string | null
  stars: number
  /** Last merge among the pull requests that changed last; null without one. */
  lastMergedAt: string | null
}

/** What a repository needs that no operator has named: a worker could have made it for a pull request of its own. */
interface RepositoryNeeds {
  stars: number
  ageDays: number
}

/** An open issue as its client reads it; texts as their authors wrote them, cut to the length that a job shows. */
export interface GithubIssue {
  repository: GithubRepository
  /** Null where the query of the run names the repository: its operator answers for it. */
  needs: RepositoryNeeds | null
  number: number
  /** Web address in the repository of the current name. */
  url: string
  /** At most 300 characters. */
  title: string
  /** At most 2,000 characters. */
  body: string
  /** Characters of the whole body. */
  bodyLength: number
  /** Whether the body has steps that reproduce the fault, and named criteria of acceptance. */
  hasReproduction: boolean
  hasAcceptanceCriteria: boolean
  /** At most 30, of at most 60 characters each. */
  labels: string[]
  state: 'open' | 'closed'
  isLocked: boolean
  comments: number
  assignees: string[]
  /** Open pull requests that reference the issue, `owner/name#number`; at most 20. */
  openPullRequests: string[]
  lastMaintainerCommentAt: string | null
  updatedAt: string | null
  /** Null where the repository takes no work, so that its policy was not read. */
  policy: RepositoryPolicy | null
  /** Epoch ms, wall clock. */
  readAt: number
}
