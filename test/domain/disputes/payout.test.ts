import { describe, expect, test } from '@jest/globals'
import {
  arbitratedPayout,
  defaultSplitRaw,
  type EscrowBalance,
  escrowTotalRaw,
  feeLegRaw,
  type MoneySplit,
  moneySplit,
  remainingOf,
} from '../../../domain/disputes/payout.ts'
import { escrowBalance } from '../builders/escrow-balance.ts'
import { refusalOf } from '../builders/refusal.ts'

const sum = (split: MoneySplit): bigint => Object.values(split).reduce((total, part) => total + part, 0n)

const NOTHING: MoneySplit = {
  workerPayoutRaw: 0n,
  bondReturnedRaw: 0n,
  posterRefundRaw: 0n,
  posterSlashRaw: 0n,
  treasuryFeeRaw: 0n,
  treasurySlashRaw: 0n,
  verifierRaw: 0n,
}
const VERDICTS = ['approved', 'dismissed', 'split', 'timeout', 'upheld', 'final_rejection'] as const

describe('the money of a verdict', () => {
  test('of a split of 400000 of 1000000: fee leg 20000, the poster gets 600000 and 30000 back, the bond returns', () => {
    expect(moneySplit(escrowBalance(), 'split', 400_000n)).toEqual({
      ...NOTHING,
      workerPayoutRaw: 400_000n,
      bondReturnedRaw: 150_000n,
      posterRefundRaw: 630_000n,
      treasuryFeeRaw: 20_000n,
    })
  })

  test('of the arbiter’s time-out: half, fee leg 25000, stake half and half, the whole fee to the treasury', () => {
    expect(moneySplit(escrowBalance(), 'timeout', 0n)).toEqual({
      ...NOTHING,
      workerPayoutRaw: 500_000n,
      posterRefundRaw: 525_000n,
      posterSlashRaw: 50_000n,
      treasuryFeeRaw: 25_000n,
      treasurySlashRaw: 100_000n,
    })
  })

  test('of a small job at the time-out: 100000, fee leg 5000, refund 145000', () => {
    const small = escrowBalance({ rewardRaw: 200_000n, protocolFeeRaw: 50_000n, claimStakeRaw: 20_000n })
    expect(moneySplit(small, 'timeout', 0n)).toMatchObject({ workerPayoutRaw: 100_000n, treasuryFeeRaw: 5_000n, posterRefundRaw: 145_000n })
  })

  test('of a dispute that is upheld: stake half and half, fee 70 % to the verifier, everything else back', () => {
    expect(moneySplit(escrowBalance({ claimStakeRaw: 100_001n }), 'upheld', 0n)).toEqual({
      ...NOTHING,
      posterRefundRaw: 1_050_000n,
      posterSlashRaw: 50_000n,
      treasurySlashRaw: 50_001n + 15_000n,
      verifierRaw: 35_000n,
    })
  })

  test('of a brokered approval keeps the gas: 950000 to the worker, 50000 and 50000 to the treasury', () => {
    expect(moneySplit(escrowBalance({ retainedRaw: 50_000n }), 'approved', 0n)).toEqual({
      ...NOTHING,
      workerPayoutRaw: 950_000n,
      treasuryFeeRaw: 100_000n,
      bondReturnedRaw: 150_000n,
    })
  })

  test('of a dismissal keeps no gas, and a rejection by hand is a dispute upheld', () => {
    const brokered = escrowBalance({ retainedRaw: 50_000n })
    expect(moneySplit(brokered, 'dismissed', 0n)).toMatchObject({ workerPayoutRaw: 1_000_000n, treasuryFeeRaw: 50_000n })
    expect(moneySplit(brokered, 'rejected', 0n)).toEqual(moneySplit(brokered, 'upheld', 0n))
  })

  test('that pays nothing charges nothing, whatever was charged before', () => {
    const charged = escrowBalance({ releasedRaw: 600_000n, protocolFeeReleasedRaw: 10_000n })
    expect(moneySplit(charged, 'upheld', 0n)).toMatchObject({ treasuryFeeRaw: 0n, posterRefundRaw: 440_000n })
  })

  test.each<[string, Partial<EscrowBalance>, bigint, bigint]>([
    ['of everything is the whole snapshot', {}, 1_000_000n, 50_000n],
    ['of everything is the whole snapshot, though its floor is more than its share', { rewardRaw: 200_000n }, 200_000n, 50_000n],
    ['of the rest is what is left of the snapshot', { releasedRaw: 600_000n, protocolFeeReleasedRaw: 30_000n }, 400_000n, 20_000n],
    ['of a part is that part’s, over all payments', { releasedRaw: 400_000n, protocolFeeReleasedRaw: 20_000n }, 300_000n, 15_000n],
    ['is never more than is left of the snapshot', { protocolFeeRaw: 10_000n, protocolFeeReleasedRaw: 5_000n }, 400_000n, 5_000n],
    ['is nothing where more was charged already', { releasedRaw: 600_000n, protocolFeeReleasedRaw: 40_000n }, 100_000n, 0n],
    ['is nothing of a waived fee', { protocolFeeRaw: 0n, protocolFeeBps: 0 }, 400_000n, 0n],
    ['is rounded down', { rewardRaw: 20n }, 1n, 0n],
  ])('a fee leg %s', (_what, changes, payoutRaw, legRaw) => {
    expect(feeLegRaw(escrowBalance(changes), payoutRaw)).toBe(legRaw)
  })

  test('what is left of a reward is less what was paid', () => {
    expect(remainingOf({ rewardRaw: 10n, releasedRaw: 4n })).toBe(6n)
  })
})

