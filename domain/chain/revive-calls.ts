import type { NativeSide } from '../../schemas/chain/chain-file.ts'

/** Gas of a transaction: what it was estimated to need, and what it used when it was run; null where one is not known. */
export interface MeasuredGas {
  estimated: bigint | null
  used: bigint | null
}

/** A call of the chain without its limits, with its value in the decimals of its Ethereum side. */
interface EthereumCall {
  to: string
  data: string
  valueRaw: bigint
}

/** Least gas that a storage slot costs when it is written for the first time. Source: EIP-2200, `SSTORE_SET_GAS`. */
const NEW_SLOT_GAS = 20_000n
/** Bytes that a new slot adds to the storage of a contract: key and value. */
const SLOT_BYTES = 64n

const ceilDivide = (value: bigint, by: bigint): bigint => (value + by - 1n) / by

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/**
 * Units of the native side for an amount in the decimals of the Ethereum side. Throws a RangeError for one that the native side cannot state:
 * it is never rounded.
 */
export const toNativeUnits = (raw: bigint, ethereumDecimals: number, nativeDecimals: number): bigint => {
  if (nativeDecimals >= ethereumDecimals) return raw * 10n ** BigInt(nativeDecimals - ethereumDecimals)
  const unit = 10n ** BigInt(ethereumDecimals - nativeDecimals)
  if (raw % unit !== 0n) throw new RangeError(`${raw} has more than ${nativeDecimals} decimals`)
  return raw / unit
}

/**
 * Gas that bounds a transaction; null where none was measured. A run counts five quarters: refunds are at most a fifth of what it needed while
 * it ran. Source: EIP-3529.
 */
const gasBound = ({ estimated, used }: MeasuredGas): bigint | null => {
  if (estimated === null && used === null) return null
  const needed = used === null ? 0n : ceilDivide(used * 5n, 4n)
  return estimated !== null && estimated > needed ? estimated : needed
}

/** What one transaction may take at most: weight of a block's share of calls, and a deposit for each slot that its gas could pay for. */
const limitsOf = (native: NativeSide, gas: bigint) => {
  const { weightPerGas, maxWeight, mappingDeposit } = native
  const slotRaw = BigInt(mappingDeposit.itemRaw) + SLOT_BYTES * BigInt(mappingDeposit.byteRaw)
  return {
    weightLimit: {
      refTime: least(gas * BigInt(weightPerGas.refTime), BigInt(maxWeight.refTime)).toString(),
      proofSize: least(gas * BigInt(weightPerGas.proofSize), BigInt(maxWeight.proofSize)).toString(),
    },
    storageDepositLimit: (ceilDivide(gas, NEW_SLOT_GAS) * slotRaw).toString(),
  }
}

/**
 * A transaction as a call that a native account submits. Numbers are digits; value and deposit are in base units of the native side. Limits
 * are null while the gas is not measured.
 */
export const reviveCall = (native: NativeSide, { to, data, valueRaw }: EthereumCall, ethereumDecimals: number, gas: MeasuredGas) => {
  const bound = gasBound(gas)
  return {
    pallet: 'Revive' as const,
    call: 'call' as const,
    args: {
      dest: to,
      value: toNativeUnits(valueRaw, ethereumDecimals, native.decimals).toString(),
      ...(bound === null ? { weightLimit: null, storageDepositLimit: null } : limitsOf(native, bound)),
      data,
    },
  }
}
