import { badGateway, badRequest, errorTable, get, notFound, REPORT, unavailable } from '../common/error-row.ts'

const SEE_LIMITS = get('/docs', 'See the limits of the API.')

/** Requests, limits, idempotency keys, and failures of the service itself. */
export const HTTP_ERRORS = errorTable({
  invalid_request: badRequest({
    meaning: 'The input does not match what this operation accepts.',
    reaction: 'Correct what errors[] names and send again.',
    next: get('/openapi.json', 'See what the operation accepts; errors[] names each fault.'),
  }),
  not_found: notFound({
    title: 'No such path',
    meaning: 'No operation has this path.',
    next: get('/openapi.json', 'See GET /openapi.json for every path.'),
  }),
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists and does not take this method.',
    reaction: 'Use a method of the Allow header.',
    next: get('/openapi.json', 'See the methods of every path.'),
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    meaning: 'The request body is larger than the limit.',
    reaction: 'Send a smaller body.',
    next: SEE_LIMITS,
  },
  uri_too_long: {
    status: 414,
    title: 'Address too long',
    meaning: 'The address of the request is longer than the limit.',
    reaction: 'Send a shorter address.',
    next: SEE_LIMITS,
  },
  unsupported_media_type: {
    status: 415,
    title: 'Body not readable',
    meaning: 'The body is not JSON in UTF-8 by its own headers.',
    reaction: 'Send JSON in UTF-8 with Content-Type application/json and without Content-Encoding.',
    next: get('/openapi.json', 'See what the operation accepts.'),
  },
  header_fields_too_large: {
    status: 431,
    title: 'Header too large',
    meaning: 'The address and header fields of the request are larger than the limit.',
    reaction: 'Send fewer or shorter header fields.',
    next: SEE_LIMITS,
  },
  security_contact_unset: notFound({
    title: 'No security contact',
    meaning: 'The operator has set no contact for security reports.',
    reaction: 'Ask the operator of the service.',
    next: get('/health', 'See which service this is.'),
  }),
  docs_page_not_found: notFound({
    title: 'No such page',
    meaning: 'The documentation has no page of this name.',
    next: get('/docs', 'See every subject of the documentation.'),
  }),
  verifier_module_not_found: notFound({
    title: 'No such module',
    meaning: 'The verifier has no module of this name.',
    reaction: 'Open the page that loads the modules.',
    next: get('/verify', 'Open the page.'),
  }),
  request_timeout: {
    status: 408,
    title: 'Request too slow',
    meaning: 'The header or body of the request did not arrive in time.',
    retry: 'Send the whole request at once.',
  },
  too_many_waits: unavailable({
    meaning: 'Too many requests wait for a change already.',
    retry: 'Repeat after Retry-After, or ask without waitSeconds.',
  }),
  idempotency_key_reused: {
    status: 422,
    title: 'Key reused',
    meaning: 'The key was used for a request with other content.',
    reaction: 'Use a fresh key for new content.',
    next: get('/docs', 'See the rule of idempotency keys.'),
  },
  idempotency_key_in_flight: {
    title: 'Request still running',
    meaning: 'A request with this key is still running.',
    retry: 'Repeat after Retry-After.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'The limit of this bucket is used up.',
    retry: 'Wait for Retry-After.',
  },
  internal_error: { status: 500, meaning: 'The service failed unexpectedly.', reaction: 'Report the request id.', next: REPORT },
  upstream_failure: badGateway({ title: 'Upstream failed', meaning: 'A service this one depends on failed.', retry: 'Repeat later.' }),
  state_store_unavailable: unavailable({
    title: 'Database unavailable',
    meaning: 'The database is down; the outcome may be unknown.',
    retry: 'Repeat the same request; it converges.',
  }),
  workflow_engine_unavailable: unavailable({
    meaning: 'The workflow engine is down; the outcome may be unknown.',
    retry: 'Repeat the same request; it converges.',
  }),
  service_starting: unavailable({
    meaning: 'The service is starting, and a required dependency does not answer yet.',
    retry: 'Repeat the same request.',
  }),
})
