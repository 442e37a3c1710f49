import { errorTable, forbidden, get, notFound, unavailable, wait } from '../common/error-row.ts'

/** Stored content. */
export const CONTENT_ERRORS = errorTable({
  content_not_found: notFound({
    meaning: 'No content has this hash, or it is not visible to the caller.',
    reaction: 'Check the hash. Private content is visible once its owner publishes it or its publication date has come.',
    next: get('/disputes', 'List own disputes. A decided dispute names the hash of its rationale.'),
  }),
  content_publish_forbidden: forbidden({
    title: 'Not the owner',
    meaning: 'Only the owner of a content, or an admin, publishes it, and the statement of a dispute is never published.',
    reaction: 'Ask its owner to publish it, unless it is the statement of a dispute.',
    next: [get('/content/{hash}', 'Read the content, if it is public.'), wait('Ask its owner to publish it.')],
  }),
  content_publish_pending: unavailable({
    title: 'Publication pending',
    meaning: 'The publication was accepted and has not run yet.',
    retry: 'Repeat the request; it joins the same publication.',
  }),
})
