import { describe, expect, test } from '@jest/globals'
import { checksAreDue, hasChanged, storedLookup } from '../../../domain/pull-requests/observation.ts'
import { type EvaluatedFinding, findWaitReason } from '../../../domain/verification/auto-settlement.ts'
import { commitStatus, judge, reading, run } from '../builders/pull-request.ts'

type Parts = Parameters<typeof reading>
type Checks = NonNullable<Parts[1]>
const lookup = (...parts: Parts) => judge({ reading: reading(...parts) }).codehostLookup

describe('a pull request', () => {
  const changedTo = (...now: Parts): boolean => hasChanged(lookup(), lookup(...now))

  test.each<[string, Parts]>([
    ['it was merged', [{ merged: true }]],
    ['it was closed', [{ state: 'closed' }]],
    ['its head moved', [{ headSha: 'b'.repeat(40) }]],
    ['a run ended otherwise', [{}, { runs: [run('test', 'failure')] }]],
    ['its text lacks the footer', [{ body: 'Fixes #7.' }]],
    ['its text lacks the issue', [{ body: 'Nothing.' }]],
    ['its text names somebody else', [{ body: `Fixes #7.\n\nAgent Work Service\nAgent identity: 0x${'12'.repeat(20)}` }]],
  ])('has changed: %s', (_what, now) => {
    expect(changedTo(...now)).toBe(true)
    expect(hasChanged(lookup(...now), lookup())).toBe(true)
  })

  const seen = { runs: [run('test', 'success')], statuses: [commitStatus('ci', 'success')] }
  test.each<[string, Partial<Checks>, Partial<Checks>]>([
    ['a run ended', { runs: [run('test', null)] }, {}],
    ['another run ended', {}, { runs: [...seen.runs, run('lint', 'success')] }],
    ['a status was set', { statuses: [] }, {}],
    ['a status says otherwise', { statuses: [commitStatus('ci', 'failure')] }, {}],
    ['a status goes on from pending', { statuses: [commitStatus('ci', 'pending')] }, {}],
    ['an open gate lets it pass', { runs: [...seen.runs, run('EasyCLA', null)] }, { runs: [...seen.runs, run('EasyCLA', 'success')] }],
  ])('has changed by what its checks say: %s', (_what, before, now) => {
    expect(hasChanged(lookup({}, { ...seen, ...before }), lookup({}, { ...seen, ...now }))).toBe(true)
  })

  test.each<[string, Partial<Checks>, Partial<Checks>]>([
    ['a run waits', {}, { runs: [...seen.runs, run('lint', null, 'queued')] }],
    ['a run that waited goes on', { runs: [run('test', null, 'queued')] }, { runs: [run('test', null)] }],
    ['a run begins again', {}, { runs: [run('test', null)] }],
    ['a run waits for a maintainer', {}, { runs: [...seen.runs, run('fork', 'action_required')] }],
    ['a run was left out', {}, { runs: [...seen.runs, run('docs', 'skipped')] }],
    ['a run is gone', {}, { runs: [] }],
    ['a status is pending', {}, { statuses: [commitStatus('ci', 'pending')] }],
    ['a preview went live', { statuses: [commitStatus('Vercel', 'pending')] }, { statuses: [commitStatus('Vercel', 'success')] }],
    ['a gate came that was open nowhere', {}, { runs: [...seen.runs, run('license/cla', 'success')] }],
    [
      'one gate stands open, another had let it pass',
      { runs: [...seen.runs, run('EasyCLA', null), run('DCO', 'success')] },
      {
        runs: [...seen.runs, run('EasyCLA', null), run('DCO', 'success')],
      },
    ],
    ['a status is read at last', { statuses: null }, {}],
    ['a gate came that stands open', {}, { runs: [...seen.runs, run('license/cla', null)] }],
    [
      'a hosting service says something while nobody can read its runs',
      { runs: [run('vercel build', 'success')], statuses: [commitStatus('vercel', 'success')] },
      { runs: null, statuses: [commitStatus('vercel', 'failure')] },
    ],
  ])('has not changed by what its checks say: %s', (_what, before, now) => {
    expect(hasChanged(lookup({}, { ...seen, ...before }), lookup({}, { ...seen, ...now }))).toBe(false)
  })

  test('whose checks were not kept has not changed by them', () => {
    const { checkState: _kept, ...before } = lookup({}, { runs: [] })
    expect(hasChanged(before, lookup())).toBe(false)
    expect(hasChanged(lookup({}, { runs: [] }), { ...lookup(), checkState: undefined } as never)).toBe(false)
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
    expect(changedTo({ body: null }, { statuses })).toBe(true)
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
  const because = (found: Partial<EvaluatedFinding> = {}) =>
    findWaitReason({
      outcome: 'approved',
      detail: 'Score 90.',
      status: 'submitted',
      changed: false,
      checksAreDue: false,
      decisive: false,
      ...found,
    })
  const FIRST = 'Score 90. Waiting for an operator, or for the pull request to change.'
  const RUNNING = 'Score 90. Waiting for its checks to complete, for its merge, or for an operator.'

  test.each<[string, Partial<EvaluatedFinding>, string | null]>([
    ['an approval of what is as it was first seen waits', {}, FIRST],
    ['and it says so while people have it', { status: 'disputed' }, FIRST],
    ['an approval of what changed since settles', { changed: true }, null],
    ['and so it does while people have it', { changed: true, status: 'disputed' }, null],
    ['an approval of what is as it was first seen waits, whatever runs', { checksAreDue: true }, FIRST],
    ['an approval while checks have not ended waits', { changed: true, checksAreDue: true }, RUNNING],
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
        for (const found of [{}, { changed: true }, { changed: true, checksAreDue: true }])
          expect(because({ outcome, status, ...found, decisive: true })).toBeNull()
    },
  )
})

describe('what checks have said', () => {
  const green = { runs: [run('test', 'success'), run('EasyCLA', 'success')], statuses: [commitStatus('ci', 'success')] }
  const again = { runs: [run('test', null), run('EasyCLA', null)], statuses: [commitStatus('ci', 'pending')] }
  const changes = (...looks: Parts[1][]): boolean[] => {
    let kept = storedLookup(null, lookup({}, looks[0]))
    return looks.slice(1).map((parts) => {
      const now = lookup({}, parts)
      const changed = hasChanged(kept, now)
      kept = storedLookup(kept, now)
      return changed
    })
  }

  test('is no change when they run again and say the same, or go away and come back', () => {
    expect(changes(green, again, green, again, green)).toEqual([false, false, false, false])
    expect(changes(green, { runs: [], statuses: [] }, green)).toEqual([false, false])
  })

  test('is one when they say otherwise in between, or speak for the first time', () => {
    expect(changes(green, again, { ...green, runs: [run('test', 'failure')] }, green)).toEqual([false, true, false])
    expect(changes(again, green, green)).toEqual([true, false])
    expect(changes(again, again, { ...again, runs: [run('test', null), run('EasyCLA', 'success')] })).toEqual([false, true])
  })
})

test.each<[string, Parts, boolean, boolean]>([
  ['an open one of which a run goes on', [{}, { runs: [run('test', 'success'), run('lint', null)] }], true, true],
  ['an open one of which a status is pending', [{}, { statuses: [commitStatus('ci', 'pending')] }], true, true],
  ['an open one whose runs wait for a maintainer', [{}, { runs: [run('test', 'action_required')] }], true, true],
  ['an open one whose checks ended', [], false, false],
  ['an open one whose checks failed', [{}, { runs: [run('test', 'failure')] }], false, false],
  ['an open one without checks', [{}, { runs: [] }], false, true],
  ['an open one whose checks could not be read', [{}, { runs: null }], false, true],
  ['one that is merged', [{ merged: true }, { runs: [run('test', null)] }], false, false],
])('checks of %s have still to speak: at first %s, after others spoke %s', (_what, parts, atFirst, later) => {
  const now = lookup(...parts)
  const silent = storedLookup(null, lookup({}, { runs: [] }))
  expect([checksAreDue(null, now), checksAreDue(silent, now)]).toEqual([atFirst, atFirst])
  for (const spoke of [{}, { runs: [], statuses: [commitStatus('ci', 'success')] }])
    expect(checksAreDue(storedLookup(silent, lookup({}, spoke)), now)).toBe(later)
})
