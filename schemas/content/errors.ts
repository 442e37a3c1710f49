import { errorTable } from '../common/error-row.ts'

/** Stored content. */
export const CONTENT_ERRORS = errorTable({
  content_not_found:
    '404 | Content not found | No content has this hash, or it is not visible. | Check the hash. | GET /disputes: List own disputes. A decided dispute names the hash of its rationale.',
  content_private:
    '403 | Content private | This content is not visible to the caller. | Ask its owner to publish it, or wait for its publication date. | wait',
  content_publish_forbidden:
    '403 | Not the owner | Only the owner of a content, or an admin, publishes it. | Ask its owner to publish it. | GET /content/{hash}: Read the content, if it is public. | wait',
  content_publish_pending:
    '503 | Publication pending | The publication was accepted and has not run yet. | Repeat the request; it joins the same publication. | retryable',
})
