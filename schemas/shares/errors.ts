import { errorTable, get, post, wait } from '../common/error-row.ts'

const NEW_SHARE = {
  status: 410,
  reaction: 'Ask its creator for a new share.',
  nextActions: [post('/shares', 'Its creator shares the record again.')],
} as const

/** Shares of records. */
export const SHARE_ERRORS = errorTable({
  share_not_found: {
    status: 404,
    title: 'Share not found',
    meaning: 'No share has this id, or its wallet has left the directory.',
    nextActions: [wait('Ask its creator for a new share.')],
  },
  invalid_share_token: {
    status: 403,
    title: 'Share token invalid',
    meaning: 'The token was not made by this service.',
    nextActions: [wait('Copy the whole address of the share.')],
  },
  share_forbidden: {
    status: 403,
    title: 'Not allowed to share',
    meaning: 'Another wallet owns the record or the share.',
    reaction: 'Share your own records, with the wallet that owns them.',
    nextActions: [get('/sessions', 'List own sessions.')],
  },
  share_token_expired: { title: 'Share expired', meaning: 'The share has reached its end.', ...NEW_SHARE },
  share_revoked: { title: 'Share revoked', meaning: 'The share was revoked.', ...NEW_SHARE },
  policy_not_found: {
    status: 404,
    title: 'Policy not found',
    meaning: 'No policy has this tag.',
    reaction: 'Use a tag of details.',
    nextActions: [post('/shares', 'Share a policy by its tag.')],
  },
})
