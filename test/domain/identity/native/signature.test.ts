import { describe, expect, test } from '@jest/globals'
import { ed25519, ristretto255 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { __tests, getPublicKey, secretFromSeed } from '@scure/sr25519'
import { bytesToHex, concatBytes, hexToBytes, numberToBytes, stringToBytes } from 'viem/utils'
import { verifyNativeSignature } from '../../../../domain/identity/native/signature.ts'
import { ed25519Signer, payloadOf, sr25519Signer } from './signers.ts'

const [ED, SR] = [ed25519Signer(1), sr25519Signer(1)]

const textOf = (address: string): string =>
  `work.example wants you to sign in with your Substrate account:\n${address}\n\nSign in to the agent work service.\n\nURI: https://work.example\nVersion: 1.0.0\nChain ID: polkadot:00000000000000000000000000000000\nNonce: 0123456789abcdef0123456789abcdef\nIssued At: 2026-01-02T03:04:05.000Z\nExpiration Time: 2026-01-02T03:09:05.000Z`
const [ED_TEXT, SR_TEXT] = [textOf(ED.account.ss58), textOf(SR.account.ss58)]

/** Source: identity, "Native sign-in", vectors. */
const VECTORS = {
  edBare:
    '0xef4b825d481ca5b6fd032f4edc720ede79f962f3ac70d43dd8e86bce5346ba07d516e8b5d237784390d6840495fc0b6b9ae9cd6d1a30d7befbd4b985e548960e',
  edWrapped:
    '0xf88e465d78b7cd0ba75ca8b7e59e575d106e76785fbfcfb969715e0b745fb92ceb21a012757692e9a252846bb8cfbbd64442ed4b11742a483525d59bac85ec05',
  edHashed:
    '0x2c7c3649dadddef314fe7d60e332d7297385373287b6af2dbb4a4bb3a4f1c08f12f3ae13662fb74f567f1324958298277cbc490d638e0547076a264794c8fc01',
  srBare:
    '0x08fb11095ff56906d1016b4b1bc5a1cbdcadecb4b7a19d6f50bc4818dd771d5e3d23a2e1ffcdd44227428979c2047286924bdc07a00e0344e8c54ba28e94cd85',
  srWrapped:
    '0xaec7a69c3b4f8760e8ff319e2dbeacbca85568ae929a4438e427bb0098a7ec7d87c03a384e7cf65ed64df11450d87266162481bccb2ad387487efb24f86c8e8d',
} as const

type Hex = `0x${string}`
const tagged = (tag: string, signature: Hex): Hex => `0x${tag}${signature.slice(2)}`
const changed = (signature: Hex, place: number, change: (byte: number) => number): Hex => {
  const bytes = hexToBytes(signature)
  return bytesToHex(bytes.with(place, change(bytes[place] ?? 0)))
}
const verifyEd = (signature: Hex, text = ED_TEXT) => verifyNativeSignature(text, signature, ED.account.accountId)
const verifySr = (signature: Hex, text = SR_TEXT) => verifyNativeSignature(text, signature, SR.account.accountId)

test('the sign-in text of the published vectors has 359 bytes, 374 when wrapped', () => {
  expect([payloadOf(ED_TEXT, 'bare').length, payloadOf(ED_TEXT, 'wrapped').length]).toEqual([359, 374])
  expect(bytesToHex(payloadOf(ED_TEXT, 'hashed'))).toBe('0x9f099a88fbff101a4a4235a8884234d9c7b865dc20cf97b83b31a463ea13949b')
})

describe('a native signature is accepted', () => {
  test.each([
    ['ed25519 of the bare text', VECTORS.edBare],
    ['ed25519 of the wrapped text', VECTORS.edWrapped],
    ['ed25519 of the hash of the wrapped text', VECTORS.edHashed],
    ['ed25519 with its type', tagged('00', VECTORS.edBare)],
    ['ed25519 of a hash, with its type', tagged('00', VECTORS.edHashed)],
  ] as const)('as %s', (_name, signature) => {
    expect(verifyEd(signature)).toBe('valid')
  })

  test.each([
    ['sr25519 of the bare text', VECTORS.srBare],
    ['sr25519 of the wrapped text', VECTORS.srWrapped],
    ['sr25519 with its type', tagged('01', VECTORS.srWrapped)],
  ] as const)('as %s', (_name, signature) => {
    expect(verifySr(signature)).toBe('valid')
  })

  test('made by each scheme now', () => {
    expect([verifyEd(ED.sign(ED_TEXT)), verifySr(SR.sign(SR_TEXT)), verifySr(SR.sign(SR_TEXT, 'bare'))]).toEqual([
      'valid',
      'valid',
      'valid',
    ])
  })
})

describe('a native signature is refused', () => {
  test.each([
    ['type ecdsa', tagged('02', VECTORS.edBare)],
    ['type ecdsa in its own length', `${tagged('02', VECTORS.edBare)}1b`],
    ['type 3', tagged('03', VECTORS.edBare)],
    ['type 255', tagged('ff', VECTORS.edBare)],
  ] as [string, Hex][])('as unsupported for the %s', (_name, signature) => {
    expect(verifyEd(signature)).toBe('unsupported')
  })

  test.each([
    ['ed25519 with the type of sr25519', tagged('01', VECTORS.edBare)],
    ['ed25519 with the mark of sr25519', changed(VECTORS.edBare, 63, (byte) => byte | 0x80)],
    ['ed25519 with one bit changed', changed(VECTORS.edBare, 0, (byte) => byte ^ 1)],
    ['ed25519 with its type and a byte after it', `${tagged('00', VECTORS.edBare)}00`],
    ['ed25519 without its last byte', VECTORS.edBare.slice(0, -2)],
    ['no byte', '0x'],
    ['as many bytes as a contract wallet sends', `0x${'00'.repeat(8_192)}`],
    ['ed25519 of another text', ED.sign(`${ED_TEXT}\n`, 'bare')],
    ['ed25519 of a text that is wrapped twice', ED.sign(`<Bytes>${ED_TEXT}</Bytes>`, 'wrapped')],
    [
      'ed25519 of the hash of the bare text',
      bytesToHex(ed25519.sign(payloadOf(ED_TEXT, 'hashed').subarray(1), new Uint8Array(32).fill(1))),
    ],
    ['ed25519 of another key', ed25519Signer(2).sign(ED_TEXT)],
    ['sr25519 of another key', VECTORS.srBare],
  ] as [string, Hex][])('for %s', (_name, signature) => {
    expect(verifyEd(signature)).toBe('invalid')
  })

  test.each([
    ['sr25519 with the type of ed25519', tagged('00', VECTORS.srBare)],
    ['sr25519 without its mark', changed(VECTORS.srBare, 63, (byte) => byte & 0x7f)],
    [
      'sr25519 without its mark, with its type',
      tagged(
        '01',
        changed(VECTORS.srBare, 63, (byte) => byte & 0x7f),
      ),
    ],
    ['sr25519 of the hash of the wrapped text', SR.sign(SR_TEXT, 'hashed')],
    ['sr25519 of a text that is wrapped twice', SR.sign(`<Bytes>${SR_TEXT}</Bytes>`, 'wrapped')],
  ] as [string, Hex][])('for %s', (_name, signature) => {
    expect(verifySr(signature)).toBe('invalid')
  })

  test('for the hash of a wrapped text of 256 bytes, accepted from 257 bytes on', () => {
    const [longest, longer] = ['x'.repeat(256 - 15), 'x'.repeat(257 - 15)]
    expect([verifyEd(ED.sign(longest, 'hashed'), longest), verifyEd(ED.sign(longer, 'hashed'), longer)]).toEqual(['invalid', 'valid'])
  })
})

/** Encodings of the eight points of the small subgroup, then second encodings of some of them. */
const SMALL_ORDER = [
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  `01${'00'.repeat(30)}80`,
  `ee${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(31)}`,
  `ec${'ff'.repeat(31)}`,
].map((digits) => `0x${digits}` as const)

const ORDER = ed25519.Point.Fn.ORDER
const littleEndian = (value: bigint): Uint8Array => numberToBytes(value, { size: 32 }).reverse()
const readLittleEndian = (bytes: Uint8Array): bigint => BigInt(bytesToHex(bytes.toReversed()))

describe('an ed25519 signature with a point that fits many texts is refused', () => {
  test.each(SMALL_ORDER)('as the key %s', (accountId) => {
    const scalar = 7n
    const signature = concatBytes([ed25519.Point.BASE.multiply(scalar).toBytes(), littleEndian(scalar)])
    // The rule of the chain accepts it for every text.
    expect(ed25519.verify(signature, stringToBytes(ED_TEXT), hexToBytes(accountId), { zip215: true })).toBe(true)
    expect(verifyNativeSignature(ED_TEXT, bytesToHex(signature), accountId)).toBe('invalid')
  })

  test.each(SMALL_ORDER)('as its own point %s', (point) => {
    const { scalar } = ed25519.utils.getExtendedPublicKey(new Uint8Array(32).fill(1))
    const challenge = sha512(concatBytes([hexToBytes(point), hexToBytes(ED.account.accountId), stringToBytes(ED_TEXT)]))
    const response = littleEndian((readLittleEndian(challenge) * scalar) % ORDER)
    const signature = concatBytes([hexToBytes(point), response])
    expect(ed25519.verify(signature, stringToBytes(ED_TEXT), hexToBytes(ED.account.accountId), { zip215: true })).toBe(true)
    expect(verifyEd(bytesToHex(signature))).toBe('invalid')
  })
})

test('an ed25519 signature with a second encoding of its number is refused', () => {
  const bytes = hexToBytes(VECTORS.edBare)
  const second = concatBytes([bytes.subarray(0, 32), littleEndian(readLittleEndian(bytes.subarray(32)) + ORDER)])
  expect(verifyEd(bytesToHex(second))).toBe('invalid')
})

const SECRET = secretFromSeed(new Uint8Array(32).fill(1))
const PUBLIC = getPublicKey(SECRET)

/** An sr25519 signature of a text in a signing context, by the random number `r`. */
const signIn = (context: string, text: string, { r = 7n, more = 0n } = {}): Hex => {
  const transcript = new __tests.SigningContext('SigningContext')
  transcript.label(context)
  transcript.bytes(stringToBytes(text))
  transcript.protoName('Schnorr-sig')
  transcript.commitPoint('sign:pk', ristretto255.Point.fromBytes(PUBLIC))
  const point = ristretto255.Point.BASE.multiply(r)
  transcript.commitPoint('sign:R', point)
  const secret = readLittleEndian(SECRET.subarray(0, 32)) >> 3n
  const response = ((transcript.challengeScalar('sign:c') * secret + r) % ORDER) + more
  return changed(bytesToHex(concatBytes([point.toBytes(), littleEndian(response)])), 63, (byte) => byte | 0x80)
}

describe('an sr25519 signature', () => {
  test('in the signing context of the chain is accepted', () => {
    expect(verifySr(signIn('substrate', SR_TEXT))).toBe('valid')
  })

  test.each(['', 'Substrate', 'polkadot', 'substrate\0'])('in the signing context "%s" is refused', (context) => {
    expect(verifySr(signIn(context, SR_TEXT))).toBe('invalid')
  })

  test('with a second encoding of its number is refused', () => {
    expect(verifySr(signIn('substrate', SR_TEXT, { more: ORDER }))).toBe('invalid')
  })

  test.each([
    ['an odd number, which encodes no point', `01${'00'.repeat(31)}`],
    ['a number beyond the field', `ee${'ff'.repeat(30)}7f`],
    ['all bits', 'ff'.repeat(32)],
  ])('with %s as its point is refused', (_name, digits) => {
    expect(verifySr(`0x${digits}${VECTORS.srBare.slice(66)}`)).toBe('invalid')
  })

  test('of the key 0 is refused, which would fit every text', () => {
    const signature = concatBytes([ristretto255.Point.BASE.multiply(7n).toBytes(), littleEndian(7n)])
    const marked = changed(bytesToHex(signature), 63, (byte) => byte | 0x80)
    expect(verifyNativeSignature(SR_TEXT, marked, `0x${'00'.repeat(32)}`)).toBe('invalid')
  })
})