/** A small deterministic generator: the cases are the same in every run. */
const generator = (seed: number) => {
  let state = BigInt(seed)
  return (below: bigint): bigint => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return below <= 0n ? 0n : (state >> 11n) % below
  }
}

describe('every unit of reward, stake and fee', () => {
  const next = generator(20_261_122)
  const REWARDS = [1n, 2n, 3n, 20n, 199_999n, 200_000n, 1_000_000n, 1_000_001n, 12_345_678_901n]
  const cases = REWARDS.flatMap((rewardRaw) =>
    [true, false].flatMap((waived) =>
      [0n, 1n, rewardRaw / 3n, rewardRaw - 1n].flatMap((releasedRaw) =>
        [0n, 500n].map((feeBps) => {
          const floored = feeBps === 0n ? 0n : (rewardRaw * feeBps) / 10_000n > 50_000n ? (rewardRaw * feeBps) / 10_000n : 50_000n
          const paidFee = (releasedRaw * feeBps) / 10_000n
          const [protocolFeeReleasedRaw, bond] = [paidFee > floored ? floored : paidFee, waived ? 0n : 1n]
          return escrowBalance({
            rewardRaw,
            releasedRaw,
            protocolFeeRaw: floored,
            protocolFeeReleasedRaw,
            protocolFeeBps: Number(feeBps),
            opsReserveRaw: next(5n),
            contingencyReserveRaw: next(7n),
            retainedRaw: 0n,
            claimStakeRaw: bond * next(rewardRaw + 3n),
            claimFeeRaw: bond * (50_000n + next(11n)),
          })
        }),
      ),
    ),
  )

  test.each(VERDICTS)('is handed out exactly once by %s', (verdict) => {
    for (const held of cases) {
      const left = remainingOf(held)
      for (const payout of [1n, left / 2n, left - 1n, left, 1n + next(left)].filter((part) => part > 0n && part <= left)) {
        const split = moneySplit(held, verdict, payout)
        expect([verdict, held, sum(split)]).toEqual([verdict, held, escrowTotalRaw(held)])
        for (const part of Object.values(split)) expect(part >= 0n).toBe(true)
      }
    }
  })

  test('a waived bond neither returns nor is slashed', () => {
    for (const verdict of VERDICTS) {
      const split = moneySplit(escrowBalance({ claimStakeRaw: 0n, claimFeeRaw: 0n }), verdict, 400_000n)
      expect([split.bondReturnedRaw, split.posterSlashRaw, split.treasurySlashRaw, split.verifierRaw]).toEqual([0n, 0n, 0n, 0n])
    }
  })
})

describe('the amount an arbitrator decides', () => {
  test('is everything, nothing, half, or what a split names', () => {
    expect(arbitratedPayout('dismissed', undefined, 7n)).toEqual({ payoutRaw: 7n, source: null })
    expect(arbitratedPayout('upheld', undefined, 7n)).toEqual({ payoutRaw: 0n, source: null })
    expect(arbitratedPayout('timeout', undefined, 7n)).toEqual({ payoutRaw: 3n, source: null })
    expect(arbitratedPayout('split', undefined, 7n)).toEqual({ payoutRaw: 3n, source: 'default_half_remaining' })
    expect(arbitratedPayout('split', undefined, 1n)).toEqual({ payoutRaw: 1n, source: 'default_half_remaining' })
    expect(arbitratedPayout('split', 7n, 7n)).toEqual({ payoutRaw: 7n, source: 'operator_supplied' })
    expect(defaultSplitRaw(2n)).toBe(1n)
  })

  test('is above zero and at most what is left, and belongs to a split', () => {
    const place = { pointer: '/workerPayout', rule: 'range' }
    const outOfRange = expect.stringContaining('above zero and at most 7')
    for (const wanted of [0n, 8n])
      expect(refusalOf(() => arbitratedPayout('split', wanted, 7n))).toMatchObject({
        code: 'invalid_request',
        info: { detail: outOfRange, errors: [{ ...place, limit: '7', message: outOfRange }] },
      })
    for (const verdict of ['upheld', 'dismissed', 'timeout'] as const) {
      const refusal = refusalOf(() => arbitratedPayout(verdict, 1n, 7n))
      expect(refusal).toMatchObject({ code: 'invalid_request', info: { detail: expect.stringMatching(/^workerPayout .* split only/) } })
      expect(refusal?.info.errors).toStrictEqual([{ ...place, message: expect.stringContaining('split only') }])
    }
  })
})
