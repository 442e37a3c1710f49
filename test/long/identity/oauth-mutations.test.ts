// Changed requests of OAuth: of a browser, for tokens, of registrations and revocations. MUTATIONS decides their number.
import { beforeAll, expect, test } from '@jest/globals'
import { keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { connect, exchangeForm, OAUTH, REDIRECT, RESOURCE, register, requestOf } from '../../api/oauth/support.ts'
import { useApi } from '../../api/support/started.ts'
import { randomOf } from '../../crash/random.ts'
import type { Reply } from '../../support/api.ts'

const SENT = Math.max(1_000, Number(process.env.MUTATIONS ?? 0) / 20)
const SEED = process.env.MUTATIONS_SEED ?? 'mutations'
const TIMEOUT_MS = 1_200_000
const CALLBACK = 'https://client.example/back'

const api = useApi(OAUTH)
const random = randomOf(SEED, 'oauth')
const below = (count: number): number => Math.floor(random() * count)
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

const STRANGE = [
  '',
  ' ',
  '\0',
  '\n',
  '\r\nLocation: https://evil.example',
  '%',
  '%00',
  '%0d%0a',
  '\u202e',
  'é',
  '\ud83d',
  "'",
  '"><script>',
  '..',
  '*',
  'null',
  'x'.repeat(1_900),
]
/** Addresses that look like the registered one, and others. */
const ADDRESSES = [
  ...[
    'https://client.example/back/',
    'https://client.example/back?x=1',
    'https://client.example/back#x',
    'https://client.example/back/../x',
  ],
  ...['https://client.example/BACK', 'https://CLIENT.example.evil.example/back', 'https://client.example.evil.example/back'],
  ...['https://client.example@evil.example/back', 'https://evil.example/back', 'https://evil.example#https://client.example/back'],
  ...['https://client.example:444/back', 'http://client.example/back', '//evil.example/back', '/\\evil.example', 'https:evil.example/back'],
  ...['https:///evil.example/back', 'https://client.example\\@evil.example/back', 'https://client.example%40evil.example/back'],
  ...['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'client.example:/back', 'https://client。example/back'],
  ...['https://client.example./back', 'https://client.example/back%2f..%2fx', 'https://client.example/back;x', 'https://[::1]/back'],
  ...[
    'https://work.example/mcp',
    'http://localhost.evil.example/callback',
    'http://127.0.0.1.evil.example/',
    ' https://client.example/back',
  ],
]
const mangled = (text: string): string => {
  const at = below(text.length)
  const flip = () => text.slice(0, at) + String.fromCharCode((text.charCodeAt(at) || 65) ^ (1 << below(7))) + text.slice(at + 1)
  const made = pick([
    flip,
    () => text.slice(0, at),
    () => text.slice(at + 1),
    () => text + text,
    () => text + pick(STRANGE),
    () => pick(STRANGE) + text,
    () => text.toUpperCase(),
  ])()
  return made === text ? mangled(text) : made
}

const ofClient = { redirect: CALLBACK, id: '' }
let kept: Awaited<ReturnType<typeof connect>>
let refreshToken = ''
beforeAll(async () => {
  ofClient.id = (await register(api, { redirect_uris: [CALLBACK], client_name: 'Client of the test' })).body.client_id
  kept = await connect(api)
  refreshToken = (await kept.exchange()).body.refresh_token
  expect(refreshToken).not.toBe('')
})

const counts: Record<string, number> = {}
const count = (name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1
}

/** Whether a browser may be sent there before a person has seen where it leads: a page of the service. */
const isKnownPlace = (location: string): boolean => {
  const { origin, pathname } = new URL(location, 'https://work.example')
  return origin === 'https://work.example' && pathname.startsWith('/oauth/')
}

const WISHES: Record<string, () => string> = {
  redirect_uri: () => pick(ADDRESSES),
  client_id: () =>
    pick([...ADDRESSES, kept.clientId, 'https://evil.example/client.json', 'http://127.0.0.1/client.json', 'https://169.254.169.254/x']),
  response_type: () => pick(['token', 'id_token', 'code token', 'none', 'CODE', '']),
  scope: () => pick(['', 'openid', 'read admin', 'offline_access', 'READ', 'read,claim', 'withdraw', 'read '.repeat(100)]),
  code_challenge_method: () => pick(['plain', 's256', 'none', '']),
  code_challenge: () => pick(['', 'short', 'x'.repeat(43), 'x'.repeat(128), '='.repeat(43)]),
  resource: () => pick([...ADDRESSES, 'https://work.example', 'https://work.example/', `${RESOURCE}/`, `${RESOURCE}#x`]),
  prompt: () => pick(['none', 'login', 'consent', 'none login', 'create', '']),
  response_mode: () => pick(['form_post', 'fragment', 'web_message', 'query', 'jwt', '']),
  request: () => 'eyJhbGciOiJub25lIn0.e30.',
  request_uri: () => pick(ADDRESSES),
  state: () => pick(STRANGE),
  claims: () => '{"id_token":{"sub":{"value":"x"}}}',
  id_token_hint: () => 'eyJhbGciOiJub25lIn0.e30.',
  login_hint: () => pick(STRANGE),
  max_age: () => pick(['0', '-1', 'x']),
}

const formOf = (params: readonly [string, string][]): URLSearchParams =>
  new URLSearchParams(params.map(([name, value]): [string, string] => [name, value.toWellFormed()]))

/** The parameters with some changed, left out or sent twice. */
const changed = (params: [string, string][], wishes: Record<string, () => string>): [string, string][] => {
  let sent = [...params]
  for (let left = 1 + below(3); left > 0; left--) {
    const name = pick(Object.keys(wishes))
    const value = (wishes[name] as () => string)()
    const old = params.find(([known]) => known === name)?.[1] ?? ''
    sent = pick<() => [string, string][]>([
      () => [...sent.filter(([known]) => known !== name), [name, value]],
      () => [...sent.filter(([known]) => known !== name), [name, mangled(old)]],
      () => sent.filter(([known]) => known !== name),
      () => [...sent, [name, value]],
      () => [[name, value], ...sent],
    ])()
  }
  return sent
}

test(
  'a changed request of a browser leads to no address that is not registered',
  async () => {
    const faults: unknown[] = []
    for (let turn = 0; turn < SENT * 0.4; turn++) {
      const { target } = requestOf(ofClient.id, { redirect_uri: CALLBACK })
      const params = changed([...new URLSearchParams(target.split('?')[1])], WISHES)
      const query = formOf(params).toString()
      const response = await fetch(`${api.url}/oauth/authorize?${query}`, { redirect: 'manual' })
      const location = response.headers.get('location')
      await response.text()
      count(`authorize ${response.status}${location === null ? '' : location.startsWith(CALLBACK) ? ' back' : ' on'}`)
      if (response.status >= 500 || (location !== null && !isKnownPlace(location)))
        faults.push({ turn, status: response.status, location, params })
    }
    expect(faults.slice(0, 10)).toEqual([])
  },
  TIMEOUT_MS,
)

const walletOf = (turn: number) => privateKeyToAccount(keccak256(toHex(`${SEED} ${turn}`)))

const FORM: Record<string, () => string> = {
  code: () => pick([mangled(refreshToken), kept.code, ...STRANGE]),
  code_verifier: () => pick(['', 'x'.repeat(43), 'x'.repeat(128), ...STRANGE]),
  client_id: () => pick([ofClient.id, kept.clientId, ...ADDRESSES]),
  redirect_uri: () => pick([...ADDRESSES, CALLBACK]),
}
const OTHER_FORM: Record<string, () => string> = {
  grant_type: () => pick(['password', 'client_credentials', 'implicit', '', 'urn:ietf:params:oauth:grant-type:jwt-bearer', '__proto__']),
  resource: () => pick([...ADDRESSES, 'https://work.example']),
  client_secret: () => pick(STRANGE),
  scope: () => pick(['admin', 'read claim submit', '']),
  client_assertion: () => 'eyJhbGciOiJub25lIn0.e30.',
}

test(
  'a changed request for tokens gets none',
  async () => {
    const faults: unknown[] = []
    let fresh = kept
    for (let turn = 0; turn < SENT * 0.4; turn++) {
      // Each wallet has a bounded number of delegates, so each code comes from a wallet of its own.
      if (turn % 50 === 0) fresh = await connect(api, walletOf(turn))
      const { clientId: client_id, code, verifier: code_verifier } = fresh
      const good = { grant_type: 'authorization_code', redirect_uri: REDIRECT, resource: RESOURCE, client_id, code, code_verifier }
      const refreshing = { grant_type: 'refresh_token', client_id: kept.clientId, refresh_token: mangled(refreshToken) }
      const base = Object.entries<string>(turn % 3 === 0 ? refreshing : good)
      const others = changed(base, pick([FORM, OTHER_FORM, { ...FORM, ...OTHER_FORM }]))
      // It might get tokens, but for one member of the proof that is spoilt for certain. An empty redirect is none, which may be left out.
      const spoilt = pick(['redirect_uri', 'client_id', 'code', 'code_verifier'] as const)
      const value = spoilt === 'redirect_uri' ? pick(ADDRESSES) : mangled(good[spoilt])
      const form: [string, string][] = [...others.filter(([name]) => name !== spoilt), [spoilt, value]]
      const raw = formOf(form).toString()
      const reply = await api.call('/oauth/token', { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
      count(`token ${reply.status} ${reply.body?.error ?? reply.body?.code}`)
      if (reply.status < 400 || reply.status >= 500) faults.push({ turn, status: reply.status, text: reply.text.slice(0, 300), form })
    }
    expect(faults.slice(0, 10)).toEqual([])
  },
  TIMEOUT_MS,
)

/** Whether a client may be registered with an address: HTTPS, the own machine, or a program by its scheme; without a fragment and a user name. */
const isFitAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, hash, username, password } = new URL(text)
  const isLocal = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || isLocal || protocol.includes('.')) && hash === '' && username === '' && password === ''
}

test(
  'a changed registration or revocation registers no bad address and ends no grant of others',
  async () => {
    const faults: unknown[] = []
    for (let turn = 0; turn < SENT * 0.2; turn++) {
      const isRevocation = turn % 2 === 0
      const body = pick<unknown>([
        { redirect_uris: [pick(ADDRESSES)] },
        { redirect_uris: [CALLBACK, pick(ADDRESSES)] },
        { redirect_uris: pick<unknown>([[], null, CALLBACK, [7], [null], {}, Array(500).fill(CALLBACK)]) },
        { redirect_uris: [CALLBACK + pick(STRANGE)] },
        {
          redirect_uris: [CALLBACK],
          client_name: pick([7, null, {}, ...STRANGE]),
          jwks_uri: 'https://evil.example',
          grant_types: ['password'],
        },
        pick<unknown>([[], 'x', 7, null, {}]),
      ])
      const reply: Reply = isRevocation
        ? await exchangeForm(api, '/oauth/revoke', {
            token: mangled(refreshToken).toWellFormed(),
            client_id: pick([kept.clientId, ofClient.id, 'x']),
          })
        : await register(api, body)
      const uris: string[] = reply.status === 201 ? reply.body.redirect_uris : []
      count(`${isRevocation ? 'revoke' : 'register'} ${reply.status} ${reply.body?.error ?? reply.body?.code ?? ''}`)
      if (reply.status >= 500 || !uris.every(isFitAddress))
        faults.push({ turn, status: reply.status, text: reply.text.slice(0, 300), body })
    }
    process.stdout.write(`${SENT} requests of OAuth (${SEED}): ${JSON.stringify(counts)}\n`)
    expect(faults.slice(0, 10)).toEqual([])
    expect((await kept.refresh(refreshToken)).status).toBe(200)
  },
  TIMEOUT_MS,
)
