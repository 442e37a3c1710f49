import { describe, expect, test } from '@jest/globals'
import { parseUnitsExact } from '../../../domain/common/money.ts'
import {
  type BondPolicy,
  bondPolicyView,
  claimBond,
  depositNeededRaw,
  type EconomicsFacts,
  gasRetainedRaw,
  previewEconomics,
} from '../../../domain/eligibility/claim-economics.ts'
import { economicsView } from '../../../domain/sessions/economics-view.ts'

const POLICY: BondPolicy = { stakeBps: 1000, feeBps: 200, minFeeRaw: 50_000n }
const RETENTION = { gasRetentionSupported: true, retentionFlatRaw: 50_000n, retentionCapBps: 2000 }

const factsWith = (changes: Partial<EconomicsFacts> = {}): EconomicsFacts => ({
  asset: { symbol: 'USDC', decimals: 6 },
  rewardRaw: 2_000_000n,
  waiverEligible: false,
  brokered: true,
  policy: { ...POLICY, ...RETENTION, waiverClaims: 3, claimFeeRetainedOnSuccess: false },
  claimCount: 0,
  onChain: null,
  ...changes,
})

describe('the bond of a claim', () => {
  test.each([
    [200_000n, 20_000n, 50_000n, 70_000n],
    [1_000_000n, 100_000n, 50_000n, 150_000n],
    [2_000_000n, 200_000n, 50_000n, 250_000n],
    [2_500_000n, 250_000n, 50_000n, 300_000n],
    [10_000_000n, 1_000_000n, 200_000n, 1_200_000n],
  ])('a reward of %d locks stake %d and fee %d', (rewardRaw, claimStakeRaw, claimFeeRaw, lockRaw) => {
    expect(claimBond(rewardRaw, POLICY, false)).toEqual({ claimStakeRaw, claimStakeBps: 1000, claimFeeRaw, claimFeeBps: 200, lockRaw })
  })

  test('a waived claim locks nothing', () => {
    expect(claimBond(10_000_000n, POLICY, true)).toEqual({
      claimStakeRaw: 0n,
      claimStakeBps: 0,
      claimFeeRaw: 0n,
      claimFeeBps: 0,
      lockRaw: 0n,
    })
  })

  test('only what is missing must be deposited', () => {
    expect(depositNeededRaw(250_000n, 100_000n)).toBe(150_000n)
    expect(depositNeededRaw(250_000n, 900_000n)).toBe(0n)
  })

  test('the published policy says how the numbers combine', () => {
    expect(bondPolicyView('USDC', POLICY)).toEqual({
      asset: 'USDC',
      stakeBps: 1000,
      feeBps: 200,
      minFeeRaw: '50000',
      semantics: expect.stringMatching(/reward \* stakeBps \/ 10000.*reward \* feeBps \/ 10000.*minFeeRaw.*totalClaimLock = stake \+ fee/),
    })
  })
})

describe('gas retention', () => {
  test.each([
    [100_000n, 20_000n],
    [200_000n, 40_000n],
    [250_000n, 50_000n],
    [1_000_000n, 50_000n],
  ])('a reward of %d keeps back %d', (rewardRaw, retainedRaw) => {
    expect(gasRetainedRaw(rewardRaw, RETENTION, true, false)).toBe(retainedRaw)
  })

  test('self-paid, waived and older escrows keep nothing back', () => {
    expect(gasRetainedRaw(1_000_000n, RETENTION, false, false)).toBe(0n)
    expect(gasRetainedRaw(1_000_000n, RETENTION, true, true)).toBe(0n)
    expect(gasRetainedRaw(1_000_000n, { ...RETENTION, gasRetentionSupported: false }, true, false)).toBe(0n)
  })

  test('a schedule beyond the bounds of the contract is held to them', () => {
    expect(gasRetainedRaw(100_000_000n, { ...RETENTION, retentionFlatRaw: 9_000_000n, retentionCapBps: 9000 }, true, false)).toBe(500_000n)
    expect(gasRetainedRaw(1_000_000n, { ...RETENTION, retentionFlatRaw: 500_000n, retentionCapBps: 9000 }, true, false)).toBe(250_000n)
  })
})

describe('the one decision about economics', () => {
  const preview = { claimStakeRaw: 7n, claimStakeBps: 1, claimFeeRaw: 5n, claimFeeBps: 2, waived: false, claimNumber: 9 }
  const onChain = { preview, waiverEligible: false }

  test('the contract preview rules where the job is on chain with the same waiver flag', () => {
    const economics = previewEconomics(factsWith({ onChain }))
    expect(economics).toMatchObject({ source: 'contract_preview', claimStakeRaw: 7n, claimFeeRaw: 5n, lockRaw: 12n, claimNumber: 9 })
  })

  test('a flag the claim will change is taken into account', () => {
    const economics = previewEconomics(factsWith({ waiverEligible: true, onChain }))
    expect(economics).toMatchObject({ source: 'contract_preview_adjusted_for_sync', waived: true, lockRaw: 0n, claimNumber: 1 })
  })

  test('a job not yet on chain is computed from live parameters and the claim count', () => {
    expect(previewEconomics(factsWith({ waiverEligible: true, claimCount: 2 }))).toMatchObject({
      source: 'current_local_before_ensure',
      waived: true,
      claimNumber: 3,
    })
    expect(previewEconomics(factsWith({ waiverEligible: true, claimCount: 3 }))).toMatchObject({
      waived: false,
      claimNumber: 4,
      lockRaw: 250_000n,
    })
  })

  test('net reward is the reward less what is kept back for gas', () => {
    expect(previewEconomics(factsWith()).netRewardRaw).toBe(1_950_000n)
    expect(previewEconomics(factsWith({ waiverEligible: true })).netRewardRaw).toBe(2_000_000n)
  })

  test('every decimal string stands beside digits of the same value', () => {
    const view = economicsView(previewEconomics(factsWith()))
    expect(view).toMatchObject({
      claimStake: '0.2',
      claimStakeRaw: '200000',
      claimFee: '0.05',
      totalClaimLock: '0.25',
      totalClaimLockRaw: '250000',
    })
    expect(view.gasRetention).toEqual({
      supported: true,
      brokered: true,
      waived: false,
      retainedRaw: '50000',
      retained: '0.05',
      netReward: '1.95',
      netRewardRaw: '1950000',
    })
    expect(parseUnitsExact(view.totalClaimLock, 6).toString()).toBe(view.totalClaimLockRaw)
  })
})
