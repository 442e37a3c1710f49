import { beforeAll, describe, expect, test } from '@jest/globals'
import { actionRequirements } from '../../../api/discovery/requirements.ts'
import { assertComplete, createRouter } from '../../../api/http/router.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import { BASE_CAPABILITIES, type Capability, capabilitiesOf, GRANTABLE_CAPABILITIES } from '../../../schemas/identity/authorisation.ts'
import { capabilitiesNeeded, type OperationSpec, rolesAllowed } from '../../../schemas/operations/operation.ts'
import { OPERATIONS, operationList } from '../../../schemas/operations/registry.ts'
import { accounts, startApi, tokenOf } from '../../support/api.ts'
import { serviceTokenOf } from '../support/service-tokens.ts'
import { useApi } from '../support/started.ts'

/** The authorisation table of the interface specification, row for row: method, path, token needed, action id, role. */
const SPECIFIED: [string, string, boolean, string, string?][] = [
  ['GET', '/onboarding', false, 'read_onboarding'],
  ['POST', '/auth/nonce', false, 'request_siwe_nonce'],
  ['POST', '/auth/verify', false, 'verify_siwe_signature'],
  ['POST', '/auth/refresh', true, 'refresh_wallet_token'],
  ['GET', '/pool', false, 'read_deposit_pool'],
  ['POST', '/pool/transactions', true, 'build_unsigned_deposit_pool_transactions'],
  ['GET', '/account/position', true, 'read_own_earnings_account'],
  ['POST', '/account/deposit/transactions', true, 'build_unsigned_account_deposit'],
  ['POST', '/account/withdraw/transactions', true, 'build_unsigned_account_withdrawal'],
  ['GET', '/me', true, 'read_own_worker_summary'],
  ['GET', '/receipts', true, 'read_own_work_receipts'],
  ['POST', '/locked-deposits/quote', true, 'quote_locked_deposit_before_consent'],
  ['POST', '/locked-deposits/consent', true, 'create_signed_locked_deposit'],
  ['POST', '/locked-deposits/:id/exit', true, 'request_locked_deposit_early_exit'],
  ['GET', '/credit', true, 'read_credit_pool'],
  ['POST', '/credit/transactions', true, 'build_unsigned_credit_pool_transactions'],
  ['*', '/jobs/claim', true, 'wallet_sign_in'],
  ['*', '/jobs/submit', true, 'wallet_sign_in'],
  ['*', '/account', true, 'wallet_sign_in'],
  ['*', '/account/:path', true, 'wallet_sign_in'],
  ['*', '/jobs/preflight', true, 'wallet_sign_in'],
  ['*', '/jobs/recommendations', true, 'wallet_sign_in'],
  ['*', '/sessions', true, 'wallet_sign_in'],
  ['*', '/session', true, 'wallet_sign_in'],
  ['GET', '/jobs/:id/estimate', true, 'estimate_own_net_reward'],
  ['*', '/admin/:path', true, 'admin_wallet_sign_in', 'admin'],
  ['POST', '/verifier/:path', true, 'verifier_wallet_sign_in', 'verifier'],
]
/** Paths of the specification that a later release serves. */
const LATER = [/^\/receipts/]
const served = SPECIFIED.filter(([, path]) => !LATER.some((later) => later.test(path)))

const covers = ([method, path]: (typeof SPECIFIED)[number], spec: OperationSpec): boolean =>
  (method === '*' || method === spec.method) && (path === spec.path || (path.endsWith('/:path') && spec.path.startsWith(path.slice(0, -5))))
const rowFor = (spec: OperationSpec) =>
  served.find((row) => covers(row, spec) && row[1] === spec.path) ?? served.find((row) => covers(row, spec))

const pathOf = ({ path }: OperationSpec) => path.replaceAll(/:[A-Za-z]+/g, 'x')
const needsToken = ({ auth }: OperationSpec): boolean => auth.includes('wallet_token') && !auth.includes('anonymous')

