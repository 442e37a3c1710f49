import { errorTable } from '../common/error-row.ts'

/** Requests, limits, idempotency keys, and failures of the service itself. */
export const HTTP_ERRORS = errorTable({
  invalid_request:
    '400 | Invalid request | The input does not match what this operation accepts. | Correct what errors[] names and send again. | GET /openapi.json: See what the operation accepts; errors[] names each fault.',
  not_found: '404 | No such path | No operation has this path. | See GET /openapi.json for every path. | GET /openapi.json',
  method_not_allowed:
    '405 | Method not allowed | The path exists and does not take this method. | Use a method of the Allow header. | GET /openapi.json: See the methods of every path.',
  payload_too_large:
    '413 | Body too large | The request body is larger than the limit. | Send a smaller body. | GET /docs: See the limits of the API.',
  uri_too_long:
    '414 | Address too long | The address of the request is longer than the limit. | Send a shorter address. | GET /docs: See the limits of the API.',
  unsupported_media_type:
    '415 | Body not readable | The body is not JSON in UTF-8 by its own headers. | Send JSON in UTF-8 with Content-Type application/json and without Content-Encoding. | GET /openapi.json: See what the operation accepts.',
  header_fields_too_large:
    '431 | Header too large | The address and header fields of the request are larger than the limit. | Send fewer or shorter header fields. | GET /docs: See the limits of the API.',
  verifier_module_not_found:
    '404 | No such module | The verifier has no module of this name. | Open the page that loads the modules. | GET /verify: Open the page.',
  request_timeout:
    '408 | Request too slow | The header or body of the request did not arrive in time. | Send the whole request at once. | retryable',
  too_many_waits:
    '503 | Too many waits | Too many requests wait for a change already. | Repeat after Retry-After, or ask without waitSeconds. | retryable',
  idempotency_key_reused:
    '422 | Key reused | The key was used for a request with other content. | Use a fresh key for new content. | GET /docs: See the rule of idempotency keys.',
  idempotency_key_in_flight:
    '409 | Request still running | A request with this key is still running. | Repeat after Retry-After. | retryable',
  rate_limited: '429 | Too many requests | The limit of this bucket is used up. | Wait for Retry-After. | retryable',
  internal_error:
    '500 | Internal error | The service failed unexpectedly. | Report the request id. | GET /health: Report the request id to the operator. /health shows the state of the service.',
  upstream_failure: '502 | Upstream failed | A service this one depends on failed. | Repeat later. | retryable',
  state_store_unavailable:
    '503 | Database unavailable | The database is down; the outcome may be unknown. | Repeat the same request; it converges. | retryable',
  workflow_engine_unavailable:
    '503 | Workflow engine unavailable | The workflow engine is down; the outcome may be unknown. | Repeat the same request; it converges. | retryable',
  service_starting:
    '503 | Service starting | The service is starting, and a required dependency does not answer yet. | Repeat the same request. | retryable',
})
