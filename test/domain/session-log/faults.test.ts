import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Hex } from '../../../domain/common/hashes.ts'
import {
  type CheckedHead,
  headFindings,
  headHash,
  historyFindings,
  listHash,
  type PublishedEntry,
  publishedLog,
} from '../../../domain/session-log/faults.ts'
import type { LogEntry } from '../../../domain/sessions/log-entry.ts'
import type { LogFault } from '../../../schemas/session-log/record.ts'
import { SESSION_STATUSES } from '../../../schemas/sessions/record.ts'
import { runsOf } from '../../support/cases/sample.ts'
import { HISTORY, historyOf, ID, rewritten, TAMPERINGS } from '../builders/history.ts'

/** Everything above is older than the newest head by then. */
const UNTIL = '2026-04-01T00:00:00.000Z'
const NONE = publishedLog([])
const faultsIn = (history: readonly LogEntry[], published = publishedLog(HISTORY)): Set<LogFault> =>
  new Set(historyFindings(ID, history, published, UNTIL).map(({ fault }) => fault))

describe('a history', () => {
  test.each(TAMPERINGS)('with %s has %s', (_what, fault, history) => {
    expect(faultsIn(history)).toContain(fault)
  })

  test('that is sound has no fault, whether it is published, in part or not at all', () => {
    for (let count = 0; count <= HISTORY.length; count += 1)
      expect(historyFindings(ID, HISTORY, publishedLog(HISTORY.slice(0, count)))).toEqual([])
    expect(faultsIn(HISTORY)).toEqual(new Set())
    expect(faultsIn([], NONE)).toEqual(new Set())
  })

  test('that no list has is none of the service, unless the next head has yet to list it', () => {
    expect(faultsIn(HISTORY, NONE)).toEqual(new Set(['entry_replaced']))
    const expired = historyOf(['claimed', 'expired'])
    // A claim can be found expired long after its deadline, which dates the entry.
    expect(faultsIn(expired, publishedLog(expired.slice(0, 1)))).toEqual(new Set())
    expect(faultsIn(expired, NONE)).toEqual(new Set(['entry_replaced']))
  })

  test('that was changed in any single place after its publication has a fault', () => {
    const statuses = fc.array(fc.constantFrom(...SESSION_STATUSES), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(statuses, fc.nat(), fc.nat(3), (found, place, kind) => {
        const history = historyOf(found)
        const index = place % history.length
        const entry = history[index] as LogEntry
        const changed = [
          () => history.toSpliced(index, 1),
          () => history.with(index, { ...entry, metadata: { ...entry.metadata, more: 1 } }),
          () => rewritten(history, index),
          () => history.toSpliced(index, 0, entry),
        ][kind]?.() as LogEntry[]
        const published = publishedLog(history)
        expect(historyFindings(ID, history, published, UNTIL)).toEqual([])
        // A removed session is found from the list, not from its history.
        if (changed.length > 0) expect(historyFindings(ID, changed, published, UNTIL)).not.toEqual([])
      }),
      { numRuns: runsOf(2_000) },
    )
  })
})

/** Heads of consecutive days, each with some entries. */
const headsOf = (lists: readonly PublishedEntry[][]): CheckedHead[] => {
  const heads: CheckedHead[] = []
  for (const [index, entries] of lists.entries()) {
    const before = heads.at(-1)
    const previous: Hex | null = before === undefined ? null : headHash(before.document)
    heads.push({ document: { day: `2026-03-0${index + 1}`, previous, entriesHash: listHash(entries) }, signed: true, entries })
  }
  return heads
}
const HEADS = headsOf([HISTORY.slice(0, 2), [], HISTORY.slice(2)])
const namesIn = (heads: readonly CheckedHead[]) =>
  heads.flatMap((head, index) => headFindings(head, heads[index - 1] ?? null)).map(({ fault, subject }) => `${fault}: ${subject}`)
const second = HEADS[1] as CheckedHead
const third = HEADS[2] as CheckedHead

describe('the heads', () => {
  test('that are sound have no fault', () => expect(namesIn(HEADS)).toEqual([]))
  test.each([
    ['a missing first head', HEADS.slice(1), ['head_missing: a head before that of 2026-03-02']],
    ['a missing head', HEADS.toSpliced(1, 1), ['head_missing: a head before that of 2026-03-03']],
    ['a false signature', HEADS.with(1, { ...second, signed: false }), ['head_altered: the head of 2026-03-02']],
    ['a list that lacks an entry', HEADS.with(2, { ...third, entries: HISTORY.slice(3) }), ['list_altered: the head of 2026-03-03']],
    [
      'a list in another order',
      HEADS.with(2, { ...third, entries: HISTORY.slice(2).toReversed() }),
      ['list_altered: the head of 2026-03-03'],
    ],
  ])('with %s have a fault', (_what, heads, expected) => expect(namesIn(heads)).toEqual(expected))
})
