import { describe, expect, test } from '@jest/globals'
import { depositDifferences } from '../../../local/demo/native/flow.ts'
import { type Bought, billDifferences } from '../../../local/demo/paid/flow.ts'
import { type Evidence, missingProof } from '../../../local/demo/proof.ts'
import { createReport } from '../../../local/demo/report.ts'
import { createComparison } from '../../../local/demo/savings/comparison.ts'
import { drawCurve } from '../../../local/demo/savings/curve.ts'
import { limitsFromVested, type SavingsEvent, vestedFromEvents } from '../../../local/demo/savings/vesting.ts'

describe('the proof at the end of the demo', () => {
  const badge = { tokenId: 1n, level: 1n, metadataUri: 'http://here/badges/a' }
  const standing = { liquidRaw: 0n, stakedRaw: 0n, tokensRaw: 0n, badges: [] }
  const wallet = `0x${'1'.repeat(40)}` as const
  const good: Evidence = {
    wallet,
    badgeUrl: badge.metadataUri,
    before: { ...standing, liquidRaw: 15n },
    locked: { ...standing, stakedRaw: 15n },
    after: { ...standing, liquidRaw: 110n, badges: [badge] },
    escrow: { state: 'closed', worker: wallet, rewardRaw: 100n, releasedRaw: 100n },
    bondRaw: 15n,
    netRewardRaw: 95n,
  }

  test('is complete when the chain shows bond, payment and badge', () => {
    expect(missingProof(good)).toEqual([])
  })

  test.each<[string, Partial<Evidence>]>([
    ['the escrow is not closed', { escrow: { ...good.escrow, state: 'submitted' } }],
    ['the escrow names another worker', { escrow: { ...good.escrow, worker: `0x${'2'.repeat(40)}` } }],
    ['less was released', { escrow: { ...good.escrow, releasedRaw: 50n } }],
    ['less arrived', { after: { ...good.after, liquidRaw: 109n } }],
    ['nothing was to be paid', { netRewardRaw: 0n, after: { ...good.after, liquidRaw: 15n } }],
    ['the bond is still locked', { after: { ...good.after, stakedRaw: 15n } }],
    ['no bond was locked', { locked: standing }],
    ['there is no badge', { after: { ...good.after, badges: [] } }],
    ['the badge is of before', { before: { ...good.before, badges: [badge] } }],
    ['the badge points elsewhere', { badgeUrl: 'http://here/badges/b' }],
  ])('is missing when %s', (_name, change) => {
    expect(missingProof({ ...good, ...change })).toHaveLength(1)
  })
})

describe('a purchase of the paid demo', () => {
  const before = { wallet: 10n, payee: 1n }
  const billed: Bought = { verdict: 'approved', runId: 'a', repeatedRunId: 'a', before, after: { wallet: 5n, payee: 6n }, billedRaw: 5n }
  const free: Bought = { ...billed, verdict: 'inconclusive', after: before, billedRaw: 0n }

  test('is proved when the price went from the wallet to the payee, or nothing did', () => {
    expect([...billDifferences(billed, 'approved'), ...billDifferences(free, 'inconclusive')]).toEqual([])
  })

  test.each<[string, Bought, Bought['verdict']]>([
    ['another verdict', billed, 'rejected'],
    ['no verdict', { ...billed, verdict: undefined }, 'approved'],
    ['a second run of one payment', { ...billed, repeatedRunId: 'b' }, 'approved'],
    ['a unit too much from the wallet', { ...billed, after: { wallet: 4n, payee: 6n } }, 'approved'],
    ['a unit too little for the payee', { ...billed, after: { wallet: 5n, payee: 5n } }, 'approved'],
    ['a bill without a result', { ...free, after: { wallet: 5n, payee: 1n } }, 'inconclusive'],
  ])('is not proved with %s', (_name, bought, wanted) => {
    expect(billDifferences(bought, wanted)).toHaveLength(1)
  })
})

