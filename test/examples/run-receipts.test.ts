import { beforeAll, describe, expect, test } from '@jest/globals'
import { sha256Of } from '../../domain/common/hashes.ts'
import { buildRunReceipt } from '../../domain/receipts/run-receipt.ts'
import { receiptIdOf } from '../../domain/receipts/work-receipt.ts'
import { checkRecord, type Evidence } from '../../examples/verify-record/check.ts'
import type { OwnService } from '../../examples/verify-record/evidence.ts'
import { checkText } from '../../examples/verify-record/result.ts'
import { plainText } from '../../examples/verify-record/sentence.ts'
import { RECORD_SCHEMAS } from '../../schemas/operations/record-schemas.ts'
import { NOW } from '../domain/builders/job.ts'
import { hash, party } from '../domain/builders/receipt.ts'
import { RUN_ENDS, type RunEnd, runEnds, runFacts } from '../domain/paid-verification/builders/run-receipt.ts'
import { expectSchema } from '../support/signed-documents.ts'
import { type Document, newKey, SIGNED_AT, signWith } from './support/records.ts'

let evidence: Evidence
let sign: ReturnType<typeof signWith>
let signByOther: ReturnType<typeof signWith>
let receipts: Record<RunEnd, Document>

beforeAll(async () => {
  const [key, other] = await Promise.all([newKey(), newKey()])
  sign = signWith(key)
  signByOther = signWith(other)
  const entries = runEnds.map(async (end) => [end, await sign(buildRunReceipt(runFacts(RUN_ENDS[end] as never)))] as const)
  receipts = Object.fromEntries(await Promise.all(entries)) as typeof receipts
  const keys = [{ ...key.jwk, validFrom: new Date(NOW - 1_000).toISOString(), retiredAt: null }]
  evidence = { keySet: { keys }, heads: [], chainId: 31_337, now: NOW + 7 * 86_400_000, unpublished: false }
})

const check = (record: unknown, changes: Partial<Evidence> = {}) => checkRecord(record, { ...evidence, ...changes })
const changed = (end: RunEnd, change: (copy: Document) => unknown): Document => {
  const copy = structuredClone(receipts[end])
  change(copy)
  return copy
}
/** The same with its id and its signature made again by the service's own key: only a rule can refuse it. */
const forged = (end: RunEnd, change: (copy: Document) => unknown, at = SIGNED_AT): Promise<Document> => {
  const { signature: _old, receiptId: _id, canonicalUrl: _url, signers, ...content } = changed(end, change)
  const receiptId = receiptIdOf(content)
  return sign({ ...content, receiptId, signers, canonicalUrl: `https://work.example/receipts/${receiptId}` }, at)
}

/** Paths of every value of a document that is no object or list. */
const leavesOf = (value: unknown, path: string[] = []): string[][] =>
  value === null || typeof value !== 'object' ? [path] : Object.entries(value).flatMap(([name, child]) => leavesOf(child, [...path, name]))

const other = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  const text = String(value)
  return /^\d{4}-/.test(text) ? new Date(Date.parse(text) + 1_000).toISOString() : `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`
}

