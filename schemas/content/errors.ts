import { errorTable, get, wait } from '../common/error-row.ts'

/** Stored content. */
export const CONTENT_ERRORS = errorTable({
  content_not_found: {
    status: 404,
    title: 'Content not found',
    meaning: 'No content has this hash, or it is not visible.',
    reaction: 'Check the hash.',
    nextActions: [get('/disputes', 'List own disputes. A decided dispute names the hash of its rationale.')],
  },
  content_private: {
    status: 403,
    title: 'Content private',
    meaning: 'This content is not visible to the caller.',
    nextActions: [wait('Ask its owner to publish it, or wait for its publication date.')],
  },
  content_publish_forbidden: {
    status: 403,
    title: 'Not the owner',
    meaning: 'Only the owner of a content, or an admin, publishes it.',
    reaction: 'Ask its owner to publish it.',
    nextActions: [get('/content/{hash}', 'Read the content, if it is public.'), wait('Ask its owner to publish it.')],
  },
  content_publish_pending: {
    status: 503,
    title: 'Publication pending',
    meaning: 'The publication was accepted and has not run yet.',
    reaction: 'Repeat the request; it joins the same publication.',
    retryable: true,
  },
})
