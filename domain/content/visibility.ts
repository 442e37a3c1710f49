import { CONTENT_PUBLIC_AFTER_SECONDS } from '../common/constants.ts'
import { plusSeconds } from '../common/instants.ts'

/** Facts that decide who may read a blob. Instants in epoch ms. */
export interface ContentFacts {
  contentType: string
  verdict: 'pass' | 'fail' | null
  createdAt: number
  publishedAt: number | null
}

/** Visibility of a blob at `now` (epoch ms), computed at each read. Source: identity, "Content blobs". */
export const contentVisibility = ({ contentType, verdict, createdAt, publishedAt }: ContentFacts, now: number): 'public' | 'owner_only' =>
  contentType === 'job_spec' || verdict === 'pass' || publishedAt !== null || now >= plusSeconds(createdAt, CONTENT_PUBLIC_AFTER_SECONDS)
    ? 'public'
    : 'owner_only'
