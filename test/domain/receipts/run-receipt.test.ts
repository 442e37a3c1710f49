import { describe, expect, test } from '@jest/globals'
import { sha256Of } from '../../../domain/common/hashes.ts'
import { buildRunReceipt, findRunReceiptProblem, type RunReceiptFacts } from '../../../domain/receipts/run-receipt.ts'
import { receiptIdOf } from '../../../domain/receipts/work-receipt.ts'
import { type RunReceipt, RunReceiptShape } from '../../../schemas/receipts/run.ts'
import { hash, party, SIGNATURE } from '../builders/receipt.ts'
import { ARTEFACTS, RUN_ENDS, type RunEnd, runFacts } from '../paid-verification/builders/run-receipt.ts'

type Unsigned = Omit<RunReceipt, 'signature'>
const receiptOf = (end: RunEnd = 'approved', changes: Partial<RunReceiptFacts> = {}) =>
  buildRunReceipt(runFacts({ ...RUN_ENDS[end], ...changes } as Partial<RunReceiptFacts>))
const schemaProblem = (receipt: object) => RunReceiptShape.safeParse({ ...receipt, signature: SIGNATURE }).error?.issues

describe('the receipt of a paid run', () => {
  test('is what the facts say of an approved run', () => {
    const receipt = receiptOf()
    expect(receipt).toMatchObject({
      schemaVersion: 'service.work-receipt.v1',
      worker: party('a'),
      verifier: { profile: 'structured-output-evidence-v1', profileVersion: 1, profileDigest: hash('d'), version: 1 },
      intent: {
        specHash: hash('e'),
        specSource: 'verify_request',
        poster: party('a'),
        valueAtRisk: { asset: 'USDC', amount: '5', amountRaw: '5000000' },
        deadline: '2026-03-01T12:00:30.000Z',
      },
      execution: { provider: party('a'), artefacts: ARTEFACTS, artifactHash: sha256Of(ARTEFACTS), evidenceHash: hash('f') },
      verdict: { outcome: 'approved', reasonCode: 'CHECKS_PASSED', evidenceHash: hash('f') },
      billing: { status: 'captured', reason: null },
      payment: { network: 'eip155:31337', asset: party('b'), amountRaw: '5000000', transactionHash: hash('c') },
      timestamps: {
        claimedAt: '2026-03-01T12:00:00.000Z',
        submittedAt: '2026-03-01T12:00:00.000Z',
        verifiedAt: '2026-03-01T12:00:02.000Z',
      },
      canonicalUrl: `https://work.example/receipts/${receipt.receiptId}`,
    })
  })

  test.each<[RunEnd, string, string, string | null, string]>([
    ['approved', 'CHECKS_PASSED', 'captured', null, '0xbfd586a4eda91711fe9835ac653151d6a27b58d5674e94ee2f2c95abf219cffa'],
    ['rejected', 'CHECKS_FAILED', 'captured', null, '0xdd906b70da35bf45fb7da3df67eef8918d1d96b912332685e28c91ab655bc539'],
    ['not billed', 'ARTEFACT_UNAVAILABLE', 'not_billed', null, '0x896555df9c907aaa8a47036e85c204039a7d44173de37c5b031187767dbcbd16'],
    [
      'inconclusive, and sent by another account',
      'FLAKY',
      'captured',
      'sent_by_another',
      '0x3cef921ba402312d11cdfd7aec66c02f17a65210c15ac3b1e833d4748f47b74f',
    ],
  ])('that is %s has its reason, its billing and the id of its vector', (end, reasonCode, status, reason, id) => {
    const receipt = receiptOf(end)
    expect([receipt.verdict.reasonCode, receipt.billing]).toEqual([reasonCode, { status, reason }])
    expect(receipt.receiptId).toBe(id)
    expect(schemaProblem(receipt)).toBeUndefined()
    expect(findRunReceiptProblem(receipt)).toBeNull()
  })

  test('states no amount and no transaction when the run was not billed', () => {
    const { intent, payment } = receiptOf('not billed')
    expect(intent.valueAtRisk).toEqual({ asset: 'USDC', amount: '0', amountRaw: '0' })
    expect(payment).toMatchObject({ amountRaw: '0', transactionHash: null })
  })

  test('shows no address that a check names', () => {
    expect(JSON.stringify(receiptOf('not billed'))).not.toMatch(/files\.example|s3cret/)
    expect(receiptOf('not billed').execution.checks[0]).toEqual({
      name: 'schema-valid',
      verdict: 'inconclusive',
      reason: 'artefact_unavailable',
      detail: 'sources/0: [address] answers 404',
    })
  })

  test('dates its verdict no earlier than its admission when the clocks of two processes differ', () => {
    const receipt = receiptOf('approved', { executedAt: 0 })
    expect(receipt.timestamps.verifiedAt).toBe(receipt.timestamps.submittedAt)
    expect(findRunReceiptProblem(receipt)).toBeNull()
  })

  test.each<[string, RunEnd, (r: Unsigned) => unknown, RegExp]>([
    ['other evidence', 'approved', (r) => (r.verdict.evidenceHash = hash('1')), /other evidence/],
    ['another poster', 'approved', (r) => (r.intent.poster = party('9')), /not the payer/],
    ['another provider', 'approved', (r) => (r.execution.provider = party('9')), /not the payer/],
    ['other artefacts', 'approved', (r) => r.execution.artefacts.pop(), /artifactHash/],
    ['another profile asked for', 'approved', (r) => (r.intent.successPolicy.version = 2), /another profile/],
    ['another outcome', 'rejected', (r) => (r.verdict.outcome = 'approved'), /did not pass/],
    ['no failed check', 'approved', (r) => (r.verdict.outcome = 'rejected'), /without a failed check/],
    ['another amount', 'approved', (r) => (r.payment.amountRaw = '4000000'), /not the payment/],
    ['no transaction', 'approved', (r) => (r.payment.transactionHash = null), /billing is not/],
    ['a free approval', 'approved', free, /decisive verdict/],
    [
      'a charge for an inconclusive run',
      'inconclusive, and sent by another account',
      (r) => (r.billing.reason = null),
      /reason of billing/,
    ],
  ])('is refused with %s', (_what, end, change, why) => {
    const receipt = structuredClone(receiptOf(end))
    change(receipt)
    receipt.receiptId = receiptIdOf(receipt)
    expect(findRunReceiptProblem(receipt)).toMatch(why)
  })

  test('is refused with another id', () => {
    expect(findRunReceiptProblem({ ...receiptOf(), receiptId: hash('1') })).toMatch(/id is not the hash/)
  })

  test.each<[string, (r: Unsigned) => object]>([
    ['a member of a job', (r) => ({ ...r, sessionId: 'job:0x1' })],
    ['a credential of its target', (r) => ({ ...r, execution: { ...r.execution, target: { credentialRef: 'x' } } })],
    ['an address of an artefact', (r) => ({ ...r, execution: { ...r.execution, artefacts: [{ ...ARTEFACTS[0], locator: {} }] } })],
    ['the source of a job', (r) => ({ ...r, intent: { ...r.intent, specSource: 'chain_verified' } })],
    ['an upper-case wallet', (r) => ({ ...r, worker: `0x${'A'.repeat(40)}` })],
  ])('has a schema that refuses %s', (_what, change) => {
    expect(schemaProblem(change(receiptOf()))).toBeDefined()
  })
})

function free(receipt: Unsigned): void {
  receipt.payment.transactionHash = null
  receipt.payment.amountRaw = receipt.intent.valueAtRisk.amountRaw = '0'
  receipt.billing.status = 'not_billed'
}
