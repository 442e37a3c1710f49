import { type Asset, assetAmount } from '../common/money.ts'

/** Fee and balance in the chain's native asset, base units. */
export interface NativeGas {
  feePerGasRaw: bigint
  /** Of the wallet that sends the transaction. */
  balanceRaw: bigint
  asset: Asset
}

/** Most gas of the calls with which a worker claims and submits itself, well above the measured use (a test checks it). */
export const WORKER_GAS = { claimJob: 700_000n, submitWork: 250_000n, handleClaimTimeout: 800_000n } as const

/** What a wallet needs to send a transaction of at most `gas` itself; cost and balance only where the chain was read. */
export const gasRequired = (gas: bigint, native: NativeGas | null) => ({
  gas: gas.toString(),
  ...(native !== null && {
    cost: assetAmount(gas * native.feePerGasRaw, native.asset),
    nativeBalance: assetAmount(native.balanceRaw, native.asset),
  }),
})

/** What a worker needs to send claim and submission itself. */
export const workerGasView = (native: NativeGas | null) => ({
  claim: gasRequired(WORKER_GAS.claimJob, native),
  submit: gasRequired(WORKER_GAS.submitWork, native),
})
