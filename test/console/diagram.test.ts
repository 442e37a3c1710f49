import { describe, expect, test } from '@jest/globals'
import { decimalsOf, exactUnits, partWidths, shareWords, stackedBar, usageBar, wholeUnits } from '../../console/look/bars.ts'
import { moneyDiagram } from '../../console/pages/work/money.ts'
import { usdc } from './support/view.ts'

const HUGE = 2n ** 200n
const zero = usdc(0n, '0')

describe('widths of the parts of a bar', () => {
  test.each([
    ['halves', [5n, 5n], [500, 500]],
    ['nothing', [0n, 0n], [0, 0]],
    ['one part', [0n, 7n, 0n], [0, 1000, 0]],
    ['beyond 2^53', [HUGE, HUGE, 2n * HUGE], [250, 250, 500]],
    ['a part too small to see', [HUGE, 1n], [994, 6]],
    ['parts that do not divide', [1n, 1n, 1n], [334, 333, 333]],
  ])('%s', (_, parts, widths) => {
    expect(partWidths(parts)).toEqual(widths)
  })
})

describe('words of shares', () => {
  test.each([
    [0n, 0n, '0 %'],
    [1n, 3n, '33.3 %'],
    [HUGE, 2n * HUGE, '50 %'],
    [1n, HUGE, '< 0.1 %'],
  ])('%s of %s is %s', (part, whole, words) => {
    expect(shareWords(part, whole)).toBe(words)
  })
})

describe('whole units', () => {
  test.each([
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [-1_500_000n, 6, '-1.5'],
    [9_007_199_254_740_993_000_001n, 6, '9007199254740993.000001'],
    [5n, 0, '5'],
  ])('%s with %s decimals is %s', (raw, decimals, text) => {
    expect(wholeUnits(raw, decimals)).toBe(text)
  })

  test('an approximate number gives the decimals, and no digit is lost', () => {
    expect(exactUnits(9_007_199_254_740_993_000_001n, 2 ** 53)).toBe('9007199254740993.000001')
    expect(decimalsOf(3n, 7)).toBeNull()
    expect(exactUnits(3n, 7)).toBe('3 base units of')
    expect(exactUnits(10n ** 60n + 7_000_001n, 1e54)).toBe(`${10n ** 54n + 7n}.000001`)
  })
})

describe('bars', () => {
  test('a stacked bar says in words what it draws, escaped', () => {
    const { html } = stackedBar('of "1" <b>', [{ name: 'Paid', raw: 1n, tone: 'good' }])
    expect(html).toContain('aria-label="of &quot;1&quot; &lt;b&gt;"')
    expect(html).not.toContain('style=')
  })

  test.each([
    [0n, 10n, 'no part'],
    [8n, 10n, 'warn'],
    [11n, 10n, 'bad'],
    [1n, 0n, 'bad'],
  ])('%s of a limit of %s is shown as %s', (used, limit, tone) => {
    const { html } = usageBar('used', used, limit)
    expect(html.includes(`class="${tone}"`)).toBe(tone !== 'no part')
  })
})

describe('money of a session', () => {
  const bond = usdc(150_000n, '0.15')
  const answer = (worker: ReturnType<typeof usdc>, received = bond) =>
    ({
      ...{ sessionId: 's', asOf: '', reward: worker, transactions: [], workflow: { claim: 'c' } },
      received: { bond: received, funding: worker },
      locked: { bond: received, funding: zero },
      paid: { worker, protocolFee: zero, gasRetention: zero },
      ...{ returned: zero, refunded: zero, slashed: { poster: zero, treasury: zero, verifier: zero } },
    }) as unknown as Parameters<typeof moneyDiagram>[0]

  test('amounts beyond 2^53 keep every digit', () => {
    const { html } = moneyDiagram(answer(usdc(9_007_199_254_740_993_000_001n, '9007199254740993.000001')))
    expect(html).toContain('9007199254740993.000001 USDC')
    expect(html).toContain('9007199254740993.150001 USDC')
    expect(html).toContain('&lt; 0.1 %')
  })

  test('a session without money says so in a sentence', () => {
    expect(moneyDiagram(answer(zero, zero)).html).toContain('No money came into the escrow')
  })
})
