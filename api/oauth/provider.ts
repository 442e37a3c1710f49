import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Provider, { type Configuration, errors } from 'oidc-provider'
import { findLiveDelegate } from '../../activities/identity/grants.ts'
import { findNativeAccount } from '../../activities/identity/native-accounts.ts'
import { createGuardedFetch } from '../../activities/outbound/guarded-fetch.ts'
import { NATIVE_CLIENT } from '../../domain/oauth/clients.ts'
import { DELEGATE_LIMITS, SCOPE_NAMES } from '../../schemas/identity/delegate-terms.ts'
import type { ServiceDeps } from '../deps.ts'
import { createAdapters } from './adapter.ts'
import { createDocuments } from './documents.ts'

/** Lifetime of an access token. The grant is read at each of its uses, so this bounds what a stolen one is worth. */
const ACCESS_SECONDS = 300
/** Time for a person to read and sign. */
const REQUEST_SECONDS = 900
const CODE_SECONDS = 60

/** The server signs nothing: access tokens are those of the service, and OpenID Connect is off. It does not start without a key. */
const unusedKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  alg: 'ES256',
  use: 'sig',
})

const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/.well-known/jwks.json',
} as const

/** Key of the cookies, apart from what else the secret is for. */
const cookieKey = ({ SHARE_SECRET }: ServiceDeps['settings']): string => {
  if (SHARE_SECRET === undefined) throw new Error('no share secret is configured')
  return createHmac('sha256', SHARE_SECRET).update('cookies of oauth').digest('hex')
}

const configure = (deps: ServiceDeps, resource: string): Configuration => {
  const { baseUrl, clock, database, settings } = deps
  const documents = createDocuments(createGuardedFetch({ allowedHosts: settings.LOCAL_CALLER_HOSTS }))
  const scopes = SCOPE_NAMES.join(' ')
  /** Seconds until the end of the wallet's grant. */
  const untilEnd = async (grantId: string | undefined): Promise<number> => {
    const now = clock.now()
    const live = grantId === undefined ? null : await findLiveDelegate(database.rows, grantId, now)
    if (live === null) throw new errors.InvalidGrant('the grant has ended')
    return Math.max(1, Math.floor((live.expiresAt - now) / 1000))
  }
  return {
    adapter: createAdapters(deps),
    jwks: { keys: [unusedKey()] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: {
      ...NATIVE_CLIENT,
      grant_types: [...NATIVE_CLIENT.grant_types],
      response_types: [...NATIVE_CLIENT.response_types],
      id_token_signed_response_alg: 'ES256',
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: [...SCOPE_NAMES],
    claims: {},
    pkce: { required: () => true },
    routes: ROUTES,
    discovery: { service_documentation: `${baseUrl}/docs` },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: async (_ctx, id) => documents.isAllowed(id),
        // A document has the rules of a registration: else it could name an address without TLS, as a client of the web.
        allowClient: async (_ctx, client) => client.applicationType === 'native',
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, wanted) => {
          if (wanted !== resource) throw new errors.InvalidTarget()
          return { audience: resource, scope: scopes, accessTokenFormat: 'opaque', accessTokenTTL: ACCESS_SECONDS }
        },
      },
    },
    fetch: documents.fetch,
    // Without a grant of this very request the person is asked: no consent is remembered.
    loadExistingGrant: async (ctx) => {
      const id = ctx.oidc.result?.consent?.grantId
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id)
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    // The call before a token is saved: nothing outlives the grant.
    extraTokenClaims: async (_ctx, token) => {
      if ('grantId' in token) await untilEnd(token.grantId)
      return undefined
    },
    interactions: { url: (_ctx, { uid }) => `/oauth/interaction/${uid}` },
    cookies: { keys: [cookieKey(settings)] },
    // No other address that a document names is fetched.
    sectorIdentifierUriValidate: () => false,
    clientBasedCORS: () => false,
    ttl: {
      AccessToken: ACCESS_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      Interaction: REQUEST_SECONDS,
      Session: REQUEST_SECONDS,
      Grant: DELEGATE_LIMITS.days * 86_400,
      RefreshToken: (ctx) => Math.max(1, (ctx.oidc.entities.Grant?.exp ?? 0) - Math.floor(Date.now() / 1000)),
    },
    renderError: async (ctx, out) => {
      ctx.type = 'application/json'
      ctx.body = JSON.stringify(out)
    },
  }
}

/** What a client was granted in an exchange of a code or refresh token. */
export interface Granted {
  grantId: string
  wallet: string
}

/** The authorisation server of OAuth. Its answers go through {@link exchange}: it is never connected to a client. */
export const createProvider = (deps: ServiceDeps, resource: string) => {
  const provider = new Provider(deps.baseUrl, configure(deps, resource))
  // The request that the service makes of it names scheme and host of the public address.
  provider.proxy = true
  const granted = new WeakMap<IncomingMessage, Granted>()
  const failures = new WeakMap<IncomingMessage, unknown>()
  provider.on('grant.success', ({ req, oidc }) => {
    const { grantId, accountId } = oidc.entities.AccessToken ?? {}
    if (grantId !== undefined && accountId !== undefined) granted.set(req, { grantId, wallet: accountId })
  })
  provider.on('server_error', ({ req }, error) => failures.set(req, error))
  return {
    provider,
    /** What the exchange of a request granted; undefined for every other request. */
    grantedBy: (request: IncomingMessage): Granted | undefined => granted.get(request),
    /** What failed in a request, such as the database; undefined if nothing did. */
    failureOf: (request: IncomingMessage): unknown => failures.get(request),
  }
}

/** Signs the token of the service for what a client was granted. Null once the grant has ended. */
export const issueAccessToken = async ({ tokens, database, clock }: ServiceDeps, { grantId, wallet }: Granted, resource: string) => {
  const now = clock.now()
  const live = await findLiveDelegate(database.rows, grantId, now)
  if (live === null) return null
  const iat = Math.floor(now / 1000)
  const exp = Math.max(iat + 1, Math.min(iat + ACCESS_SECONDS, Math.floor(live.expiresAt / 1000)))
  const native = await findNativeAccount(database.rows, wallet)
  const { token } = await tokens.issueDelegate({ sub: native?.ss58 ?? wallet, grantId, iat, exp, audience: resource })
  return { access_token: token, expires_in: exp - iat }
}
