import { type Position, spendableRaw } from '../chain/account-position.ts'
import { amount, type BalanceAmount, floorSubtract } from '../common/money.ts'

const AMOUNTS = ['liquid', 'reserved', 'strategyAllocated', 'collateralLocked', 'jobStakeLocked', 'debtOutstanding'] as const

/** Position of an asset with what the service knows beside the chain. */
export interface AssetPosition {
  symbol: string
  decimals: number
  position: Position
  /** Σ of the wallet's locked deposits that are active or exiting. */
  encumberedRaw: bigint
  /** True for a wallet known by something else than these amounts: its zeros are shown. */
  seen?: boolean
}

/** What the account contract would pay out. */
export const withdrawableOnChainRaw = (position: Position): bigint => floorSubtract(position.liquid, position.debtOutstanding)

const isUntouched = ({ position, encumberedRaw, seen = false }: AssetPosition): boolean =>
  !seen && encumberedRaw === 0n && AMOUNTS.every((name) => position[name] === 0n)

const bySymbol = (assets: readonly AssetPosition[], rawOf: (asset: AssetPosition) => bigint): Record<string, BalanceAmount> =>
  Object.fromEntries(assets.map((asset) => [asset.symbol, amount({ raw: rawOf(asset), decimals: asset.decimals })]))

/** The amounts of `GET /account`: maps from asset symbol to balance amount, empty for a wallet never seen. */
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

/** The side-by-side numbers of one asset: what the chain holds and what the service lets be spent. */
export const availabilityView = ({ position, decimals, encumberedRaw }: AssetPosition) => ({
  chainLiquid: amount({ raw: position.liquid, decimals }),
  debtOutstanding: amount({ raw: position.debtOutstanding, decimals }),
  lockedDepositEncumbered: amount({ raw: encumberedRaw, decimals }),
  available: amount({ raw: spendableRaw(position, encumberedRaw), decimals }),
})
