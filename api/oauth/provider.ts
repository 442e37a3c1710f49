import { createHmac, generateKeyPairSync } from 'node:crypto'
import Provider, { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { findLiveDelegate } from '../../activities/oauth/records.ts'
import { createGuardedFetch } from '../../activities/outbound/guarded-fetch.ts'
import { NATIVE_CLIENT } from '../../domain/oauth/clients.ts'
import { SCOPE_NAMES } from '../../schemas/identity/delegate-terms.ts'
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
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: async (_ctx, id) => documents.isAllowed(id) },
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
    cookies: {
      keys: [
        createHmac('sha256', settings.SHARE_SECRET ?? '')
          .update('cookies of oauth')
          .digest('hex'),
      ],
    },
    clientBasedCORS: () => false,
    ttl: {
      AccessToken: ACCESS_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      Interaction: REQUEST_SECONDS,
      Session: REQUEST_SECONDS,
      Grant: 30 * 86_400,
      RefreshToken: (ctx) => Math.max(1, (ctx.oidc.entities.Grant?.exp ?? 0) - Math.floor(Date.now() / 1000)),
    },
    renderError: async (ctx, out) => {
      ctx.type = 'application/json'
      ctx.body = JSON.stringify(out)
    },
  }
}

/** Puts the token of the service in the place of the one that the server made up. */
const issueOwnToken = async (ctx: KoaContextWithOIDC, { tokens, database, clock }: ServiceDeps, resource: string): Promise<void> => {
  const { grantId, accountId } = ctx.oidc.entities.AccessToken ?? {}
  if (grantId === undefined || accountId === undefined) return
  const now = clock.now()
  const live = await findLiveDelegate(database.rows, grantId, now)
  if (live === null) throw new errors.InvalidGrant('the grant has ended')
  const iat = Math.floor(now / 1000)
  const exp = Math.max(iat + 1, Math.min(iat + ACCESS_SECONDS, Math.floor(live.expiresAt / 1000)))
  const { token } = await tokens.issueDelegate({ sub: accountId, grantId, iat, exp, audience: resource })
  ctx.body = { ...(ctx.body as object), access_token: token, expires_in: exp - iat }
}

/** The authorisation server of OAuth. Its answers go through {@link exchange}: it is never connected to a client. */
export const createProvider = (deps: ServiceDeps, resource: string): Provider => {
  const provider = new Provider(deps.baseUrl, configure(deps, resource))
  // The request that the service makes of it names scheme and host of the public address.
  provider.proxy = true
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.oidc?.route === 'token' && ctx.status === 200) await issueOwnToken(ctx as KoaContextWithOIDC, deps, resource)
  })
  provider.on('server_error', (_ctx, error) => deps.logger.error({ err: error }, 'the authorisation server failed'))
  return provider
}
