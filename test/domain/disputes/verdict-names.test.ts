import { describe, expect, test } from '@jest/globals'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { amount, assetAmount } from '../../../domain/common/money.ts'
import { evidenceBundle, rationaleBlob } from '../../../domain/disputes/evidence.ts'
import {
  memberError,
  parseDecider,
  parseDecisionRequestId,
  parseNote,
  parsePayoutRaw,
  parseRationale,
} from '../../../domain/disputes/operator-input.ts'
import { moneyView } from '../../../domain/disputes/payout.ts'
import { describeVerdictError, parseVerdict } from '../../../domain/disputes/verdict-names.ts'
import { verdictCode, verdictCodeBytes } from '../../../domain/settlement/award.ts'
import { RATIONALE, VERDICT_NAMES } from '../../../schemas/disputes/record.ts'
import { ARBITRATION_VERDICTS, type RoundVerdict } from '../../../schemas/sessions/verdicts.ts'
import { escrowBalance } from '../builders/escrow-balance.ts'
import { builtJob } from '../builders/job.ts'
import { refusalOf } from '../builders/refusal.ts'
import { aSession } from '../builders/session.ts'

const CODES: Record<RoundVerdict, string> = {
  upheld: 'DISPUTE_LOST',
  dismissed: 'DISPUTE_OVERTURNED',
  split: 'DISPUTE_PARTIAL',
  timeout: 'ARB_TIMEOUT',
  approved: 'HUMAN_REVIEW_APPROVED',
  rejected: 'HUMAN_REVIEW_REJECTED',
}
const VERDICTS = Object.keys(CODES) as RoundVerdict[]

describe('the code of a verdict', () => {
  test.each(VERDICTS)('%s', (verdict) => {
    expect(verdictCode(verdict)).toBe(CODES[verdict])
  })

  test.each(ARBITRATION_VERDICTS)('%s stands in the escrow as ASCII in 32 bytes', (verdict) => {
    expect(verdictCodeBytes(verdict)).toBe(`0x${Buffer.from(CODES[verdict]).toString('hex').padEnd(64, '0')}`)
  })
})

describe('a word', () => {
  test.each([
    ['upheld', 'upheld'],
    ['uphold', 'upheld'],
    ['dismissed', 'dismissed'],
    ['dismiss', 'dismissed'],
    ['split', 'split'],
    ['partial', 'split'],
    ['timeout', 'timeout'],
    ['arb_timeout', 'timeout'],
    ['toString', null],
    ['Upheld', null],
  ])('%s stands for %s', (word, verdict) => {
    expect(parseVerdict(word)).toBe(verdict)
  })

  test.each(['reject', 'rejected', 'request-more'])('%s does not say who is paid', (word) => {
    expect(parseVerdict(word)).toBeNull()
    expect(describeVerdictError(word)).toBe(
      `"${word}" does not say who is paid: use upheld (the rejection stands) or dismissed (the rejection is dismissed)`,
    )
  })

  test.each([['maybe'], [7], [undefined]])('%s is none: the sender hears which there are', (word) => {
    expect(describeVerdictError(word)).toBe(`must be one of ${VERDICT_NAMES.join(', ')}`)
  })
})

const refused = (member: string, message: string) => ({
  code: 'invalid_request',
  info: { detail: `${member} ${message}.`, errors: [{ pointer: `/${member}`, rule: 'verdict', message }] },
})

