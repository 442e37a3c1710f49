import { z } from 'zod'
import { codesOf } from '../common/error-row.ts'
import { DELEGATE_SCOPES } from '../identity/delegate-terms.ts'
import { SIGN_IN_ERRORS } from '../identity/errors.ts'
import { operation, PUBLIC } from '../operations/operation.ts'
import { literal, shape } from '../operations/values.ts'

const open = { tags: ['OAuth'], auth: PUBLIC } as const
/** Pages and answers of one request: no cache keeps them, and a form of theirs names its origin. */
const fresh = { ...open, cache: 'no-store' } as const
const page = { ...fresh, rate: 'oauth_pages', produces: 'text/html; charset=utf-8' } as const

/** Longest body of a form, and of a registration. */
const FORM_BYTES = 65_536
const REGISTRATION_BYTES = 8_192

const OauthError = shape('OauthError', 'Refusal in the form of OAuth 2 (RFC 6749, 5.2).', {
  error: z.string(),
  error_description: z.string().optional(),
})

const Text = z.string().max(2_000).optional()

export const authorizeClient = operation('authorizeClient', 'GET /oauth/authorize', {
  summary: 'Begin a request of a client: a browser is led to the page where a wallet grants it.',
  description:
    'The flow with a code and PKCE (S256). A request that breaks a rule is refused here: every caller can register an address, so a browser is sent to one, with `iss`, only after a person has answered on the page. So `prompt=none` is refused, too.',
  ...fresh,
  rate: 'oauth_authorize',
  query: z.object({
    client_id: Text.describe('Id of a registered client, or the HTTPS address of its document.'),
    response_type: Text.describe('`code`.'),
    redirect_uri: Text,
    scope: Text.describe(`Of ${Object.keys(DELEGATE_SCOPES).join(', ')}, separated by spaces.`),
    state: Text,
    code_challenge: Text,
    code_challenge_method: Text.describe('`S256`.'),
    resource: Text.describe('Address of `/mcp`, which is also the default.'),
    prompt: Text,
  }),
  responses: { 303: literal('') },
  errors: ['oauth_request_refused'],
  examples: { query: { client_id: 'pQ0yVt0uYyqYJrVQ8V2hM', response_type: 'code', code_challenge_method: 'S256' } },
})

export const resumeAuthorization = operation('resumeAuthorization', 'GET /oauth/authorize/:uid', {
  summary: 'Lead the browser back to the client, after the wallet has answered.',
  ...fresh,
  rate: 'oauth_pages',
  readsCookie: true,
  params: z.object({ uid: z.string().min(1).max(64).describe('Id of the request.') }),
  responses: { 303: literal('') },
  errors: ['oauth_request_ended'],
  examples: { params: { uid: 'pQ0yVt0uYyqYJrVQ8V2hM' } },
})

const form = {
  limitBytes: FORM_BYTES,
  type: 'application/x-www-form-urlencoded',
  headers: {},
  optionalHeaders: { 'content-type': 'Must be `application/x-www-form-urlencoded`.' },
} as const

export const exchangeCode = operation('exchangeCode', 'POST /oauth/token', {
  summary: 'Exchange a code, or a refresh token, for tokens of a delegate.',
  description:
    'An access token lives for five minutes, and counts at `/mcp` alone. Each exchange replaces the refresh token; for 30 seconds the replaced one gets the same successor again. Its later use, or the second use of a code, ends the grant.',
  ...fresh,
  rate: 'oauth_token',
  rawBody: {
    ...form,
    shape: z.object({
      grant_type: z.string(),
      client_id: z.string(),
      code: z.string().optional(),
      redirect_uri: z.string().optional(),
      code_verifier: z.string().optional(),
      refresh_token: z.string().optional(),
      resource: z.string().optional(),
    }),
  },
  examples: {
    body: { grant_type: 'refresh_token', client_id: 'pQ0yVt0uYyqYJrVQ8V2hM', refresh_token: 'the-refresh-token' },
    responses: {
      200: { access_token: '…', expires_in: 300, refresh_token: '…', scope: 'read claim', token_type: 'Bearer' },
    },
  },
  responses: {
    200: z.object({
      access_token: z.string(),
      expires_in: z.int(),
      refresh_token: z.string().optional(),
      scope: z.string(),
      token_type: literal('Bearer'),
    }),
    400: OauthError,
    401: OauthError,
  },
  errors: ['token_key_unavailable'],
})

export const registerClient = operation('registerClient', 'POST /oauth/register', {
  summary: 'Register a client that has no document of its own (RFC 7591).',
  description:
    'A client is deleted after an hour if it never had a grant, and after a day without a live one. Members that the service does not use are ignored.',
  ...fresh,
  rate: 'oauth_register',
  rawBody: {
    limitBytes: REGISTRATION_BYTES,
    headers: {},
    shape: z.object({ redirect_uris: z.array(z.string()), client_name: z.string().optional() }),
  },
  responses: {
    201: z.looseObject({ client_id: z.string(), redirect_uris: z.array(z.string()) }),
    400: OauthError,
    503: OauthError,
  },
  examples: {
    body: { redirect_uris: ['https://agent.example/callback'], client_name: 'Example agent' },
    responses: { 201: { client_id: 'pQ0yVt0uYyqYJrVQ8V2hM', redirect_uris: ['https://agent.example/callback'] } },
  },
})

export const revokeOauthToken = operation('revokeOauthToken', 'POST /oauth/revoke', {
  summary: 'Revoke the grant of a token (RFC 7009), and with it every token of the grant.',
  ...fresh,
  rate: 'oauth_token',
  rawBody: { ...form, shape: z.object({ token: z.string(), client_id: z.string().optional() }) },
  examples: { body: { token: 'the-refresh-token', client_id: 'pQ0yVt0uYyqYJrVQ8V2hM' } },
  responses: { 200: literal(''), 400: OauthError, 401: OauthError },
})

