import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseTimeExpression } from '../../local/time/expression.ts'

describe('a time expression', () => {
  test.each([
    ['+7d', 604_800],
    ['+2h', 7_200],
    ['+90m', 5_400],
    ['+30s', 30],
    ['+1w', 604_800],
    ['+1d12h', 129_600],
    [' +1s ', 1],
  ])('%s is so many seconds on', (text, plusSeconds) => {
    expect(parseTimeExpression(text)).toEqual({ plusSeconds })
  })

  test.each([
    ['2030-01-31T12:00:00Z', Date.UTC(2030, 0, 31, 12)],
    ['2030-01-31T12:00Z', Date.UTC(2030, 0, 31, 12)],
    ['2030-01-31T12:00:00.250+02:00', Date.UTC(2030, 0, 31, 10, 0, 0, 250)],
  ])('%s is an instant', (text, instant) => {
    expect(parseTimeExpression(text)).toEqual({ instant })
  })

  test.each(['', '7d', '-7d', '+7', '+d', '+1y', '+1.5h', 'tomorrow', '2030-01-31', '2030-01-31T12:00:00', '2030-13-31T12:00:00Z'])(
    '"%s" is refused with what may be written',
    (text) => {
      expect(() => parseTimeExpression(text)).toThrow(/write \+7d/)
    },
  )

  test.each([
    ['that goes back is refused by the command in the same words', ['-1h'], /^"-1h" is no time: .*forward only\n$/],
    ['is one for each move', ['+1d', '+2h'], /^one time at once, .*\+1d12h\n$/],
  ])('%s', (_what, args, says) => {
    const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL('../../local/time/cli.ts', import.meta.url)), ...args])
    expect([status, stderr.toString()]).toEqual([1, expect.stringMatching(says)])
  })

  test('every sum of units is the sum of its seconds', () => {
    const seconds = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }
    const part = fc.tuple(fc.integer({ min: 0, max: 999 }), fc.constantFrom(...(Object.keys(seconds) as (keyof typeof seconds)[])))
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = `+${parts.map(([count, unit]) => `${count}${unit}`).join('')}`
        const plusSeconds = parts.reduce((sum, [count, unit]) => sum + count * seconds[unit], 0)
        expect(parseTimeExpression(text)).toEqual({ plusSeconds })
      }),
    )
  })
})
