import type { Tables } from '../../schemas/entities/tables.ts'
import { CONTENT_PUBLIC_AFTER_SECONDS } from '../common/constants.ts'
import { plusSeconds, secondsUntil } from '../common/instants.ts'

type ContentFacts = Pick<Tables['content'], 'contentType' | 'verdict' | 'createdAt' | 'publishedAt'>

/** Whether a blob stays with its owners for good: what a worker states in a dispute is for those who take part in it. */
export const isConfidential = ({ contentType }: Pick<ContentFacts, 'contentType'>): boolean => contentType === 'dispute_statement'

/** Instant at which every wallet may read a blob (epoch ms); null for one that stays with its owners. */
export const publicFrom = ({ contentType, createdAt }: Pick<ContentFacts, 'contentType' | 'createdAt'>): number | null =>
  isConfidential({ contentType }) ? null : plusSeconds(createdAt, CONTENT_PUBLIC_AFTER_SECONDS)

/** Visibility of a blob at `now` (epoch ms), computed at each read. Source: identity, "Content blobs". */
export const contentVisibility = (content: ContentFacts, now: number): 'public' | 'owner_only' => {
  const { contentType, verdict, publishedAt } = content
  const from = publicFrom(content)
  const isPublic = contentType === 'job_spec' || verdict === 'pass' || publishedAt !== null
  return from !== null && (isPublic || now >= from) ? 'public' : 'owner_only'
}

const YEAR_SECONDS = 31_536_000
const MAX_PRIVATE_SECONDS = 3_600

/** How long the caller may keep an answer. No shared cache stores it, because the route needs a token. Source: http, "Caching". */
export const contentCacheControl = (content: ContentFacts, now: number): string => {
  if (contentVisibility(content, now) === 'public') return `private, max-age=${YEAR_SECONDS}, immutable`
  const from = publicFrom(content)
  const untilPublic = from === null ? MAX_PRIVATE_SECONDS : (secondsUntil(from, now) ?? 0)
  return `private, max-age=${Math.min(untilPublic, MAX_PRIVATE_SECONDS)}`
}
