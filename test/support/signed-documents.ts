// Checks of signed documents that share no code with the service.
import { createHash } from 'node:crypto'
import { expect } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createLocalJWKSet, flattenedVerify } from 'jose'
import { fromRlp, type Hex, keccak256, numberToHex, toRlp } from 'viem'

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

const ajv = new Ajv2020({ allErrors: true, validateFormats: false })

/** Holds a document to a published schema. */
export const expectSchema = (schema: Json, document: unknown): void => {
  const validate = ajv.getSchema(String(schema.$id)) ?? ajv.compile(schema)
  expect([validate(document), validate.errors]).toEqual([true, null])
}

/** Walks a path of the receipt trie from its root; gives the bytes at its end. */
const walk = ({ receiptsRoot, transactionIndex, nodes }: Document): Hex => {
  let key: string = toRlp(transactionIndex === 0 ? '0x' : numberToHex(transactionIndex)).slice(2)
  let expected: Hex = receiptsRoot
  for (const node of nodes as Hex[]) {
    expect(node.length >= 66 ? keccak256(node) : node).toBe(expected)
    const parts = fromRlp(node, 'hex') as Hex[]
    if (parts.length === 17) {
      if (key === '') return parts[16] as Hex
      expected = parts[Number.parseInt(key.charAt(0), 16)] as Hex
      key = key.slice(1)
      continue
    }
    const [prefix = '0x', next = '0x'] = parts
    const flag = Number.parseInt(prefix.charAt(2), 16)
    const nibbles = prefix.slice(flag % 2 === 1 ? 3 : 4)
    expect(key.startsWith(nibbles)).toBe(true)
    key = key.slice(nibbles.length)
    expected = next
    if (flag >= 2) {
      expect(key).toBe('')
      return next
    }
  }
  throw new Error('the path has no end')
}

/** Checks that the block of a proof holds the event. */
export const verifyProof = ({ blockHash, blockNumber, event, binding, inclusion }: Document): void => {
  expect(binding).toBe('receipt_trie')
  expect(keccak256(inclusion.header)).toBe(blockHash)
  const members = fromRlp(inclusion.header, 'hex') as Hex[]
  expect([members[5], BigInt(members[8] ?? '0x')]).toEqual([inclusion.receiptsRoot, BigInt(blockNumber)])
  const receipt = walk(inclusion)
  const [status, , , logs] = fromRlp(receipt.startsWith('0x0') ? `0x${receipt.slice(4)}` : receipt, 'hex') as unknown as [
    Hex,
    Hex,
    Hex,
    Hex[][],
  ]
  expect(status).toBe('0x01')
  expect(logs).toContainEqual([event.address, event.topics, event.data])
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
  verifyProof(settlementProof)
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
