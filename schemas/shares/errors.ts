import { errorTable } from '../common/error-row.ts'

/** Shares of records. */
export const SHARE_ERRORS = errorTable({
  share_not_found:
    '404 | Share not found | No share has this id, or its wallet has left the directory. | Ask its creator for a new share. | wait',
  invalid_share_token: '403 | Share token invalid | The token was not made by this service. | Copy the whole address of the share. | wait',
  share_forbidden:
    '403 | Not allowed to share | Another wallet owns the record or the share. | Share your own records, with the wallet that owns them. | GET /sessions: List own sessions.',
  share_token_expired:
    '410 | Share expired | The share has reached its end. | Ask its creator for a new share. | POST /shares: Its creator shares the record again.',
  share_revoked:
    '410 | Share revoked | The share was revoked. | Ask its creator for a new share. | POST /shares: Its creator shares the record again.',
  policy_not_found: '404 | Policy not found | No policy has this tag. | Use a tag of details. | POST /shares: Share a policy by its tag.',
})
