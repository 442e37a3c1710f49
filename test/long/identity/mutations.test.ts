// Changed tokens. MUTATIONS is their number in one process; `npm run mutations` makes 200,000 and sends 10,000.
import { createPrivateKey } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import { createIdentityHandlers } from '../../../api/identity/handlers.ts'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { codesOf } from '../../../schemas/common/error-row.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import { GRANTABLE_CAPABILITIES } from '../../../schemas/identity/authorisation.ts'
import { TOKEN_ERRORS } from '../../../schemas/identity/errors.ts'
import { OPERATIONS } from '../../../schemas/operations/registry.ts'
import { createNotes } from '../../api/identity/matrix/surfaces.ts'
import { grantTo } from '../../api/support/delegates.ts'
import { serviceTokenOf } from '../../api/support/service-tokens.ts'
import { useApi } from '../../api/support/started.ts'
import { randomOf } from '../../crash/random.ts'
import { accounts, makePem, type Reply, tokenOf } from '../../support/api.ts'
import { KINDS, MAY_BE_SAME, type Material, mutantOf, partsOf } from './mutants.ts'

const COUNT = Number(process.env.MUTATIONS ?? 10_000)
/** Mutants that are sent. */
const SENT = Math.max(1_000, COUNT / 20)
const SEED = process.env.MUTATIONS_SEED ?? 'mutations'
const TIMEOUT_MS = 1_200_000
const CODES: readonly string[] = codesOf(TOKEN_ERRORS)

const pem = makePem()
let notes!: ReturnType<typeof createNotes>['notes']
const api = useApi({
  settings: {
    JWT_KEY: pem,
    MCP_HOSTS: '127.0.0.1',
    RATE_LIMITS: JSON.stringify(Object.fromEntries(Object.keys(RATE_BUCKETS).map((name) => [name, { limit: 9_999_999 }]))),
  },
  handlers: (deps) => {
    const real = { ...createIdentityHandlers(deps), ...createToolHandlers(deps) }
    const noting = createNotes(Object.keys(OPERATIONS), real, ['sendMcpMessage'])
    notes = noting.notes
    return noting.handlers
  },
})
let material: Material
beforeAll(async () => {
  const worker = accounts.worker.address.toLowerCase()
  const originals = [
    await tokenOf(api, accounts.worker),
    await tokenOf(api, accounts.admin),
    (await serviceTokenOf(api, worker, GRANTABLE_CAPABILITIES)).token,
    (await grantTo(api, accounts.worker)).body.token,
  ]
  const records = { kid: 'badge-1', key: createPrivateKey(makePem()) }
  material = { originals, own: createPrivateKey(pem), records }
  notes.isReal = false
})

/** Whether a text reads as the same token: the same bytes of header and claims, and a signature of them. */
const isSame = (kind: string, token: string, of: string): boolean =>
  MAY_BE_SAME.includes(kind) && token.split('.').slice(0, 2).join('.') === of.split('.').slice(0, 2).join('.')

/** Sends in parallel: tokens of an unknown key wait together for the next reading of the keys. */
const AT_ONCE = { verified: 5_000, sent: 100 }
const inGroups = async <T>(count: number, size: number, make: (turn: number) => T, play: (one: T, turn: number) => Promise<void>) => {
  for (let first = 0; first < count; first += size) {
    const group = Array.from({ length: Math.min(size, count - first) }, (_none, place) => make(first + place))
    await Promise.all(group.map((one, place) => play(one, first + place)))
  }
}

/** Counts by name. */
const tally = () => {
  const counts: Record<string, number> = {}
  return { counts, add: (name: string) => (counts[name] = (counts[name] ?? 0) + 1) }
}
const shown = (token: string): string => (token.length > 2_000 ? `${token.slice(0, 2_000)}… of ${token.length}` : token)

test('the tokens that are changed are good, and no two are of one kind', async () => {
  const kinds = material.originals.map((token) => [partsOf(token).payload.tokenKind ?? 'wallet', partsOf(token).payload.roles])
  expect(kinds).toEqual([
    ['wallet', []],
    ['wallet', ['admin']],
    ['service', []],
    ['delegate', []],
  ])
  for (const token of material.originals) await api.deps.tokens.verify(token, Date.now())
})

