import type { PayoutSource } from '../../schemas/disputes/stages.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RoundVerdict } from '../../schemas/sessions/verdicts.ts'
import { type Asset, amount, bps, floorSubtract, minRaw } from '../common/money.ts'
import { unprovenSplitRaw } from './proof.ts'

/** Balance of one escrow job in base units. Source: contracts, "Fee legs, settlement ids, worked money". */
export interface EscrowBalance {
  rewardRaw: bigint
  /** Part of the reward that the escrow has paid already. */
  releasedRaw: bigint
  /** Poster fee at the creation of the job, and the part charged already. */
  protocolFeeRaw: bigint
  protocolFeeReleasedRaw: bigint
  protocolFeeBps: number
  opsReserveRaw: bigint
  contingencyReserveRaw: bigint
  /** The worker's bond; zero when waived. */
  claimStakeRaw: bigint
  claimFeeRaw: bigint
  /** Share of a slashed claim fee that goes to the rejecting verifier. */
  claimFeeVerifierBps: number
  /** Part of the reward that the escrow retains for gas on approval. */
  retainedRaw: bigint
}

/** Payments of a verdict. Poster refunds are credited to its account; slashed stake and the verifier's part are sent as tokens. */
export interface MoneySplit {
  workerPayoutRaw: bigint
  /** Bond returned to the worker. */
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

/** Fee leg of a payout in base units: the rest of the poster fee once everything is released, else its proportional part. */
export const feeLegRaw = (balance: EscrowBalance, payoutRaw: bigint): bigint => {
  const paidRaw = balance.releasedRaw + payoutRaw
  const targetRaw = paidRaw === balance.rewardRaw ? balance.protocolFeeRaw : bps(paidRaw, balance.protocolFeeBps)
  const left = balance.protocolFeeRaw - balance.protocolFeeReleasedRaw
  return minRaw(floorSubtract(targetRaw, balance.protocolFeeReleasedRaw), left)
}

/** Unreleased part of the reward. */
export const remainingOf = ({ rewardRaw, releasedRaw }: Pick<EscrowBalance, 'rewardRaw' | 'releasedRaw'>): bigint => rewardRaw - releasedRaw

const returnBond = ({ claimStakeRaw, claimFeeRaw }: EscrowBalance) => ({ ...ZERO_BOND, bondReturnedRaw: claimStakeRaw + claimFeeRaw })

const slashBond = ({ claimStakeRaw, claimFeeRaw, claimFeeVerifierBps }: EscrowBalance, sharesFee: boolean) => {
  const posterSlashRaw = claimStakeRaw / 2n
  const verifierRaw = sharesFee ? bps(claimFeeRaw, claimFeeVerifierBps) : 0n
  return { ...ZERO_BOND, posterSlashRaw, verifierRaw, treasurySlashRaw: claimStakeRaw - posterSlashRaw + claimFeeRaw - verifierRaw }
}

const splitPayout = (balance: EscrowBalance, payoutRaw: bigint, bond: typeof ZERO_BOND, retainedRaw = 0n): MoneySplit => {
  const feeRaw = payoutRaw === 0n ? 0n : feeLegRaw(balance, payoutRaw)
  const feeLeftRaw = balance.protocolFeeRaw - balance.protocolFeeReleasedRaw - feeRaw
  return {
    ...bond,
    workerPayoutRaw: payoutRaw - retainedRaw,
    treasuryFeeRaw: feeRaw + retainedRaw,
    posterRefundRaw: remainingOf(balance) - payoutRaw + feeLeftRaw + balance.opsReserveRaw + balance.contingencyReserveRaw,
  }
}

/** Payments of the escrow for a verdict, in base units; only a split uses `payoutRaw`. */
export const moneySplit = (balance: EscrowBalance, verdict: RoundVerdict | 'final_rejection', payoutRaw: bigint): MoneySplit => {
  switch (verdict) {
    case 'approved':
      return splitPayout(balance, remainingOf(balance), returnBond(balance), balance.retainedRaw)
    case 'dismissed':
      return splitPayout(balance, remainingOf(balance), returnBond(balance))
    case 'split':
      return splitPayout(balance, payoutRaw, returnBond(balance))
    case 'timeout':
      return splitPayout(balance, remainingOf(balance) / 2n, slashBond(balance, false))
    case 'upheld':
    case 'rejected':
    case 'final_rejection':
      return splitPayout(balance, 0n, slashBond(balance, true))
  }
}

/** Total balance of a job in the escrow, base units; the payments of every verdict add up to it. */
export const escrowTotalRaw = (balance: EscrowBalance): bigint =>
  remainingOf(balance) +
  balance.protocolFeeRaw -
  balance.protocolFeeReleasedRaw +
  balance.opsReserveRaw +
  balance.contingencyReserveRaw +
  balance.claimStakeRaw +
  balance.claimFeeRaw

/** Wire form of a split in a preview. */
export const moneyView = (balance: EscrowBalance, split: MoneySplit, { symbol, decimals }: Asset) => {
  const toAmount = (raw: bigint) => amount({ raw, decimals })
  return {
    asset: symbol,
    worker: { payout: toAmount(split.workerPayoutRaw), bondReturned: toAmount(split.bondReturnedRaw) },
    poster: { refund: toAmount(split.posterRefundRaw), slash: toAmount(split.posterSlashRaw) },
    treasury: { fee: toAmount(split.treasuryFeeRaw), slash: toAmount(split.treasurySlashRaw) },
    verifier: { feeShare: toAmount(split.verifierRaw) },
    held: toAmount(escrowTotalRaw(balance)),
  }
}

/** Payout of a split without an amount: half of the remaining reward, rounded down; a last base unit goes to the worker. */
export const defaultSplitRaw = (remainingRaw: bigint): bigint => (remainingRaw <= 1n ? remainingRaw : remainingRaw / 2n)

/** Payout of an arbitrator's verdict; a split of a job that only a passing result pays is one base unit by default. Throws 400 `invalid_request` unless a split's amount is above zero and at most the remaining reward. */
export const arbitratedPayout = (
  verdict: 'upheld' | 'dismissed' | 'split' | 'timeout',
  wantedRaw: bigint | undefined,
  remainingRaw: bigint,
  isProofGated = false,
): { payoutRaw: bigint; source: PayoutSource | null } => {
  if (verdict !== 'split') {
    if (wantedRaw !== undefined) throw payoutError('is allowed for a split only', undefined)
    const payoutRaw = verdict === 'dismissed' ? remainingRaw : verdict === 'timeout' ? remainingRaw / 2n : 0n
    return { payoutRaw, source: null }
  }
  if (wantedRaw === undefined && isProofGated) return { payoutRaw: unprovenSplitRaw(remainingRaw), source: 'default_base_unit' }
  if (wantedRaw === undefined) return { payoutRaw: defaultSplitRaw(remainingRaw), source: 'default_half_remaining' }
  if (wantedRaw <= 0n || wantedRaw > remainingRaw)
    throw payoutError(`must be above zero and at most ${remainingRaw}, the remaining reward`, remainingRaw.toString())
  return { payoutRaw: wantedRaw, source: 'operator_supplied' }
}

const payoutError = (message: string, limit: string | undefined): ServiceError =>
  new ServiceError('invalid_request', {
    detail: `workerPayout ${message}.`,
    errors: [{ pointer: '/workerPayout', rule: 'range', ...(limit !== undefined && { limit }), message }],
  })
