// Checks of signed documents that share no code with the service.
import { createHash } from 'node:crypto'
import { expect } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { createLocalJWKSet, flattenedVerify } from 'jose'

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
    ...{ alg: 'ES256', kid: signature.kid, signedAt: signature.signedAt, typ: 'service-badge-receipt+jws' },
  })
  const { validFrom, retiredAt } = keySet.keys.find(({ kid }) => kid === signature.kid) as Document
  const signedAt = Date.parse(signature.signedAt)
  expect(signedAt).toBeGreaterThanOrEqual(Date.parse(validFrom))
  if (retiredAt !== null) expect(signedAt).toBeLessThanOrEqual(Date.parse(retiredAt))
}

const ajv = (formats as unknown as (ajv: Ajv2020) => Ajv2020)(new Ajv2020({ allErrors: true }))

/** Holds a document to a published schema. */
export const expectSchema = (schema: Json, document: unknown): void => {
  const validate = ajv.getSchema(String(schema.$id)) ?? ajv.compile(schema)
  expect([validate(document), validate.errors]).toEqual([true, null])
}

/** Checks the bytes of a work receipt: canonical form, schema, id, signature, sums and items. Gives the receipt. */
export const verifyReceipt = async (text: string, keySet: KeySet, schema: Json): Promise<Document> => {
  const receipt = JSON.parse(text)
  expect(canonical(receipt)).toBe(text)
  expectSchema(schema, receipt)
  const hashed = canonical(without(receipt, 'receiptId', 'canonicalUrl', 'signers', 'signature'))
  expect(receipt.receiptId).toBe(`0x${createHash('sha256').update(hashed).digest('hex')}`)
  expect(receipt.canonicalUrl.endsWith(`/receipts/${receipt.receiptId}`)).toBe(true)
  await verifyDetached(receipt, keySet)
  const { verdict, settlement, intent, resolution, settlementProof } = receipt
  const unmet = verdict.items.filter(({ result }: { result: string }) => result === 'unmet')
  if (verdict.outcome === 'approved') expect([unmet, settlement === undefined]).toEqual([[], false])
  if (verdict.outcome === 'rejected') expect(unmet).not.toEqual([])
  if (settlement === undefined) return receipt
  const raw = (name: string) => BigInt(settlement[`${name}AmountRaw`])
  const paid = raw('worker') + raw('gasRetention')
  expect(raw('posterTotal')).toBe(paid + raw('protocolFee'))
  expect(intent.valueAtRisk.amountRaw).toBe(settlement.rewardAmountRaw)
  if (resolution.verdict === 'approved') expect(raw('reward')).toBe(paid)
  else expect(raw('reward') >= paid).toBe(true)
  expect(settlementProof.transactionHash).toBe(settlement.settlementTx)
  return receipt
}
