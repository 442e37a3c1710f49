import { type ErrorRow, errorRow } from '../common/error-row.ts'

/** Requests, limits, idempotency keys, and failures of the service itself. */
export const HTTP_ERRORS = {
  invalid_request: errorRow(
    400,
    'Invalid request',
    'The input does not match what this operation accepts.',
    'Correct what errors[] names and send again.',
  ),
  not_found: errorRow(404, 'No such path', 'No operation has this path.', 'See GET /openapi.json for every path.'),
  method_not_allowed: errorRow(
    405,
    'Method not allowed',
    'The path exists and does not take this method.',
    'Use a method of the Allow header.',
  ),
  payload_too_large: errorRow(413, 'Body too large', 'The request body is larger than the limit.', 'Send a smaller body.'),
  idempotency_key_reused: errorRow(
    422,
    'Key reused',
    'The key was used for a request with other content.',
    'Use a fresh key for new content.',
  ),
  idempotency_key_in_flight: errorRow(
    409,
    'Request still running',
    'A request with this key is still running.',
    'Repeat after Retry-After.',
    true,
  ),
  rate_limited: errorRow(429, 'Too many requests', 'The limit of this bucket is used up.', 'Wait for Retry-After.', true),
  internal_error: errorRow(500, 'Internal error', 'The service failed unexpectedly.', 'Report the request id.'),
  upstream_failure: errorRow(502, 'Upstream failed', 'A service this one depends on failed.', 'Repeat later.', true),
  state_store_unavailable: errorRow(
    503,
    'Database unavailable',
    'The database is down; the outcome may be unknown.',
    'Repeat the same request; it converges.',
    true,
  ),
  workflow_engine_unavailable: errorRow(
    503,
    'Workflow engine unavailable',
    'The workflow engine is down; the outcome may be unknown.',
    'Repeat the same request; it converges.',
    true,
  ),
  service_starting: errorRow(
    503,
    'Service starting',
    'The service is starting, and a required dependency does not answer yet.',
    'Repeat the same request.',
    true,
  ),
} as const satisfies Record<string, ErrorRow>
