import { ERRORS } from '../errors.ts'
import { errorsOf, isTagged, type OperationSpec } from '../operations/operation.ts'

/** A header of answers. */
export interface ResponseHeader {
  description: string
  schema: Readonly<Record<string, unknown>>
  /** True where each answer that lists it carries it. */
  required?: true
  /** Answers that list it; `every` for a header of the transport that any answer can carry. */
  on: 'every' | ((spec: OperationSpec, status: number) => boolean)
}

const text = { type: 'string' }

/** Codes of an operation with a status. */
const codesOf = (spec: OperationSpec, status: number) => errorsOf(spec).filter((code) => ERRORS[code].status === status)

/** Whether requests to an operation are counted. */
const hasBucket = (spec: OperationSpec): boolean => errorsOf(spec).includes('rate_limited')

/** Headers of answers by name. Source: http, "Request id and common headers". */
export const RESPONSE_HEADERS: Readonly<Record<string, ResponseHeader>> = {
  'X-Request-Id': {
    description: 'Id of the request: the sent one, or a new one. The logs and the problem document name it.',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    required: true,
    on: () => true,
  },
  ETag: {
    description:
      'Version of the answer, weak where it is compressed; absent from answers with private work. Send it as `If-None-Match` to get 304 while it is current.',
    schema: { type: 'string', pattern: '^(W/)?"[^"]*"$' },
    on: (spec, status) => isTagged(spec) && (status === 200 || status === 304),
  },
  'Idempotent-Replayed': {
    description: 'Present where the answer is that of an earlier request with the same idempotency key.',
    schema: { type: 'string', const: 'true' },
    on: (spec, status) => spec.idempotent !== undefined && status < 300,
  },
  RateLimit: {
    description: 'Bucket, requests left in its window (`r`) and seconds until the next window (`t`).',
    schema: text,
    on: hasBucket,
  },
  'RateLimit-Policy': {
    description: 'Bucket, and the requests (`q`) and seconds (`w`) of its window.',
    schema: text,
    on: hasBucket,
  },
  'Retry-After': {
    description: 'Seconds after which the same request can succeed. Equals `retryAfterSeconds`.',
    schema: { type: 'integer', minimum: 0 },
    // A refusal by the contracts can have a time to repeat although its code has none.
    on: (spec, status) => codesOf(spec, status).some((code) => ERRORS[code].retryable || code === 'blockchain_revert'),
  },
  'WWW-Authenticate': {
    description: 'Scheme of the credentials: `Bearer`, with `error="invalid_token"` where a token was sent.',
    schema: text,
    required: true,
    on: (_spec, status) => status === 401,
  },
  'Ignored-Query': {
    description: 'Percent-encoded names of query members that the operation does not know.',
    schema: text,
    on: ({ method }) => method === 'GET',
  },
  'X-Accel-Buffering': {
    description: '`no`: a proxy forwards each part of the stream at once.',
    schema: { type: 'string', const: 'no' },
    required: true,
    on: ({ streams }, status) => streams === true && status === 200,
  },
  Location: {
    description: 'Address to which the browser goes on, or of what was accepted.',
    schema: text,
    required: true,
    on: ({ path }, status) => status === 303 || (status === 202 && path === '/verify/runs'),
  },
  'Set-Cookie': {
    description: 'Cookie that ties a request of OAuth to this browser.',
    schema: text,
    on: ({ tags, path }, status) => status === 303 && tags.includes('OAuth') && path.startsWith('/oauth/authorize'),
  },
  ...Object.fromEntries(
    ['Payment-Required', 'X-Payment-Required'].map((name) => [
      name,
      {
        description: 'What the request has to pay, by x402: JSON in base64. The members of the problem document say the same.',
        schema: text,
        required: true as const,
        on: ({ problemMembers }: OperationSpec, status: number) => status === 402 && problemMembers?.[402] !== undefined,
      },
    ]),
  ),
  ...Object.fromEntries(
    ['Payment-Response', 'X-Payment-Response'].map((name) => [
      name,
      {
        description: 'How the payment was collected, by x402: JSON in base64. Absent until it is.',
        schema: text,
        on: ({ path }: OperationSpec, status: number) => status < 300 && path.startsWith('/verify/runs'),
      },
    ]),
  ),
  Allow: { description: 'Methods that the path takes.', schema: text, required: true, on: (_spec, status) => status === 405 },
  Link: {
    description: 'The catalogue itself, with its relation.',
    schema: text,
    required: true,
    on: ({ id }, status) => id === 'getApiCatalog' && status < 400,
  },
  'Cache-Control': { description: 'How the answer may be cached.', schema: text, on: 'every' },
  Vary: { description: 'Request headers that change the answer.', schema: text, on: 'every' },
  'Content-Encoding': { description: 'Compression of the body, where the request accepts one.', schema: text, on: 'every' },
  Date: { description: 'Time of the service.', schema: text, on: 'every' },
  Connection: { description: '`close` where the connection ends with the answer.', schema: text, on: 'every' },
  'Strict-Transport-Security': { description: 'Tells browsers to use HTTPS.', schema: text, on: 'every' },
  'X-Content-Type-Options': { description: 'Tells browsers not to guess the media type.', schema: text, on: 'every' },
  'Content-Security-Policy': { description: 'What a browser may load and frame.', schema: text, on: 'every' },
  'Referrer-Policy': { description: 'To which pages a browser tells the address.', schema: text, on: 'every' },
  'X-Robots-Tag': { description: '`noindex, nofollow` on private answers, which search engines must not list.', schema: text, on: 'every' },
  'Access-Control-Allow-Origin': { description: 'Origin of the request, where it is allowed.', schema: text, on: 'every' },
  'Access-Control-Expose-Headers': { description: 'Headers that scripts of an allowed origin may read.', schema: text, on: 'every' },
}

/** Names of the headers that any answer can carry. */
export const COMMON_HEADERS = Object.keys(RESPONSE_HEADERS).filter((name) => RESPONSE_HEADERS[name]?.on === 'every')

/** Names of the further headers of an answer of an operation. */
export const responseHeadersOf = (spec: OperationSpec, status: number): string[] =>
  Object.entries(RESPONSE_HEADERS).flatMap(([name, { on }]) => (typeof on === 'function' && on(spec, status) ? [name] : []))