describe('the registry', () => {
  test('fulfils every row of the specification', () => {
    for (const row of served) {
      const [method, path, token, action, role] = row
      const specs = operationList.filter((spec) => rowFor(spec) === row)
      expect([method, path, specs.length]).not.toEqual([method, path, 0])
      for (const spec of specs) expect([spec.id, needsToken(spec), spec.action, spec.role]).toEqual([spec.id, token, action, role])
    }
  })

  test('gives the manifest the same rows', () => {
    const shown = actionRequirements(operationList).map(({ method, path, requiresAuth, requiredAction, requiredRole }) =>
      [method, path, requiresAuth, requiredAction, requiredRole].filter((part) => part !== undefined),
    )
    expect(shown).toEqual(served.map((row) => [...row]))
  })

  test('protects every route that is not public by the specification', () => {
    const open = operationList.filter((spec) => !needsToken(spec)).map(({ method, path }) => `${method} ${path}`)
    expect(open.sort()).toEqual(
      [
        ...['POST /auth/nonce', 'POST /auth/verify', 'GET /.well-known/jwks.json', 'GET /onboarding', 'GET /metrics', 'GET /openapi.json'],
        ...['GET /gas/capabilities', 'GET /gas/health', 'GET /health', 'GET /health/live', 'GET /pool', 'GET /docs', 'GET /strategies'],
        ...['GET /docs/errors', 'GET /docs/errors/:code', 'GET /docs/:subject', 'GET /docs/guides', 'GET /docs/guides/:name'],
        ...['GET /jobs', 'GET /jobs/definition', 'GET /jobs/tiers', 'POST /jobs/validate-submission', 'GET /stats/settlement'],
        ...[
          'GET /log/heads',
          'GET /log/heads/:day/entries',
          'GET /session/state-machine',
          'GET /verifier/handlers',
          'GET /verifier/result',
        ],
        ...['GET /schemas/jobs', 'GET /schemas/jobs/:name.json', 'GET /schemas/records', 'GET /schemas/records/:name.json'],
        ...['GET /.well-known/api-catalog', 'GET /.well-known/security.txt', 'GET /robots.txt', 'GET /server.json'],
        ...['GET /llms.txt', 'GET /llms-full.txt', 'GET /mcp', 'POST /mcp', 'POST /codehost/events'],
        ...['GET /.well-known/agent-tools.json', 'GET /.well-known/agent-registration.json', 'GET /agents', 'GET /agents/:wallet'],
        ...['GET /agents/:wallet/agent-card.json', 'GET /agents/:wallet/feedback/:sessionId', 'GET /agents/:wallet/registration.json'],
        ...[
          'GET /badges',
          'GET /badges/:sessionId',
          'GET /badges/:sessionId/picture.png',
          'GET /badges/:sessionId/picture.svg',
          'GET /receipts/:receiptId',
          'GET /shares/:token',
        ],
        ...['GET /oauth/authorize', 'GET /oauth/authorize/:uid', 'GET /oauth/interaction/:uid'],
        ...['POST /oauth/interaction/:uid/cancel', 'POST /oauth/interaction/:uid/sign', 'POST /oauth/interaction/:uid/terms'],
        ...['POST /oauth/register', 'POST /oauth/revoke', 'POST /oauth/token'],
        ...['GET /.well-known/oauth-authorization-server', 'GET /.well-known/openid-configuration'],
        ...['GET /.well-known/oauth-protected-resource', 'GET /.well-known/oauth-protected-resource/mcp'],
        ...['GET /', 'GET /verify', 'GET /verify/:name.ts', 'GET /sitemap.xml'],
      ].sort(),
    )
  })

  test('names each operation by its id and only grantable capabilities', () => {
    for (const [name, spec] of Object.entries(OPERATIONS)) expect(spec.id).toBe(name)
    const all = capabilitiesOf(['admin', 'verifier', 'arbitrator'])
    for (const spec of operationList) for (const capability of capabilitiesNeeded(spec)) expect(all).toContain(capability)
  })

  test('gives a wallet without a role every capability that roleless routes need', () => {
    for (const spec of operationList.filter(({ role }) => role === undefined))
      for (const capability of capabilitiesNeeded(spec)) expect(BASE_CAPABILITIES).toContain(capability)
  })

  test('throws at startup for an operation without handler, action, capability or unique path', () => {
    const handler = async () => ({ status: 200, body: {} })
    const claim: OperationSpec = OPERATIONS.claimJob
    const { action: _action, ...nameless } = claim
    const { capability: _capability, ...powerless } = OPERATIONS.runVerifier as OperationSpec
    expect(() => assertComplete([claim], {})).toThrow('no handler for the operation claimJob')
    expect(() => assertComplete([nameless], { claimJob: handler })).toThrow('no authorisation entry')
    expect(() => assertComplete([powerless], { runVerifier: handler })).toThrow('needs a token and a capability')
    expect(() => createRouter([claim, { ...claim, id: 'duplicate' }], { claimJob: handler, duplicate: handler }, {} as never)).toThrow(
      'two operations answer POST /jobs/claim',
    )
  })
})