const answered = {
  ...fresh,
  rate: 'oauth_pages',
  params: z.object({ uid: z.string().min(1).max(64).describe('Id of the request.') }),
} as const
const ofRequest = { ...page, params: answered.params } as const
const Message = z.object({ message: z.string(), signature: z.string() })
const Terms = z.object({
  wallet: z.string(),
  scope: z.array(z.string()),
  bondPerDay: z.string(),
  jobsPerDay: z.string(),
  tier: z.array(z.string()),
  days: z.string(),
})
const EXAMPLE = { params: { uid: 'pQ0yVt0uYyqYJrVQ8V2hM' } } as const
const pageForm = {
  ...form,
  optionalHeaders: { ...form.optionalHeaders, origin: 'Page that sends the form; only a page of this service is accepted.' },
} as const

export const getConsentPage = operation('getConsentPage', 'GET /oauth/interaction/:uid', {
  summary: 'Page on which a person chooses what the client may do with the wallet.',
  ...ofRequest,
  readsCookie: true,
  responses: { 200: z.string() },
  errors: ['oauth_request_ended'],
  examples: EXAMPLE,
})

export const chooseTerms = operation('chooseTerms', 'POST /oauth/interaction/:uid/terms', {
  summary: 'Page with the message that states the chosen terms, for the wallet to sign.',
  ...ofRequest,
  readsCookie: true,
  rawBody: { ...pageForm, shape: Terms },
  responses: { 200: z.string() },
  errors: ['oauth_request_ended', 'oauth_origin_refused'],
  examples: {
    ...EXAMPLE,
    body: {
      wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      scope: ['read'],
      bondPerDay: '7',
      jobsPerDay: '10',
      tier: ['starter'],
      days: '3',
    },
  },
})

export const signTerms = operation('signTerms', 'POST /oauth/interaction/:uid/sign', {
  summary: 'Grant the signed terms to the client, and lead the browser back to it.',
  ...answered,
  rate: 'auth_verify',
  readsCookie: true,
  rawBody: { ...pageForm, shape: Message },
  responses: { 303: literal('') },
  errors: ['oauth_request_ended', 'oauth_origin_refused', ...codesOf(SIGN_IN_ERRORS), 'delegate_limit_reached', 'blockchain_unavailable'],
  examples: { ...EXAMPLE, body: { message: 'work.example wants you to sign in …', signature: '0x…' } },
})

export const refuseClient = operation('refuseClient', 'POST /oauth/interaction/:uid/cancel', {
  summary: 'Grant nothing, and lead the browser back to the client.',
  ...answered,
  readsCookie: true,
  rawBody: { ...pageForm, shape: z.object({}) },
  responses: { 303: literal('') },
  errors: ['oauth_request_ended', 'oauth_origin_refused'],
  examples: { ...EXAMPLE, body: {} },
})

const document = { ...open, cache: 'public, max-age=300' } as const

const RESOURCE_EXAMPLE = {
  resource: 'https://work.example/mcp',
  resource_name: 'Agent work',
  authorization_servers: ['https://work.example'],
  scopes_supported: ['read', 'claim', 'submit'],
  bearer_methods_supported: ['header'],
  resource_documentation: 'https://work.example/docs',
}
const SERVER_EXAMPLE = {
  issuer: 'https://work.example',
  authorization_endpoint: 'https://work.example/oauth/authorize',
  token_endpoint: 'https://work.example/oauth/token',
  registration_endpoint: 'https://work.example/oauth/register',
  revocation_endpoint: 'https://work.example/oauth/revoke',
  scopes_supported: ['read', 'claim', 'submit'],
  code_challenge_methods_supported: ['S256'],
}

const ResourceMetadata = shape('ProtectedResourceMetadata', 'What a client must know to get a token for `/mcp` (RFC 9728).', {
  resource: z.string().describe('Audience of the tokens.'),
  resource_name: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_documentation: z.string(),
})

export const getResourceMetadata = operation('getResourceMetadata', 'GET /.well-known/oauth-protected-resource/mcp', {
  summary: 'Which authorisation server gives tokens for `/mcp`, and with which scopes (RFC 9728).',
  ...document,
  responses: { 200: ResourceMetadata },
  examples: { responses: { 200: RESOURCE_EXAMPLE } },
})

export const getRootResourceMetadata = operation('getRootResourceMetadata', 'GET /.well-known/oauth-protected-resource', {
  summary: 'The same document, for clients that look for it at the root.',
  ...document,
  responses: { 200: ResourceMetadata },
  examples: { responses: { 200: RESOURCE_EXAMPLE } },
})

const ServerMetadata = z
  .looseObject({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    registration_endpoint: z.string(),
    revocation_endpoint: z.string(),
    scopes_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
  })
  .meta({ id: 'AuthorizationServerMetadata', description: 'What a client must know of the authorisation server (RFC 8414).' })

export const getServerMetadata = operation('getServerMetadata', 'GET /.well-known/oauth-authorization-server', {
  summary: 'Addresses and abilities of the authorisation server (RFC 8414).',
  ...document,
  responses: { 200: ServerMetadata },
  examples: { responses: { 200: SERVER_EXAMPLE } },
})

export const getOpenidMetadata = operation('getOpenidMetadata', 'GET /.well-known/openid-configuration', {
  summary: 'The same document, for clients that know OpenID Connect alone.',
  ...document,
  responses: { 200: ServerMetadata },
  examples: { responses: { 200: SERVER_EXAMPLE } },
})
