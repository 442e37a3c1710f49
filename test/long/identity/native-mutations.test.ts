// Changed sign-ins of native accounts. Half of MUTATIONS is their number in one process: `npm run mutations` makes 100,000 and sends 5,000.
import { beforeAll, expect, test } from '@jest/globals'
import { hexToBytes } from 'viem/utils'
import { verifyNativeSignature } from '../../../domain/identity/native/signature.ts'
import { encodeSs58 } from '../../../domain/identity/native/ss58.ts'
import { useApi } from '../../api/support/started.ts'
import { randomOf } from '../../crash/random.ts'
import { ed25519Signer, type NativeSigner, type SigningForm, sr25519Signer } from '../../domain/identity/native/signers.ts'

const COUNT = Math.max(400, Number(process.env.MUTATIONS ?? 0) / 2)
/** Mutants that are sent. */
const SENT = Math.max(100, COUNT / 20)
const SEED = process.env.MUTATIONS_SEED ?? 'mutations'
const TIMEOUT_MS = 1_800_000

const api = useApi({
  settings: {
    RATE_LIMITS: '{"auth_nonce":{"limit":1000000},"auth_verify":{"limit":1000000}}',
    // The good sign-ins are sent last.
    AUTH_NONCE_TTL_SECONDS: '7200',
  },
})

interface SignIn {
  message: string
  /** Hex with 0x. */
  signature: string
}
interface Original extends SignIn {
  signer: NativeSigner
}
interface Forge {
  original: Original
  /** Another good sign-in, of any account. */
  other: Original
  below: (count: number) => number
  pick: <T>(list: readonly T[]) => T
}

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
const bytesOf = (signature: string): Uint8Array => hexToBytes(signature as `0x${string}`)
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const FIELD = 2n ** 255n - 19n
const littleEndian = (value: bigint): Uint8Array => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
const numberOf = (bytes: Uint8Array): bigint => BigInt(hex(bytes.toReversed()))

/** The second half, a number, with something added to it, under the mark that it had. */
const shifted = (signature: string, by: bigint): string => {
  const bytes = bytesOf(signature)
  const mark = (bytes[63] ?? 0) & 0x80
  const second = bytes.slice(32, 64)
  second[31] = (second[31] ?? 0) & 0x7f
  const sum = littleEndian((numberOf(second) + by) % 2n ** 255n)
  sum[31] = (sum[31] ?? 0) | mark
  return hex(Buffer.concat([bytes.subarray(0, 32), sum, bytes.subarray(64)]))
}

const SIGNATURES: Record<string, (forge: Forge) => string> = {
  'a bit': ({ original: { signature }, below }) => {
    const bytes = bytesOf(signature)
    const at = below(bytes.length)
    return hex(bytes.with(at, (bytes[at] ?? 0) ^ (1 << below(8))))
  },
  'a byte': ({ original: { signature }, below }) => hex(bytesOf(signature).with(below(64), below(256))),
  'several bytes': ({ original: { signature }, below }) => {
    const bytes = bytesOf(signature)
    for (let left = 2 + below(20); left > 0; left--) bytes[below(bytes.length)] = below(256)
    return hex(bytes)
  },
  'fewer bytes': ({ original: { signature }, below }) => hex(bytesOf(signature).subarray(0, below(64))),
  'more bytes': ({ original: { signature }, below }) => signature + '00ff80'.slice(0, 2 * (1 + below(3))),
  'a type': ({ original: { signature }, below }) => `0x${below(256).toString(16).padStart(2, '0')}${signature.slice(2)}`,
  'the halves changed over': ({ original: { signature } }) =>
    hex(Buffer.concat([bytesOf(signature).subarray(32), bytesOf(signature).subarray(0, 32)])),
  'the mark changed': ({ original: { signature } }) => hex(bytesOf(signature).with(63, (bytesOf(signature)[63] ?? 0) ^ 0x80)),
  'the order added': ({ original: { signature }, pick }) => shifted(signature, pick([ORDER, -ORDER + 2n ** 255n, 2n * ORDER, 8n * ORDER])),
  'a small number added': ({ original: { signature }, below }) => shifted(signature, BigInt(1 + below(1_000))),
  'a point of small order': ({ original: { signature }, pick }) =>
    `0x${pick([`01${'00'.repeat(31)}`, '00'.repeat(32), `ec${'ff'.repeat(30)}7f`, `ee${'ff'.repeat(30)}7f`, `${'00'.repeat(31)}80`])}${signature.slice(66)}`,
  'a second encoding of the point': ({ original: { signature } }) =>
    hex(
      Buffer.concat([littleEndian((numberOf(bytesOf(signature).subarray(0, 32)) + FIELD) % 2n ** 256n), bytesOf(signature).subarray(32)]),
    ),
  'the signature of another': ({ other }) => other.signature,
  'half of another': ({ original, other }) => original.signature.slice(0, 66) + other.signature.slice(66),
  nothing: () => hex(new Uint8Array(64)),
}

