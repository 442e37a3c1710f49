import { type ErrorRow, errorRow } from '../common/error-row.ts'

/** Stored content. */
export const CONTENT_ERRORS = {
  content_not_found: errorRow(404, 'Content not found', 'No content has this hash, or it is not visible.', 'Check the hash.'),
  content_private: errorRow(403, 'Content private', 'This content is not visible to the caller.', 'Ask its owner to publish it.'),
} as const satisfies Record<string, ErrorRow>