describe('a word that was given by hand', () => {
  test('names the member it was refused for', () => {
    expect(memberError('verdict', 'is none')).toMatchObject(refused('verdict', 'is none'))
  })

  test.each([
    ['an arbitration', RATIONALE.arbitration, 20],
    ['a review', RATIONALE.review, 10],
  ])('has a rationale as long as %s asks for, to the letter, without the space around it', (_what, shortest, length) => {
    expect(shortest).toBe(length)
    expect(parseRationale(`  ${'x'.repeat(length)}\n`, shortest)).toBe('x'.repeat(length))
    expect(parseRationale('x'.repeat(4_000), shortest)).toHaveLength(4_000)
    const message = `must have ${length} to 4000 characters`
    const [short, long] = ['x'.repeat(length - 1), 'x'.repeat(length)]
    for (const text of [short, ` ${short} `, 'x'.repeat(4_001), `${long}\u0000`, 7, undefined])
      expect(refusalOf(() => parseRationale(text, shortest))).toMatchObject(refused('rationale', message))
  })

  test('names who decides', () => {
    for (const name of ['x', 'x'.repeat(200)]) expect(parseDecider(name)).toBe(name)
    for (const name of ['', ' ', 'x'.repeat(201), 'a\u0000b', 7, null])
      expect(refusalOf(() => parseDecider(name))).toMatchObject(refused('by', 'must name who decides, in 1 to 200 characters'))
  })

  test('may carry a note, which has to be a text that can be kept', () => {
    for (const note of ['', 'The terms were read wrong.']) expect(parseNote(note)).toBe(note)
    for (const note of ['a\u0000b', 7, undefined]) expect(refusalOf(() => parseNote(note))).toMatchObject(refused('note', 'must be a text'))
  })

  test('may carry the id of its request', () => {
    expect(['request-1', null, undefined].map(parseDecisionRequestId)).toEqual(['request-1', null, null])
    for (const id of ['a\u0000b', 7])
      expect(refusalOf(() => parseDecisionRequestId(id))).toMatchObject(refused('decisionRequestId', 'must be a text'))
  })

  test('may carry an amount, in digits', () => {
    expect([parsePayoutRaw('0'), parsePayoutRaw('700000'), parsePayoutRaw('9'.repeat(78))]).toEqual([0n, 700_000n, BigInt('9'.repeat(78))])
    expect([parsePayoutRaw(null), parsePayoutRaw(undefined)]).toEqual([undefined, undefined])
    for (const digits of ['', '-1', '1.5', '1 ', ' 1', '0x1', '9'.repeat(79), 7])
      expect(refusalOf(() => parsePayoutRaw(digits))).toMatchObject(refused('workerPayout', 'must be an integer in base units, as digits'))
  })
})

describe('what is shown of a dispute', () => {
  test('a split of money, each part under who gets it', () => {
    const split = {
      workerPayoutRaw: 1n,
      bondReturnedRaw: 2n,
      posterRefundRaw: 3n,
      posterSlashRaw: 4n,
      treasuryFeeRaw: 5n,
      treasurySlashRaw: 6n,
      verifierRaw: 7n,
    }
    const sum = (raw: bigint) => amount({ raw, decimals: 6 })
    expect(moneyView(escrowBalance(), split, { symbol: 'USDC', decimals: 6 })).toEqual({
      asset: 'USDC',
      worker: { payout: sum(1n), bondReturned: sum(2n) },
      poster: { refund: sum(3n), slash: sum(4n) },
      treasury: { fee: sum(5n), slash: sum(6n) },
      verifier: { feeShare: sum(7n) },
      held: sum(1_200_000n),
    })
  })

  test('the evidence: terms and bond before, work and verdict after, and the hash of it all', () => {
    const { definition } = builtJob()
    const usual = aSession()
    const session = {
      ...usual,
      evidenceHash: `0x${'e'.repeat(64)}` as const,
      submission: { kind: 'structured', structured: { summary: 'Done.' } } as never,
      jobSnapshot: { ...usual.jobSnapshot, specDefinition: definition as never, verifierConfigSnapshot: { handler: 'benchmark' } },
    }
    const shown = (raw: string, display: string) => ({ raw, decimals: 6, display })
    const { description, outputSchemaRef } = definition
    const before = {
      jobId: 'job-1',
      jobTitle: definition.title,
      specHash: `0x${'2'.repeat(64)}`,
      definitionHash: `0x${'1'.repeat(64)}`,
      requirements: { description, outputSchemaRef, verifierConfig: { handler: 'benchmark' } },
      claimStake: shown('200000', '0.2'),
      claimFee: shown('50000', '0.05'),
      totalClaimLock: shown('250000', '0.25'),
    }
    const work = { submission: session.submission, submissionHash: session.evidenceHash }
    const verdict = { outcome: 'rejected' }
    const judged = { before, after: { ...work, verification: verdict, verificationHash: keccakOf(verdict) } }
    expect(evidenceBundle(session, verdict)).toEqual({ evidence: judged, evidenceHash: keccakOf(judged) })
    expect(evidenceBundle(session, null).evidence).toEqual({ before, after: { ...work, verification: null, verificationHash: null } })
  })

  test('the rationale, with what it explains', () => {
    const workerPayout = assetAmount(7n, { symbol: 'USDC', decimals: 6 })
    const decision = { disputeId: 'd', verdict: 'split', workerPayout, rationale: 'Half of it was done.' }
    expect(rationaleBlob(decision)).toEqual({ kind: 'dispute_rationale', ...decision })
  })
})
