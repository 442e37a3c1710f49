import { errorTable, forbidden, notFound, OWN_SESSIONS, post, wait } from '../common/error-row.ts'

const NEW_SHARE = {
  status: 410,
  reaction: 'Ask its creator for a new share.',
  next: post('/shares', 'Its creator shares the record again.'),
} as const

/** Shares of records. */
export const SHARE_ERRORS = errorTable({
  share_not_found: notFound({
    meaning: 'No share has this id, or its wallet has left the directory.',
    next: wait('Ask its creator for a new share.'),
  }),
  invalid_share_token: forbidden({
    title: 'Share token invalid',
    meaning: 'The token was not made by this service.',
    next: wait('Copy the whole address of the share.'),
  }),
  share_forbidden: forbidden({
    title: 'Not allowed to share',
    meaning: 'Another wallet owns the record or the share.',
    reaction: 'Share your own records, with the wallet that owns them.',
    next: OWN_SESSIONS,
  }),
  share_token_expired: { title: 'Share expired', meaning: 'The share has reached its end.', ...NEW_SHARE },
  share_revoked: { meaning: 'The share was revoked.', ...NEW_SHARE },
  policy_not_found: notFound({
    meaning: 'No policy has this tag.',
    reaction: 'Use a tag of details.',
    next: post('/shares', 'Share a policy by its tag.'),
  }),
})
