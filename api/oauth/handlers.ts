import type { InteractionResults } from 'oidc-provider'
import type { Rows } from '../../activities/database/database.ts'
import { consumeRecord } from '../../activities/oauth/records.ts'
import { DAY_MS } from '../../domain/common/instants.ts'
import { cleanName, orderedTerms } from '../../domain/identity/delegate-terms.ts'
import type { GrantRow } from '../../domain/identity/grants.ts'
import { describeRedirect, readRegistration } from '../../domain/oauth/clients.ts'
import { scopesAsked, termsOf } from '../../domain/oauth/terms-form.ts'
import { isRefusal, ServiceError } from '../../schemas/errors.ts'
import { DelegateTermsInput, SCOPE_NAMES } from '../../schemas/identity/delegate-terms.ts'
import { WalletInput } from '../../schemas/identity/native-shapes.ts'
import { SignedMessage } from '../../schemas/identity/signed-message.ts'
import type * as operations from '../../schemas/oauth/operations.ts'
import type { HandlersOf, RawRequest, RequestFacts } from '../../schemas/operations/operation.ts'
import { OPERATIONS } from '../../schemas/operations/registry.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import type { ServiceDeps } from '../deps.ts'
import { parseLoosely } from '../http/body.ts'
import { readForm } from '../http/input.ts'
import { readSigningAccount } from '../identity/accounts/account.ts'
import { issueChallenge, verifySignIn } from '../identity/challenge.ts'
import { delegateOf, endDelegateItself, grantDelegate } from '../identity/delegates.ts'
import { cookiesOf, createExchange, exchange, type ServerAnswer, type ServerRequest } from './exchange.ts'
import { type ClientRequest, consentPage, requestHeaders, signPage } from './pages.ts'
import { createProvider, issueAccessToken } from './provider.ts'

type Facts = Pick<RequestFacts, 'raw' | 'cookie' | 'id' | 'ip'>
type Caller = Pick<RequestFacts, 'ip'>

const rawOf = ({ raw }: Pick<RequestFacts, 'raw'>): RawRequest => {
  if (raw === null) throw new Error('no raw body')
  return raw
}

/** Fields of a form. */
const readFields = (request: Pick<RequestFacts, 'raw'>): URLSearchParams => new URLSearchParams(rawOf(request).bytes.toString('utf8'))

/** A token that is not valid needs no revocation; an outage is none. */
const withoutToken = (error: unknown): null => {
  if (isRefusal(error)) return null
  throw error
}

/** The body of an answer without one. */
const EMPTY = Buffer.alloc(0)
const FORM = 'application/x-www-form-urlencoded'

/** Members that an answer of the authorisation server keeps. */
const objectOf = ({ text }: Pick<ServerAnswer, 'text'>): Record<string, unknown> => (text === '' ? {} : JSON.parse(text))

interface OauthRefusal {
  error: string
  error_description?: string
}

const readRefusal = ({ error, error_description: description }: Record<string, unknown>): OauthRefusal => ({
  error: String(error),
  ...(typeof description === 'string' && { error_description: description }),
})
const refusalOf = (answer: ServerAnswer): OauthRefusal => readRefusal(objectOf(answer))

const refusedRequest = ({ error, error_description: detail }: OauthRefusal): ServiceError =>
  new ServiceError('oauth_request_refused', { reason: error, ...(detail !== undefined && { detail }) })

/** What a client reads of a refused form. A client that is not known is 401. */
const refusedForm = (answer: ServerAnswer) =>
  answer.status === 401
    ? { status: 401 as const, body: refusalOf(answer), headers: { 'www-authenticate': 'Bearer' } }
    : { status: 400 as const, body: refusalOf(answer) }