describe('every protected route over HTTP', () => {
  const reached = async () => {
    throw new Error('reached')
  }
  const OWN = ['refreshToken', 'logout', 'getAuthSession']
  const api = useApi({
    settings: { RATE_LIMITS: '{"auth_nonce":{"limit":10000},"auth_verify":{"limit":10000},"auth_refresh":{"limit":10000}}' },
    handlers: Object.fromEntries(operationList.filter((spec) => needsToken(spec) && !OWN.includes(spec.id)).map(({ id }) => [id, reached])),
  })
  const tokens: Record<string, string> = {}
  beforeAll(async () => {
    for (const name of ['worker', 'admin', 'verifier', 'arbitrator'] as const) tokens[name] = await tokenOf(api, accounts[name])
  })

  const reply = (spec: OperationSpec, token?: string) =>
    api.call(pathOf(spec), { method: spec.method, ...(spec.method === 'POST' && { raw: '{"unexpected":1}' }), token })

  test.each(operationList.filter(needsToken).map((spec) => [`${spec.method} ${spec.path}`, spec] as const))('%s', async (_route, spec) => {
    const anonymous = await reply(spec)
    expect([anonymous.status, anonymous.body.code, anonymous.body.details.requiredAction]).toEqual([401, 'missing_token', spec.action])
    expect(anonymous.body.details.requiredRole).toBe(rolesAllowed(spec)[0])
    if (rolesAllowed(spec).length > 1) expect(anonymous.body.details.requiredRoles).toEqual([...rolesAllowed(spec)])
    expect(anonymous.body.details.requiredCapabilities).toEqual([...capabilitiesNeeded(spec)])
    if (OWN.includes(spec.id)) return
    for (const who of ['worker', 'admin', 'verifier', 'arbitrator'] as const) {
      const { status, body } = await reply(spec, tokens[who])
      const isAllowed = spec.role === undefined || rolesAllowed(spec).some((role) => role === who)
      // After authorisation the request meets the input rules (400) or the handler (500 "reached").
      const passed = status === 400 || status === 500
      expect([who, passed, body.code === 'missing_role']).toEqual([who, isAllowed, !isAllowed])
    }
  })
})