test(
  'no changed token verifies',
  async () => {
    const random = randomOf(SEED, 'verify')
    const refused = tally()
    const same = tally()
    const faults: unknown[] = []
    const make = (turn: number) => mutantOf(material, random, turn)
    await inGroups(COUNT, AT_ONCE.verified, make, async ({ kind, token, of }, turn) => {
      const outcome = await api.deps.tokens.verify(token, Date.now()).then(
        (claims) => (isSame(kind, token, of) && claims.jti === partsOf(of).payload.jti ? 'same' : 'accepted'),
        (error: unknown) => (error instanceof ServiceError && CODES.includes(error.code) ? error.code : `failed: ${error}`),
      )
      if (outcome === 'same') same.add(kind)
      else refused.add(outcome)
      if (outcome === 'accepted' || outcome.startsWith('failed')) faults.push({ turn, kind, outcome, token: shown(token) })
    })
    process.stdout.write(
      `${COUNT} mutants of ${KINDS.length} kinds (${SEED}): ${JSON.stringify(refused.counts)}, same ${JSON.stringify(same.counts)}\n`,
    )
    expect(faults.slice(0, 20)).toEqual([])
    expect(Object.values(refused.counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(COUNT * 0.95)
  },
  TIMEOUT_MS,
)

/** Longest value of a header and of a query that the service reads whole. */
const SHORT_ENOUGH = 6_000
const MCP = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getAccountSummary', arguments: {} } }
/** Where a token counts: needed, optional, of the wallet alone, that may be replaced, of a tool, and in the query. */
type Place = readonly [string, string, string, object?]
const PLACES: readonly Place[] = [
  ['getAuthSession', 'GET', '/auth/session'],
  ['getJobTiers', 'GET', '/jobs/tiers'],
  ['listAuthSessions', 'GET', '/auth/sessions'],
  ['refreshToken', 'POST', '/auth/refresh', {}],
  ['logout', 'POST', '/auth/logout', {}],
  ['listAdminSessions', 'GET', '/admin/sessions'],
  ['getAccount', 'POST', '/mcp', CALL],
]

/** Who was let in to an operation, or the refusal. */
const outcomeOf = (id: string, { status, headers, body }: Reply): string => {
  const own = notes.reached.find((one) => one.id === id && one.requestId === headers.get('x-request-id'))
  if (own !== undefined) return own.caller === null ? 'anonymous' : `in as ${own.caller.token?.jti}`
  const problem = body?.result?.structuredContent ?? body
  return `${problem?.status ?? status} ${problem?.code}`
}
const outcomeAt = async ([id, method, path, body]: Place, authorization: string): Promise<string> => {
  const raw = body && JSON.stringify(body)
  return outcomeOf(id, await api.call(path, { method, headers: { ...MCP, authorization }, ...(raw !== undefined && { raw }) }))
}
const outcomeInQuery = async (token: string): Promise<string> =>
  outcomeOf('streamEvents', await api.call(`/events?token=${encodeURIComponent(token.toWellFormed())}`))

const REFUSALS = new Set(CODES.map((code) => `401 ${code}`))
/** Whether an answer is one to the good token: let in, or refused for what the token may not do. */
const isGood = (outcome: string, good: string): boolean =>
  [
    ...[`in as ${partsOf(good).payload.jti}`, '403 missing_role', '403 missing_capability', '403 wallet_session_required'],
    '401 service_token_refresh_unsupported',
  ].includes(outcome)

/** Whether a header can carry the text: no control character, and bytes above ASCII as they are in UTF-8. */
const headerTextOf = (token: string): string | null => {
  const text = Buffer.from(token).toString('latin1')
  return /^[\x20-\x7e\x80-\xff]+$/.test(text) && text.length <= SHORT_ENOUGH ? text : null
}

test(
  'no changed token is let in, at any kind of route, as a tool or in a query',
  async () => {
    const random = randomOf(SEED, 'send')
    const refused = tally()
    const same = tally()
    const faults: unknown[] = []
    const make = (turn: number) => ({ ...mutantOf(material, random, turn), place: PLACES[Math.floor(random() * PLACES.length)] as Place })
    await inGroups(SENT, AT_ONCE.sent, make, async ({ kind, token, of, place }, turn) => {
      const text = headerTextOf(token)
      const outcome = await (text === null ? outcomeInQuery(token.slice(0, SHORT_ENOUGH)) : outcomeAt(place, `Bearer ${text}`))
      // Spaces around the token belong to the header.
      const wasSame = text?.trim() === of || isSame(kind, token, of)
      const [isRefused, isIn] = [REFUSALS.has(outcome), wasSame && isGood(outcome, of)]
      if (!isRefused && !isIn) faults.push({ turn, kind, at: text === null ? '/events?token=' : place[2], outcome, token: shown(token) })
      if (isRefused) refused.add(outcome)
      if (isIn) same.add(kind)
    })
    process.stdout.write(`${SENT} mutants sent (${SEED}): ${JSON.stringify(refused.counts)}, same ${JSON.stringify(same.counts)}\n`)
    expect(faults.slice(0, 20)).toEqual([])
    expect(Object.values(refused.counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(SENT * 0.9)
  },
  TIMEOUT_MS,
)

test.each<[string, (good: string, other: string) => string, 'in'?]>([
  ['a lower-case scheme', (good) => `bearer ${good}`, 'in'],
  ['an upper-case scheme', (good) => `BEARER ${good}`, 'in'],
  ['several spaces', (good) => `Bearer    ${good}   `, 'in'],
  ['the scheme alone', () => 'Bearer'],
  ['no scheme', (good) => good],
  ['another scheme', (good) => `Basic ${good}`],
  ['a scheme of proofs', (good) => `DPoP ${good}`],
  ['a scheme that begins so', (good) => `Bearer2 ${good}`],
  ['a tab in place of the space', (good) => `Bearer\t${good}`],
  ['a no-break space', (good) => `Bearer\u00a0${good}`],
  ['a colon', (good) => `Bearer: ${good}`],
  ['a name', (good) => `Bearer token=${good}`],
  ['quotes', (good) => `Bearer "${good}"`],
  ['quotes around all', (good) => `"Bearer ${good}"`],
  ['the scheme twice', (good) => `Bearer Bearer ${good}`],
  ['a parameter', (good) => `Bearer ${good}, realm="x"`],
  ['two tokens with a space', (good, other) => `Bearer ${good} ${other}`],
  ['two tokens with a comma', (good, other) => `Bearer ${good},${other}`],
  ['two credentials', (good, other) => `Bearer ${good}, Bearer ${other}`],
])('a header with %s is read as one good token or refused', async (...[_what, header, isIn]) => {
  const [good = '', other = ''] = material.originals
  const outcomes: string[] = []
  for (const place of PLACES) outcomes.push(await outcomeAt(place, header(good, other)))
  expect(outcomes.filter((outcome) => (isIn === undefined ? outcome !== '401 malformed_token' : !isGood(outcome, good)))).toEqual([])
})
