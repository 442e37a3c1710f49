import { describe, expect, test } from '@jest/globals'
import { type Found, heldBecause } from '../../domain/verification/pull-request/by-itself.ts'
import { hasChanged } from '../../domain/verification/pull-request/observation.ts'
import { commitStatus, judge, reading, run } from './pull-request-builder.ts'

type Parts = Parameters<typeof reading>
const lookup = (...parts: Parts) => judge({ reading: reading(...parts) }).codehostLookup

describe('a pull request', () => {
  const changedTo = (...now: Parts): boolean => hasChanged(lookup(), lookup(...now))

  test.each<[string, Parts]>([
    ['it was merged', [{ merged: true }]],
    ['it was closed', [{ state: 'closed' }]],
    ['its head moved', [{ headSha: 'b'.repeat(40) }]],
    ['a run ended otherwise', [{}, { runs: [run('test', 'failure')] }]],
    ['a run goes on', [{}, { runs: [run('test', null)] }]],
    ['there is another run', [{}, { runs: [run('test', 'success'), run('lint', 'success')] }]],
    ['there is a status', [{}, { statuses: [commitStatus('ci', 'success')] }]],
    ['its text lacks the footer', [{ body: 'Fixes #7.' }]],
    ['its text lacks the issue', [{ body: 'Nothing.' }]],
    ['its text names somebody else', [{ body: `Fixes #7.\n\nAgent Work Service\nAgent identity: 0x${'12'.repeat(20)}` }]],
  ])('has changed: %s', (_what, now) => {
    expect(changedTo(...now)).toBe(true)
    expect(hasChanged(lookup(...now), lookup())).toBe(true)
  })

  test.each<[string, Parts]>([
    ['it is as it was', []],
    ['another title', [{ title: 'Keep every row' }]],
    ['anybody asked for changes', [{}, { reviews: [{ reviewer: 'x', state: 'changes_requested', maintainer: false }] }]],
    ['a maintainer approved', [{}, { reviews: [{ reviewer: 'x', state: 'approved', maintainer: true }] }]],
    ['its reviews could not be read', [{}, { reviews: null }]],
    ['its runs could not be read', [{}, { runs: null }]],
    ['its statuses could not be read', [{}, { statuses: null }]],
    ['its text could not be read', [{ body: null }]],
  ])('has not changed: %s', (_what, now) => {
    expect(changedTo(...now)).toBe(false)
    expect(hasChanged(lookup(...now), lookup())).toBe(false)
  })

  test('has changed also where something else of it could not be read', () => {
    const statuses = [commitStatus('ci', 'failure')]
    const runs = [run('test', 'failure')]
    expect(changedTo({ merged: true, body: null }, { statuses: null, runs: null, reviews: null })).toBe(true)
    expect(changedTo({ body: null }, { statuses, runs: null })).toBe(true)
    expect(changedTo({ body: null }, { statuses: null, runs })).toBe(true)
    expect(changedTo({ body: 'Fixes #7.' }, { statuses: null, runs: null })).toBe(true)
  })

  test('has not changed because its checks are told in another order', () => {
    const statuses = [commitStatus('a', 'success'), commitStatus('b', 'pending')]
    const runs = [run('a', 'success'), run('b', null)]
    const now = lookup({}, { statuses: [...statuses].reverse(), runs: [...runs].reverse() })
    expect(hasChanged(lookup({}, { statuses, runs }), now)).toBe(false)
  })

  test('that a host did not show has not changed', () => {
    const away = { status: 'unavailable', reason: 'codehost_api_404' } as const
    expect(hasChanged(away, lookup())).toBe(false)
    expect(hasChanged(lookup(), away)).toBe(false)
  })
})

describe('a look that nobody asked for', () => {
  const because = (found: Partial<Found> = {}) =>
    heldBecause({ outcome: 'approved', detail: 'Score 90.', status: 'submitted', changed: false, decisive: false, ...found })
  const FIRST =
    'Approved as it stands; the first verdict is an operator’s, or comes by itself once merge, state, head, checks or what its text names have changed. Score 90.'

  test.each<[string, Partial<Found>, string | null]>([
    ['an approval of what is as it was first seen waits', {}, FIRST],
    ['and it says so while people have it', { status: 'disputed' }, FIRST],
    ['an approval of what changed since settles', { changed: true }, null],
    ['and so it does while people have it', { changed: true, status: 'disputed' }, null],
    ['a rejection waits', { outcome: 'rejected' }, 'Score 90.'],
    ['a rejection of what changed waits', { outcome: 'rejected', changed: true }, 'Score 90.'],
    ['a question for people waits', { outcome: 'disputed', changed: true }, 'Score 90.'],
    ['what is not clear waits', { outcome: 'inconclusive', changed: true }, 'Score 90.'],
    ['a fault of the platform is told', { outcome: 'platform_fault' }, null],
    ['a fault that people have heard of is not told again', { outcome: 'platform_fault', status: 'disputed' }, 'Score 90.'],
    ['not even when the pull request changed', { outcome: 'platform_fault', status: 'disputed', changed: true }, 'Score 90.'],
  ])('%s', (_what, found, expected) => {
    expect(because(found)).toBe(expected)
  })

  test.each(['approved', 'rejected', 'disputed', 'inconclusive', 'platform_fault'] as const)(
    'and one that was asked for: %s',
    (outcome) => {
      for (const status of ['submitted', 'disputed'] as const)
        for (const changed of [false, true]) expect(because({ outcome, status, changed, decisive: true })).toBeNull()
    },
  )
})
