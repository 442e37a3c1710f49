import { usageError } from '../failures.ts'

/** Amount of an answer. */
export interface AmountView {
  raw: bigint
  decimals: number
}

/** Base units in whole units, without zeros at the end. */
export const wholeUnits = (raw: bigint, decimals: number): string => {
  const digits = raw.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`
}

/** Amount with the symbol of its asset. */
export const formatAmount = ({ raw, decimals }: AmountView, symbol: string): string => `${wholeUnits(raw, decimals)} ${symbol}`

/** Whole units in base units. Throws for anything but a positive decimal number that the asset can hold. */
export const parseUnits = (text: string, { symbol, decimals }: { symbol: string; decimals: number }): bigint => {
  const { whole = '', fraction = '' } = /^(?<whole>[0-9]{1,30})(\.(?<fraction>[0-9]{1,30}))?$/.exec(text)?.groups ?? {}
  if (whole === '') throw usageError('AMOUNT is a positive number in whole units, such as 2.5.')
  if (fraction.length > decimals) throw usageError(`${symbol} has ${decimals} decimal places, and AMOUNT has ${fraction.length}.`)
  const raw = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (raw === 0n) throw usageError('AMOUNT is zero.')
  return raw
}

/** Instant for people: UTC without fractions. */
export const formatInstant = (iso: string): string => iso.replace('T', ' ').replace(/\.[0-9]+Z$/, 'Z')
