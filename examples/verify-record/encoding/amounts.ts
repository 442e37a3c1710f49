// Amounts in base units and as people read them.
import { type Members, Refused, textOf } from './json.ts'

/** Base units in whole units, without trailing zeros. */
export const wholeUnits = (raw: bigint, decimals: number): string => {
  const digits = raw.toString().padStart(decimals + 1, '0')
  const [whole, part] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals).replace(/0+$/, '')]
  return part === '' ? whole : `${whole}.${part}`
}

const MOST_DECIMALS = 30

/** Decimals with which every amount of a list reads as it does; refuses a list that has none. */
export const commonDecimals = (amounts: readonly { raw: bigint; display: string }[]): number => {
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals += 1)
    if (amounts.every(({ raw, display }) => wholeUnits(raw, decimals) === display)) return decimals
  throw new Refused('its amounts in whole units are not its amounts in base units')
}

/** A member of base units. */
export const rawOf = (value: Members, name: string): bigint => BigInt(textOf(value, name))

/** Basis points of an amount, rounded down. */
export const partOf = (amount: bigint, points: number | bigint): bigint => (amount * BigInt(points)) / 10_000n
