import { ServiceError } from '../../schemas/errors.ts'
import {
  EXTERNAL_CEILING_PER_VESTED_MILLI,
  EXTERNAL_REWARD_CEILING_BASE_RAW,
  MAX_POSTER_FEE_BPS,
  MAX_POSTER_FEE_FLOOR_RAW,
} from '../common/constants.ts'
import { type Asset, amountText, bps, floorSubtract, maxRaw, toDisplay } from '../common/money.ts'
import { type PostedAmounts, refuseDefinition } from './refusals.ts'

/** Fee that the escrow charges the poster on top of the reward. */
export interface PosterFeeTerms {
  posterFeeBps: number
  posterFeeFloorRaw: bigint
}

/** What a funding costs, base units. */
export interface PosterQuote extends PosterFeeTerms {
  posterFeeRaw: bigint
  /** Reward, reserves and fee together: what the escrow takes from the poster's balance. */
  posterReservedRaw: bigint
}

/** The fee terms of an escrow at one block, and the fee that the escrow itself states for the reward; null where it states none. */
export interface FeeReading extends PosterFeeTerms {
  previewRaw: bigint | null
}

/** Poster fee of a reward. Source: contracts, "Fee legs". */
const posterFeeRaw = (rewardRaw: bigint, { posterFeeBps, posterFeeFloorRaw }: PosterFeeTerms): bigint =>
  maxRaw(bps(rewardRaw, posterFeeBps), posterFeeFloorRaw)

/** What the escrow takes from the poster in all. */
export const reservedRaw = (amounts: PostedAmounts, feeRaw: bigint): bigint =>
  amounts.rewardRaw + amounts.opsReserveRaw + amounts.contingencyReserveRaw + feeRaw

/**
 * Quote of a funding by the fee of the escrow. Throws 502 `external_fee_quote_invalid` for terms beyond the escrow's own bounds, and 409
 * `external_fee_quote_reward_mismatch` where the fee that the escrow states for the reward does not follow from its terms.
 */
export function quotePosting(amounts: PostedAmounts, { previewRaw, ...terms }: FeeReading): PosterQuote {
  const { posterFeeBps, posterFeeFloorRaw } = terms
  if (posterFeeBps < 0 || posterFeeBps > MAX_POSTER_FEE_BPS || posterFeeFloorRaw < 0n || posterFeeFloorRaw > MAX_POSTER_FEE_FLOOR_RAW)
    throw new ServiceError('external_fee_quote_invalid', {
      details: {
        ...{ rule: 'fee_bounds', posterFeeBps, limitBps: MAX_POSTER_FEE_BPS },
        ...{ posterFeeFloorRaw: posterFeeFloorRaw.toString(), limitFloorRaw: MAX_POSTER_FEE_FLOOR_RAW.toString() },
      },
    })
  const feeRaw = posterFeeRaw(amounts.rewardRaw, terms)
  if (previewRaw !== null && previewRaw !== feeRaw)
    throw new ServiceError('external_fee_quote_reward_mismatch', {
      details: {
        ...{ rule: 'fee_of_the_reward', rewardRaw: amounts.rewardRaw.toString() },
        ...{ expected: feeRaw.toString(), observed: previewRaw.toString() },
      },
    })
  return { ...terms, posterFeeRaw: feeRaw, posterReservedRaw: reservedRaw(amounts, feeRaw) }
}

/** Throws 409 `external_fee_quote_mismatch` where the escrow now charges another fee than a quote says. */
export function assertFeeUnchanged(quoted: Pick<PosterQuote, 'posterFeeRaw'>, now: PosterQuote): void {
  if (quoted.posterFeeRaw === now.posterFeeRaw) return
  throw new ServiceError('external_fee_quote_mismatch', {
    details: { rule: 'fee_of_the_quote', expected: quoted.posterFeeRaw.toString(), observed: now.posterFeeRaw.toString() },
  })
}

/** Principal that a wallet needs in the deposit pool, vested, to claim an external job of a reward; base units. */
export const vestedNeededRaw = (rewardRaw: bigint): bigint => {
  const missing = floorSubtract(rewardRaw, EXTERNAL_REWARD_CEILING_BASE_RAW) * 1000n
  return (missing + EXTERNAL_CEILING_PER_VESTED_MILLI - 1n) / EXTERNAL_CEILING_PER_VESTED_MILLI
}

/** Largest reward of an external job that any wallet can claim; `perWalletCapRaw` is the most that a wallet can have in the pool, 0 without one. */
export const highestCeilingRaw = (perWalletCapRaw: bigint): bigint =>
  EXTERNAL_REWARD_CEILING_BASE_RAW + (perWalletCapRaw * EXTERNAL_CEILING_PER_VESTED_MILLI) / 1000n

/** Throws for a reward that no wallet could claim. A job that names its claimant has no such ceiling. */
export function assertClaimable(rewardRaw: bigint, isDesignated: boolean, perWalletCapRaw: bigint, asset: Asset): void {
  const ceilingRaw = highestCeilingRaw(perWalletCapRaw)
  if (isDesignated || rewardRaw <= ceilingRaw) return
  const limit = toDisplay(ceilingRaw, asset.decimals)
  const message = `No wallet may claim a job of another poster for more than ${amountText(ceilingRaw, asset)}; name the claimant, or lower the reward.`
  throw refuseDefinition('external_reward_above_ceiling', [{ pointer: '/rewardAmount', rule: 'highest_claim_ceiling', limit, message }])
}
