import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Hex, keccakOf } from '../../../domain/common/hashes.ts'
import {
  type CheckedHead,
  headFindings,
  headHash,
  historyFindings,
  listHash,
  type PublishedEntry,
  publishedLog,
} from '../../../domain/session-log/faults.ts'
import { entryHash, type LogEntry } from '../../../domain/sessions/log-entry.ts'
import type { LogFault } from '../../../schemas/session-log/record.ts'
import { SESSION_STATUSES, type SessionStatus } from '../../../schemas/sessions/record.ts'

const ID = 'job-1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A sound history of the given statuses. */
const historyOf = (statuses: readonly SessionStatus[], sessionId = ID): LogEntry[] => {
  const history: LogEntry[] = []
  for (const [index, to] of statuses.entries()) {
    const at = new Date(Date.UTC(2026, 2, 1) + index * 60_000).toISOString()
    const before = history.at(-1)
    const content = {
      ...{ sessionId, seq: index + 1, from: before?.to ?? null, to, reason: `reason_${index}`, at, recordedAt: null },
      ...{ metadata: { index }, previousHash: before?.hash ?? null },
    }
    history.push({ ...content, hash: entryHash(content) })
  }
  return history
}

const HISTORY = historyOf(['claimed', 'submitted', 'rejected', 'disputed', 'resolved'])
/** Everything above is older than the newest head by then. */
const UNTIL = '2026-04-01T00:00:00.000Z'
const NONE = publishedLog([])
const faultsIn = (history: readonly LogEntry[], published = publishedLog(HISTORY)): Set<LogFault> =>
  new Set(historyFindings(ID, history, published, UNTIL).map(({ fault }) => fault))

/** A history that continues differently from an entry on, with hashes that fit. */
const rewritten = (history: readonly LogEntry[], from: number): LogEntry[] => {
  const kept = history.slice(0, from)
  for (const entry of history.slice(from)) {
    const reason = kept.length === from ? 'rewritten' : entry.reason
    const content = { ...entry, reason, previousHash: kept.at(-1)?.hash ?? null }
    kept.push({ ...content, hash: entryHash(content) })
  }
  return kept
}
const without = (index: number): LogEntry[] => HISTORY.toSpliced(index, 1)
const swapped = (): LogEntry[] => [HISTORY[0], HISTORY[2], HISTORY[1], HISTORY[3], HISTORY[4]] as LogEntry[]

const TAMPERINGS: [string, LogFault, LogEntry[]][] = [
  ['an altered reason', 'entry_altered', HISTORY.with(1, { ...(HISTORY[1] as LogEntry), reason: 'other' })],
  ['an altered status', 'entry_altered', HISTORY.with(4, { ...(HISTORY[4] as LogEntry), to: 'closed' })],
  ['an altered instant', 'entry_altered', HISTORY.with(0, { ...(HISTORY[0] as LogEntry), at: '2020-01-01T00:00:00.000Z' })],
  ['an altered hash', 'entry_altered', HISTORY.with(2, { ...(HISTORY[2] as LogEntry), hash: keccakOf('other') })],
  ['an entry of another session', 'entry_altered', HISTORY.with(1, historyOf(['claimed', 'submitted'], 'job-2:0x1')[1] as LogEntry)],
  ['a missing first entry', 'entry_missing', without(0)],
  ['a missing entry', 'entry_missing', without(2)],
  ['a missing last entry', 'history_cut', without(4)],
  ['two entries in the other order', 'entry_reordered', swapped()],
  ['an entry twice', 'entry_inserted', HISTORY.toSpliced(2, 0, HISTORY[1] as LogEntry)],
  ['a rewritten first entry', 'entry_replaced', rewritten(HISTORY, 0)],
  ['a rewritten entry', 'entry_replaced', rewritten(HISTORY, 2)],
  ['a rewritten last entry', 'entry_replaced', rewritten(HISTORY, 4)],
]

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
      { numRuns: 2_000 },
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
const namesIn = (heads: readonly CheckedHead[]) => headFindings(heads).map(({ fault, subject }) => `${fault}: ${subject}`)
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
