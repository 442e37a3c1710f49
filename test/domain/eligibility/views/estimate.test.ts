import { expect, test } from '@jest/globals'
import { estimateView } from '../../../../domain/eligibility/views/estimate.ts'
import { aJob, economicsFor, WALLET } from '../../builders/eligibility.ts'

test('an estimate counts gas kept back as cost, stake and fee as money that comes back, and both as the price of a rejection', () => {
  expect(estimateView('job-1', WALLET, economicsFor(aJob()))).toEqual({
    jobId: 'job-1',
    wallet: WALLET,
    asset: 'USDC',
    decimals: 6,
    grossReward: '1',
    grossRewardRaw: '1000000',
    netReward: '0.95',
    netRewardRaw: '950000',
    gasRetention: {
      supported: true,
      brokered: true,
      waived: false,
      retainedRaw: '50000',
      retained: '0.05',
      netReward: '0.95',
      netRewardRaw: '950000',
    },
    stakeReturned: '0.1',
    stakeReturnedRaw: '100000',
    feeReturned: '0.05',
    feeReturnedRaw: '50000',
    waived: false,
    onRejection: { lostRaw: '150000', lost: '0.15' },
  })
})

test('a waived claim pays the whole reward and risks nothing', () => {
  const waived = economicsFor(aJob({ rewardRaw: 200_000n, definition: { onboardingWaiverEligible: true } }))
  expect(estimateView('job-1', WALLET, waived)).toMatchObject({
    netReward: '0.2',
    stakeReturned: '0',
    waived: true,
    onRejection: { lostRaw: '0' },
  })
})

test('an escrow that keeps the fee on success returns none', () => {
  const kept = { ...economicsFor(aJob()), claimFeeRetainedOnSuccess: true }
  expect(estimateView('job-1', WALLET, kept)).toMatchObject({ feeReturned: '0', feeReturnedRaw: '0', stakeReturned: '0.1' })
})
