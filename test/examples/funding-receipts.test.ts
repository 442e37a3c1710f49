import { beforeAll, describe, expect, test } from '@jest/globals'
import { keccakOf } from '../../domain/common/hashes.ts'
import { buildFundingReceipt } from '../../domain/receipts/funding-receipt.ts'
import { receiptIdOf } from '../../domain/receipts/work-receipt.ts'
import { checkRecord, type Evidence } from '../../examples/verify-record/check.ts'
import { plainText } from '../../examples/verify-record/sentence.ts'
import { RECORD_SCHEMAS } from '../../schemas/operations/record-schemas.ts'
import { NOW } from '../domain/builders/job.ts'
import { fundingFacts, POSTER } from '../support/records/funding-facts.ts'
import { expectSchema } from '../support/signed-documents.ts'
import { type Document, newKey, SIGNED_AT, signWith } from './support/records.ts'

const OTHER = `0x${'6'.repeat(40)}`
const HASH = `0x${'9'.repeat(64)}`

let evidence: Evidence
let sign: ReturnType<typeof signWith>
let receipt: Document

beforeAll(async () => {
  const key = await newKey()
  sign = signWith(key)
  receipt = await sign(buildFundingReceipt(fundingFacts()))
  const keys = [{ ...key.jwk, validFrom: new Date(NOW - 1_000).toISOString(), retiredAt: null }]
  evidence = { keySet: { keys }, heads: [], chainId: 31_337, now: NOW + 7 * 86_400_000, unpublished: false }
})

const check = (record: unknown, changes: Partial<Evidence> = {}) => checkRecord(record, { ...evidence, ...changes })
const changed = (change: (copy: Document) => unknown): Document => {
  const copy = structuredClone(receipt)
  change(copy)
  return copy
}
/** The same with its id and its signature made again by the service's own key: only a rule can refuse it. */
const forged = (change: (copy: Document) => unknown, at = SIGNED_AT): Promise<Document> => {
  const { signature: _old, receiptId: _id, canonicalUrl: _url, ...content } = changed(change)
  const receiptId = receiptIdOf(content)
  return sign({ ...content, receiptId, canonicalUrl: `https://work.example/receipts/${receiptId}` }, at)
}

/** Paths of every value of a document that is no object or list. */
const leavesOf = (value: unknown, path: string[] = []): string[][] =>
  value === null || typeof value !== 'object' ? [path] : Object.entries(value).flatMap(([name, child]) => leavesOf(child, [...path, name]))

/** An amount in base units of six decimals. */
const usdc = (raw: number) => ({ raw: `${raw}`, decimals: 6, display: String(raw / 1_000_000) })

const other = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1
  const text = String(value)
  if (/^0x/.test(text)) return `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`
  if (/^\d+$/.test(text)) return `${BigInt(text) + 1n}`
  return /^\d{4}-/.test(text) ? new Date(Date.parse(text) + 1_000).toISOString() : `${text}x`
}

