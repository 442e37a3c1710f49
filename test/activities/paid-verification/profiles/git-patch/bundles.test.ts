import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { createPatchJudge, type PatchRequest } from '../../../../../activities/paid-verification/profiles/git-patch/judge.ts'
import { GIT_PATCH_LIMITS } from '../../../../../activities/paid-verification/profiles/git-patch/session.ts'
import {
  BASE_FILES,
  bundleOf,
  type Declaration,
  declarationOf,
  requestFor,
  withRepository,
  writeFiles,
} from '../../../../support/sandbox/repository.ts'
import { machineProbe, machineSandbox, reportSkipped } from '../../../../support/sandbox/runner.ts'

const outside = mkdtempSync(join(tmpdir(), 'outside-'))
const MARK = join(outside, 'mark')
afterAll(() => rmSync(outside, { recursive: true }))

const FIX = { 'src/sum.js': 'export const sum = (a, b) => a + b\n' }
const HONEST = requestFor(FIX)

/** A repository whose base has more than the usual files, with the honest patch. */
const withBase = (prepare: (git: (...args: string[]) => string, folder: string) => void): PatchRequest =>
  withRepository((git, folder) => {
    writeFiles(folder, BASE_FILES)
    git('add', '-A')
    prepare(git, folder)
    git('commit', '-q', '-m', 'base')
    const { bundle, commit } = bundleOf(git, folder)
    return { ...HONEST, bundle, declaration: declarationOf(commit) }
  })

/** A commit whose tree has an entry that no checkout may write. The bytes of a tree can hold every name. */
const withEntry = (name: string): PatchRequest =>
  withRepository((git, folder) => {
    writeFiles(folder, { payload: `touch ${MARK}\n` })
    const blob = git('hash-object', '-w', 'payload').trim()
    writeFileSync(join(folder, 'tree'), Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]))
    const tree = git('hash-object', '-t', 'tree', '-w', '--literally', 'tree').trim()
    git('update-ref', 'HEAD', git('commit-tree', '-m', 'base', tree).trim())
    const { bundle, commit } = bundleOf(git, folder)
    return { ...HONEST, bundle, declaration: declarationOf(commit) }
  })

