import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { amount, bps, floorSubtract, isqrt, parseUnitsExact, toDisplay } from '../../../domain/common/money.ts'
import { refusalOf } from '../builders/refusal.ts'

const raw = fc.bigInt({ min: 0n, max: 10n ** 30n })
const decimals = fc.integer({ min: 0, max: 30 })

describe('amounts', () => {
  test('display is exact and carries no trailing zeros', () => {
    expect(toDisplay(97_900_000n, 6)).toBe('97.9')
    expect(toDisplay(1n, 6)).toBe('0.000001')
    expect(toDisplay(0n, 6)).toBe('0')
    expect(toDisplay(5n, 0)).toBe('5')
    expect(toDisplay(-1_500_000n, 6)).toBe('-1.5')
  })

  test('a balance on the wire is digits, decimals and whole units', () => {
    expect(amount({ raw: 97_900_000n, decimals: 6 })).toEqual({ raw: '97900000', decimals: 6, display: '97.9' })
  })

  test('what is displayed parses back to the same base units', () => {
    fc.assert(fc.property(raw, decimals, (value, places) => parseUnitsExact(toDisplay(value, places), places) === value))
  })

  test('0.1 and 0.2 whole units add up exactly', () => {
    expect(toDisplay(parseUnitsExact('0.1', 6) + parseUnitsExact('0.2', 6), 6)).toBe('0.3')
  })

  test('parsing understands exponents as ECMAScript prints them', () => {
    expect(parseUnitsExact(String(1e-7), 10)).toBe(1000n)
    expect(parseUnitsExact(String(1e21), 2)).toBe(10n ** 23n)
    expect(parseUnitsExact('2.500', 2)).toBe(250n)
  })

  test.each(['0.0000001', '1.2345678', '-1', '', '1.', '.5', 'NaN', '0x10', '1e-9'])('"%s" is refused instead of rounded', (text) => {
    expect(() => parseUnitsExact(text, 6)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  test('a refusal repeats the text, cut where it is long, and says how many places there are', () => {
    const detail = (text: string) => refusalOf(() => parseUnitsExact(text, 6))?.message
    expect(detail('0.1234567')).toMatch(/"0\.1234567".* 6 decimal places/)
    expect(detail('x'.repeat(81))).toContain(`"${'x'.repeat(80)}"`)
  })
})

describe('arithmetic', () => {
  test('basis points round down', () => {
    expect(bps(200_000n, 1000)).toBe(20_000n)
    expect(bps(9_999n, 1)).toBe(0n)
    expect(bps(19_999n, 1)).toBe(1n)
  })

  test('a difference never goes below zero', () => {
    expect(floorSubtract(3n, 5n)).toBe(0n)
    expect(floorSubtract(5n, 3n)).toBe(2n)
  })

  test('the integer root is the largest whose square fits', () => {
    fc.assert(
      fc.property(raw, (value) => {
        const root = isqrt(value)
        return root * root <= value && (root + 1n) * (root + 1n) > value
      }),
    )
    expect([0n, 1n, 2n, 3n, 4n, 99n, 100n].map(isqrt)).toEqual([0n, 1n, 1n, 1n, 2n, 9n, 10n])
  })
})
