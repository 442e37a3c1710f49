import type { ClaimChainFacts } from '../../activities/chain/reads.ts'

/** A job of 1 USDC as the escrow answers it; without changes the escrow does not know it. */
export const onChainJob = (changes: Partial<ClaimChainFacts['job']> = {}): ClaimChainFacts['job'] => ({
  ...walletChainFacts().job,
  specHash: `0x${'0'.repeat(64)}`,
  rewardRaw: 1_000_000n,
  claimTtlSeconds: 3_600n,
  ...changes,
})

/** A wallet that has money and a job that is not on chain yet, without asking a chain. */
export const walletChainFacts = (): ClaimChainFacts => {
  const nothing = { liquid: 0n, reserved: 0n, strategyAllocated: 0n, collateralLocked: 0n, jobStakeLocked: 0n, debtOutstanding: 0n }
  return {
    block: { number: 1n, hash: '0x01', time: Date.now() },
    job: {
      state: 'none',
      poster: null,
      worker: null,
      specHash: '0x',
      claimExpiresAt: null,
      rejectedAt: null,
      disputedAt: null,
      payoutMode: 'single',
      asset: 'USDC',
      rewardRaw: 0n,
      claimTtlSeconds: 0n,
      releasedRaw: 0n,
      opsReserveRaw: 0n,
      contingencyReserveRaw: 0n,
      posterFeeRaw: 0n,
      feeReleasedRaw: 0n,
      waiverEligible: false,
    },
    preview: null,
    workerClaimCount: 0,
    poolAssetsRaw: 0n,
    creditDebtRaw: 0n,
    position: { ...nothing, liquid: 10n ** 12n },
    operatorPosition: { ...nothing, liquid: 10n ** 15n },
    policy: {
      stakeBps: 1_000,
      feeBps: 200,
      minFeeRaw: 50_000n,
      waiverClaims: 3,
      posterFeeBps: 0,
      posterFeeFloorRaw: 0n,
      paused: false,
      retentionFlatRaw: 50_000n,
      retentionCapBps: 3_000,
      gasRetentionSupported: true,
      claimFeeRetainedOnSuccess: false,
    },
  }
}
