// Changed tokens, made from good ones: their text, their bytes, their claims, their header, their signature, their key.
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import type { Random } from '../../crash/random.ts'

/** What a forger has: good tokens of several kinds and every public key. `own` is the private key of the service, for claims that it would never sign. */
export interface Material {
  originals: readonly string[]
  own: KeyObject
  /** A private key of the service that signs records, not tokens. */
  records: { kid: string; key: KeyObject }
}

type Json = Record<string, unknown>
interface Parts {
  header: Json
  payload: Json
  signature: string
}
interface Forge {
  random: Random
  material: Material
  /** The token that is changed. */
  token: string
  parts: Parts
  pick: <T>(list: readonly T[]) => T
  below: (count: number) => number
}
type Mutator = (forge: Forge) => string

const encode = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const decode = (part: string): Json => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
export const partsOf = (token: string): Parts => {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return { header: decode(header), payload: decode(payload), signature }
}
const seconds = (): number => Math.floor(Date.now() / 1000)

/** Keys of a forger, made once. */
const FORGER = {
  p256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  secp256k1: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ed25519: generateKeyPairSync('ed25519'),
}
const ieee = (hash: string | null, text: string, key: KeyObject): string =>
  sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
const signed = (header: unknown, payload: unknown, key: KeyObject): string => {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${ieee('sha256', text, key)}`
}
const FORGED: readonly (readonly [string, (text: string) => string])[] = [
  ['ES256', (text) => ieee('sha256', text, FORGER.p256.privateKey)],
  ['ES384', (text) => ieee('sha384', text, FORGER.p384.privateKey)],
  ['ES256K', (text) => ieee('sha256', text, FORGER.secp256k1.privateKey)],
  ['RS256', (text) => ieee('sha256', text, FORGER.rsa.privateKey)],
  ['EdDSA', (text) => ieee(null, text, FORGER.ed25519.privateKey)],
]
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const half = (signature: string, place: 0 | 1): bigint =>
  BigInt(
    `0x${
      Buffer.from(signature, 'base64url')
        .subarray(place * 32, place * 32 + 32)
        .toString('hex') || '0'
    }`,
  )
const pair = (r: bigint, s: bigint): string => Buffer.from(word(r) + word(s), 'hex').toString('base64url')

/** Claims of more power. */
const WISHES: Record<string, readonly unknown[]> = {
  roles: [['admin'], ['admin', 'verifier', 'arbitrator'], ['verifier'], 'admin', { admin: true }, ['root'], null],
  sub: [`0x${'0'.repeat(40)}`, `0x${'22'.repeat(20)}`, '', null, 7, ['0x'], 'admin', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  aud: [['agent-work-service'], ['agent-work-service', 'another'], 'another', '', null, {}, 'https://work.example/mcp'],
  iss: ['another', '', null, ['agent-work-service'], 'https://work.example'],
  exp: [4_102_444_800, 1e300, -1, 0, '9', null, 1.5],
  iat: [0, -1, 4_102_444_800, '1', null],
  nbf: [-1, 4_102_444_800, '0', null],
  jti: [randomUUID(), '', null, 'x', "' or 1=1 --", ['a']],
  sid: [randomUUID(), '', null, 'x', "' or 1=1 --", {}],
  auth_time: [-1, 4_102_444_800, '0', null],
  tokenKind: ['wallet', 'service', 'delegate', 'admin', 'refresh', null, ['wallet'], ''],
  capabilityGrantId: ['grant-000000000001', 'grant-ffffffffffff', '', null, ['grant-000000000001'], 'grant-1', '*'],
  serviceScope: ['all', {}, null, 7],
  serviceToken: [true, false, 'true'],
  scope: ['read claim submit', 'admin', '*'],
  capabilities: [['jobs:create'], ['*']],
  __proto__: [{ roles: ['admin'] }],
}
const NAMES = Object.keys(WISHES)

/** Claims that the service never accepts, with any signature. `wallet` claims have a sign-in, the others a grant. */
const REFUSED: Record<string, readonly unknown[]> = {
  aud: [
    ['agent-work-service'],
    ['agent-work-service', 'another'],
    [],
    'another',
    'agent-work-service ',
    'AGENT-WORK-SERVICE',
    '',
    null,
    {},
    0,
  ],
  iss: ['another', 'agent-work-service/', ['agent-work-service'], '', null, {}, true],
  sub: [
    '',
    null,
    7,
    ['0x'],
    {},
    'admin',
    '0x',
    `0x${'g'.repeat(40)}`,
    `0x${'A'.repeat(40)}`,
    `0x${'1'.repeat(41)}`,
    `0x${'1'.repeat(40)}\n`,
  ],
  roles: ['admin', null, {}, ['root'], ['Admin'], ['admin '], [['admin']], [null], Array(200).fill('admin')],
  exp: [0, -1, 1e300, 1.5, '4102444800', null, [], {}, 4_102_444_800, 1],
  iat: [-1, 4_102_444_800, '1', null, 1.5, [], {}, 1e300],
  nbf: [-1, 4_102_444_800, '1', null, 1.5, [], {}, 1e300],
  auth_time: [-1, 4_102_444_800, '1', null, 1.5, [], {}, 1e300],
  jti: ['', null, 'x', 7, [], {}, "' or 1=1 --", `${randomUUID()}\n`, randomUUID().toUpperCase().replace(/^./, 'A')],
  tokenKind: ['admin', 'refresh', '', 'Wallet', 'wallet ', ['wallet'], {}, 7, false],
}

/** Members of a header that carry or name a key, or ask for a rule. */
const HEADERS = (): readonly Json[] => [
  { jku: 'https://evil.example/jwks.json' },
  { jku: '' },
  { jwk: FORGER.p256.publicKey.export({ format: 'jwk' }) },
  { jwk: null },
  { x5u: 'https://evil.example/cert' },
  { x5c: ['MIIB'] },
  { x5t: 'AA' },
  { crit: ['exp'] },
  { crit: [] },
  { crit: ['b64'], b64: false },
  { b64: false },
  { b64: true },
]
const KIDS: readonly unknown[] = [
  ...['', 'jwt-0', 'jwt-999', 'JWT-1', 'jwt-1 ', ' jwt-1', 'jwt-1\0', '../../dev/null', '/dev/null', "' or 1=1 --", 'x'.repeat(5_000)],
  ...['__proto__', 'constructor', 'toString', '*', '%', 'jwt_1', 'jwt-١', 'badge-1', 'receipt-1', 'https://evil.example/key'],
  ...[null, 0, 1, true, [], ['jwt-1'], {}, { kid: 'jwt-1' }],
]
const ALGORITHMS: readonly unknown[] = [
  ...[
    'none',
    'None',
    'NONE',
    'nOnE',
    '',
    'HS256',
    'HS384',
    'HS512',
    'RS256',
    'PS256',
    'ES384',
    'ES512',
    'ES256K',
    'EdDSA',
    'es256',
    'ES256 ',
    ' ES256',
  ],
  ...[null, 0, true, ['ES256'], {}, 'dir', 'A128KW', 'ECDH-ES'],
]
const STRANGE = [
  '\u200b',
  '\u00a0',
  '\u202e',
  '\ufeff',
  '\u0000',
  '\n',
  '\r\n',
  '\t',
  '٠',
  'ａ',
  'é',
  'e\u0301',
  '😀',
  '\ud800',
  '\u2028',
  '%2e',
  '%00',
]
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= ,;:"\'{}[]\\'

const flipped = (part: string, { below }: Forge): string => {
  const bytes = Buffer.from(part, 'base64url')
  const bit = below(bytes.length * 8)
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return bytes.toString('base64url')
}
const withPart = (token: string, place: number, change: (part: string) => string): string =>
  token
    .split('.')
    .map((part, index) => (index === place ? change(part) : part))
    .join('.')
const changedClaims = ({ parts, pick, below }: Forge): Json => {
  const changed = { ...parts.payload }
  for (let left = 1 + below(3); left > 0; left--) {
    const name = pick(NAMES)
    Object.defineProperty(changed, name, { value: pick(WISHES[name] ?? []), enumerable: true, configurable: true, writable: true })
  }
  // A wish can be what the token has.
  return JSON.stringify(changed) === JSON.stringify(parts.payload) ? { ...changed, roles: ['admin', 'verifier'] } : changed
}
/** The claims of one kind with the words of another. */
const crossed = ({ parts, pick }: Forge): Json => {
  const { sid: _sid, tokenKind: _kind, capabilityGrantId: _grant, serviceScope: _scope, serviceToken: _service, ...base } = parts.payload
  return pick<Json>([
    { ...base, tokenKind: 'delegate' },
    { ...base, tokenKind: 'service', serviceToken: true },
    { ...base, tokenKind: 'wallet', capabilityGrantId: 'grant-000000000001' },
    { ...base },
    { ...base, tokenKind: 'delegate', sid: randomUUID() },
    { ...base, tokenKind: 'delegate', capabilityGrantId: 'grant-000000000001', roles: ['admin'] },
    { ...base, tokenKind: 'service', capabilityGrantId: 'grant-000000000001', roles: ['verifier'] },
    { ...base, tokenKind: 'delegate', capabilityGrantId: ['grant-000000000001'] },
    { ...base, tokenKind: 'service', capabilityGrantId: 'grant-000000000001', serviceScope: {} },
  ])
}
const publicForms = (key: KeyObject): (string | Buffer)[] => {
  const open = createPublicKey(key)
  const { x = '', y = '' } = open.export({ format: 'jwk' })
  const pem = open.export({ type: 'spki', format: 'pem' }).toString()
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const jwk = JSON.stringify({ kty: 'EC', crv: 'P-256', x, y })
  return [
    pem,
    pem.trim(),
    pem.replaceAll('\n', ''),
    open.export({ type: 'spki', format: 'der' }),
    point,
    point.subarray(1),
    jwk,
    x,
    y,
    '',
    '\0',
  ]
}
/** The text of a JSON object with a member that stands in it twice. */
const doubled = (value: Json, name: string, other: unknown, isLast: boolean): string => {
  const member = `${JSON.stringify(name)}:${JSON.stringify(other) ?? 'null'}`
  const text = JSON.stringify(value)
  return isLast ? `${text.slice(0, -1)},${member}}` : `{${member},${text.slice(1)}`
}

/** Ways to change a token. Those in `MAY_BE_SAME` can give a text that reads as the same token. */
const MUTATORS: Readonly<Record<string, Mutator>> = {
  'a bit of the text': ({ token, below }) => {
    const at = below(token.length)
    return token.slice(0, at) + String.fromCharCode(token.charCodeAt(at) ^ (1 << below(7))) + token.slice(at + 1)
  },
  'another character': ({ token, below, pick }) => {
    const at = below(token.length)
    return token.slice(0, at) + pick([...ALPHABET]) + token.slice(at + 1)
  },
  'one character more': ({ token, below, pick }) => {
    const at = below(token.length + 1)
    return token.slice(0, at) + pick([...ALPHABET]) + token.slice(at)
  },
  'one character less': ({ token, below }) => {
    const at = below(token.length)
    return token.slice(0, at) + token.slice(at + 1)
  },
  'the end cut off': ({ token, below }) => token.slice(0, below(token.length)),
  'the begin cut off': ({ token, below }) => token.slice(1 + below(token.length - 1)),
  'strange characters': ({ token, below, pick }) => {
    const at = below(token.length + 1)
    return token.slice(0, at) + pick(STRANGE) + token.slice(at)
  },
  'upper or lower case': ({ token, pick }) =>
    pick([token.toUpperCase(), token.toLowerCase(), withPart(token, 1, (part) => part.toUpperCase())]),
  'padded or of the other alphabet': ({ token, below, pick }) =>
    pick([
      withPart(token, below(3), (part) => `${part}=`),
      withPart(token, below(3), (part) => `${part}==`),
      `${token.replaceAll('-', '+').replaceAll('_', '/')}=`,
    ]),
  'parts in another order or number': ({ token, pick }) => {
    const [a = '', b = '', c = ''] = token.split('.')
    return pick([
      [b, a, c],
      [c, b, a],
      [a, c, b],
      [a, b],
      [a, b, ''],
      [a, '', c],
      ['', b, c],
      [a, b, c, ''],
      [a, b, c, c],
      [a, a, c],
      ['', '', ''],
      [a],
    ]).join('.')
  },
  'two tokens': ({ token, material, pick }) => token + pick([' ', ',', ', ', '.', ';', '', '\n', '&', '|']) + pick(material.originals),
  'parts of two tokens': ({ token, material, below, pick }) => {
    const other = pick(material.originals.filter((one) => one !== token)).split('.')
    return withPart(token, 1 + below(2), (part) => other[token.split('.').indexOf(part)] ?? '')
  },
  'far too long': ({ token, below, pick }) => {
    const size = pick([500, 2_000, 6_000, 60_000])
    return pick([
      withPart(token, below(3), (part) => part + 'A'.repeat(size)),
      token + '.A'.repeat(size / 2),
      withPart(token, 1, () => encode({ roles: Array(size >> 3).fill('admin') })),
      withPart(token, 0, () => encode(`${'{"a":'.repeat(size / 8)}1${'}'.repeat(size / 8)}`)),
    ])
  },
  'a bit of the header': (forge) => withPart(forge.token, 0, (part) => flipped(part, forge)),
  'a bit of the claims': (forge) => withPart(forge.token, 1, (part) => flipped(part, forge)),
  'a bit of the signature': (forge) => withPart(forge.token, 2, (part) => flipped(part, forge)),
  'another signature': ({ token, parts: { signature }, pick }) => {
    const [r, s] = [half(signature, 0), half(signature, 1)]
    const n = P256_ORDER
    const bytes = Buffer.from(signature, 'base64url')
    const made = pick([
      ...[
        pair(0n, 0n),
        pair(0n, s),
        pair(r, 0n),
        pair(n, s),
        pair(r, n),
        pair(n, n),
        pair(s, r),
        pair(1n, 1n),
        pair(n - 1n, n - 1n),
        pair(n - r, s),
      ],
      ...[bytes.subarray(1), bytes.subarray(0, 63), Buffer.concat([bytes, Buffer.from([0])]), Buffer.concat([Buffer.from([0]), bytes])].map(
        (one) => one.toString('base64url'),
      ),
      ...['', 'A', 'AA', Buffer.from([0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]).toString('base64url')],
    ])
    return withPart(token, 2, () => made)
  },
  'the other signature of the same token': ({ token, parts: { signature } }) =>
    withPart(token, 2, () => pair(half(signature, 0), P256_ORDER - half(signature, 1))),
  'other claims under the old signature': (forge) => withPart(forge.token, 1, () => encode(changedClaims(forge))),
  'the same claims written in another way': ({ token, parts: { payload }, pick }) =>
    withPart(token, 1, () =>
      encode(
        pick([
          JSON.stringify(payload, null, 1),
          ` ${JSON.stringify(payload)}`,
          `${JSON.stringify(payload)}\n`,
          `\ufeff${JSON.stringify(payload)}`,
        ]),
      ),
    ),
  'a claim that stands twice': ({ token, parts: { payload }, pick, random }) => {
    const name = pick(NAMES)
    return withPart(token, 1, () => encode(doubled(payload, name, pick(WISHES[name] ?? []), random() < 0.5)))
  },
  'a member of the header that stands twice': ({ token, parts: { header }, pick, random }) => {
    const name = pick(['alg', 'kid', 'typ', 'crit', 'jwk'])
    return withPart(token, 0, () => encode(doubled(header, name, pick([...ALGORITHMS, ...KIDS]), random() < 0.5)))
  },
  'another algorithm under the old signature': ({ token, parts: { header }, pick }) =>
    withPart(token, 0, () => encode({ ...header, alg: pick(ALGORITHMS) })),
  'no signature': (forge) => {
    const { parts, pick } = forge
    const claims = pick([parts.payload, changedClaims(forge)])
    return `${encode({ ...parts.header, alg: pick(ALGORITHMS.slice(0, 5)) })}.${encode(claims)}.${pick(['', '', parts.signature, 'AA'])}`
  },
  'a public key as the secret': (forge) => {
    const { parts, pick, material } = forge
    const [alg, hash] = pick([
      ['HS256', 'sha256'] as const,
      ['HS384', 'sha384'] as const,
      ['HS512', 'sha512'] as const,
      ['ES256', 'sha256'] as const,
    ])
    const text = `${encode({ ...parts.header, alg })}.${encode(pick([parts.payload, changedClaims(forge)]))}`
    const secret = pick([...publicForms(material.own), ...publicForms(material.records.key)])
    return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
  },
  'another key id under the old signature': ({ token, parts: { header }, pick }) =>
    withPart(token, 0, () => encode({ ...header, kid: pick(KIDS) })),
  'a key in the header': (forge) => {
    const { parts, pick } = forge
    return signed({ ...parts.header, ...pick(HEADERS()) }, pick([parts.payload, changedClaims(forge)]), FORGER.p256.privateKey)
  },
  'the key of a forger': (forge) => {
    const { parts, pick } = forge
    const [name, signer] = pick(FORGED)
    const header = { ...parts.header, alg: pick([name, 'ES256']), ...(pick([true, false]) && { kid: pick([parts.header.kid, ...KIDS]) }) }
    const text = `${encode(header)}.${encode(pick([parts.payload, changedClaims(forge)]))}`
    return `${text}.${signer(text)}`
  },
  'the key of records': (forge) => {
    const { parts, pick, material } = forge
    const header = { ...parts.header, kid: pick([material.records.kid, parts.header.kid]) }
    return signed(header, pick([parts.payload, changedClaims(forge)]), material.records.key)
  },
  'kinds crossed by a forger': (forge) =>
    signed(forge.parts.header, crossed(forge), forge.pick([FORGER.p256.privateKey, forge.material.records.key])),
  'kinds crossed under the old signature': (forge) => withPart(forge.token, 1, () => encode(crossed(forge))),
  'a claim that the service would not sign': ({ parts, pick, material }) => {
    const name = pick(Object.keys(REFUSED))
    return signed(parts.header, { ...parts.payload, [name]: pick(REFUSED[name] ?? []) }, material.own)
  },
  'a claim left out by the service': ({ parts, pick, material }) => {
    const name = pick([
      'iss',
      'aud',
      'sub',
      'roles',
      'iat',
      'nbf',
      'exp',
      'jti',
      'auth_time',
      parts.payload.tokenKind === undefined ? 'sid' : 'capabilityGrantId',
    ])
    return signed(parts.header, { ...parts.payload, [name]: undefined }, material.own)
  },
  'a lifetime that the service would not sign': ({ parts, pick, below, material }) => {
    const now = seconds()
    const times = pick([
      { exp: now - 61 - below(1_000_000), iat: now - 2_000_000, nbf: now - 2_000_000 },
      { iat: now + 120 + below(1_000_000), exp: now + 1_500_000 },
      { nbf: now + 120 + below(1_000_000) },
      { iat: now, exp: now + 31 * 86_400 + below(1_000_000) },
      { iat: now - 10, exp: now - 10 },
    ])
    return signed(parts.header, { ...parts.payload, ...times }, material.own)
  },
  'no object of claims, signed by the service': ({ parts, pick, material }) =>
    signed(parts.header, pick(['null', '[]', '"x"', '7', '', '{', 'true', '[{"sub":"x"}]', '\0', '{"a":1}{"b":2}', '{}']), material.own),
  'a header that the service would not sign': ({ parts, pick, material }) =>
    signed(
      pick<unknown>([
        { ...parts.header, ...pick(HEADERS()) },
        { ...parts.header, typ: pick(['JWT', 'at+jwt', '', null, 'SERVICE-AUTH+JWT ', ['service-auth+jwt'], undefined]) },
        { ...parts.header, kid: pick(KIDS) },
        { ...parts.header, kid: undefined },
        { ...parts.header, alg: pick(ALGORITHMS) },
        { ...parts.header, alg: undefined },
        'null',
        '[]',
        '"ES256"',
        '',
        '{',
      ]),
      parts.payload,
      material.own,
    ),
}
export const KINDS = Object.keys(MUTATORS)
/** Kinds that can read as the token that they were made of. */
export const MAY_BE_SAME: readonly string[] = ['a bit of the text', 'another character', 'the other signature of the same token']

/** The mutant of a number: the kinds take turns, the token and the change are drawn. */
export const mutantOf = (material: Material, random: Random, turn: number): { kind: string; token: string; of: string } => {
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const kind = KINDS[turn % KINDS.length] as string
  const of = pick(material.originals)
  const token = (MUTATORS[kind] as Mutator)({ random, material, token: of, parts: partsOf(of), pick, below })
  return { kind, token, of }
}
