import { describe, expect, test } from '@jest/globals'
import { grossLimitRaw, impairmentThresholdRaw, interestRaw, isImpaired, loanableRaw, loanLimitRaw } from '../../../domain/credit/limits.ts'

const TERMS = { ltvBps: 8000, interestBps: 0 }
const collateral = (pledgedValueRaw: bigint, vestedRaw: bigint, debtRaw = 0n) => ({ pledgedValueRaw, vestedRaw, debtRaw })

describe('the limit of a wallet’s loans', () => {
  test.each([
    ['vested principal', collateral(10_000_000n, 8_000_000n), 6_400_000n, 6_400_000n],
    ['vested principal less debt', collateral(10_000_000n, 8_000_000n, 1_000_000n), 6_400_000n, 5_400_000n],
    ['the pledges', collateral(5_000_000n, 8_000_000n), 4_000_000n, 4_000_000n],
    ['nothing below the debt', collateral(5_000_000n, 8_000_000n, 4_000_001n), 4_000_000n, 0n],
    ['whole units, rounded down', collateral(9n, 9n), 7n, 7n],
  ])('follows %s', (_name, secured, gross, limit) => {
    expect([grossLimitRaw(secured, TERMS), loanLimitRaw(secured, TERMS)]).toEqual([gross, limit])
  })

  test('is at most the tokens in the pool', () => {
    const secured = collateral(10_000_000n, 8_000_000n)
    expect([loanableRaw(secured, TERMS, 6_400_001n), loanableRaw(secured, TERMS, 6_399_999n)]).toEqual([6_400_000n, 6_399_999n])
  })
})

describe('a loan', () => {
  test('has interest on its amount, rounded down', () => {
    expect(interestRaw(18_000_000n, { ...TERMS, interestBps: 1000 })).toBe(1_800_000n)
    expect(interestRaw(9n, { ...TERMS, interestBps: 1200 })).toBe(1n)
  })

  test('can be seized below 105 % of what is outstanding, not at it', () => {
    expect(impairmentThresholdRaw(6_400_000n)).toBe(6_720_000n)
    expect([isImpaired(6_719_999n, 6_400_000n), isImpaired(6_720_000n, 6_400_000n)]).toEqual([true, false])
  })

  test('at the highest rates can be seized at once', () => {
    expect(impairmentThresholdRaw(19_800_000n)).toBe(20_790_000n)
    expect(isImpaired(20_384_538n, 19_800_000n)).toBe(true)
  })
})
