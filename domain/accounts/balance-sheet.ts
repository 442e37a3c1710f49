import { type Position, spendableRaw } from '../chain/account-position.ts'
import { amount, type BalanceAmount, floorSubtract } from '../common/money.ts'

const AMOUNTS = ['liquid', 'reserved', 'strategyAllocated', 'collateralLocked', 'jobStakeLocked', 'debtOutstanding'] as const

/** Position of an asset with the deposits that the service has locked. */
export interface AssetPosition {
  symbol: string
  decimals: number
  position: Position
  /** Σ of the wallet's locked deposits that are active or exiting. */
  encumberedRaw: bigint
  /** True for a wallet with other records; its zero amounts are served. */
  isKnown?: boolean
}

/** Amount that the account contract pays out, base units. */
export const withdrawableOnChainRaw = (position: Position): bigint => floorSubtract(position.liquid, position.debtOutstanding)

const isUntouched = ({ position, encumberedRaw, isKnown = false }: AssetPosition): boolean =>
  !isKnown && encumberedRaw === 0n && AMOUNTS.every((name) => position[name] === 0n)

const bySymbol = (assets: readonly AssetPosition[], rawOf: (asset: AssetPosition) => bigint): Record<string, BalanceAmount> =>
  Object.fromEntries(assets.map((asset) => [asset.symbol, amount({ raw: rawOf(asset), decimals: asset.decimals })]))

/** Amounts of `GET /account`: maps from asset symbol to balance amount, empty for an unknown wallet. */
export const balanceSheetView = (positions: readonly AssetPosition[]) => {
  const assets = positions.filter((asset) => !isUntouched(asset))
  return {
    liquid: bySymbol(assets, ({ position }) => position.liquid),
    reserved: bySymbol(assets, ({ position }) => position.reserved),
    strategyAllocated: bySymbol(assets, ({ position }) => position.strategyAllocated),
    collateralLocked: bySymbol(assets, ({ position }) => position.collateralLocked),
    jobStakeLocked: bySymbol(assets, ({ position }) => position.jobStakeLocked),
    debtOutstanding: bySymbol(assets, ({ position }) => position.debtOutstanding),
    lockedDepositEncumbered: bySymbol(assets, ({ encumberedRaw }) => encumberedRaw),
    withdrawable: bySymbol(assets, ({ position, encumberedRaw }) => spendableRaw(position, encumberedRaw)),
  }
}

/** Balances of one asset on chain, and the part that the service allows to spend. */
export const availabilityView = ({ position, decimals, encumberedRaw }: AssetPosition) => ({
  chainLiquid: amount({ raw: position.liquid, decimals }),
  debtOutstanding: amount({ raw: position.debtOutstanding, decimals }),
  lockedDepositEncumbered: amount({ raw: encumberedRaw, decimals }),
  available: amount({ raw: spendableRaw(position, encumberedRaw), decimals }),
})
