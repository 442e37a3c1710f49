// Detached signatures of badges and heads: ES256 over the canonical text without the member `signature`.
import { assert, canonical, instantOf, isObject, type Members, Refused, textOf, utf8 } from './json.ts'

const TYPE = 'service-badge-receipt+jws'

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

/** The parts of a detached signature, checked against what the document says of it. */
const readSignature = (document: Members): { header: string; signature: Uint8Array<ArrayBuffer>; kid: string; signedAt: string } => {
  const { signature } = document
  if (!isObject(signature)) throw new Refused('it has no signature')
  const [kid, signedAt] = [textOf(signature, 'kid'), textOf(signature, 'signedAt')]
  const parts = textOf(signature, 'sig').split('.')
  const [header = '', payload, value = ''] = parts
  if (parts.length !== 3 || payload !== '') throw new Refused('its signature is not detached')
  try {
    // The header is canonical, so one text stands for one header.
    if (header !== base64url(utf8(canonical({ alg: 'ES256', kid, signedAt, typ: TYPE })))) throw new Error('another header')
    return { header, signature: bytesOf(value), kid, signedAt }
  } catch {
    throw new Refused('the header of its signature does not say what the record says')
  }
}

const findKey = (keySet: unknown, kid: string): Members => {
  const keys = isObject(keySet) && Array.isArray(keySet.keys) ? keySet.keys.filter(isObject) : []
  const key = keys.find((one) => one.kid === kid && one.kty === 'EC' && one.crv === 'P-256' && one.use === 'sig')
  if (key === undefined) throw new Refused(`the key set has no signing key ${kid}`)
  return key
}

/** Key of a signature and the window in which it may sign; `retiredAt` is null for the current key. */
export interface SigningKey {
  kid: string
  signedAt: string
  validFrom: string
  retiredAt: string | null
}

/** Checks the signature of a document with a key set. Refuses an altered document, and one that is dated outside the window of its key. */
export const checkSignature = async (document: Members, keySet: unknown): Promise<SigningKey> => {
  const { header, signature, kid, signedAt } = readSignature(document)
  const { x, y, validFrom, retiredAt } = findKey(keySet, kid)
  // The key set also lists keys that sign no records: they have no window.
  if (typeof validFrom !== 'string') throw new Refused(`the key ${kid} signs no records`)
  if (instantOf(signedAt) < instantOf(validFrom)) throw new Refused(`its date is before the key ${kid} was valid`)
  const end = typeof retiredAt === 'string' ? retiredAt : null
  assert(end === null || instantOf(signedAt) <= instantOf(end), `its date is after the key ${kid} was retired`)
  const jwk = { kty: 'EC', crv: 'P-256', x: String(x), y: String(y) }
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])
  const { signature: _own, ...content } = document
  const signed = utf8(`${header}.${base64url(utf8(canonical(content)))}`)
  const fits = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, signed)
  assert(fits, 'its signature does not fit: the record was altered, or another key signed it')
  return { kid, signedAt, validFrom, retiredAt: end }
}