const replaceAt = (text: string, at: number, piece: string): string => text.slice(0, at) + piece + text.slice(at + 1)
const MESSAGES: Record<string, (forge: Forge) => string> = {
  'a letter': ({ original: { message }, below }) => replaceAt(message, below(message.length), String.fromCharCode(32 + below(95))),
  'a letter less': ({ original: { message }, below }) => replaceAt(message, below(message.length), ''),
  'a letter more': ({ original: { message }, below, pick }) => {
    const at = below(message.length)
    return message.slice(0, at) + pick([' ', '\n', '\r', '\t', '0', '\u00a0', '\u200b', '\ufeff', 'é', '\u{1f600}']) + message.slice(at)
  },
  'the end cut': ({ original: { message }, below }) => message.slice(0, below(message.length)),
  'a line twice': ({ original: { message }, pick }) => `${message}\n${pick(message.split('\n'))}`,
  'two lines changed over': ({ original: { message }, below }) => {
    const lines = message.split('\n')
    const at = below(lines.length - 1)
    return lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? '').join('\n')
  },
  'wrapped once': ({ original: { message } }) => `<Bytes>${message}</Bytes>`,
  'half wrapped': ({ original: { message }, pick }) => pick([`<Bytes>${message}`, `${message}</Bytes>`, `<bytes>${message}</bytes>`]),
  'other line ends': ({ original: { message } }) => message.replaceAll('\n', '\r\n'),
  'another account': ({ original: { message, signer }, other }) => message.replace(signer.account.ss58, other.signer.account.ss58),
  'another prefix': ({ original: { message, signer }, below }) =>
    message.replace(signer.account.ss58, encodeSs58(signer.account.accountId, 1 + below(16_383))),
  'another network': ({ original: { message }, below }) =>
    message.replace(
      /polkadot:\w+/,
      `polkadot:${below(2 ** 32)
        .toString(16)
        .padStart(32, '1')}`,
    ),
  'the nonce of another': ({ original: { message }, other }) => message.replace(/Nonce: \w+/, /Nonce: \w+/.exec(other.message)?.[0] ?? ''),
  'the first line of an EVM account': ({ original: { message } }) => message.replace('Substrate', 'Ethereum'),
  'another time': ({ original: { message }, below }) => message.replace(/(Expiration Time: )\d{4}/, `$1${2030 + below(7_000)}`),
  'the message of another': ({ other }) => other.message,
  nothing: () => '',
}

const KINDS: [string, string][] = [
  ...Object.keys(SIGNATURES).map((name): [string, string] => ['signature', name]),
  ...Object.keys(MESSAGES).map((name): [string, string] => ['message', name]),
]

