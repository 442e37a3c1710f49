import type { PayoutSource } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RoundVerdict } from '../../schemas/sessions/verdicts.ts'
import { bps, floorSubtract, minRaw } from '../common/money.ts'

/** Everything one escrow job holds, in base units. Source: contracts, "Fee legs, settlement ids, worked money". */
export interface EscrowBalance {
  rewardRaw: bigint
  /** Part of the reward that was paid before. */
  releasedRaw: bigint
  /** Poster fee as snapshotted at the creation, and what of it was charged before. */
  protocolFeeRaw: bigint
  protocolFeeReleasedRaw: bigint
  protocolFeeBps: number
  opsReserveRaw: bigint
  contingencyReserveRaw: bigint
  /** The worker's bond; zero when it was waived. */
  claimStakeRaw: bigint
  claimFeeRaw: bigint
  /** Share of a slashed claim fee that goes to the rejecting verifier. */
  claimFeeVerifierBps: number
  /** Part of the reward an approval keeps for gas. */
  retainedRaw: bigint
}

/** Who gets how much when a verdict is carried out. Poster refunds are credited to its account, slashed stake and the verifier's part are sent as tokens. */
export interface MoneySplit {
  workerPayoutRaw: bigint
  /** Bond that goes back to the worker. */
  bondReturnedRaw: bigint
  posterRefundRaw: bigint
  /** Half of a slashed stake. */
  posterSlashRaw: bigint
  /** Poster fee and retention, credited to the treasury. */
  treasuryFeeRaw: bigint
  /** The treasury's parts of slashed stake and fee. */
  treasurySlashRaw: bigint
  /** The rejecting verifier's part of a slashed claim fee. */
  verifierRaw: bigint
}

const ZERO_BOND = { bondReturnedRaw: 0n, posterSlashRaw: 0n, treasurySlashRaw: 0n, verifierRaw: 0n }

/** Fee leg of a payout: the whole snapshot once everything is released, else its proportional part. */
export const feeLeg = (purse: EscrowBalance, payoutRaw: bigint): bigint => {
  const paidRaw = purse.releasedRaw + payoutRaw
  const targetRaw = paidRaw === purse.rewardRaw ? purse.protocolFeeRaw : bps(paidRaw, purse.protocolFeeBps)
  const left = purse.protocolFeeRaw - purse.protocolFeeReleasedRaw
  return minRaw(floorSubtract(targetRaw, purse.protocolFeeReleasedRaw), left)
}

/** What is still to be handed out of the reward. */
export const remainingOf = ({ rewardRaw, releasedRaw }: Pick<EscrowBalance, 'rewardRaw' | 'releasedRaw'>): bigint => rewardRaw - releasedRaw

const returned = ({ claimStakeRaw, claimFeeRaw }: EscrowBalance) => ({ ...ZERO_BOND, bondReturnedRaw: claimStakeRaw + claimFeeRaw })

const slashed = ({ claimStakeRaw, claimFeeRaw, claimFeeVerifierBps }: EscrowBalance, sharesFee: boolean) => {
  const posterSlashRaw = claimStakeRaw / 2n
  const verifierRaw = sharesFee ? bps(claimFeeRaw, claimFeeVerifierBps) : 0n
  return { ...ZERO_BOND, posterSlashRaw, verifierRaw, treasurySlashRaw: claimStakeRaw - posterSlashRaw + claimFeeRaw - verifierRaw }
}

const paid = (purse: EscrowBalance, payoutRaw: bigint, bond: typeof ZERO_BOND, retainedRaw = 0n): MoneySplit => {
  const feeRaw = payoutRaw === 0n ? 0n : feeLeg(purse, payoutRaw)
  const feeLeftRaw = purse.protocolFeeRaw - purse.protocolFeeReleasedRaw - feeRaw
  return {
    ...bond,
    workerPayoutRaw: payoutRaw - retainedRaw,
    treasuryFeeRaw: feeRaw + retainedRaw,
    posterRefundRaw: remainingOf(purse) - payoutRaw + feeLeftRaw + purse.opsReserveRaw + purse.contingencyReserveRaw,
  }
}

/** What the escrow hands out for a verdict; `payoutRaw` counts for a split only. */
export const moneySplit = (purse: EscrowBalance, verdict: RoundVerdict | 'final_rejection', payoutRaw: bigint): MoneySplit => {
  switch (verdict) {
    case 'approved':
      return paid(purse, remainingOf(purse), returned(purse), purse.retainedRaw)
    case 'dismissed':
      return paid(purse, remainingOf(purse), returned(purse))
    case 'split':
      return paid(purse, payoutRaw, returned(purse))
    case 'timeout':
      return paid(purse, remainingOf(purse) / 2n, slashed(purse, false))
    case 'upheld':
    case 'rejected':
    case 'final_rejection':
      return paid(purse, 0n, slashed(purse, true))
  }
}

/** Everything the escrow holds for a job: what a verdict hands out adds up to it. */
export const heldRaw = (purse: EscrowBalance): bigint =>
  remainingOf(purse) +
  purse.protocolFeeRaw -
  purse.protocolFeeReleasedRaw +
  purse.opsReserveRaw +
  purse.contingencyReserveRaw +
  purse.claimStakeRaw +
  purse.claimFeeRaw

/** Half of what is left, rounded down; all of it when that would be nothing. */
export const halfOf = (remainingRaw: bigint): bigint => (remainingRaw <= 1n ? remainingRaw : remainingRaw / 2n)

/**
 * The worker's part that a verdict of an arbitrator decides. Throws 400 `invalid_request` for an amount that does not fit: only a split
 * takes one, above zero and at most what is left.
 */
export const arbitratedPayout = (
  verdict: 'upheld' | 'dismissed' | 'split' | 'timeout',
  wantedRaw: bigint | undefined,
  remainingRaw: bigint,
): { payoutRaw: bigint; source: PayoutSource | null } => {
  if (verdict !== 'split') {
    if (wantedRaw !== undefined) throw payoutProblem('is decided by a split only', undefined)
    const payoutRaw = verdict === 'dismissed' ? remainingRaw : verdict === 'timeout' ? remainingRaw / 2n : 0n
    return { payoutRaw, source: null }
  }
  if (wantedRaw === undefined) return { payoutRaw: halfOf(remainingRaw), source: 'default_half_remaining' }
  if (wantedRaw <= 0n || wantedRaw > remainingRaw)
    throw payoutProblem(`must be above zero and at most ${remainingRaw}, what is left of the reward`, remainingRaw.toString())
  return { payoutRaw: wantedRaw, source: 'operator_supplied' }
}

const payoutProblem = (message: string, limit: string | undefined): ServiceError =>
  new ServiceError('invalid_request', {
    detail: `workerPayout ${message}.`,
    errors: [{ pointer: '/workerPayout', rule: 'range', ...(limit !== undefined && { limit }), message }],
  })
