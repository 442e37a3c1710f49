import { describe, expect, test } from '@jest/globals'
import { lastDue, nextDue, parseCron } from '../../../domain/catalogue/cron.ts'

const at = (instant: string): number => Date.parse(instant)
const isoOf = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString())
const cronOf = (text: string) => {
  const cron = parseCron(text)
  if (cron === null) throw new Error(`${text} is no schedule`)
  return cron
}

/** Schedule, an instant, the last due time at or before it, and the next one after it. */
const TIMES = [
  ['* * * * *', '2026-03-01T12:00:30.500Z', '2026-03-01T12:00:00.000Z', '2026-03-01T12:01:00.000Z'],
  ['* * * * *', '2026-12-31T23:59:00.000Z', '2026-12-31T23:59:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['15 * * * *', '2026-03-01T12:14:59.999Z', '2026-03-01T11:15:00.000Z', '2026-03-01T12:15:00.000Z'],
  ['15 * * * *', '2026-03-01T23:15:00.000Z', '2026-03-01T23:15:00.000Z', '2026-03-02T00:15:00.000Z'],
  ['0 6 * * 1', '2026-03-01T12:00:00.000Z', '2026-02-23T06:00:00.000Z', '2026-03-02T06:00:00.000Z'],
  ['0 0 * * 0', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-03-08T00:00:00.000Z'],
  ['0 0 * * 7', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-03-08T00:00:00.000Z'],
  ['30 5 1 * *', '2026-03-01T05:29:00.000Z', '2026-02-01T05:30:00.000Z', '2026-03-01T05:30:00.000Z'],
  ['0 0 31 * *', '2026-04-30T12:00:00.000Z', '2026-03-31T00:00:00.000Z', '2026-05-31T00:00:00.000Z'],
  ['0 0 29 2 *', '2026-03-01T12:00:00.000Z', '2024-02-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  ['0 0 13 * 5', '2026-03-13T00:00:00.000Z', '2026-03-13T00:00:00.000Z', '2026-03-20T00:00:00.000Z'],
  ['* 3 * * *', '2026-03-01T03:59:59.000Z', '2026-03-01T03:59:00.000Z', '2026-03-02T03:00:00.000Z'],
  ['* 3 * * *', '2026-03-01T02:00:00.000Z', '2026-02-28T03:59:00.000Z', '2026-03-01T03:00:00.000Z'],
  ['0 0 1 1 *', '9999-06-01T00:00:00.000Z', '9999-01-01T00:00:00.000Z', null],
] as const

describe('a schedule', () => {
  test.each(TIMES)('%s has the due times around %s', (text, instant, last, next) => {
    expect([isoOf(lastDue(cronOf(text), at(instant))), isoOf(nextDue(cronOf(text), at(instant)))]).toEqual([last, next])
  })

  test.each(['0 0 30 2 *', '0 0 31 4 *'])('%s has no due time', (text) => {
    expect([lastDue(cronOf(text), at('2026-03-01T00:00:00Z')), nextDue(cronOf(text), at('2026-03-01T00:00:00Z'))]).toEqual([null, null])
  })

  test.each([
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * 0 *',
    '* * * * 8',
    '* * * *',
    '* * * * * *',
    '*/5 * * * *',
    '',
  ])('is not written %j', (text) => expect(parseCron(text)).toBeNull())

  test('has the same due times from both sides over a year', () => {
    for (const text of ['7 * * * *', '0 4 * * 3', '59 23 31 * *', '0 12 15 * 1']) {
      const cron = cronOf(text)
      const ahead: number[] = []
      for (let due = nextDue(cron, at('2026-01-01T00:00:00Z')); due !== null && due < at('2027-01-01T00:00:00Z'); due = nextDue(cron, due))
        ahead.push(due)
      const back: number[] = []
      for (
        let due = lastDue(cron, at('2027-01-01T00:00:00Z') - 1);
        due !== null && due > at('2026-01-01T00:00:00Z');
        due = lastDue(cron, due - 1)
      )
        back.unshift(due)
      expect(back).toEqual(ahead)
      expect(ahead.length).toBeGreaterThan(4)
    }
  })
})
