import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { keccakOf, sha256Of } from '../../../domain/common/hashes.ts'
import { sessionId } from '../../../domain/common/ids.ts'
import { buildReceipt, findReceiptProblem, type ReceiptFacts, receiptIdOf } from '../../../domain/receipts/work-receipt.ts'
import { decisionItems } from '../../../domain/sessions/verdict-items.ts'
import { listRecordSchemas, RECORD_SCHEMAS } from '../../../schemas/operations/record-schemas.ts'
import { WorkReceiptShape } from '../../../schemas/receipts/shapes.ts'
import { NOW } from '../builders/job.ts'
import { ENDINGS, ends, facts, hash, jobSnapshot, mayBePartial, party, payment, SIGNATURE, sessionWith, WORK } from '../builders/receipt.ts'
import { WORKER } from '../builders/session.ts'

const schemaProblem = (receipt: object) => WorkReceiptShape.safeParse({ ...receipt, signature: SIGNATURE }).error?.issues

describe('a work receipt', () => {
  test('is what the facts say of approved work', () => {
    const receipt = buildReceipt(facts())
    expect(receipt).toMatchObject({
      schemaVersion: 'service.work-receipt.v1',
      kind: 'run',
      receiptType: 'work_outcome',
      worker: WORKER,
      verifier: { profile: 'benchmark', handler: 'benchmark', version: 2, mode: 'benchmark', wallet: party('c') },
      intent: {
        specHash: jobSnapshot.specHash,
        specSource: 'chain_verified',
        poster: party('a'),
        valueAtRisk: { asset: 'USDC', amount: '2', amountRaw: '2000000' },
      },
      execution: {
        artifactHash: sha256Of(WORK),
        evidenceHash: keccakOf(WORK),
        sourceBinding: { method: 'submission_hash', verified: true },
      },
      settlement: { workerAmount: '1.95', rewardAmountRaw: '2000000', posterTotalAmountRaw: '2100000', gasRetentionBps: 250 },
      signers: [{ role: 'operator' }, { role: 'worker' }, { role: 'verifier' }],
      canonicalUrl: `https://work.example/receipts/${receipt.receiptId}`,
    })
    expect(schemaProblem(receipt)).toBeUndefined()
    expect(findReceiptProblem(receipt)).toBeNull()
  })

  test('is sound for every ending and every sum', () => {
    const raw = fc.bigInt({ min: 0n, max: 2n ** 200n })
    fc.assert(
      fc.property(
        fc.constantFrom(...ends),
        raw,
        raw,
        raw,
        raw,
        fc.boolean(),
        fc.boolean(),
        (end, workerRaw, gasRaw, feeRaw, more, waived, brokered) => {
          const gasRetentionRaw = waived ? 0n : gasRaw
          const rewardRaw = workerRaw + gasRetentionRaw + (mayBePartial(end) ? more : 0n)
          const claimStakeRaw = waived ? 0n : 200_000n
          const ending: Partial<ReceiptFacts> = ENDINGS[end]
          const paid = ending.payment === null ? null : payment({ workerRaw, gasRetentionRaw, protocolFeeRaw: feeRaw })
          const session = sessionWith({ rewardRaw, waived, brokered, claimStakeRaw })
          const receipt = buildReceipt(facts({ session, ...ending, payment: paid }))
          expect(schemaProblem(receipt)).toBeUndefined()
          expect(findReceiptProblem(receipt)).toBeNull()
          expect(receipt.settlement === undefined).toBe(ending.payment === null)
          const isSlashed = ['rejected', 'upheld', 'timed out'].includes(end)
          const without = ending.payment === null ? 'no_payout' : 'none'
          expect(receipt.verdict.workerConsequence).toBe(isSlashed && !waived ? 'stake_slashed' : without)
          expect(receipt.verifier.mode).toBe(receipt.verifier.handler === 'benchmark' ? 'benchmark' : 'human_fallback')
        },
      ),
    )
  })

  test('has one id, whatever the order of its members, its address, its signers and its signature', () => {
    const receipt = buildReceipt(facts())
    const reversed = Object.fromEntries(Object.entries(receipt).toReversed())
    const elsewhere = { ...reversed, canonicalUrl: 'https://other.example', signers: [], signature: SIGNATURE }
    expect(receiptIdOf(elsewhere)).toBe(receipt.receiptId)
    expect(buildReceipt(facts({ publicBaseUrl: 'https://other.example' })).receiptId).toBe(receipt.receiptId)
  })

  test('has another id for every other fact', () => {
    const { receiptId } = buildReceipt(facts())
    const others: Partial<ReceiptFacts>[] = [
      { reasonCode: 'X' },
      { items: decisionItems({ kind: 'arbitration', verdict: 'split' }) },
      { verifiedAt: NOW + 3_000 },
      { payment: payment({ workerRaw: 1_950_001n }) },
      { proof: { ...facts().proof, blockHash: hash('f') } },
      { session: sessionWith({}, { sessionId: 'another' }) },
    ]
    for (const changes of others) expect(buildReceipt(facts(changes)).receiptId).not.toBe(receiptId)
  })

  test('names an evidence hash that is not that of the stored submission as unverified', () => {
    const receipt = buildReceipt(facts({ session: sessionWith({ rewardRaw: 2_000_000n }, { evidenceHash: hash('e') }) }))
    expect(receipt.execution.sourceBinding.verified).toBe(false)
  })
})

