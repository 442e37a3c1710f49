import { formatUnits } from 'viem/utils'
import { ServiceError } from '../../schemas/errors.ts'

/** One hundred percent in basis points. */
export const BPS_ONE = 10_000n

/** Base units as a decimal string in whole units, exact and without trailing zeros: (97900000, 6) → "97.9". */
export const toDisplay: (raw: bigint, decimals: number) => string = formatUnits

/** An amount in words: 97900000 base units of USDC are `97.9 USDC`. */
export const amountText = (raw: bigint, { decimals, symbol }: { decimals: number; symbol: string }): string =>
  `${toDisplay(raw, decimals)} ${symbol}`

const DECIMAL = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

const notExact = (text: string, decimals: number): ServiceError =>
  new ServiceError('invalid_request', { detail: `"${text.slice(0, 80)}" is not an amount with at most ${decimals} decimal places.` })

/**
 * Whole units as decimal text (exponents as ECMAScript prints them allowed) to base units, without rounding.
 * Throws `invalid_request` when the text is no non-negative decimal or has more places than the asset.
 */
export const parseUnitsExact = (text: string, decimals: number): bigint => {
  const match = DECIMAL.exec(text)
  if (match === null) throw notExact(text, decimals)
  const [, whole, fraction = '', exponent = 0] = match
  const shift = decimals - fraction.length + Number(exponent)
  const digits = BigInt(`${whole}${fraction}`)
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  if (digits % divisor !== 0n) throw notExact(text, decimals)
  return digits / divisor
}

/** Wire form of an amount: digits in base units, decimals of the asset, decimal string in whole units. */
export const amount = ({ raw, decimals }: { raw: bigint; decimals: number }) => ({
  raw: raw.toString(),
  decimals,
  display: toDisplay(raw, decimals),
})

/** Wire forms of amounts of one asset, each under its own name. */
export const amounts = <Name extends string>(raws: Readonly<Record<Name, bigint>>, decimals: number) =>
  Object.fromEntries(Object.entries<bigint>(raws).map(([name, raw]) => [name, amount({ raw, decimals })])) as Record<
    Name,
    ReturnType<typeof amount>
  >

/** Asset of amounts. */
export interface Asset {
  symbol: string
  decimals: number
}

/** Wire form of an amount with the symbol of its asset. */
export const assetAmount = (raw: bigint, { symbol, decimals }: Asset) => ({ asset: symbol, ...amount({ raw, decimals }) })

/** `{name: 1500000n}` → `{nameRaw: "1500000", name: "1.5"}` for every amount: the form of claim economics. */
export const rawAndDisplay = <Name extends string>(amounts: Readonly<Record<Name, bigint>>, decimals: number) =>
  Object.fromEntries(
    Object.entries<bigint>(amounts).flatMap(([name, raw]) => [
      [`${name}Raw`, raw.toString()],
      [name, toDisplay(raw, decimals)],
    ]),
  ) as Record<Name | `${Name}Raw`, string>

/** `points` basis points of `raw`, rounded down (`raw` ≥ 0). */
export const bps = (raw: bigint, points: number): bigint => (raw * BigInt(points)) / BPS_ONE

/** Largest integer whose square is at most `value` (≥ 0). */
export const isqrt = (value: bigint): bigint => {
  if (value < 2n) return value
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (guess + value / guess) / 2n
    if (next >= guess) return guess
    guess = next
  }
}

export const maxRaw = (left: bigint, right: bigint): bigint => (left > right ? left : right)
export const minRaw = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/** `left − right`, never below zero. */
export const floorSubtract = (left: bigint, right: bigint): bigint => maxRaw(left - right, 0n)
