import type { Tables } from '../../schemas/entities/tables.ts'
import { CONTENT_PUBLIC_AFTER_SECONDS } from '../common/constants.ts'
import { plusSeconds } from '../common/instants.ts'

type ContentFacts = Pick<Tables['content'], 'contentType' | 'verdict' | 'createdAt' | 'publishedAt'>

/** Visibility of a blob at `now` (epoch ms), computed at each read. Source: identity, "Content blobs". */
export const contentVisibility = ({ contentType, verdict, createdAt, publishedAt }: ContentFacts, now: number): 'public' | 'owner_only' =>
  contentType === 'job_spec' || verdict === 'pass' || publishedAt !== null || now >= plusSeconds(createdAt, CONTENT_PUBLIC_AFTER_SECONDS)
    ? 'public'
    : 'owner_only'