const patched = (patch: string, declared: Declaration = {}): PatchRequest => ({
  ...HONEST,
  patch: Buffer.from(patch),
  declaration: { ...HONEST.declaration, ...declared },
})
const newFile = (path: string, mode = '100644', text = 'x'): string =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`

/** Requests, each with its verdict and a reason. */
const CASES: [string, () => PatchRequest, string, string | null][] = [
  ['a bundle of noise', () => ({ ...HONEST, bundle: Buffer.from('noise') }), 'INCONCLUSIVE', 'bundle_unreadable'],
  ['a bundle that is cut', () => ({ ...HONEST, bundle: HONEST.bundle.subarray(0, -40) }), 'INCONCLUSIVE', 'bundle_unreadable'],
  [
    'another commit',
    () => ({ ...HONEST, declaration: { ...HONEST.declaration, commit: '1'.repeat(40) } }),
    'INCONCLUSIVE',
    'commit_missing',
  ],
  ...['.git', '.GIT', '.git\u200c', 'git~1', '..', '../up', '.git/config'].map((name): (typeof CASES)[number] => [
    `a tree with ${JSON.stringify(name)}`,
    () => withEntry(name),
    'INCONCLUSIVE',
    'commit_not_checked_out',
  ]),
  ['a missing folder', () => patched(HONEST.patch.toString(), { workingDirectory: 'nowhere' }), 'INCONCLUSIVE', 'cannot_be_built'],
  ['no patch at all', () => patched('hello\n'), 'FAIL', 'patch_does_not_apply'],
  ['a patch of another base', () => patched(HONEST.patch.toString().replace('a - b', 'a * b')), 'FAIL', 'patch_does_not_apply'],
  ['a patch that climbs', () => patched(newFile('../../tmp/x')), 'FAIL', 'patch_does_not_apply'],
  [
    'a patch with an absolute path, which stays inside',
    () => patched(newFile('/box/x').replaceAll('a//', '/').replaceAll('b//', '/')),
    'FAIL',
    'test_failed',
  ],
  ['a patch of the repository itself', () => patched(newFile('.git/hooks/post-checkout', '100755')), 'FAIL', 'patch_does_not_apply'],
  ['a patch with a link', () => patched(newFile('src/link', '120000', '/etc/passwd')), 'POLICY_VIOLATION', 'no_plain_file'],
  [
    'a patch with a submodule',
    () => patched(newFile('src/module', '160000', `Subproject commit ${'1'.repeat(40)}`)),
    'POLICY_VIOLATION',
    'no_plain_file',
  ],
  ['a patch with attributes', () => patched(newFile('.gitattributes', '100644', '* filter=run')), 'POLICY_VIOLATION', 'path_protected'],
  ['a patch outside its folder', () => patched(newFile('lib/x.js'), { allowedPaths: ['src'] }), 'POLICY_VIOLATION', 'path_not_allowed'],
  [
    'a patch of too many files',
    () => patched(newFile('a.js') + newFile('b.js'), { maximumChangedFiles: 1 }),
    'POLICY_VIOLATION',
    'too_many_files',
  ],
  [
    'a base with a filter, which does not run',
    () =>
      withBase((git, folder) => {
        writeFiles(folder, {
          '.gitattributes': '*.js filter=run ident working-tree-encoding=UTF-16\n',
          '.gitconfig': `[filter "run"]\n smudge = touch ${MARK}\n`,
        })
        git('add', '-f', '.gitattributes', '.gitconfig')
      }),
    'PASS',
    null,
  ],
  [
    'a base that looks like a repository of its own, whose hooks do not run',
    () =>
      withBase((git, folder) => {
        writeFiles(folder, {
          HEAD: 'ref: refs/heads/main\n',
          config: `[core]\n repositoryformatversion = 0\n bare = true\n hooksPath = hooks\n fsmonitor = touch ${MARK}\n`,
          'objects/empty': '',
          'refs/empty': '',
          ...Object.fromEntries(['post-checkout', 'pre-applypatch'].map((name) => [`hooks/${name}`, `#!/bin/sh\ntouch ${MARK}\n`])),
        })
        git('add', '-f', 'HEAD', 'config', 'objects', 'refs', 'hooks')
        git('update-index', '--chmod=+x', 'hooks/post-checkout', 'hooks/pre-applypatch')
      }),
    'PASS',
    null,
  ],
  [
    'a base with a link, which becomes a file',
    () =>
      withBase((git, folder) => {
        symlinkSync(outside, join(folder, 'link'))
        git('add', 'link')
      }),
    'PASS',
    null,
  ],
  [
    'a base with a submodule, which stays empty',
    () =>
      withBase((git, folder) => {
        writeFiles(folder, { '.gitmodules': `[submodule "m"]\n path = m\n url = ${outside}\n` })
        git('add', '.gitmodules')
        git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},m`)
      }),
    'PASS',
    null,
  ],
]

const inSandbox = machineProbe.ok ? describe : describe.skip
reportSkipped(CASES.length)
const judge = createPatchJudge(machineSandbox, { ...GIT_PATCH_LIMITS, memoryBytes: 1024 ** 3, diskBytes: 64 * 1024 ** 2 })

inSandbox('a request with', () => {
  test.each(CASES)('%s has its verdict, and runs nothing on the host', async (_name, make, verdict, code) => {
    const { judgement } = await judge(make(), new AbortController().signal)
    expect([judgement.verdict, judgement.findings.map((found) => found.code)]).toEqual([
      verdict,
      code === null ? [] : expect.arrayContaining([code]),
    ])
    expect(existsSync(MARK)).toBe(false)
  })
})
