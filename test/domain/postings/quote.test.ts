import { describe, expect, test } from '@jest/globals'
import { refusedDemand } from '../../../domain/postings/demand.ts'
import { nextForPoster } from '../../../domain/postings/next-step.ts'
import {
  assertClaimable,
  assertFeeUnchanged,
  type FeeReading,
  highestCeilingRaw,
  quotePosting,
  vestedNeededRaw,
} from '../../../domain/postings/quote.ts'
import type { PostingFunding, PostingMismatch, PostingStatus } from '../../../schemas/postings/terms.ts'
import { refusalOf } from '../builders/refusal.ts'

const amounts = (rewardRaw: bigint) => ({ rewardRaw, opsReserveRaw: 0n, contingencyReserveRaw: 0n })
const reading = (changes: Partial<FeeReading> = {}): FeeReading => ({
  posterFeeBps: 500,
  posterFeeFloorRaw: 50_000n,
  previewRaw: null,
  ...changes,
})
const USDC = { symbol: 'USDC', decimals: 6 }

describe('the quote of a funding', () => {
  test.each([
    [200_000n, 50_000n],
    [1_000_000n, 50_000n],
    [2_500_000n, 125_000n],
    [10_000_000n, 500_000n],
  ])('for a reward of %s has the fee of the specification', (rewardRaw, feeRaw) => {
    const quote = quotePosting(amounts(rewardRaw), reading({ previewRaw: feeRaw }))
    expect([quote.posterFeeRaw, quote.posterReservedRaw]).toEqual([feeRaw, rewardRaw + feeRaw])
  })

  test('reserves reward, reserves and fee, and rounds the fee down', () => {
    const quote = quotePosting({ rewardRaw: 1_999_999n, opsReserveRaw: 3n, contingencyReserveRaw: 4n }, reading())
    expect([quote.posterFeeRaw, quote.posterReservedRaw]).toEqual([99_999n, 2_100_005n])
  })

  test.each<[string, Partial<FeeReading>, string | undefined]>([
    ['at the bounds of the escrow', { posterFeeBps: 1_000, posterFeeFloorRaw: 500_000n }, undefined],
    ['with too many basis points', { posterFeeBps: 1_001 }, 'external_fee_quote_invalid'],
    ['with too high a floor', { posterFeeFloorRaw: 500_001n }, 'external_fee_quote_invalid'],
    ['below zero', { posterFeeBps: -1 }, 'external_fee_quote_invalid'],
    ['that the escrow states so', { previewRaw: 50_000n }, undefined],
    ['that the escrow states otherwise', { previewRaw: 49_999n }, 'external_fee_quote_reward_mismatch'],
  ])('for a fee %s is %s', (_case, changes, code) => {
    expect(refusalOf(() => quotePosting(amounts(1_000_000n), reading(changes)))?.code).toBe(code)
  })

  test('no longer holds where the escrow charges another fee', () => {
    const quote = quotePosting(amounts(1_000_000n), reading())
    expect(refusalOf(() => assertFeeUnchanged(quote, quote))).toBeNull()
    const dearer = quotePosting(amounts(1_000_000n), reading({ posterFeeBps: 600 }))
    expect(refusalOf(() => assertFeeUnchanged(quote, dearer))?.info.details).toMatchObject({ expected: '50000', observed: '60000' })
  })
})

describe('what a claimer needs', () => {
  test.each([
    [1n, 0n],
    [1_000_000n, 0n],
    [1_000_001n, 1n],
    [101_000_000n, 100_000_000n],
  ])('for a reward of %s is %s of vested principal', (rewardRaw, vestedRaw) => {
    expect(vestedNeededRaw(rewardRaw)).toBe(vestedRaw)
  })

  test('is bounded by what a wallet can have in the pool, unless the job names its claimant', () => {
    expect([highestCeilingRaw(0n), highestCeilingRaw(100_000_000n)]).toEqual([1_000_000n, 101_000_000n])
    const refused = (rewardRaw: bigint, isDesignated: boolean) =>
      refusalOf(() => assertClaimable(rewardRaw, isDesignated, 100_000_000n, USDC))?.info.details?.limit
    expect([refused(101_000_000n, false), refused(101_000_001n, false), refused(101_000_001n, true)]).toEqual([undefined, '101', undefined])
  })
})

describe('the next step of a poster', () => {
  const NOW = Date.UTC(2026, 0, 2, 3, 30)
  const funding: PostingFunding = {
    ...{ txHash: '0x1', blockHash: '0x2', blockNumber: '1', totalReservedRaw: '1050000' },
    fundedAt: '2026-01-02T03:00:00.000Z',
  }
  const differs = (field: PostingMismatch['field']): PostingMismatch => ({ field, expected: 'a', observed: 'b' })
  const refund = { txHash: '0x3', refundedAt: '2026-01-02T03:20:00.000Z', refundedRaw: '1050000' }
  const next = (status: PostingStatus, changes: object = {}, claimState: string | null = null) => {
    const posting = { jobId: '0xjob', draftId: '0xdraft', status, funding: null, mismatch: null, refund: null, ...changes } as const
    const { kind, path, availableAt } = nextForPoster(posting as never, { now: NOW, claimState })
    return [kind, path, availableAt].filter(Boolean).join(' ')
  }
  const TRANSACTIONS = 'http /jobs/draft/0xdraft/transactions'
  const CANCEL = 'http /poster/jobs/0xjob/cancel/transactions'
  const LATER = `${CANCEL} 2026-01-02T04:00:00.000Z`

  test.each<[string, string, string]>([
    ['a quote', next('quoted'), TRANSACTIONS],
    ['transactions that were handed out', next('awaiting_funding'), TRANSACTIONS],
    ['an expired quote', next('expired'), 'http /jobs/draft'],
    ['a funding after expiry', next('expired', { funding }), LATER],
    ['an open job', next('live', { funding }, 'open'), LATER],
    ['a job for a named wallet', next('live', { funding }, 'restricted'), LATER],
    ['a claimed job', next('live', { funding }, 'claimed'), 'wait'],
    ['a submitted job', next('live', { funding }, 'submitted'), 'wait'],
    ['a job whose work has ended', next('live', { funding }, 'exhausted'), 'wait'],
    ['another reward than the draft says', next('mismatch', { funding, mismatch: differs('reward') }), LATER],
    ['a funding by another wallet', next('mismatch', { funding, mismatch: differs('poster') }), 'http /jobs/draft'],
    ['a funding that came back', next('mismatch', { funding, mismatch: differs('reward'), refund }), 'wait'],
    ['a delisted job', next('delisted', { funding: { ...funding, fundedAt: '2026-01-02T02:00:00.000Z' } }), CANCEL],
    ['a cancelled job', next('cancelled', { funding, refund }), 'wait'],
    ['a settled job', next('settled', { funding }), 'wait'],
  ])('after %s', (_case, found, expected) => {
    expect(found).toBe(expected)
  })
})

test('an outage says nothing of what the market asks for, a refusal does', () => {
  expect(refusedDemand('state_store_unavailable')).toBeNull()
  expect(refusedDemand('idempotency_key_reused')).toBeNull()
  expect(refusedDemand('external_fee_quote_unavailable')).toBe('quote_failed')
  expect(refusedDemand('designated_claimant_checksum_required')).toBe('validation_rejected')
})