describe('the deposit of a native account', () => {
  const whole = 10n ** 18n
  const depositWei = 200_520_000_000_000_000n
  const free = { freeWei: whole, heldWei: 0n, mapping: 'unmapped' } as const
  const good = {
    funded: free,
    mapped: { freeWei: whole - depositWei, heldWei: depositWei, mapping: 'mapped' } as const,
    unmapped: free,
  }

  test('is proved when it was held while the account was mapped, and is back', () => {
    expect(depositDifferences(good, depositWei)).toEqual([])
  })

  test.each([
    ['nothing was held', { mapped: { ...good.mapped, heldWei: 0n } }],
    ['another amount was stated', { mapped: { ...good.mapped, freeWei: whole - depositWei - 1n } }],
    ['the account was not mapped', { mapped: { ...good.mapped, mapping: 'unmapped' as const } }],
    ['a part did not come back', { unmapped: { ...free, freeWei: whole - 1n } }],
    ['it is still held', { unmapped: good.mapped }],
  ])('is not proved when %s', (_name, change) => {
    expect(depositDifferences({ ...good, ...change }, depositWei)).toHaveLength(1)
  })
})

describe('the vested amount that the savings demo computes', () => {
  const hour = (hours: number): number => hours * 3_600
  const first: SavingsEvent = { at: 0, kind: 'deposit', assetsRaw: 10_000_000n, sharesRaw: 10_000_000n }
  const savings: SavingsEvent[] = [
    first,
    { at: hour(24), kind: 'deposit', assetsRaw: 4_000_000n, sharesRaw: 4_000_000n },
    { at: hour(36), kind: 'withdraw', assetsRaw: 6_000_000n, sharesRaw: 6_000_000n },
  ]
  const opened: SavingsEvent = { at: hour(-1), kind: 'loan_originated', loanId: 'a' }
  const closed: SavingsEvent = { at: hour(10), kind: 'loan_closed', loanId: 'a' }

  // Source: money, "Vesting of pool deposits".
  test.each<[string, SavingsEvent[], number, bigint]>([
    ['nothing at the deposit', savings, 0, 0n],
    ['a quarter after 12 h', savings, 12, 2_500_000n],
    ['half after 24 h', savings, 24, 5_000_000n],
    ['three quarters of what a withdrawal of the newest left', savings, 36, 6_000_000n],
    ['all that is left after 48 h', savings, 48, 8_000_000n],
    ['nothing while an older loan is open', [opened, first], 72, 0n],
    ['half a day after the loan was closed', [opened, first, closed], 34, 5_000_000n],
    ['nothing of a withdrawn excess', [first, { at: 1, kind: 'withdraw', assetsRaw: 11_000_000n, sharesRaw: 9_000_000n }], 48, 0n],
    [
      'nothing after the last share, whatever a loss burnt',
      [first, { at: 1, kind: 'withdraw', assetsRaw: 1n, sharesRaw: 10_000_000n }],
      48,
      0n,
    ],
  ])('is %s', (_name, events, hours, vestedRaw) => {
    expect(vestedFromEvents(events, hour(hours)).vestedRaw).toBe(vestedRaw)
  })

  // Source: money, "Formulas".
  test.each([
    [0n, 0n, 1_000_000n],
    [4_000_000n, 1_000_000n, 5_000_000n],
    [99_999_999n, 4_500_000n, 100_999_999n],
  ])(
    'of %s raises the cap of open exposure by %s and the external ceiling to %s',
    (vestedRaw, openExposureRaiseRaw, externalRewardCeilingRaw) => {
      expect(limitsFromVested(vestedRaw, 6)).toEqual({ openExposureRaiseRaw, externalRewardCeilingRaw })
    },
  )

  test('is drawn in blocks within 80 columns, below a shade for principal that has not vested', () => {
    const lines = drawCurve(savings, { from: 0, hours: 48, decimals: 6 })
    expect(lines.every((line) => line.length <= 80)).toBe(true)
    expect(lines[4]).toBe('   8.0 ┤░░░░░░░░░░░░░░░░░░░░░░░░░░░░░▁▃▄▅▆▇█░░▁▂▂▃▄▄▅▆▆▇█')
  })
})

describe('the comparison of the savings demo', () => {
  test('counts equal amounts and names one that differs by a unit', () => {
    const printed: string[] = []
    const comparison = createComparison(createReport((line) => printed.push(line)))
    const amount = { name: 'vested', serviceRaw: 2_500_000n, chainRaw: 2_500_000n, symbol: 'USDC', decimals: 6 }
    comparison.show('12 h', [amount, { ...amount, chainRaw: 2_500_001n }])
    expect(comparison.equalCount()).toBe(1)
    expect(comparison.differences()).toEqual(['vested is 2500000 by the service and 2500001 on chain'])
    expect(printed.filter((line) => line.endsWith('DIFFERS'))).toHaveLength(1)
  })
})