describe('the receipt of a paid run', () => {
  test.each<[RunEnd, string]>([
    ['approved', 'and paid 5 USDC; the outcome was approved'],
    ['rejected', 'and paid 5 USDC; the outcome was rejected'],
    ['not billed', 'and was not billed; the outcome was inconclusive'],
    ['inconclusive, and sent by another account', 'and paid 5 USDC; the outcome was inconclusive'],
  ])('is sound when it is %s, and says what it attests', async (end, words) => {
    expectSchema(RECORD_SCHEMAS.get('work-receipt-v1') ?? {}, receipts[end])
    const report = await check(receipts[end])
    expect(report.kind).toBe('work receipt of a paid run')
    expect(plainText(report.about)).toBe(
      `Wallet ${party('a')} had a request judged by the profile structured-output-evidence-v1@1 ${words} on 2026-03-01T12:00:02.000Z.`,
    )
    expect(report.proves).toContainEqual(expect.stringContaining(hash('e')))
    expect(report.proves.some((line) => line.includes('owes it back'))).toBe(end === 'inconclusive, and sent by another account')
  })

  test('is refused with any single value changed', async () => {
    const leaves = leavesOf(receipts.approved)
    expect(leaves.length).toBeGreaterThan(50)
    for (const path of leaves) {
      const last = path.at(-1) ?? ''
      const copy = changed('approved', (r) => {
        const place = path.slice(0, -1).reduce((node, name) => node[name], r)
        place[last] = other(place[last])
      })
      await expect(check(copy).then(() => `${path.join('/')} may be changed`)).rejects.toThrow()
    }
  })

  test.each<[string, RunEnd, (r: Document) => unknown, RegExp]>([
    ['another amount', 'approved', (r) => (r.payment.amountRaw = '4000000'), /not the value of its terms/],
    ['another amount in whole units', 'approved', (r) => (r.intent.valueAtRisk.amount = '7'), /whole units/],
    [
      'nothing paid by a transaction',
      'approved',
      (r) => (r.payment.amountRaw = r.intent.valueAtRisk.amountRaw = '0'),
      /payment is not that/,
    ],
    ['no transaction', 'approved', (r) => (r.payment.transactionHash = null), /billing is not that/],
    ['another verdict', 'rejected', (r) => (r.verdict.outcome = 'approved'), /checks that did not pass/],
    ['a rejection without a failed check', 'approved', (r) => (r.verdict.outcome = 'rejected'), /without a failed check/],
    ['an approval without a check', 'approved', (r) => (r.execution.checks = []), /checks that did not pass/],
    ['another reason', 'approved', (r) => (r.verdict.reasonCode = 'CHECKS_FAILED'), /reason is none/],
    ['another reason of a check', 'not billed', (r) => (r.execution.checks[0].reason = 'flaky'), /reasons of its checks/],
    [
      'a charge that the operator does not owe back',
      'inconclusive, and sent by another account',
      (r) => (r.billing.reason = null),
      /was billed/,
    ],
    ['other artefacts', 'approved', (r) => r.execution.artefacts.pop(), /artifactHash/],
    ['another payer', 'approved', (r) => (r.worker = party('9')), /than the one that paid/],
    ['another profile', 'approved', (r) => (r.verifier.profile = 'mcp-failure-semantics-v1'), /another profile/],
    ['other evidence', 'approved', (r) => (r.verdict.evidenceHash = hash('1')), /other evidence/],
    ['an unbound request', 'approved', (r) => (r.execution.sourceBinding.verified = false), /is none of true/],
    ['a statement of its own', 'approved', (r) => (r.attestation = 'States that the work is good.'), /is none of/],
    ['an added member', 'approved', (r) => (r.execution.runId = 'verify-0'), /\/execution\/runId is no member/],
    ['an added member of a target', 'approved', (r) => (r.execution.target.credentialRef = 'x'), /credentialRef is no member/],
    ['a query in its target', 'approved', (r) => (r.execution.target = TARGET), /endpoint is malformed/],
    ['a missing member', 'approved', (r) => delete r.billing, /\/billing is missing/],
    ['another chain', 'approved', (r) => (r.payment.network = 'eip155:8453'), /of the chain 8453, not 31337/],
    ['two admissions', 'approved', (r) => (r.timestamps.claimedAt = '2026-03-01T11:00:00.000Z'), /two instants/],
    ['an early verdict', 'approved', (r) => (r.timestamps.verifiedAt = '2026-03-01T11:59:59.000Z'), /came before its admission/],
    ['an early deadline', 'approved', (r) => (r.intent.deadline = '2026-03-01T12:00:00.000Z'), /deadline came before/],
    ['another signer', 'approved', (r) => (r.signers[0].wallet = party('9')), /signers are not/],
    ['the source of a job', 'approved', (r) => (r.intent.specSource = 'chain_verified'), /billing is no member/],
  ])('is refused with %s, even with a true signature', async (_what, end, change, why) => {
    await expect(check(await forged(end, change))).rejects.toThrow(why)
  })

  test('is refused when another key signed it, or a day before its verdict', async () => {
    const { signature: _old, ...content } = receipts.approved
    await expect(check(await signByOther(content))).rejects.toThrow()
    await expect(check(await forged('approved', () => undefined, new Date(NOW).toISOString()))).rejects.toThrow(/backdated/)
  })

  test('is read on the page of the service, with its address', async () => {
    const own = { address: 'https://work.example', origin: 'https://work.example', load: async () => evidence.keySet } as OwnService
    const kept = { keySet: null, heads: null }
    const choices = { chainId: null, now: evidence.now, unpublished: false }
    const result = await checkText({ name: 'r.json', text: JSON.stringify(receipts.approved) }, kept, choices, own)
    expect(result).toMatchObject({ state: 'Sound', page: { path: `/receipts/${receipts.approved.receiptId}` } })
    expect(plainText(result.words)).toMatch(/^This work receipt is sound\. Wallet .* paid 5 USDC/)
    const other = JSON.stringify({ ...receipts.approved, payment: { ...receipts.approved.payment, amountRaw: '1' } })
    expect(await checkText({ name: 'r.json', text: other }, kept, choices, own)).toMatchObject({ state: 'Not sound' })
  })

  test('has an id over all but id, address, signers and signature', () => {
    const { receiptId, canonicalUrl: _url, signers: _signers, signature: _signature, ...content } = receipts.approved
    expect(sha256Of(content)).toBe(receiptId)
  })
})

const TARGET = { endpoint: 'https://mcp.example/mcp?key=s3cret', transport: 'streamable_http' }
