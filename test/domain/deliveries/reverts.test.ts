import { describe, expect, test } from '@jest/globals'
import { type BranchCommit, findRevert, type MergedText, revertCandidates } from '../../../domain/deliveries/reverts.ts'

const MERGE = 'aaaaaaa1'.padEnd(40, '0')
const sha = (digit: string): string => digit.repeat(40)
const merge = { repo: 'Acme/Widgets', number: 7, mergeCommit: MERGE }
const commit = (digit: string, message: string): BranchCommit => ({ sha: sha(digit), message })
const own: BranchCommit = { sha: MERGE, message: 'Merge pull request #7 from worker/fix\n\nFix the parser' }

describe('a merge on the default branch', () => {
  test.each<[string, BranchCommit[], MergedText[], string | null]>([
    ['stands without later commits', [own], [], null],
    ['stands after other work', [commit('b', 'Fix the lexer (#8)'), own], [], null],
    ['is reverted by a commit that names it', [commit('b', `Revert "Fix the parser"\n\nThis reverts commit ${MERGE}.`), own], [], sha('b')],
    ['is reverted by its abbreviation', [commit('b', `This reverts commit ${MERGE.slice(0, 8)}.`)], [], sha('b')],
    [
      'is reverted as a merge with two parents',
      [commit('b', `This reverts commit ${MERGE}, reversing\nchanges made to ${sha('c')}.`)],
      [],
      sha('b'),
    ],
    ['stands where a commit of another id is reverted', [commit('b', `This reverts commit ${sha('d')}.`)], [], null],
    ['stands where an abbreviation is too short to name a commit', [commit('b', 'This reverts commit aaaaaa.')], [], null],
    ['stands where its commit is only mentioned', [commit('b', `Follow-up of ${MERGE}`)], [], null],
    ['is reverted by a squashed pull request', [commit('b', 'Revert "Fix the parser" (#9)\n\nReverts acme/widgets#7')], [], sha('b')],
    ['stands where the same number of another repository is reverted', [commit('b', 'Revert it (#9)\n\nReverts acme/other#7')], [], null],
    ['stands where a number only begins with its own', [commit('b', 'Revert it (#9)\n\nReverts #71')], [], null],
    [
      'is reverted by a merged pull request that states it',
      [commit('b', 'Merge pull request #9 from m/revert-7\n\nRevert "Fix the parser"'), own],
      [{ number: 9, title: 'Revert "Fix the parser"', body: 'Reverts Acme/Widgets#7\n\nIt broke the build.' }],
      '#9',
    ],
    [
      'stands where the text of that pull request states nothing',
      [commit('b', 'Merge pull request #9 from m/revert-8\n\nRevert the lexer'), own],
      [{ number: 9, title: 'Revert the lexer', body: 'See #7.' }],
      null,
    ],
    [
      'stands again after the revert was reverted',
      [commit('c', `Reapply\n\nThis reverts commit ${sha('b')}.`), commit('b', `This reverts commit ${MERGE}.`)],
      [],
      null,
    ],
    [
      'is reverted when even that was reverted',
      [
        commit('d', `This reverts commit ${sha('c')}.`),
        commit('c', `This reverts commit ${sha('b')}.`),
        commit('b', `This reverts commit ${MERGE}.`),
      ],
      [],
      sha('b'),
    ],
    [
      'stands again after the pull request of the revert was reverted',
      [commit('c', 'Revert "Revert" (#10)\n\nReverts #9'), commit('b', 'Revert "Fix the parser" (#9)\n\nReverts #7')],
      [],
      null,
    ],
  ])('%s', (_title, commits, merged, expected) => {
    expect(findRevert(merge, commits, merged)).toBe(expected)
  })

  test.each([
    ...[
      'Revert "Fix the parser (#7)"',
      'Revert "Fix the parser (#7)" (#9)',
      "Revert 'Fix the parser (#7)'",
      'Back out "Fix the parser (#7)"',
    ],
    ...[
      'Revert "Merge pull request #7 from worker/fix"',
      'Revert "Fix the parser"',
      'Revert “Fix the parser” (#9)',
      'revert: "Fix the parser"',
    ],
    ...[
      'Revert "Fix the parser" (#7)',
      'revert: Fix the parser (#7)',
      'revert(parser)!: fix the parser (#7)',
      'Rollback: fix the parser (#7)',
    ],
    ...[
      'Revert #7',
      'Revert PR #7',
      'Revert pull request #7',
      'Reverts pull request #7',
      'Undo #7: it breaks the build',
      'Back out #7',
      'Backs out PR #7',
    ],
    ...['Revert the merge of pull request #7', 'Revert changes from #7', 'Roll back #7', 'Backing out acme/widgets#7', 'Revert: #7'],
    ...[
      `This reverts commits ${MERGE.slice(0, 12)}`,
      `This reverts commit: ${MERGE}`,
      `This reverts commit\n${MERGE}`,
      `Back out ${MERGE.slice(0, 9)}`,
    ],
    ...[`Revert two\n\nThis reverts commits ${sha('d')}, ${sha('e')} and ${MERGE}.`, `Undo changeset ${MERGE}`, `Reverts:\n${MERGE}`],
    ...[
      'Fix the build (#9)\n\nReverts https://codehost.example/Acme/Widgets/pull/7',
      'Fix (#9)\n\n- Revert https://codehost.example/acme/widgets/pull/7',
    ],
    'Fix the build (#9)\n\nThe build is red. This PR reverts #7.',
  ])('is reverted by a commit that says: %s', (message) => {
    expect(findRevert(merge, [commit('b', message), { sha: MERGE, message: 'Fix the parser (#7)' }], [])).toBe(sha('b'))
  })

  test('is reverted by a merged pull request whose text has its address', () => {
    const text = { number: 9, title: 'Fix the build', body: 'Reverts https://codehost.example/acme/widgets/pull/7' }
    const commits = [commit('b', 'Merge pull request #9 from m/revert-7\n\nFix the build'), own]
    expect(findRevert(merge, commits, [text])).toBe('#9')
  })

  test.each([
    ...['Fix what #7 broke', 'Add to #7', 'Follow-up of "Fix the parser (#7)"', 'Do not revert #7', 'Test the button that reverts #7'],
    ...[
      'Revert "Fix the lexer (#8)"',
      'Revert "Fix the parser (#77)"',
      'Revert "Fix the parsers"',
      'Revert #70',
      'Revert "Fix the lexer" (#9)\n\nSee #7.',
    ],
    ...['Revert "Revert "Fix the parser (#7)""', 'Undo button for the editor (#9)', 'Rollback of transactions (#9)\n\nCloses #7'],
    ...['Fix (#9)\n\nReverts https://codehost.example/acme/other/pull/7', 'Reverts https://codehost.example/acme/widgets/pull/71'],
    `This reverts commit ${sha('d')}, as ${MERGE} is fine.`,
  ])('stands after a commit that says: %s', (message) => {
    expect(findRevert(merge, [commit('b', message), { sha: MERGE, message: 'Fix the parser (#7)' }], [])).toBeNull()
  })

  test.each([
    ['Revert "Revert "Fix the parser (#7)""', 'Revert "Fix the parser (#7)"'],
    ['Reapply "Fix the parser (#7)"', 'Revert "Fix the parser (#7)"'],
    ['Reapply "Fix the parser" (#10)', 'Revert "Fix the parser"'],
    ['Revert "Revert "Fix the parser (#7)" (#9)"', 'Revert "Fix the parser (#7)" (#9)'],
  ])('stands again after: %s', (newer, older) => {
    expect(findRevert(merge, [commit('c', newer), commit('b', older), { sha: MERGE, message: 'Fix the parser (#7)' }], [])).toBeNull()
  })

  test('is searched for in the pull requests alone whose merge mentions a revert', () => {
    const commits = [
      commit('b', 'Merge pull request #9 from m/revert-7\n\nRevert "Fix the parser"'),
      commit('c', 'Add a page (#8)'),
      commit('d', 'Revert "Add a page (#8)" (#10)'),
      commit('e', 'revert something by hand'),
      own,
    ]
    expect(revertCandidates(commits, merge)).toEqual([9, 10])
  })
})
