import { describe, expect, test } from '@jest/globals'
import { DAY_MS, iso } from '../../../domain/common/instants.ts'
import { decideDelivery, nextReadingAt, type TrackedFacts } from '../../../domain/deliveries/decision.ts'
import type { DeliveryReading } from '../../../schemas/deliveries/record.ts'

const PAID_AT = Date.parse('2026-03-01T10:00:00.000Z')
const onDay = (day: number): number => PAID_AT + day * DAY_MS

const pull = (facts: Partial<Extract<DeliveryReading, { ok: true }>['facts']> = {}): DeliveryReading => ({
  ok: true,
  facts: { kind: 'pull_request', state: 'open', isMerged: false, mergeCommit: null, revertedBy: null, ...facts } as never,
})
const OPEN = pull()
const CLOSED = pull({ state: 'closed' })
const MERGED = pull({ state: 'closed', isMerged: true, mergeCommit: 'c' })
const REVERTED = pull({ state: 'closed', isMerged: true, mergeCommit: 'c', revertedBy: 'r' })
const article = (...adopted: number[]): DeliveryReading => ({ ok: true, facts: { kind: 'edit', revisionId: '9', adopted } })
const FAILED: DeliveryReading = { ok: false, failure: 'codehost_api_503' }

/** State after each reading, as `state` or `state!` once it stays, and the failures in brackets. */
const follow = (kind: TrackedFacts['kind'], readings: readonly (readonly [day: number, reading: DeliveryReading])[]): string => {
  let tracked: TrackedFacts = { kind, state: 'open', deadlineAt: onDay(kind === 'edit' ? 14 : 30), confirmAt: null, adopted: null }
  return readings
    .map(([day, reading]) => {
      const { isFinal, failure, ...next } = decideDelivery(tracked, reading, onDay(day))
      tracked = { ...tracked, ...next }
      return `${next.state}${isFinal ? '!' : ''}${failure === null ? '' : `(${failure})`}`
    })
    .join(' ')
}

describe('a paid pull request', () => {
  test.each<[string, (readonly [number, DeliveryReading])[], string]>([
    [
      'stays open until its deadline, and is stale from its very instant',
      [
        [0, OPEN],
        [29.999, OPEN],
        [30, OPEN],
      ],
      'open open open_stale!',
    ],
    [
      'is closed without a merge at once',
      [
        [0, OPEN],
        [1, CLOSED],
      ],
      'open closed_unmerged!',
    ],
    [
      'is merged, and watched for seven days',
      [
        [3, MERGED],
        [9.999, MERGED],
        [10, MERGED],
      ],
      'merged merged merged!',
    ],
    [
      'may be merged on its last day and is watched past the deadline',
      [
        [29, MERGED],
        [31, MERGED],
        [36, MERGED],
      ],
      'merged merged merged!',
    ],
    [
      'is reverted while it is watched',
      [
        [3, MERGED],
        [9, REVERTED],
      ],
      'merged reverted!',
    ],
    ['is reverted before its first reading', [[0, REVERTED]], 'reverted!'],
    [
      'keeps its state where a reading fails',
      [
        [3, MERGED],
        [4, FAILED],
        [10, MERGED],
      ],
      'merged merged(codehost_api_503) merged!',
    ],
    [
      'is not stale while its host does not answer, for a week',
      [
        [30, FAILED],
        [36.9, FAILED],
        [36.95, CLOSED],
      ],
      'open(codehost_api_503) open(codehost_api_503) closed_unmerged!',
    ],
    [
      'is stale a week after its deadline without an answer',
      [
        [30, FAILED],
        [37, FAILED],
      ],
      'open(codehost_api_503) open_stale!(codehost_api_503)',
    ],
    [
      'stays merged a week after its watch without an answer',
      [
        [3, MERGED],
        [10, FAILED],
        [17, FAILED],
      ],
      'merged merged(codehost_api_503) merged!(codehost_api_503)',
    ],
    [
      'stays merged where the host shows it unmerged',
      [
        [3, MERGED],
        [4, OPEN],
        [5, CLOSED],
        [10, MERGED],
      ],
      'merged merged(merge_not_known_any_more) merged(merge_not_known_any_more) merged!',
    ],
    ['is not decided by facts of an article', [[1, article(0)]], 'open(other_kind)'],
  ])('%s', (_title, readings, expected) => {
    expect(follow('pull_request', readings)).toBe(expected)
  })
})

describe('a paid proposal for an article', () => {
  test.each<[string, (readonly [number, DeliveryReading])[], string]>([
    [
      'stays open until its deadline, and is stale from its very instant',
      [
        [0, article()],
        [13.999, article()],
        [14, article()],
      ],
      'open open open_stale!',
    ],
    [
      'is merged when an adopted text stood for seven days',
      [
        [2, article(1)],
        [8.999, article(1)],
        [9, article(1)],
      ],
      'open open merged!',
    ],
    [
      'is reverted when the adopted text is gone',
      [
        [2, article(1)],
        [3, article()],
      ],
      'open reverted!',
    ],
    [
      'is reverted when the adopted text is gone at the last reading',
      [
        [2, article(1)],
        [9, article()],
      ],
      'open reverted!',
    ],
    [
      'may be adopted on its last day and is watched past the deadline',
      [
        [13, article(0)],
        [15, article(0)],
        [20, article(0)],
      ],
      'open open merged!',
    ],
    [
      'lasts with one of the texts that stood at every reading',
      [
        [1, article(0, 1)],
        [2, article(1)],
        [8, article(0, 1)],
      ],
      'open open merged!',
    ],
    [
      'does not last with a text that was gone meanwhile',
      [
        [1, article(0, 1)],
        [2, article(1)],
        [8, article(0)],
      ],
      'open open reverted!',
    ],
    [
      'does not last with a text that came later',
      [
        [1, article(0)],
        [2, article(1)],
      ],
      'open reverted!',
    ],
    [
      'keeps its state where a reading fails',
      [
        [1, article(0)],
        [2, FAILED],
        [8, article(0)],
      ],
      'open open(codehost_api_503) merged!',
    ],
    [
      'is stale, not merged, where nothing shows that the text lasted',
      [
        [1, article(0)],
        [8, FAILED],
        [15, FAILED],
      ],
      'open open(codehost_api_503) open_stale!(codehost_api_503)',
    ],
  ])('%s', (_title, readings, expected) => {
    expect(follow('edit', readings)).toBe(expected)
  })
})

test.each([
  ['a day later', { deadlineAt: onDay(30), confirmAt: null }, 3, 4],
  ['at its deadline', { deadlineAt: onDay(30), confirmAt: null }, 29.5, 30],
  ['at the end of the watch, whatever the deadline is', { deadlineAt: onDay(3.5), confirmAt: onDay(10) }, 3, 4],
  ['at the end of the watch', { deadlineAt: onDay(30), confirmAt: onDay(10) }, 9.25, 10],
  ['a day later once it is due', { deadlineAt: onDay(30), confirmAt: null }, 30, 31],
])('a delivery is read %s', (_when, facts, now, next) => {
  expect(iso(nextReadingAt(facts, onDay(now)))).toBe(iso(onDay(next)))
})
