import { describe, expect, test } from '@jest/globals'
import { findSettlementBlock, stateOf } from '../../../domain/pull-requests/observation.ts'
import { type EvaluatedFinding, findWaitReason } from '../../../domain/verification/auto-settlement.ts'
import type { PullRequestState } from '../../../schemas/pull-requests/record.ts'
import { commitStatus, judge, reading, run } from '../builders/pull-request.ts'

const state = (changes: Partial<PullRequestState> = {}): PullRequestState => ({
  repo: 'acme/widgets',
  repoId: 1,
  baseRef: 'main',
  defaultBranch: 'main',
  state: 'open',
  merged: false,
  draft: false,
  ci: 'passing',
  gates: 'none',
  ...changes,
})
const MERGED = { state: 'closed', merged: true } as const

describe('an approved pull request', () => {
  const WRONG_REPOSITORY = 'Waiting for an operator: its repository is not the one of the first read.'
  const WRONG_BRANCH = 'Waiting for an operator: its target is the branch wip/sandbox, not main.'
  const FORMER_BRANCH = 'Waiting for an operator: its target is the branch main, not trunk.'
  const OPEN_GATE = { gates: 'open' } as const
  const DRAFT = 'Waiting for an operator, or until the draft is ready and merged.'
  const NOT_OPEN = 'Waiting for an operator: it was not open at the first read.'
  const OPEN = 'Waiting for an operator or its merge.'
  const REVIEWED = 'Waiting for an operator, its merge or a new result of its checks.'

  type Changes = Partial<PullRequestState>
  test.each<[string, Changes, Changes | null, Changes, string | null]>([
    ['open, then merged', {}, null, MERGED, null],
    ['an open draft, then merged', { draft: true }, null, MERGED, null],
    ['open, then merged while its host still calls it open', {}, null, { merged: true }, null],
    ['open with another target, then merged into the default branch', { baseRef: 'wip/sandbox' }, null, MERGED, null],
    ['merged at the first read', MERGED, null, MERGED, NOT_OPEN],
    ['merged at the first read, as people see it too', MERGED, MERGED, MERGED, NOT_OPEN],
    ['closed, then merged', { state: 'closed' }, null, MERGED, NOT_OPEN],
    ['closed, open during the review, then merged', { state: 'closed' }, {}, MERGED, null],
    ['merged into another branch', {}, null, { ...MERGED, baseRef: 'wip/sandbox' }, WRONG_BRANCH],
    ['merged into another branch during the review', {}, {}, { ...MERGED, baseRef: 'wip/sandbox' }, WRONG_BRANCH],
    ['merged into a branch that is no longer the default', {}, null, { ...MERGED, defaultBranch: 'trunk' }, FORMER_BRANCH],
    ['merged in another repository of the same name', {}, null, { ...MERGED, repoId: 2 }, WRONG_REPOSITORY],
    ['a merged draft', {}, null, { ...MERGED, draft: true }, 'Waiting for an operator: it was merged as a draft.'],
    ['as it was', {}, null, {}, OPEN],
    ['ready after it was a draft', { draft: true }, null, {}, OPEN],
    ['with checks that passed before the review', { ci: 'pending' }, null, {}, OPEN],
    ['failing at the review, then passing', {}, { ci: 'failing' }, {}, null],
    ['pending at the review, then passing', {}, { ci: 'pending' }, {}, null],
    ['without checks at the review, then passing', {}, { ci: 'unknown' }, {}, null],
    ['passing at the review and now', {}, {}, {}, REVIEWED],
    ['passing at the review, then pending', {}, {}, { ci: 'pending' }, REVIEWED],
    ['failing at the review, then without checks after a push', {}, { ci: 'failing' }, { ci: 'unknown' }, REVIEWED],
    ['with checks that were not read at the review', {}, { ci: null }, {}, REVIEWED],
    ['a gate open at the review, then passed', {}, { gates: 'open' }, { gates: 'passed' }, null],
    [
      'a gate open at the review, then passed, no other check',
      {},
      { ...OPEN_GATE, ci: 'unknown' },
      { gates: 'passed', ci: 'unknown' },
      null,
    ],
    ['a gate open at the review, then passed while checks run', {}, { gates: 'open' }, { gates: 'passed', ci: 'pending' }, REVIEWED],
    ['a gate open at the review, passed before checks', {}, { ...OPEN_GATE, ci: 'failing' }, { gates: 'passed', ci: 'unknown' }, REVIEWED],
    ['a gate open at the review, then absent after a push', {}, { gates: 'open', ci: 'failing' }, {}, REVIEWED],
    ['a draft whose checks passed during the review', {}, { ci: 'failing' }, { draft: true }, DRAFT],
    ['with checks that passed during the review and another target', {}, { ci: 'failing' }, { baseRef: 'wip/sandbox' }, WRONG_BRANCH],
    ['with checks that passed during the review in another repository', {}, { ci: 'failing' }, { repoId: 2 }, WRONG_REPOSITORY],
  ])('%s', (_what, first, review, now, expected) => {
    expect(findSettlementBlock({ first: state(first), review: review && state(review) }, state(now))).toBe(expected)
  })

  test('is never settled by its first read, nor by one that failed', () => {
    const never = { first: null, review: null }
    expect(findSettlementBlock(never, state())).toBe(OPEN)
    expect(findSettlementBlock(never, state(MERGED))).toBe(NOT_OPEN)
    expect(findSettlementBlock({ first: state(), review: state() }, null)).toBe('Waiting for an operator: it could not be read.')
  })
})