/** The authorisation server of OAuth for `/mcp`, behind the router: its answers are those of operations. */
export const createOauthHandlers = (deps: ServiceDeps): HandlersOf<typeof operations> => {
  const { baseUrl, chain, clock } = deps
  const resource = `${baseUrl}/mcp`
  const { provider, within, asCaller, grantedBy, failureOf } = createProvider(deps, resource)
  const callback = provider.callback()
  /** Asks the authorisation server. Throws what failed in it, such as an outage of the database. */
  const ask = async ({ ip }: Caller, request: ServerRequest): Promise<ServerAnswer> => {
    const answer = await asCaller(ip, () => exchange(baseUrl, callback, request))
    const failure = failureOf(answer.request)
    if (failure !== undefined) throw failure
    if (answer.status >= 500) throw new ServiceError('internal_error')
    return answer
  }

  /** A redirect of the authorisation server. */
  const redirected = ({ headers }: ServerAnswer) => ({
    status: 303 as const,
    body: '',
    serialised: EMPTY,
    headers: { location: String(headers.location), 'set-cookie': cookiesOf(headers) },
  })

  const sendForm = (caller: Caller, target: string, form: URLSearchParams): Promise<ServerAnswer> =>
    ask(caller, { method: 'POST', target, body: { type: FORM, bytes: Buffer.from(form.toString()) } })

  /** The request that a page belongs to. Throws without one in this browser, or with one that was answered. */
  const findRequest = async (uid: string, { cookie, ip }: Facts): Promise<ClientRequest> => {
    const { request, response } = createExchange(baseUrl, { method: 'GET', target: `/oauth/interaction/${uid}`, cookie })
    const found = await provider.interactionDetails(request, response).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'SessionNotFound') return null
      throw error
    })
    if (found === null || found.uid !== uid || found.result !== undefined) throw new ServiceError('oauth_request_ended')
    const { client_id: clientId, redirect_uri: redirect, scope } = found.params
    const client = await asCaller(ip, () => provider.Client.find(String(clientId)))
    if (client === undefined) throw new ServiceError('oauth_request_ended')
    return {
      uid,
      clientId: client.clientId,
      name: cleanName(client.clientName ?? ''),
      redirect: String(redirect),
      scopes: scopesAsked(scope),
    }
  }

  /**
   * Answers a request in the transaction of `rows`, and leads back to the server, which ends both of its prompts and answers the client. Of several
   * answers the first counts: throws for the others.
   */
  const finish = async (rows: Rows, uid: string, { cookie }: Facts, resultOf: (now: number) => Promise<InteractionResults>) => {
    const now = clock.now()
    if (!(await consumeRecord(rows, { model: 'Interaction', id: uid }, now))) throw new ServiceError('oauth_request_ended')
    const { request, response } = createExchange(baseUrl, { method: 'POST', target: `/oauth/interaction/${uid}`, cookie })
    const location = await within(rows, async () =>
      provider.interactionResult(request, response, await resultOf(now), { mergeWithLastSubmission: false }),
    )
    return { status: 303 as const, body: '', serialised: EMPTY, headers: { location } }
  }

  /** Stores what the authorisation server knows of a grant of the wallet. */
  const saveGrant = async (granted: GrantRow, clientId: string, now: number): Promise<void> => {
    const { terms, expiresAt } = delegateOf(granted)
    const expiresIn = Math.max(1, Math.floor((expiresAt - now) / 1000))
    const grant = Object.assign(new provider.Grant(), { accountId: granted.subject, clientId, jti: granted.id, expiresIn })
    const scopes = terms.scopes.join(' ')
    const refused = SCOPE_NAMES.filter((scope) => !terms.scopes.includes(scope)).join(' ')
    grant.addOIDCScope(scopes)
    grant.addResourceScope(resource, scopes)
    if (refused !== '') {
      grant.rejectOIDCScope(refused)
      grant.rejectResourceScope(resource, refused)
    }
    await grant.save()
  }

  /** The form of a page of this service. */
  const formOf = (request: Facts): URLSearchParams => {
    const { headers } = rawOf(request)
    if (headers.origin !== undefined && headers.origin !== new URL(baseUrl).origin) throw new ServiceError('oauth_origin_refused')
    return readFields(request)
  }

  const metadata = async ({ request }: { request: Caller }) => ({
    status: 200 as const,
    body: OPERATIONS.getServerMetadata.responses[200].parse(
      objectOf(await ask(request, { method: 'GET', target: '/.well-known/oauth-authorization-server' })),
    ),
  })
  const resourceMetadata = async () => ({
    status: 200 as const,
    body: {
      resource,
      resource_name: PRODUCT_NAME,
      authorization_servers: [baseUrl],
      scopes_supported: [...SCOPE_NAMES],
      bearer_methods_supported: ['header'],
      resource_documentation: `${baseUrl}/docs`,
    },
  })

  return {
    authorizeClient: async ({ query, request }) => {
      const target = `/oauth/authorize?${new URLSearchParams(query as Record<string, string>)}`
      const answer = await ask(request, { method: 'GET', target })
      if (answer.status >= 400) throw refusedRequest(refusalOf(answer))
      const reply = redirected(answer)
      // Any address can be registered: a browser is sent to one only after a person has seen where it leads.
      if (!reply.headers.location.startsWith('/'))
        throw refusedRequest(readRefusal(Object.fromEntries(new URL(reply.headers.location).searchParams)))
      return reply
    },
    resumeAuthorization: async ({ params: { uid }, request }) => {
      const { cookie } = request
      const answer = await ask(request, { method: 'GET', target: `/oauth/authorize/${encodeURIComponent(uid)}`, cookie })
      if (answer.status >= 400) throw new ServiceError('oauth_request_ended')
      return redirected(answer)
    },
    exchangeCode: async ({ request }) => {
      const form = readFields(request)
      // A refresh gives every scope of the grant, and its answer says so: the grant alone decides what a token may do.
      if (form.get('grant_type') === 'refresh_token') form.delete('scope')
      const answer = await sendForm(request, '/oauth/token', form)
      if (answer.status !== 200) return refusedForm(answer)
      const granted = grantedBy(answer.request)
      if (granted === undefined) throw new Error('the authorisation server granted nothing')
      const issued = await issueAccessToken(deps, granted, resource)
      if (issued === null) return { status: 400, body: { error: 'invalid_grant', error_description: 'the grant has ended' } }
      return { status: 200, body: OPERATIONS.exchangeCode.responses[200].parse({ ...objectOf(answer), ...issued }) }
    },
    registerClient: async ({ request }) => {
      const registration = readRegistration(parseLoosely(rawOf(request).bytes))
      if ('fault' in registration) return { status: 400, body: { error: 'invalid_client_metadata', error_description: registration.fault } }
      const bytes = Buffer.from(JSON.stringify(registration))
      const answer = await ask(request, { method: 'POST', target: '/oauth/register', body: { type: 'application/json', bytes } })
      if (answer.status === 201) return { status: 201, body: OPERATIONS.registerClient.responses[201].parse(objectOf(answer)) }
      const refusal = refusalOf(answer)
      if (refusal.error === 'temporarily_unavailable') return { status: 503, body: refusal }
      return { status: 400, body: refusal }
    },
    revokeOauthToken: async ({ request }) => {
      const form = readFields(request)
      const token = form.get('token') ?? ''
      // An access token is one of the service, which the server does not know.
      if (token.includes('.')) {
        const claims = await deps.tokens.verify(token, clock.now(), resource).catch(withoutToken)
        if (claims?.kind === 'delegate' && claims.grantId !== null) await endDelegateItself(deps, claims.grantId)
        return { status: 200, body: '', serialised: EMPTY }
      }
      const answer = await sendForm(request, '/oauth/revoke', form)
      if (answer.status === 200) return { status: 200, body: '', serialised: EMPTY }
      return refusedForm(answer)
    },
    getConsentPage: async ({ params: { uid }, request }) => {
      const found = await findRequest(uid, request)
      return { status: 200, body: consentPage(found, chain.asset.symbol), headers: requestHeaders(found) }
    },
    chooseTerms: async ({ params: { uid }, request }) => {
      const form = formOf(request)
      const found = await findRequest(uid, request)
      const account = readSigningAccount(chain, readForm(WalletInput, form.get('wallet') ?? '', 'wallet'), '/wallet')
      const { name, days, ...terms } = readForm(DelegateTermsInput, termsOf(form, found.name, chain.asset.decimals))
      const scopes = terms.scopes.filter((scope) => found.scopes.includes(scope))
      if (scopes.length < terms.scopes.length)
        throw new ServiceError('invalid_request', { detail: 'The client does not ask for this scope.' })
      const client = { name, host: describeRedirect(found.redirect).host, id: found.clientId }
      const asked = { terms: orderedTerms(terms), client, endsAt: clock.now() + days * DAY_MS, interaction: uid }
      const { message } = await issueChallenge(deps, account, {
        requestId: request.id,
        delegate: { request: asked, resources: [resource] },
      })
      return {
        status: 200,
        body: signPage(found, { message, wallet: account.subject, chainId: chain.chainId }),
        headers: requestHeaders(found),
      }
    },
    signTerms: async ({ params: { uid }, request }) => {
      const form = formOf(request)
      const { clientId } = await findRequest(uid, request)
      const given = readForm(SignedMessage, {
        // A form sends each line end as two characters.
        message: (form.get('message') ?? '').replaceAll('\r\n', '\n'),
        signature: form.get('signature') ?? '',
      })
      return verifySignIn(deps, { ...given, requestId: request.id, interaction: uid }, (rows, challenge) =>
        finish(rows, uid, request, async (now) => {
          const granted = await grantDelegate(rows, challenge, now)
          await saveGrant(granted, clientId, now)
          return { login: { accountId: granted.subject, remember: false }, consent: { grantId: granted.id } }
        }),
      )
    },
    refuseClient: async ({ params: { uid }, request }) => {
      formOf(request)
      await findRequest(uid, request)
      return deps.database.transaction((rows) =>
        finish(rows, uid, request, async () => ({ error: 'access_denied', error_description: 'the person refused' })),
      )
    },
    getResourceMetadata: resourceMetadata,
    getRootResourceMetadata: resourceMetadata,
    getServerMetadata: metadata,
    getOpenidMetadata: metadata,
  }
}
