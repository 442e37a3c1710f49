import { describe, expect, test } from '@jest/globals'
import { createPatchJudge } from '../../../../../activities/paid-verification/profiles/git-patch/judge.ts'
import { BASE_FILES, requestFor } from '../../../../support/sandbox/repository.ts'
import { machineProbe, machineSandbox, reportSkipped } from '../../../../support/sandbox/runner.ts'

const HONEST = 'export const sum = (a, b) => a + b\n'

/** Patches of one file, with the verdict that they deserve and a reason for it. */
const PATCHES: [string, Record<string, string>, string, string | null][] = [
  ['none, but a word in the README', { 'README.md': 'Sum\n' }, 'FAIL', 'test_failed'],
  ['an honest fix', { 'src/sum.js': HONEST }, 'PASS', null],
  ['an exit with 0 in the source', { 'src/sum.js': 'process.exit(0)\nexport const sum = () => 0\n' }, 'FAIL', 'test_not_reported'],
  [
    'a printed report and an exit',
    {
      'src/sum.js': `import { writeSync } from 'node:fs'\nwriteSync(1, 'TAP version 13\\nok 1 - adds\\nok 2 - adds negative numbers\\nok 3 - zero is neutral\\n1..3\\n')\nprocess.exit(0)\nexport const sum = 0\n`,
    },
    'FAIL',
    'test_not_reported',
  ],
  [
    'another assertion function',
    {
      'src/sum.js':
        "import assert from 'node:assert/strict'\nassert.equal = () => {}\nassert.strictEqual = () => {}\nexport const sum = (a, b) => a - b\n",
    },
    'POLICY_VIOLATION',
    'sentinel_passed',
  ],
  [
    'an edited test',
    { 'test/sum.test.js': (BASE_FILES['test/sum.test.js'] ?? '').replace('sum(2, 3), 5', 'sum(2, 3), -1') },
    'POLICY_VIOLATION',
    'path_protected',
  ],
  [
    'a test that is rewritten while it runs',
    {
      'src/sum.js': `import { writeFileSync } from 'node:fs'
const text = "import test, { describe } from 'node:test'\\ndescribe('other', () => { test('is right', () => {}) })\\n"
try { writeFileSync('test/zeta.test.js', text) } catch {}
export const sum = (a, b) => a + b\n`,
    },
    'FAIL',
    'test_failed',
  ],
  [
    'a report on the descriptor of the runner',
    {
      'src/sum.js': `import { readdirSync, writeFileSync } from 'node:fs'
for (const fd of ['1', '2', '3']) try { writeFileSync('/proc/' + process.ppid + '/fd/' + fd, 'ok 1 - adds\\n') } catch {}
process.exit(0)\nexport const sum = 0\n`,
    },
    'FAIL',
    'test_not_reported',
  ],
]

const inSandbox = machineProbe.ok ? describe : describe.skip
reportSkipped(PATCHES.length)
const judge = createPatchJudge(machineSandbox)
/** A second test file, which runs after the first and which only a right product passes. */
const OTHER_FILES = {
  ...BASE_FILES,
  'src/product.js': 'export const product = () => 0\n',
  'test/zeta.test.js': [
    "import assert from 'node:assert/strict'",
    "import test, { describe } from 'node:test'",
    "import { product } from '../src/product.js'",
    "describe('other', () => { test('is right', () => assert.equal(product(2, 3), 6)) })",
    '',
  ].join('\n'),
}
const BOTH = ['node', '--test', '--test-concurrency=1', 'test/sum.test.js', 'test/zeta.test.js']

inSandbox('a patch that is', () => {
  test.each(PATCHES)('%s has its verdict', async (name, changes, verdict, code) => {
    const judged = await judge(
      name.includes('rewritten') ? requestFor(changes, { testCommand: BOTH }, OTHER_FILES) : requestFor(changes),
      new AbortController().signal,
    )
    const codes = judged.judgement.findings.map((found) => found.code)
    expect([judged.judgement.verdict, codes]).toEqual([verdict, code === null ? [] : expect.arrayContaining([code])])
  })
})
