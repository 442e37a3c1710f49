import { errorTable } from '../common/error-row.ts'

/** Why a webhook endpoint is not created or changed. */
export const WEBHOOK_ERRORS = errorTable({
  webhooks_off: '409 | Webhooks off | The operator offers no webhooks now. | Read the events instead. | GET /events/poll',
  webhook_not_found: '404 | Webhook unknown | The wallet has no webhook endpoint with this id. | List the endpoints. | GET /webhooks',
  webhook_limit_reached:
    '409 | Too many webhooks | A wallet has at most 10 webhook endpoints. | Delete one that is no longer needed. | GET /webhooks',
  webhook_address_refused:
    '422 | Address refused | The service delivers only to https addresses of the public internet. | Name an https address whose host resolves to public addresses. | POST /webhooks',
  webhook_test_pending: '503 | Test in progress | The test event was not sent in time. | Send the same request again. | retryable',
})
