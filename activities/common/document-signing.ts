import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { exportJWK, FlattenedSign, flattenedVerify } from 'jose'
import { canonicalJson } from '../../domain/common/canonical-json.ts'
import type { getKeySet } from '../../schemas/identity/operations.ts'
import type { Answer } from '../../schemas/operations/operation.ts'
import type { DocumentSignature } from '../../schemas/operations/values.ts'

/** Public half of a key as the key set lists it. */
export type ListedKey = Answer<typeof getKeySet>['body']['keys'][number]

/** The same without its window. */
export type PublicJwk = Omit<ListedKey, 'validFrom' | 'retiredAt'>

/** A P-256 signing key with its key id. */
export interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  jwk: PublicJwk
  /** SHA-256 (hex) of the public key's SPKI. */
  fingerprint: string
}

/** SHA-256 (hex) of the public part of a private key, as its SPKI. */
export const fingerprintOf = (privateKey: KeyObject | string): string => {
  const publicKey = createPublicKey(privateKey)
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** Loads a P-256 key from PKCS#8 PEM. Throws for another kind of key or another fingerprint than the expected one. */
export const loadSigningKey = async (pem: string, kid: string, expected?: string): Promise<SigningKey> => {
  const privateKey = createPrivateKey(pem)
  if (privateKey.asymmetricKeyType !== 'ec' || privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error(`the key ${kid} is not a P-256 key`)
  const publicKey = createPublicKey(privateKey)
  const fingerprint = fingerprintOf(privateKey)
  if (expected !== undefined && expected.toLowerCase() !== fingerprint)
    throw new Error(`the key ${kid} has fingerprint ${fingerprint}, not the configured ${expected}`)
  const { x = '', y = '' } = await exportJWK(publicKey)
  return { kid, privateKey, publicKey, fingerprint, jwk: { kty: 'EC', crv: 'P-256', x, y, alg: 'ES256', use: 'sig', kid } }
}

const TYPE = 'service-badge-receipt+jws'
const payloadOf = (document: object): Uint8Array => {
  const { signature: _signature, ...unsigned } = document as { signature?: unknown }
  return new TextEncoder().encode(canonicalJson(unsigned))
}

/** Protected header. Its members are in canonical order, so that it equals its own JCS form. */
const headerOf = (kid: string, signedAt: string) => ({ alg: 'ES256', kid, signedAt, typ: TYPE })

/** Signs a document without its root member `signature`; `signedAt` is ISO 8601. */
export const signDocument = async (key: SigningKey, document: object, signedAt: string): Promise<DocumentSignature> => {
  const signed = await new FlattenedSign(payloadOf(document)).setProtectedHeader(headerOf(key.kid, signedAt)).sign(key.privateKey)
  return { alg: 'ES256', kid: key.kid, sig: `${signed.protected}..${signed.signature}`, signedAt }
}

/** Whether the signature of a document was made with a key, and the document is unchanged. */
export const isSignedBy = async (publicKey: KeyObject, document: object): Promise<boolean> => {
  const { signature } = document as { signature?: Partial<DocumentSignature> }
  const [header = '', , sig = ''] = signature?.sig?.split('.') ?? []
  // The payload leaves the member out, so its instant and key count as the header has them.
  if (header !== Buffer.from(canonicalJson(headerOf(signature?.kid ?? '', signature?.signedAt ?? ''))).toString('base64url')) return false
  return flattenedVerify(
    { protected: header, payload: Buffer.from(payloadOf(document)).toString('base64url'), signature: sig },
    publicKey,
  ).then(
    () => true,
    () => false,
  )
}
