import { describe, expect, test } from '@jest/globals'
import {
  decidePosting,
  describePosting,
  type FundedTerms,
  isPostingOver,
  type ObservedPosting,
  type PostingSurroundings,
  type RecordedPosting,
} from '../../../domain/postings/status.ts'
import { POSTING_STATUSES } from '../../../schemas/postings/terms.ts'

const TERMS: FundedTerms = {
  poster: `0x${'1'.repeat(40)}`,
  specHash: `0x${'2'.repeat(64)}`,
  asset: 'USDC',
  rewardRaw: 5_000_000n,
  opsReserveRaw: 100_000n,
  contingencyReserveRaw: 200_000n,
  claimTtlSeconds: 3_600n,
  payoutMode: 'single',
}
const EXPIRES_AT = Date.parse('2026-11-28T12:00:00.000Z')
const FUNDING = {
  txHash: `0x${'3'.repeat(64)}`,
  blockNumber: '9',
  blockHash: `0x${'4'.repeat(64)}`,
  fundedAt: '2026-11-27T12:00:00.000Z',
  totalReservedRaw: '5550000',
}
const REFUND = { txHash: `0x${'5'.repeat(64)}`, refundedAt: '2026-11-27T14:00:00.000Z', refundedRaw: '5550000' }

const CLOSING = { ...REFUND, paidRaw: '0' }
const posting = (changes: Partial<RecordedPosting> = {}): RecordedPosting => ({
  ...TERMS,
  status: 'awaiting_funding',
  handedOutAt: EXPIRES_AT - 3_600_000,
  expiresAt: EXPIRES_AT,
  isDesignated: false,
  funding: null,
  mismatch: null,
  reason: null,
  ...changes,
})
const around = (changes: Partial<PostingSurroundings> = {}): PostingSurroundings => ({
  now: EXPIRES_AT - 1,
  isClaimed: false,
  isDelisted: false,
  agreements: { others: 0, limit: 5 },
  ...changes,
})
const funded = (terms: Partial<FundedTerms> = {}, more: Partial<ObservedPosting> = {}): ObservedPosting => ({
  funding: { ...FUNDING, terms: { ...TERMS, ...terms } },
  refund: null,
  closing: null,
  ...more,
})
const NOTHING: ObservedPosting = { funding: null, refund: null, closing: null }

const WRONG: [string, Partial<FundedTerms>, string, string, string][] = [
  ['poster', { poster: `0x${'9'.repeat(40)}` }, 'poster', TERMS.poster, `0x${'9'.repeat(40)}`],
  ['hash of the definition', { specHash: `0x${'9'.repeat(64)}` }, 'specHash', TERMS.specHash, `0x${'9'.repeat(64)}`],
  ['asset', { asset: '0x01' }, 'asset', 'USDC', '0x01'],
  ['smaller reward', { rewardRaw: 4_999_999n }, 'reward', '5000000', '4999999'],
  ['larger reward', { rewardRaw: 5_000_001n }, 'reward', '5000000', '5000001'],
  ['larger ops reserve', { opsReserveRaw: 100_001n }, 'opsReserve', '100000', '100001'],
  ['smaller contingency reserve', { contingencyReserveRaw: 0n }, 'contingencyReserve', '200000', '0'],
  ['claim time', { claimTtlSeconds: 60n }, 'claimTtlSeconds', '3600', '60'],
  ['payout mode', { payoutMode: 'milestone' }, 'payoutMode', 'single', 'milestone'],
]