describe('a service token', () => {
  const seen: (string | null)[] = []
  const reached = async ({ caller }: { caller: { wallet: string } | null }) => {
    seen.push(caller?.wallet ?? null)
    throw new Error('reached')
  }
  const WORKER = accounts.worker.address.toLowerCase()
  const routes = operationList.filter(({ auth }) => auth.includes('wallet_token'))
  const api = useApi({
    settings: { RATE_LIMITS: JSON.stringify(Object.fromEntries(Object.keys(RATE_BUCKETS).map((name) => [name, { limit: 9_999 }]))) },
    handlers: Object.fromEntries(routes.filter(({ withoutGrant }) => !withoutGrant).map(({ id }) => [id, reached])),
  })
  const reply = (spec: OperationSpec, token: string) =>
    api.call(pathOf(spec), { method: spec.method, ...(spec.method === 'POST' && { raw: '{"unexpected":1}' }), token })
  const withCapabilities = async (capabilities: readonly Capability[]) => (await serviceTokenOf(api, WORKER, capabilities)).token
  const lessOne = (all: readonly Capability[], left: Capability) => all.filter((capability) => capability !== left)
  /** After authorisation the request meets the input rules (400) or the handler (500 "reached"). */
  const passed = [400, 500]
  const refusedAlways = (spec: OperationSpec): string | undefined => {
    if (spec.id === 'refreshToken') return 'service_token_refresh_unsupported'
    if (!spec.auth.includes('service_token')) return 'wallet_session_required'
    return spec.role === undefined ? undefined : 'missing_role'
  }

  test.each(routes.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))('at %s', async (_route, spec) => {
    const needed = capabilitiesNeeded(spec)
    const full = await reply(spec, await withCapabilities(GRANTABLE_CAPABILITIES))
    const narrowest = await reply(spec, await withCapabilities(needed))
    const refusal = refusedAlways(spec)
    if (refusal !== undefined) {
      expect([full.body.code, narrowest.body.code]).toEqual([refusal, refusal])
      return
    }
    if (spec.withoutGrant) {
      expect([full.status, narrowest.status].every((status) => status === 200 || status === 400)).toBe(true)
      return
    }
    for (const { status } of [full, narrowest]) expect(passed).toContain(status)
    for (const capability of needed) {
      const { status, body } = await reply(spec, await withCapabilities(lessOne(GRANTABLE_CAPABILITIES, capability)))
      expect([status, body.code, body.details.missingCapabilities]).toEqual([403, 'missing_capability', [capability]])
      expect(body.details.grantedBy.capabilities).toEqual([capability])
    }
  })

  test.each(routes.filter(({ auth }) => auth.includes('anonymous')).map((spec) => [spec.id, spec] as const))(
    'is read as its wallet at %s with a capability for it, else as no token',
    async (_id, spec) => {
      const search: Record<string, string> = { getJobDefinition: '?jobId=x', getVerificationResult: '?sessionId=x' }
      const path = spec.path.replace(':wallet', WORKER) + (search[spec.id] ?? '')
      const own = spec.ownView ?? []
      expect(own.length).toBeGreaterThan(0)
      const none = GRANTABLE_CAPABILITIES.filter((capability) => !own.includes(capability))
      seen.length = 0
      for (const capabilities of [none, ...own.map((capability) => [capability])])
        await api.call(path, { token: await withCapabilities(capabilities) })
      expect(seen).toEqual([null, ...own.map(() => WORKER)])
    },
  )
})

describe('the permissive mode', () => {
  const reputation = { skill: 0, reliability: 0, economic: 0, tier: 'starter', scoringVersion: 1, events: { count: 0, lastAt: null } }
  const api = useApi({
    isLocal: true,
    settings: { AUTH_MODE: 'permissive' },
    handlers: {
      getReputation: async ({ caller }: { caller: { wallet: string } }) => ({
        status: 200,
        body: { wallet: caller.wallet, ...reputation },
      }),
    },
  })

  test('lets a request without a token name its wallet', async () => {
    const { status, body } = await api.call(`/reputation?wallet=${accounts.worker.address}`)
    expect([status, body.wallet]).toEqual([200, accounts.worker.address.toLowerCase()])
    expect((await api.call('/reputation?wallet=none')).status).toBe(400)
    expect((await api.call('/reputation')).body.code).toBe('missing_token')
  })

  test('gives no role, not even to a wallet that is configured for it', async () => {
    expect((await api.call(`/admin/sessions?wallet=${accounts.admin.address}`)).body.code).toBe('missing_role')
  })

  test('still refuses a token that is bad, and has none to refresh or revoke', async () => {
    expect((await api.call(`/reputation?wallet=${accounts.worker.address}`, { token: 'x' })).body.code).toBe('malformed_token')
    for (const path of ['/auth/refresh', '/auth/logout'])
      expect((await api.call(`${path}?wallet=${accounts.worker.address}`, { method: 'POST' })).body.code).toBe('missing_token')
  })

  test('is needed for a named wallet: the strict mode ignores it', async () => {
    const strict = await startApi({ databaseUrl: api.databaseUrl, isLocal: true })
    const { body } = await strict.call(`/reputation?wallet=${accounts.worker.address}`)
    await strict.close()
    expect(body.code).toBe('missing_token')
  })

  test('lets a signed-in wallet in as always', async () => {
    expect((await api.call('/reputation', { token: await tokenOf(api, accounts.other) })).body.wallet).toBe(
      accounts.other.address.toLowerCase(),
    )
  })
})
