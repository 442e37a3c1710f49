import { type Asset, assetAmount } from '../common/money.ts'

/** Fee and balance in the chain's native asset, base units. */
export interface NativeGas {
  feePerGasRaw: bigint
  /** Of the wallet that sends the transaction. */
  balanceRaw: bigint
  asset: Asset
}

/** What a wallet needs to send a transaction of at most `gas` itself; cost and balance only where the chain was read. */
export const gasRequired = (gas: bigint, native: NativeGas | null) => ({
  gas: gas.toString(),
  ...(native !== null && {
    cost: assetAmount(gas * native.feePerGasRaw, native.asset),
    nativeBalance: assetAmount(native.balanceRaw, native.asset),
  }),
})