describe('a posting', () => {
  test('whose funding equals its draft is live and listed', () => {
    expect(decidePosting(posting(), funded(), around())).toEqual({
      status: 'live',
      reason: null,
      funding: FUNDING,
      mismatch: null,
      refund: null,
      listing: 'listed',
    })
  })

  test.each(WRONG)('with another %s is a mismatch that names the field and both values', (_name, terms, field, expected, observed) => {
    const decided = decidePosting(posting(), funded(terms), around())
    expect(decided).toMatchObject({ status: 'mismatch', mismatch: { field, expected, observed }, listing: 'taken_back' })
  })

  test('with several wrong terms names the first one in the order of the comparison', () => {
    const { mismatch } = decidePosting(posting(), funded({ payoutMode: 'milestone', opsReserveRaw: 1n, rewardRaw: 1n }), around())
    expect(mismatch?.field).toBe('reward')
  })

  test.each([
    ['in the last millisecond of the quote', 'live', 0, null],
    ['a millisecond after the quote expired', 'expired', 1, 'funded_after_expiry'],
  ])('funded %s is %s', (_name, status, lateMs, reason) => {
    const fundedAt = new Date(EXPIRES_AT + lateMs).toISOString()
    const observed: ObservedPosting = { ...NOTHING, funding: { ...FUNDING, fundedAt, terms: TERMS } }
    expect(decidePosting(posting(), observed, around({ now: EXPIRES_AT + 10_000 }))).toMatchObject({ status, reason })
  })

  test.each([
    ['quoted', 'quoted', null, EXPIRES_AT - 1],
    ['quoted and over', 'expired', null, EXPIRES_AT],
    ['handed out', 'awaiting_funding', EXPIRES_AT - 5, EXPIRES_AT - 1],
    ['handed out and over', 'expired', EXPIRES_AT - 5, EXPIRES_AT],
  ])('without a funding that is %s is %s', (_name, status, handedOutAt, now) => {
    expect(decidePosting(posting({ handedOutAt }), NOTHING, around({ now }))).toMatchObject({ status, reason: null, listing: 'unchanged' })
  })

  test.each([
    ['refunded', 'cancelled', { refund: REFUND }, {}],
    ['closed by the escrow', 'settled', { closing: CLOSING }, {}],
    ['taken away by an operator', 'delisted', {}, { isDelisted: true }],
    ['refunded after an operator took it away', 'cancelled', { refund: REFUND }, { isDelisted: true }],
  ])('that was %s is %s', (_name, status, more, facts) => {
    expect(decidePosting(posting({ status: 'live' }), funded({}, more), around(facts))).toMatchObject({ status, listing: 'unchanged' })
  })

  test.each([
    ['mismatch', { rewardRaw: 1n }],
    ['expired', {}],
  ] as const)('that was not listed stays %s after its refund, and shows it', (status, terms) => {
    const fundedAt = status === 'expired' ? new Date(EXPIRES_AT + 1).toISOString() : FUNDING.fundedAt
    const unlisted = { ...NOTHING, funding: { ...FUNDING, fundedAt, terms: { ...TERMS, ...terms } } }
    for (const end of [{ refund: REFUND }, { closing: CLOSING }])
      expect(decidePosting(posting({ status }), { ...unlisted, ...end }, around())).toMatchObject({ status, refund: REFUND })
  })

  test('that was not listed is settled, without a refund, where its escrow has paid a worker', () => {
    const paid = { ...CLOSING, paidRaw: '1' }
    expect(decidePosting(posting({ status: 'mismatch' }), funded({ rewardRaw: 1n }, { closing: paid }), around())).toMatchObject({
      status: 'settled',
      refund: null,
      mismatch: { field: 'reward' },
      listing: 'taken_back',
    })
  })

  describe('whose funding a fork took back', () => {
    const live = { status: 'live' as const, funding: FUNDING }

    test('waits for it again and leaves the catalogue', () => {
      expect(decidePosting(posting(live), NOTHING, around())).toMatchObject({
        status: 'awaiting_funding',
        funding: null,
        listing: 'taken_back',
      })
    })

    test('after the quote expired is expired', () => {
      expect(decidePosting(posting(live), NOTHING, around({ now: EXPIRES_AT }))).toMatchObject({ status: 'expired', listing: 'taken_back' })
    })

    test('stays live where it was claimed, and says so', () => {
      expect(decidePosting(posting(live), NOTHING, around({ isClaimed: true }))).toEqual({
        status: 'live',
        reason: 'funding_removed_after_claim',
        funding: FUNDING,
        mismatch: null,
        refund: null,
        listing: 'unchanged',
      })
    })

    test('loses a mismatch with it', () => {
      const mismatch = { field: 'reward' as const, expected: '1', observed: '2' }
      const decided = decidePosting(posting({ status: 'mismatch', funding: FUNDING, mismatch }), NOTHING, around())
      expect(decided).toMatchObject({ status: 'awaiting_funding', mismatch: null })
    })
  })

  describe('for a named wallet', () => {
    const agreement = { isDesignated: true }

    test('takes the last free place', () => {
      expect(decidePosting(posting(agreement), funded(), around({ agreements: { others: 4, limit: 5 } }))).toMatchObject({ status: 'live' })
    })

    test('beyond the limit is not listed, and stays so when a place becomes free', () => {
      const full = decidePosting(posting(agreement), funded(), around({ agreements: { others: 5, limit: 5 } }))
      expect(full).toMatchObject({ status: 'mismatch', mismatch: { field: 'concurrentAgreements' } })
      const kept = { ...agreement, status: full.status, mismatch: full.mismatch, funding: FUNDING }
      expect(decidePosting(posting(kept), funded(), around())).toMatchObject({ status: 'mismatch', mismatch: full.mismatch })
    })

    test.each(['live', 'delisted', 'cancelled', 'settled'] as const)('that is %s keeps its place', (status) => {
      const decided = decidePosting(
        posting({ ...agreement, status, funding: FUNDING }),
        funded(),
        around({ agreements: { others: 9, limit: 5 } }),
      )
      expect(decided.mismatch).toBeNull()
    })
  })
})

test('only a posting that waits for its funding or is live is watched', () => {
  expect(POSTING_STATUSES.filter((status) => !isPostingOver(status))).toEqual(['awaiting_funding', 'live'])
})

test('an operator reads the field, both values and the way back of a mismatch', () => {
  const decision = decidePosting(posting(), funded({ rewardRaw: 6_000_000n }), around())
  const text = describePosting(decision, { ...TERMS, expiresAt: '2026-11-28T12:00:00.000Z' }, { symbol: 'USDC', decimals: 6 })
  expect(text).toBe('Funded, but reward is 6000000 instead of 5000000. Not listed. The poster gets the money back with cancelOpenJob.')
})
