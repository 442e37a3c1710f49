// What pages of the console make of amounts: nothing is rounded, and what a newer API answers stays readable.
import { describe, expect, test } from '@jest/globals'
import { instantOf } from '../../console/actions/grants.ts'
import { baseUnits } from '../../console/look/amounts.ts'
import { memberOf, openValue } from '../../console/look/texts.ts'
import { dryRunTable } from '../../console/pages/disputes/dry-run.ts'
import { paymentChart } from '../../console/pages/money/chart.ts'
import type { View } from '../../console/view.ts'

const DECIMALS = 6
const HUGE = 2n ** 200n + 1n

const amount = (raw: bigint) => {
  const digits = raw.toString().padStart(DECIMALS + 1, '0')
  return { asset: 'USDC', raw, decimals: DECIMALS, display: `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}` }
}
const dayOf = (day: string, raw: bigint) => ({ day, worker: amount(raw), payments: raw === 0n ? 0 : 1 })
const heightsOf = (html: string): number[] => [...html.matchAll(/<rect [^>]*? height="([\d.]+)"/g)].map(([, height]) => Number(height))

describe('the chart of payments', () => {
  test.each([
    ['amounts beyond 2^53 in their ratio', [HUGE, HUGE / 2n, 0n], [0, 64, 128]],
    ['the least amount beside a huge one', [HUGE, 1n], [2, 128]],
    ['days without a payment', [0n, 0n], [0, 0]],
  ])('shows %s', (_name, newestFirst, heights) => {
    const { html } = paymentChart(newestFirst.map((raw, index) => dayOf(`2026-11-${30 - index}`, raw)))
    expect(heightsOf(html).map(Math.round)).toEqual(heights)
    expect(html).not.toMatch(/NaN|Infinity|e\+/)
  })

  test('says in words what it shows', () => {
    const days = [dayOf('2026-11-30', HUGE), dayOf('2026-11-29', 0n)]
    expect(paymentChart(days).html).toContain(`on 1 of 2 days; most on 2026-11-30, ${amount(HUGE).display} USDC.`)
    expect(paymentChart([dayOf('2026-11-30', 0n)]).html).toContain('No payment from 2026-11-30 to 2026-11-30.')
    expect(paymentChart([]).html).toBe('')
  })
})

test('a dry run has every amount as the API gave it, verdicts of a newer API, and refusals in words', () => {
  const [zero, huge] = [amount(0n), amount(HUGE)]
  const money = {
    asset: 'USDC',
    worker: { payout: huge, bondReturned: zero },
    poster: { refund: zero, slash: amount(1n) },
    treasury: { fee: zero, slash: zero },
    verifier: { feeShare: zero },
    held: zero,
  }
  const { html } = dryRunTable({} as View, [
    { verdict: 'upheld', becomes: 'rejected', money },
    { verdict: 'sent_back<b>', becomes: 'reopened_twice', money },
    { verdict: 'timeout', refusal: 'Too early <i>' },
  ])
  expect(html.split(`<td class="amount">${huge.display}</td>`)).toHaveLength(3)
  expect(html.split(`<td class="amount">${zero.display}</td>`)).toHaveLength(13)
  for (const text of ['0.000001', 'sent back&lt;b&gt;', 'reopened twice', 'timeout</b> is not possible now: Too early &lt;i&gt;'])
    expect(html).toContain(text)
})

describe('an amount that a reader types', () => {
  test.each([
    ['0.6', '600000'],
    [' 12 ', '12000000'],
    ['90071992547409930000000.000001', '90071992547409930000000000001'],
    ['0.000001', '1'],
  ])('%s is %s', (typed, raw) => expect(baseUnits(typed, DECIMALS)).toBe(raw))

  test.each(['0', '0.0', '', '-1', '1e3', '1,5', '.5', '0.0000001', 'NaN', '1 2'])('%p is refused', (typed) =>
    expect(() => baseUnits(typed, DECIMALS)).toThrow('amount'),
  )
})

test.each([
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31 18:00', '2027-01-31T18:00:00.000Z'],
  ['2027-01-31T18:00:30Z', '2027-01-31T18:00:30.000Z'],
  ['2027-02-31x', '2027-02-31x'],
  ['soon', 'soon'],
])('the end %p is sent as %p', (typed, sent) => expect(instantOf(typed)).toBe(sent))

describe('a value without a fixed form', () => {
  test.each([
    ['a text', '<script>', '&lt;script&gt;'],
    ['an object', { 'a"b': '</td><b>' }, '&lt;/td&gt;&lt;b&gt;'],
    ['a list', [{ text: '</pre><b>' }], '&lt;/pre&gt;&lt;b&gt;'],
    ['a huge integer', { raw: HUGE }, HUGE.toString()],
    ['nothing', null, '–'],
  ])('is shown as text: %s', (_name, value, shown) => {
    const { html } = openValue(value)
    expect(html).toContain(shown)
    expect(html).not.toMatch(/<script|<b>/)
  })

  test('is cut where it is long, and says so', () => {
    const { html } = openValue('x'.repeat(1_000_000))
    expect(html.length).toBeLessThan(10_000)
    expect(html).toContain('of 1000000 characters')
  })

  test.each([null, undefined, 'text', 1, {}])('has no member where there is none: %p', (value) =>
    expect(memberOf(value, 'toString')).toBeUndefined(),
  )
})
