import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { readIfThere, writePrivate } from '../files.ts'

/** Tags of ASN.1 that a certificate uses (X.690). */
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const

/** A value in DER: tag, length, content. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}
const oid = (hex: string): Buffer => der(TAG.oid, Buffer.from(hex, 'hex'))
const sequence = (...parts: Uint8Array[]): Buffer => der(TAG.sequence, ...parts)
const time = (text: string): Buffer => der(TAG.time, Buffer.from(text))

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = '550403'
const ALTERNATIVE_NAMES = '551d11'
const BASIC_CONSTRAINTS = '551d13'
const IPV4_NAME = 0x87
const VERSION_3 = der(0xa0, der(TAG.integer, Buffer.from([2])))
/** The validity ends where two digits of the year do; the clock of a stack may run far ahead. */
const VALIDITY = sequence(time('200101000000Z'), time('491231235959Z'))

const pem = (label: string, content: Buffer): string =>
  `-----BEGIN ${label}-----\n${content.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`

/** A certificate for 127.0.0.1 alone, which it signs itself, with its key, PEM. It can sign no other one. Source: RFC 5280. */
const createCertificate = (): string => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(TAG.set, sequence(oid(COMMON_NAME), der(TAG.utf8, Buffer.from('artefacts of a local stack')))))
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)])
  const names = sequence(oid(ALTERNATIVE_NAMES), der(TAG.octets, sequence(der(IPV4_NAME, Buffer.from([127, 0, 0, 1])))))
  const isNoAuthority = sequence(oid(BASIC_CONSTRAINTS), der(TAG.boolean, Buffer.from([0xff])), der(TAG.octets, sequence()))
  const content = sequence(
    VERSION_3,
    der(TAG.integer, serial),
    ECDSA_SHA256,
    name,
    VALIDITY,
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(isNoAuthority, names)),
  )
  const signature = der(TAG.bits, Buffer.from([0]), sign('sha256', content, privateKey))
  return pem('CERTIFICATE', sequence(content, ECDSA_SHA256, signature)) + privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** The certificate and key of a file, which is written unless it exists. Throws for a file that holds something else. */
export const ensureCertificate = (path: string): string => {
  const known = readIfThere(path)
  if (known !== undefined) {
    new X509Certificate(known)
    createPrivateKey(known)
    return known
  }
  const created = createCertificate()
  writePrivate(path, created)
  return created
}
