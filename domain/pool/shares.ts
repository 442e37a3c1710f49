import { floorSubtract } from '../common/money.ts'

/** Assets and shares of a pool, base units. The price is the quotient; all rounding is down. */
export interface ShareBook {
  /** What the shares are worth together. */
  managedRaw: bigint
  supplyRaw: bigint
}

/** Shares for assets that are added. The first depositor gets one share a unit; a pool that lost everything gives none. */
export const convertToShares = ({ managedRaw, supplyRaw }: ShareBook, assetsRaw: bigint): bigint => {
  if (supplyRaw === 0n) return assetsRaw
  return managedRaw === 0n ? 0n : (assetsRaw * supplyRaw) / managedRaw
}

/** Value of shares. */
export const convertToAssets = ({ managedRaw, supplyRaw }: ShareBook, sharesRaw: bigint): bigint =>
  supplyRaw === 0n ? sharesRaw : (sharesRaw * managedRaw) / supplyRaw

/** Fewest shares whose value reaches `assetsRaw`. */
export const sharesToRedeem = (book: ShareBook, assetsRaw: bigint): bigint => {
  const shares = convertToShares(book, assetsRaw)
  return convertToAssets(book, shares) < assetsRaw ? shares + 1n : shares
}

/** Value of one whole share, base units; `unitRaw` is one whole unit of asset and share. */
export const assetsPerShareRaw = ({ managedRaw, supplyRaw }: ShareBook, unitRaw: bigint): bigint =>
  supplyRaw === 0n ? unitRaw : (managedRaw * unitRaw) / supplyRaw

/** Caps of a pool in base units: of all assets, and of one holder's. */
export interface PoolCaps {
  totalRaw: bigint
  perHolderRaw: bigint
}

/** What the cap on all assets still leaves. */
export const poolHeadroomRaw = ({ managedRaw, caps }: ShareBook & { caps: PoolCaps }): bigint => floorSubtract(caps.totalRaw, managedRaw)

/** What the cap on one holder still leaves, to the rounding of one share; `balanceRaw` counts locked and pledged shares too. */
export const holderHeadroomRaw = ({ caps, balanceRaw, ...book }: ShareBook & { caps: PoolCaps; balanceRaw: bigint }): bigint =>
  floorSubtract(caps.perHolderRaw, convertToAssets(book, balanceRaw))

/** Value of a holder's shares after a deposit: what the contracts compare with the cap on one holder. */
export const valueAfterDeposit = ({ managedRaw, supplyRaw }: ShareBook, balanceRaw: bigint, assetsRaw: bigint, sharesRaw: bigint): bigint =>
  convertToAssets({ managedRaw: managedRaw + assetsRaw, supplyRaw: supplyRaw + sharesRaw }, balanceRaw + sharesRaw)
