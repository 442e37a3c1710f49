// Detached signatures of badges and heads: ES256 over the canonical text without the member `signature`.
import { assert, assertPast, canonical, instantOf, isObject, type Members, Refused, textOf, Undecided, utf8 } from './encoding/json.ts'
import * as is from './shape.ts'

const TYPE = 'service-badge-receipt+jws'

const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
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
    const bytes = bytesOf(value)
    // One signature has one text.
    if (base64url(bytes) !== value) throw new Error('another text')
    return { header, signature: bytes, kid, signedAt }
  } catch {
    throw new Refused('the header of its signature does not say what the record says')
  }
}

/** A key of records in a key set, with its window. */
const recordKey = is.open({
  kid: is.text(/./),
  kty: is.oneOf('EC'),
  crv: is.oneOf('P-256'),
  alg: is.oneOf('ES256'),
  use: is.oneOf('sig'),
  x: is.text(/^[\w-]{43}$/),
  y: is.text(/^[\w-]{43}$/),
  validFrom: is.instant,
  retiredAt: is.nullable(is.instant),
})

const findKey = (
  keySet: unknown,
  kid: string,
  isComplete: boolean,
): Record<'x' | 'y' | 'validFrom', string> & { retiredAt: string | null } => {
  const keys = isObject(keySet) && Array.isArray(keySet.keys) ? keySet.keys.filter(isObject) : []
  const [key, ...more] = keys.filter((one) => one.kid === kid)
  if (key === undefined)
    throw isComplete ? new Refused(`its service has no signing key ${kid}`) : new Undecided(`the key set has no signing key ${kid}`)
  assert(more.length === 0, `the key set has the key ${kid} twice`)
  // The key set also lists keys that sign no records: they have no window.
  assert(Object.hasOwn(key, 'validFrom'), `the key ${kid} signs no records`)
  recordKey(key, `the key ${kid}: `)
  return key as never
}

/** Key of a signature and the window in which it may sign; `retiredAt` is null for the current key. */
export interface SigningKey {
  kid: string
  signedAt: string
  validFrom: string
  retiredAt: string | null
}

/**
 * Checks the signature of a document with a key set. Refuses an altered document, and one that is dated outside the window of its key
 * or after `now`, epoch ms. A complete key set has every key of the service: it refuses a document of another key, too.
 */
export const checkSignature = async (document: Members, keySet: unknown, now: number, isComplete = false): Promise<SigningKey> => {
  const { header, signature, kid, signedAt } = readSignature(document)
  assertPast(signedAt, now, 'its signature')
  const { x, y, validFrom, retiredAt } = findKey(keySet, kid, isComplete)
  if (instantOf(signedAt) < instantOf(validFrom)) throw new Refused(`its date is before the key ${kid} was valid`)
  const end = retiredAt === null ? Number.POSITIVE_INFINITY : instantOf(retiredAt)
  assert(instantOf(signedAt) <= end, `its date is after the key ${kid} was retired`)
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])
  const { signature: _own, ...content } = document
  const signed = utf8(`${header}.${base64url(utf8(canonical(content)))}`)
  const fits = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, signed)
  assert(fits, 'its signature does not fit: the record was altered, or another key signed it')
  return { kid, signedAt, validFrom, retiredAt }
}