const LATER = '2026-03-01T13:00:00.000Z'

describe('an invariant', () => {
  type Receipt = ReturnType<typeof buildReceipt>
  /** Changes a receipt and gives it the id of its new content. */
  const changed = (change: (receipt: Receipt) => object): Receipt => {
    const receipt = buildReceipt(facts())
    const next = { ...receipt, ...change(receipt) }
    return { ...next, receiptId: receiptIdOf(next) }
  }
  const settlement = (changes: object) => (receipt: Receipt) => ({ settlement: { ...receipt.settlement, ...changes } })

  test.each<[string, (receipt: Receipt) => object, string]>([
    ['total', settlement({ posterTotalAmountRaw: '1' }), 'the total of the poster is not the sum of its parts'],
    ['reward', settlement({ workerAmountRaw: '9000000', posterTotalAmountRaw: '9150000' }), 'the reward is not what was paid and retained'],
    ['value', settlement({ rewardAmountRaw: '1' }), 'the value at risk is not the reward'],
    ['waiver', settlement({ waived: true }), 'gas was retained from waived work'],
    ['transaction', settlement({ settlementTx: hash('9') }), 'the proof is of another transaction'],
    ['settlement', () => ({ settlement: undefined }), 'approved work has no settlement'],
    ['job', () => ({ chainJobId: hash('9') }), 'the chain id is not that of the job'],
    ['worker', () => ({ sessionId: `job-1:${party('9')}` }), 'the session is of another job or worker'],
    ['session', () => ({ sessionId: sessionId('job-2', WORKER) }), 'the session is of another job or worker'],
    [
      'claim',
      ({ timestamps }) => ({ timestamps: { ...timestamps, claimedAt: LATER } }),
      'claim, submission and verdict are not in this order',
    ],
    [
      'submission',
      ({ timestamps }) => ({ timestamps: { ...timestamps, submittedAt: LATER } }),
      'claim, submission and verdict are not in this order',
    ],
    ['evidence', ({ verdict }) => ({ verdict: { ...verdict, evidenceHash: hash('9') } }), 'the verdict is on other evidence'],
  ])('about the %s is checked', (_name, change, problem) => {
    expect(findReceiptProblem(changed(change))).toBe(problem)
  })

  test('about the id is checked', () => {
    expect(findReceiptProblem({ ...buildReceipt(facts()), receiptId: hash('9') })).toBe('the id is not the hash of the receipt')
  })
})

describe('the schema of receipts', () => {
  test.each([
    ['another member at the root', { extra: 1 }],
    ['another version', { schemaVersion: 'service.work-receipt.v2' }],
    ['the zero address as worker', { worker: party('0') }],
    ['an address in another case', { worker: WORKER.toUpperCase().replace('0X', '0x') }],
    ['a number as a sum', { settlement: { ...buildReceipt(facts()).settlement, workerAmountRaw: 1 } }],
    ['a date without milliseconds', { timestamps: { ...buildReceipt(facts()).timestamps, claimedAt: '2026-03-01T12:00:00Z' } }],
    ['a negative sum', { settlement: { ...buildReceipt(facts()).settlement, workerAmountRaw: '-1' } }],
    ['another member of the settlement', { settlement: { ...buildReceipt(facts()).settlement, tip: '1' } }],
  ])('refuses %s', (_name, changes) => {
    expect(schemaProblem({ ...buildReceipt(facts()), ...changes })).toBeDefined()
  })
})

describe('the published schemas', () => {
  /** Objects of a schema that accept other members, each with its path. */
  const openObjects = (node: unknown, path = ''): string[] => {
    if (node === null || typeof node !== 'object') return []
    const isOpen = 'properties' in node && (node as { additionalProperties?: unknown }).additionalProperties !== false
    return [...(isOpen ? [path] : []), ...Object.entries(node).flatMap(([name, child]) => openObjects(child, `${path}/${name}`))]
  }

  test('are closed at every object, but for the root of a badge, which the specification opens', () => {
    expect(openObjects(RECORD_SCHEMAS.get('work-receipt-v1'))).toEqual([])
    expect(openObjects(RECORD_SCHEMAS.get('agent-badge-v1'))).toEqual([''])
  })

  test('stand alone, each with its id', () => {
    for (const [name, schema] of RECORD_SCHEMAS) {
      expect(schema.$id).toBe(`schema://records/${name}`)
      expect(JSON.stringify(schema)).not.toContain('$ref')
    }
    expect(listRecordSchemas().map(({ path }) => path)).toEqual([...RECORD_SCHEMAS.keys()].map((name) => `/schemas/records/${name}.json`))
  })
})
