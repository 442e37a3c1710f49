import type { EscrowBalance } from '../../../domain/disputes/payout.ts'

/** What the escrow holds for a job of one dollar whose bond was locked in full. */
export const escrowBalance = (changes: Partial<EscrowBalance> = {}): EscrowBalance => ({
  rewardRaw: 1_000_000n,
  releasedRaw: 0n,
  protocolFeeRaw: 50_000n,
  protocolFeeReleasedRaw: 0n,
  protocolFeeBps: 500,
  opsReserveRaw: 0n,
  contingencyReserveRaw: 0n,
  claimStakeRaw: 100_000n,
  claimFeeRaw: 50_000n,
  claimFeeVerifierBps: 7_000,
  retainedRaw: 0n,
  ...changes,
})
