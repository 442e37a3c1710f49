import type { Tables } from '../../schemas/entities/tables.ts'
import { CONTENT_PUBLIC_AFTER_SECONDS } from '../common/constants.ts'
import { plusSeconds, secondsUntil } from '../common/instants.ts'

type ContentFacts = Pick<Tables['content'], 'contentType' | 'verdict' | 'createdAt' | 'publishedAt'>

/** Visibility of a blob at `now` (epoch ms), computed at each read. Source: identity, "Content blobs". */
export const contentVisibility = ({ contentType, verdict, createdAt, publishedAt }: ContentFacts, now: number): 'public' | 'owner_only' =>
  contentType === 'job_spec' || verdict === 'pass' || publishedAt !== null || now >= plusSeconds(createdAt, CONTENT_PUBLIC_AFTER_SECONDS)
    ? 'public'
    : 'owner_only'

const YEAR_SECONDS = 31_536_000
const MAX_PRIVATE_SECONDS = 3_600

/** How long the caller may keep an answer. No shared cache stores it, because the route needs a token. Source: http, "Caching". */
export const contentCacheControl = (content: ContentFacts, now: number): string => {
  if (contentVisibility(content, now) === 'public') return `private, max-age=${YEAR_SECONDS}, immutable`
  const untilPublic = secondsUntil(plusSeconds(content.createdAt, CONTENT_PUBLIC_AFTER_SECONDS), now) ?? 0
  return `private, max-age=${Math.min(untilPublic, MAX_PRIVATE_SECONDS)}`
}