describe('the state of a pull request', () => {
  const seen = (...parts: Parameters<typeof reading>) => stateOf(judge({ reading: reading(...parts) }).codehostLookup)

  test.each<[string, Parameters<typeof reading>, Partial<PullRequestState>]>([
    ['open', [], {}],
    ['merged', [MERGED], MERGED],
    ['a draft', [{ draft: true }], { draft: true }],
    ['with another target', [{ baseRef: 'wip/sandbox', defaultBranch: 'trunk' }], { baseRef: 'wip/sandbox', defaultBranch: 'trunk' }],
    ['in a repository', [{ repoId: 7 }], { repoId: 7 }],
    ['failing', [{}, { statuses: [commitStatus('ci', 'failure')] }], { ci: 'failing' }],
    ['without checks', [{}, { runs: [] }], { ci: 'unknown' }],
    ['of which runs wait for a maintainer', [{}, { runs: [run('test', 'action_required')] }], { ci: 'pending' }],
    ['of which no run was read', [{}, { runs: null }], { ci: null }],
    ['of which no status was read', [{}, { statuses: null }], { ci: null }],
    ['with an open gate', [{}, { runs: [run('test', 'success'), run('DCO', 'success'), run('EasyCLA', null)] }], { gates: 'open' }],
    ['with a passed gate', [{}, { runs: [run('test', 'success'), run('DCO', 'success')] }], { gates: 'passed' }],
  ])('%s', (_what, parts, expected) => {
    expect(seen(...parts)).toEqual(state(expected))
  })

  test('is none while the host was not read', () => {
    expect(stateOf({ status: 'unavailable', reason: 'codehost_api_404' })).toBeNull()
  })
})

describe('an evaluation without a request', () => {
  const because = (found: Partial<EvaluatedFinding> = {}) =>
    findWaitReason({ outcome: 'approved', detail: 'Score 90.', status: 'submitted', decisive: false, settlementBlock: null, ...found })
  const settlementBlock = 'Waiting for an operator or its merge.'

  test.each<[string, Partial<EvaluatedFinding>, string | null]>([
    ['an approval that is blocked waits', { settlementBlock }, `Score 90. ${settlementBlock}`],
    ['an approval that is blocked waits while people have it', { settlementBlock, status: 'disputed' }, `Score 90. ${settlementBlock}`],
    ['an approval settles', {}, null],
    ['an approval settles while people have it', { status: 'disputed' }, null],
    ['a rejection waits', { outcome: 'rejected' }, 'Score 90.'],
    ['a question for people waits', { outcome: 'disputed' }, 'Score 90.'],
    ['what is not clear waits', { outcome: 'inconclusive' }, 'Score 90.'],
    ['a fault of the platform is reported', { outcome: 'platform_fault' }, null],
    ['a fault of the platform is reported whatever blocks an approval', { outcome: 'platform_fault', settlementBlock }, null],
    ['a fault that people have seen is not reported again', { outcome: 'platform_fault', status: 'disputed' }, 'Score 90.'],
  ])('%s', (_what, found, expected) => {
    expect(because(found)).toBe(expected)
  })

  test.each(['approved', 'rejected', 'disputed', 'inconclusive', 'platform_fault'] as const)('and one with a request: %s', (outcome) => {
    for (const status of ['submitted', 'disputed'] as const)
      for (const block of [null, settlementBlock]) expect(because({ outcome, status, settlementBlock: block, decisive: true })).toBeNull()
  })
})
