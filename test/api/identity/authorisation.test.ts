import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { actionRequirements } from '../../../api/discovery/requirements.ts'
import { assertComplete, createRouter } from '../../../api/http/router.ts'
import { createIdentityHandlers } from '../../../api/identity/handlers.ts'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { createClient, type OperationId } from '../../../client/src/index.ts'
import { type Access, accessOf } from '../../../console/session/access.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import { BASE_CAPABILITIES, capabilitiesOf } from '../../../schemas/identity/authorisation.ts'
import { capabilitiesNeeded, type OperationSpec, rolesAllowed } from '../../../schemas/operations/operation.ts'
import { OPERATIONS, operationList } from '../../../schemas/operations/registry.ts'
import { accounts, startApi, testChain, tokenOf } from '../../support/api.ts'
import { useApi } from '../support/started.ts'
import { prepareCallers, readMapping } from './matrix/callers.ts'
import { expectedOf } from './matrix/expected.ts'
import { byHttp, byTool, createNotes, hintFaults, outcomeOf } from './matrix/surfaces.ts'

/** The authorisation table of the interface specification, row for row: method, path, token needed, action id, roles. */
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

const needsToken = ({ auth }: OperationSpec): boolean => auth.includes('wallet_token') && !auth.includes('anonymous')

describe('the registry', () => {
  test('fulfils every row of the specification', () => {
    for (const row of served) {
      const [method, path, token, action, role] = row
      const specs = operationList.filter((spec) => rowFor(spec) === row)
      expect([method, path, specs.length]).not.toEqual([method, path, 0])
      for (const spec of specs) {
        const roles = rolesAllowed(spec).join(' ')
        expect([spec.id, needsToken(spec), spec.action, roles]).toEqual([spec.id, token, action, role ?? ''])
      }
    }
  })

  test('gives the manifest the same rows', () => {
    const shown = actionRequirements(operationList, testChain).map(({ method, path, requiresAuth, requiredAction, requiredRole }) =>
      [method, path, requiresAuth, requiredAction, requiredRole].filter((part) => part !== undefined),
    )
    expect(shown).toEqual(
      served.map(([method, path, token, action, role]) =>
        [method, path, token, action, role?.split(' ')[0]].filter((part) => part !== undefined),
      ),
    )
  })

  test('protects every route that is not public by the specification', () => {
    const open = operationList.filter((spec) => !needsToken(spec)).map(({ method, path }) => `${method} ${path}`)
    expect(open.sort()).toEqual(
      [
        ...['POST /auth/nonce', 'POST /auth/verify', 'GET /.well-known/jwks.json', 'GET /onboarding', 'GET /metrics', 'GET /openapi.json'],
        'GET /poster/onboarding',
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
        ...['GET /.well-known/x402', 'GET /.well-known/x402.json', 'GET /verify/profiles', 'GET /verify/runs/:runId'],
        ...['POST /verify/quote', 'POST /verify/runs'],
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

describe('the matrix of operations and callers', () => {
  const UNLIMITED = JSON.stringify(Object.fromEntries(Object.keys(RATE_BUCKETS).map((name) => [name, { limit: 999_999 }])))
  const METRICS_TOKEN = 'the-secret-of-the-metrics-of-this-test'
  let notes!: ReturnType<typeof createNotes>['notes']
  const api = useApi({
    settings: { RATE_LIMITS: UNLIMITED, METRICS_TOKEN, MCP_HOSTS: '127.0.0.1' },
    readMapping,
    handlers: (deps) => {
      const real = { ...createIdentityHandlers(deps), ...createToolHandlers(deps) }
      const noting = createNotes(Object.keys(OPERATIONS), real, ['sendMcpMessage'])
      notes = noting.notes
      return noting.handlers
    },
  })
  let callersOf: Awaited<ReturnType<typeof prepareCallers>>
  let asserted = 0
  beforeAll(async () => {
    callersOf = await prepareCallers(api)
    notes.isReal = false
  })
  const opened = new Map<string, Promise<Access | null>>()
  /** What the console takes a token for; null for one that opens no sign-in. */
  const accessWith = async (token: string): Promise<Access | null> => {
    notes.isReal = true
    const read = async () => accessOf(await createClient({ baseUrl: api.url, token, maxRetries: 0 }).getAuthSession())
    const access = opened.get(token) ?? read().catch(() => null)
    opened.set(token, access)
    return access.finally(() => {
      notes.isReal = false
    })
  }
  afterAll(() => {
    process.stdout.write(`authorisation: ${asserted} cells of ${operationList.length} operations and ${tools.length} tools\n`)
  })
  const tools = operationList.filter(({ tool }) => tool !== undefined)

  const playRow = async (spec: OperationSpec, send: typeof byHttp | typeof byTool) => {
    const seen: Record<string, string> = {}
    const expected: Record<string, string> = {}
    const faults: string[] = []
    const consoleFaults: string[] = []
    for (const found of await callersOf(spec)) {
      const caller = send === byTool ? { ...found, class: found.classOfTools ?? found.class } : found
      notes.reached.length = 0
      const reply = await send(api, spec, caller.token)
      seen[caller.name] = outcomeOf(spec, reply, notes.reached)
      expected[caller.name] = expectedOf(spec, caller)
      faults.push(...hintFaults(spec, reply, caller.class === 'delegate').map((fault) => `${caller.name}: ${fault}`))
      asserted += 1
      const access = send === byTool || caller.token === undefined ? null : await accessWith(caller.token)
      if (access !== null && access.may(spec.id as OperationId) === [401, 403].includes(reply.status)) consoleFaults.push(caller.name)
    }
    expect(seen).toEqual(expected)
    expect(faults).toEqual([])
    // The console shows a page or an action exactly to those whom the API answers.
    expect(consoleFaults).toEqual([])
  }

  test.each(operationList.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))('%s', (_route, spec) => playRow(spec, byHttp))
  test.each(tools.map((spec) => [spec.tool?.name, spec] as const))('the tool %s', (_name, spec) => playRow(spec, byTool))

  test('leaves nothing out', () => {
    expect(operationList.length).toBeGreaterThanOrEqual(137)
    expect(tools.length).toBeGreaterThanOrEqual(44)
    expect(asserted).toBeGreaterThanOrEqual((operationList.length + tools.length) * 16)
  })
})

describe('the permissive mode', () => {
  const deliveries = { open: 0, merged: 0, closedUnmerged: 0, stale: 0, reverted: 0 }
  const events = { count: 0, lastAt: null }
  const reputation = { skill: 0, reliability: 0, economic: 0, tier: 'starter', scoringVersion: 1, deliveries, events }
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
