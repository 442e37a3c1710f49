import { z } from 'zod'

/** Instant of the host; null where it gives none, or no instant. */
const Instant = z
  .string()
  .nullish()
  .transform((text) => (text == null || Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()))

/** Deleted accounts have no user. */
const User = z.object({ login: z.string() }).nullish()

/** A hit of the search for issues. Source: GitHub REST v3, "Search issues and pull requests". */
const Hit = z.object({
  id: z.int().positive(),
  number: z.int().positive(),
  repository_url: z.string(),
  title: z.string().nullish(),
  body: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).nullish(),
  state: z.string(),
  locked: z.boolean().nullish(),
  comments: z.int().nonnegative().nullish(),
  assignee: User,
  assignees: z.array(User).nullish(),
  updated_at: Instant,
  pull_request: z.unknown().optional(),
})
export type GithubHit = z.infer<typeof Hit>

/** A page of hits. */
export const SearchPage = z.object({
  total_count: z.int().nonnegative(),
  incomplete_results: z.boolean(),
  items: z.array(Hit).max(100),
})

/** Source: GitHub REST v3, "Get a repository". */
export const RepositoryPage = z.object({
  id: z.int().positive(),
  full_name: z.string(),
  archived: z.boolean().default(false),
  disabled: z.boolean().default(false),
  private: z.boolean().default(false),
  created_at: Instant,
  stargazers_count: z.int().nonnegative().default(0),
})

/** Source: GitHub REST v3, "List pull requests". */
export const ClosedPulls = z.array(z.object({ merged_at: Instant }))

/** Events of an issue, of which the client reads two kinds. Source: GitHub REST v3, "List timeline events for an issue". */
export const Timeline = z.array(
  z.object({
    event: z.string().nullish(),
    created_at: Instant,
    author_association: z.string().nullish(),
    source: z
      .object({
        issue: z
          .object({
            number: z.int().positive(),
            state: z.string(),
            pull_request: z.unknown().optional(),
            repository: z.object({ full_name: z.string() }).nullish(),
          })
          .nullish(),
      })
      .nullish(),
  }),
)
export type TimelineEvents = z.infer<typeof Timeline>
