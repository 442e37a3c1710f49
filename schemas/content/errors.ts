import { errorTable } from '../common/error-row.ts'

/** Stored content. */
export const CONTENT_ERRORS = errorTable({
  content_not_found:
    '404 | Content not found | No content has this hash, or it is not visible. | Check the hash. | GET /disputes: List own disputes. A decided dispute names the hash of its rationale.',
  content_private:
    '403 | Content private | This content is not visible to the caller. | Ask its owner to publish it, or wait for its publication date. | wait',
})
