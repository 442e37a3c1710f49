import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { flattenedVerify, importJWK } from 'jose'
import { loadSigningKey, type SigningKey, signDocument } from '../../../activities/common/document-signing.ts'
import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import { makePem } from '../../support/api.ts'

const signedAt = '2026-01-02T03:04:05.000Z'
const document = { b: 1, a: { z: 'ä', y: [true, null] } }

/** Whether the key signed these members: a reader verifies the detached JWS over their canonical bytes. */
const isSigned = (members: object, sig: string, { publicKey }: SigningKey): Promise<boolean> => {
  const [header = '', , signature = ''] = sig.split('.')
  const payload = Buffer.from(canonicalJson(members)).toString('base64url')
  return flattenedVerify({ protected: header, payload, signature }, publicKey).then(
    () => true,
    () => false,
  )
}

describe('the signature of a document', () => {
  test('is a detached JWS over the canonical bytes, verifiable with the public key', async () => {
    const key = await loadSigningKey(makePem(), 'badge-1')
    const signature = await signDocument(key, document, signedAt)
    const [header = '', empty, sig = ''] = signature.sig.split('.')
    expect(empty).toBe('')
    expect(Buffer.from(header, 'base64url').toString()).toBe(
      canonicalJson({ alg: 'ES256', kid: 'badge-1', signedAt, typ: 'service-badge-receipt+jws' }),
    )
    expect(Buffer.from(sig, 'base64url')).toHaveLength(64)
    const payload = Buffer.from('{"a":{"y":[true,null],"z":"ä"},"b":1}').toString('base64url')
    const verified = await flattenedVerify({ protected: header, payload, signature: sig }, await importJWK({ ...key.jwk }, 'ES256'))
    expect(verified.protectedHeader).toMatchObject({ kid: 'badge-1' })
  })

  test('covers every member but itself, and names its key by more than the id', async () => {
    const [key, other] = [await loadSigningKey(makePem(), 'badge-1'), await loadSigningKey(makePem(), 'badge-1')]
    const { sig } = await signDocument(key, { ...document, signature: 'of an earlier key' }, signedAt)
    expect(await isSigned(document, sig, key)).toBe(true)
    expect(await isSigned(document, sig, other)).toBe(false)
    for (const change of [{ b: 2 }, { c: 1 }]) expect(await isSigned({ ...document, ...change }, sig, key)).toBe(false)
  })
})

describe('a signing key', () => {
  test('must be the pinned one', async () => {
    const pem = makePem()
    const { fingerprint } = await loadSigningKey(pem, 'badge-1')
    expect((await loadSigningKey(pem, 'badge-1', fingerprint.toUpperCase())).fingerprint).toBe(fingerprint)
    await expect(loadSigningKey(makePem(), 'badge-1', fingerprint)).rejects.toThrow('fingerprint')
  })

  test('must be of the curve P-256', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await expect(loadSigningKey(other, 'badge-1')).rejects.toThrow('not a P-256 key')
  })
})
