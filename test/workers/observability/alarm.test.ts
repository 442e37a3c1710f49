import { describe, expect, test } from '@jest/globals'
import { type AlarmOptions, createAlarm } from '../../../workers/observability/alarm.ts'

/** What an alarm reports after each of a list of checks: [time in ms, cause, subject]. */
const reportsAfter = (options: AlarmOptions, checks: readonly [number, string | null, string?][]): string[] => {
  let now = 0
  const reports: string[] = []
  const alarm = createAlarm({ ...options, now: () => now })
  for (const [at, cause, subject] of checks) {
    now = at
    alarm({
      ...(subject !== undefined && { subject }),
      cause,
      raise: () => reports.push(`${at} ${cause}`),
      end: (last) => reports.push(`${at} end of ${last}`),
    })
  }
  return reports
}

describe('an alarm', () => {
  test('reports a trouble once, again each minute, and once when it is over', () => {
    const checks: [number, string | null][] = [0, 1, 59_999, 60_000, 60_001, 120_000].map((at) => [at, 'a'])
    const reports = reportsAfter({}, [[0, null], ...checks, [120_001, null], [120_002, null]])
    expect(reports).toEqual(['0 a', '60000 a', '120000 a', '120001 end of a'])
  })

  test('reports a new cause at once', () => {
    const reports = reportsAfter({}, [
      [0, 'a'],
      [1, 'b'],
      [2, null],
    ])
    expect(reports).toEqual(['0 a', '1 b', '2 end of b'])
  })

  test('that waits for a second check reports no trouble of one check, and neither its end', () => {
    const reports = reportsAfter({ afterChecks: 2 }, [
      [0, 'a'],
      [1, null],
      [2, 'a'],
      [3, 'b'],
      [4, 'b'],
      [5, null],
    ])
    expect(reports).toEqual(['4 b', '5 end of b'])
  })

  test('reports the end of a reported trouble whose new cause was not reported', () => {
    const reports = reportsAfter({ afterChecks: 2 }, [
      [0, 'a'],
      [1, 'a'],
      [2, 'b'],
      [3, null],
    ])
    expect(reports).toEqual(['1 a', '3 end of a'])
  })

  test('keeps subjects apart', () => {
    const reports = reportsAfter({}, [
      [0, 'a', 'one'],
      [1, 'b', 'two'],
      [2, null, 'one'],
      [3, 'b', 'two'],
    ])
    expect(reports).toEqual(['0 a', '1 b', '2 end of a'])
  })
})