describe('a funding receipt', () => {
  test('is sound, follows its published schema, and says what was funded', async () => {
    expectSchema(RECORD_SCHEMAS.get('funding-receipt-v1') ?? {}, receipt)
    const report = await check(receipt)
    expect(report).toMatchObject({ kind: 'funding receipt', settlement: { chainId: 31_337, blockNumber: '118', mined: null } })
    expect(plainText(report.about)).toBe(
      `Wallet ${POSTER} put 2.44 USDC into the escrow for the job ${receipt.jobId}, 2 USDC of it as the reward, on 2026-03-01T12:00:00.000Z.`,
    )
    expect(report.proves).toContainEqual(
      `While the job is open, from 2026-03-01T13:00:00.000Z on, cancelOpenJob gives all of it back to ${POSTER}.`,
    )
  })

  test('states each part of the money and of the refund', () => {
    const reserves = { opsReserve: usdc(300_000), contingencyReserve: usdc(40_000) }
    const parts = { reward: usdc(2_000_000), ...reserves, posterFee: usdc(100_000) }
    expect(receipt.amounts).toEqual({ ...parts, totalReserved: usdc(2_440_000) })
    expect(receipt.cancellation).toEqual({
      method: 'cancelOpenJob',
      minimumOpenSeconds: 3_600,
      earliestAt: '2026-03-01T13:00:00.000Z',
      refundTo: POSTER,
      refund: { ...parts, total: usdc(2_440_000) },
    })
    expect(receipt.judgement.stages.at(-1)).toMatchObject({ judge: 'people', byDefault: 'split' })
  })

  test('is refused with any single value changed', async () => {
    const leaves = leavesOf(receipt)
    expect(leaves.length).toBeGreaterThan(40)
    for (const path of leaves) {
      const last = path.at(-1) ?? ''
      const copy = changed((r) => {
        const place = path.slice(0, -1).reduce((node, name) => node[name], r)
        place[last] = other(place[last])
      })
      await expect(check(copy).then(() => `${path.join('/')} may be changed`)).rejects.toThrow()
    }
  })

  test.each<[string, (r: Document) => unknown, RegExp]>([
    ['another poster', (r) => (r.poster = r.cancellation.refundTo = OTHER), /job is not that of its terms/],
    ['other terms', (r) => (r.specHash = HASH), /job is not that of its terms/],
    ['another job', (r) => (r.jobId = HASH), /job is not that of its terms/],
    ['another total', (r) => (r.amounts.totalReserved = r.cancellation.refund.total = usdc(2_440_001)), /sum of its parts/],
    [
      'a refund that leaves the fee out',
      (r) => Object.assign(r.cancellation.refund, { posterFee: usdc(0), total: usdc(2_340_000) }),
      /refund is not/,
    ],
    ['a refund to another wallet', (r) => (r.cancellation.refundTo = OTHER), /another wallet than its poster/],
    ['an amount in other whole units', (r) => (r.amounts.reward.display = '20'), /not the same in whole units/],
    ['other decimals of an amount', (r) => Object.assign(r.amounts.reward, { decimals: 5, display: '20' }), /not those of its asset/],
    ['a longer wait', (r) => (r.cancellation.minimumOpenSeconds = 7_200), /is none of 3600/],
    ['a later refund', (r) => (r.cancellation.earliestAt = '2026-03-01T14:00:00.000Z'), /another time than its terms/],
    ['another method', (r) => (r.cancellation.method = 'cancelJob'), /is none of cancelOpenJob/],
    ['another statement', (r) => (r.attestation = 'States that the work was done.'), /is none of/],
    ['no last judge', (r) => r.judgement.stages.pop(), /judges are not in turn/],
    ['an added member', (r) => (r.amounts.tip = usdc(1)), /\/amounts\/tip is no member/],
    ['a missing member', (r) => delete r.escrow, /\/escrow is missing/],
    ['another chain', (r) => (r.chainId = 1), /of the chain 1, not 31337/],
    ['nothing as reward', (r) => Object.assign(r.amounts, { reward: usdc(0), totalReserved: usdc(440_000) }), /reward is nothing/],
  ])('is refused with %s, even with a true signature', async (_what, change, why) => {
    await expect(check(await forged(change))).rejects.toThrow(why)
  })

  test('is refused when it is older than its block, and with heads', async () => {
    await expect(check(await forged(() => undefined, new Date(NOW - 1).toISOString()))).rejects.toThrow(/backdated/)
    const heads = [{ head: { chainId: 31_337 }, entries: [] }] as unknown as Evidence['heads']
    await expect(check(receipt, { heads })).rejects.toThrow(/heads are for a history/)
  })

  test('has the job of the published vector', () => {
    const contentHash = '0x00986e475ba431f6b784d4b894e14fedb92aa33826fe0df41d0a552c12d684f4'
    const poster = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
    const vector = '0x5c445c8f0e7674641293230f4bbdb0045f22bc1315372bab318770665f331c1a'
    expect(keccakOf({ contentHash, domain: 'service.external-job.v1', poster })).toBe(vector)
  })
})
