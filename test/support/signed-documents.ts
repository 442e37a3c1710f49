// Checks of signed documents that share no code with the service.
import { expect } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createLocalJWKSet, flattenedVerify } from 'jose'
import { checkRecord } from '../../examples/verify-record/check.ts'
import { parseStrict } from '../../examples/verify-record/encoding/json.ts'

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: a document as a stranger parses it
type Document = any

/** Canonical JSON of a document of texts, whole numbers, truths, lists and objects. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

const without = (document: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)))

type KeySet = Parameters<typeof createLocalJWKSet>[0]

/** Verifies a document as a reader offline would: its canonical bytes without `signature`, a detached JWS, a saved key set. */
export const verifyDetached = async (document: Document, keySet: KeySet) => {
  const { signature } = document
  const [header = '', , sig = ''] = signature.sig.split('.')
  const payload = Buffer.from(canonical(without(document, 'signature'))).toString('base64url')
  const verified = await flattenedVerify({ protected: header, payload, signature: sig }, createLocalJWKSet(keySet))
  expect(verified.protectedHeader).toEqual({
    alg: 'ES256',
    kid: signature.kid,
    signedAt: signature.signedAt,
    typ: 'service-badge-receipt+jws',
  })
  const { validFrom, retiredAt } = keySet.keys.find(({ kid }) => kid === signature.kid) as Document
  const signedAt = Date.parse(signature.signedAt)
  expect(signedAt).toBeGreaterThanOrEqual(Date.parse(validFrom))
  if (retiredAt !== null) expect(signedAt).toBeLessThanOrEqual(Date.parse(retiredAt))
}

const ajv = new Ajv2020({ allErrors: true, validateFormats: false })

/** Holds a document to a published schema. */
export const expectSchema = (schema: Json, document: unknown): void => {
  const validate = ajv.getSchema(String(schema.$id)) ?? ajv.compile(schema)
  expect([validate(document), validate.errors]).toEqual([true, null])
}

/** Checks the bytes of a work receipt: canonical form, schema, signature by another library, and all that the verifier of strangers checks. */
export const verifyReceipt = async (text: string, keySet: KeySet, schema: Json): Promise<Document> => {
  const receipt = JSON.parse(text)
  expect(canonical(receipt)).toBe(text)
  expectSchema(schema, receipt)
  await verifyDetached(receipt, keySet)
  const evidence = { keySet, heads: [], chainId: null, now: Date.parse(receipt.signature.signedAt), unpublished: false }
  const { settlement } = await checkRecord(parseStrict(text), evidence)
  expect(settlement?.mined).not.toBeNull()
  return receipt
}
