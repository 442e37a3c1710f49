import { VESTING_TRANCHES_MAX, type VestingUnreadReason } from '../../schemas/pool/record.ts'
import { DEPOSIT_VESTING_SECONDS } from '../common/constants.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { amount, minRaw } from '../common/money.ts'
import { availableSharesRaw, type PoolPosition, type PoolWithdrawal, type ShareQuote } from './quotes.ts'
import { assetsPerShareRaw, convertToAssets, holderHeadroomRaw, poolHeadroomRaw, type ShareBook } from './shares.ts'
import type { Vesting, VestingTranche } from './vesting.ts'

/** Rule of vesting as answers name it. */
export const VESTING_RULE = {
  model: 'linear_per_deposit_tranche',
  durationHours: (DEPOSIT_VESTING_SECONDS / 3600) as 48,
  withdrawalBurnOrder: 'lifo',
} as const

const trancheView = (tranche: VestingTranche, decimals: number) => ({
  deposited: amount({ raw: tranche.depositedRaw, decimals }),
  remaining: amount({ raw: tranche.remainingRaw, decimals }),
  vested: amount({ raw: tranche.vestedRaw, decimals }),
  depositedAt: iso(tranche.depositedAt),
  vestingStartedAt: isoOrNull(tranche.vestingStartedAt),
  debtDelayed: tranche.debtDelayed,
  blockNumber: tranche.blockNumber.toString(),
  logIndex: tranche.logIndex,
  txHash: tranche.txHash,
})

const nextView = ({ at, remainingRaw, blockNumber, logIndex }: NonNullable<Vesting['next']>, decimals: number) => ({
  at: iso(at),
  remaining: amount({ raw: remainingRaw, decimals }),
  blockNumber: blockNumber.toString(),
  logIndex,
})

/** `vesting` of a wallet that was read. Of many tranches it lists the newest; the sums count all. */
export const vestingView = (vesting: Vesting, decimals: number) => ({
  ...VESTING_RULE,
  available: true as const,
  evaluatedAt: iso(vesting.evaluatedAt),
  unvested: amount({ raw: vesting.unvestedRaw, decimals }),
  matured: amount({ raw: vesting.maturedRaw, decimals }),
  tranches: vesting.tranches.slice(-VESTING_TRANCHES_MAX).map((tranche) => trancheView(tranche, decimals)),
  trancheCount: vesting.tranches.length,
  next: vesting.next && nextView(vesting.next, decimals),
})

/** `vesting` of a wallet whose events could not be read at `now` (epoch ms): nothing counts as vested. */
export const unreadVestingView = (reason: VestingUnreadReason, now: number) => ({
  ...VESTING_RULE,
  available: false as const,
  reason,
  evaluatedAt: iso(now),
  tranches: [],
})

/** `sharePrice` of a pool whose assets and shares have the same decimals. */
export const sharePriceView = (book: ShareBook, decimals: number) => ({
  model: 'principal-cost-basis' as const,
  assetsPerShare: amount({ raw: assetsPerShareRaw(book, 10n ** BigInt(decimals)), decimals }),
  numeratorAssets: amount({ raw: book.managedRaw, decimals }),
  denominatorShares: amount({ raw: book.supplyRaw, decimals }),
})

/** Totals, caps and price of the deposit pool. */
export const poolFiguresView = (pool: Pick<PoolPosition, 'managedRaw' | 'supplyRaw' | 'bufferRaw' | 'caps'>, decimals: number) => ({
  totalAssets: amount({ raw: pool.managedRaw, decimals }),
  totalShares: amount({ raw: pool.supplyRaw, decimals }),
  bufferAssets: amount({ raw: pool.bufferRaw, decimals }),
  caps: {
    totalAssetCap: amount({ raw: pool.caps.totalRaw, decimals }),
    perAgentAssetCap: amount({ raw: pool.caps.perHolderRaw, decimals }),
    poolHeadroom: amount({ raw: poolHeadroomRaw(pool), decimals }),
  },
  sharePrice: sharePriceView(pool, decimals),
})

/** Shares of one wallet in the deposit pool, without what its vesting raises. */
export const poolWalletView = (pool: PoolPosition, decimals: number) => ({
  assetBalance: amount({ raw: pool.walletRaw, decimals }),
  depositedAssets: amount({ raw: convertToAssets(pool, pool.balanceRaw), decimals }),
  shares: amount({ raw: pool.balanceRaw, decimals }),
  availableShares: amount({ raw: availableSharesRaw(pool), decimals }),
  perAgentHeadroom: amount({ raw: holderHeadroomRaw(pool), decimals }),
})

/** `preview` of a deposit at one block. The pool’s headroom shrinks by the assets, the wallet’s by at most what is left of it. */
export const depositPreview = (pool: PoolPosition, { assetsRaw, sharesRaw }: ShareQuote, decimals: number, blockNumber: bigint) => {
  const shown = (raw: bigint) => amount({ raw, decimals })
  const holderHeadroom = holderHeadroomRaw(pool)
  return {
    assets: shown(assetsRaw),
    expectedShares: shown(sharesRaw),
    poolHeadroomBefore: shown(poolHeadroomRaw(pool)),
    poolHeadroomConsumed: shown(assetsRaw),
    perAgentHeadroomBefore: shown(holderHeadroom),
    perAgentHeadroomConsumed: shown(minRaw(assetsRaw, holderHeadroom)),
    sharePrice: sharePriceView(pool, decimals),
    quoteBlockNumber: blockNumber.toString(),
  }
}

/** `preview` of a withdrawal at one block. */
export const withdrawalPreview = (
  pool: PoolPosition,
  asked: PoolWithdrawal,
  { assetsRaw, sharesRaw }: ShareQuote,
  decimals: number,
  blockNumber: bigint,
) => {
  const shown = (raw: bigint) => amount({ raw, decimals })
  return {
    requested: 'sharesRaw' in asked ? { shares: shown(asked.sharesRaw) } : { assets: shown(asked.assetsRaw) },
    sharesToRedeem: shown(sharesRaw),
    expectedAssets: shown(assetsRaw),
    availableSharesBefore: shown(availableSharesRaw(pool)),
    bufferAssetsBefore: shown(pool.bufferRaw),
    sharePrice: sharePriceView(pool, decimals),
    quoteBlockNumber: blockNumber.toString(),
  }
}