const SIGNERS = [sr25519Signer(1), ed25519Signer(1), sr25519Signer(2), ed25519Signer(2)]
const FORMS: readonly SigningForm[] = ['wrapped', 'bare', 'hashed']
let originals: Original[] = []
beforeAll(async () => {
  originals = await Promise.all(
    SIGNERS.flatMap((signer) =>
      FORMS.filter((form) => form !== 'hashed' || signer.scheme === 'ed25519').map((form) => ({ signer, form })),
    ).map(async ({ signer, form }) => {
      const { message } = (await api.call('/auth/nonce', { body: { wallet: signer.account.ss58 } })).body
      return { signer, message, signature: signer.sign(message, form) }
    }),
  )
})

/** The mutant of a turn; every kind has its turn. */
const mutantOf = (random: () => number, turn: number): SignIn & { kind: string; original: Original } => {
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const original = pick(originals)
  const forge: Forge = { original, other: pick(originals.filter((one) => one !== original)), below, pick }
  const [part, name] = KINDS[turn % KINDS.length] as [string, string]
  const made =
    part === 'signature' ? (SIGNATURES[name] as (forge: Forge) => string)(forge) : (MESSAGES[name] as (forge: Forge) => string)(forge)
  return {
    kind: `${part}: ${name}`,
    original,
    ...(part === 'signature' ? { message: original.message, signature: made } : { message: made, signature: original.signature }),
  }
}

/** Whether a mutant is the same sign-in: its text, or the wrapping that the account signed, and the bytes of its signature or these with their type. */
const isSame = ({ message, signature, original }: SignIn & { original: Original }): boolean => {
  const { signer } = original
  const tag = signer.scheme === 'sr25519' ? '01' : '00'
  const isText = message === original.message || `<Bytes>${original.message}</Bytes>` === message
  return isText && [original.signature, `0x${tag}${original.signature.slice(2)}`].includes(signature)
}

test('the sign-ins that are changed are good', () => {
  const verdicts = originals.map(({ message, signature, signer }) =>
    verifyNativeSignature(message, signature as `0x${string}`, signer.account.accountId),
  )
  expect([originals.length, new Set(verdicts)]).toEqual([10, new Set(['valid'])])
})

test(
  'no changed text or signature is one of the account',
  async () => {
    const random = randomOf(SEED, 'native')
    const counts: Record<string, number> = {}
    const faults: unknown[] = []
    for (let turn = 0; turn < COUNT; turn++) {
      const mutant = mutantOf(random, turn)
      const verdict = verifyNativeSignature(mutant.message, mutant.signature as `0x${string}`, mutant.original.signer.account.accountId)
      counts[verdict] = (counts[verdict] ?? 0) + 1
      if (verdict === 'valid' && !isSame(mutant)) faults.push({ turn, ...mutant })
      if (turn % 500 === 0) await new Promise(setImmediate)
    }
    process.stdout.write(`${COUNT} native mutants of ${KINDS.length} kinds (${SEED}): ${JSON.stringify(counts)}\n`)
    expect(faults.slice(0, 10)).toEqual([])
    expect(counts.invalid).toBeGreaterThan(COUNT * 0.85)
  },
  TIMEOUT_MS,
)

test(
  'no changed sign-in that is sent gives a token, and none is a fault of the service',
  async () => {
    const random = randomOf(SEED, 'native sent')
    const counts: Record<string, number> = {}
    const faults: unknown[] = []
    for (let turn = 0; turn < SENT; turn++) {
      const { kind, message, signature, original } = mutantOf(random, turn)
      // The good one would use up its nonce.
      if (message === original.message && isSame({ message, signature, original })) continue
      const { status, body } = await api.call('/auth/verify', { body: { message: message.toWellFormed(), signature } })
      const name = `${status} ${body?.code}`
      counts[name] = (counts[name] ?? 0) + 1
      if (status < 400 || status >= 500) faults.push({ turn, kind, status, message, signature })
    }
    process.stdout.write(`${SENT} native mutants sent (${SEED}): ${JSON.stringify(counts)}\n`)
    expect(faults.slice(0, 10)).toEqual([])
    for (const { message, signature } of originals)
      expect((await api.call('/auth/verify', { body: { message, signature } })).status).toBe(200)
  },
  TIMEOUT_MS,
)
