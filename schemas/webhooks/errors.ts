import { errorTable, get, notFound, post, unavailable } from '../common/error-row.ts'

/** Why a webhook endpoint is not created or changed. */
export const WEBHOOK_ERRORS = errorTable({
  webhooks_off: { meaning: 'The operator offers no webhooks now.', next: get('/events/poll', 'Read the events instead.') },
  webhook_not_found: notFound({
    title: 'Webhook unknown',
    meaning: 'The wallet has no webhook endpoint with this id.',
    next: get('/webhooks', 'List the endpoints.'),
  }),
  webhook_limit_reached: {
    title: 'Too many webhooks',
    meaning: 'A wallet has at most 10 webhook endpoints.',
    next: get('/webhooks', 'Delete one that is no longer needed.'),
  },
  webhook_address_refused: {
    status: 422,
    title: 'Address refused',
    meaning: 'The service delivers only to https addresses of the public internet.',
    next: post('/webhooks', 'Name an https address whose host resolves to public addresses.'),
  },
  webhook_test_pending: unavailable({
    title: 'Test in progress',
    meaning: 'The test event was not sent in time.',
    retry: 'Send the same request again.',
  }),
})
