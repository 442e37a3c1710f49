import { describe, expect, test } from '@jest/globals'
import { createPatchJudge } from '../../../../activities/paid-verification/git-patch/judge.ts'
import { BASE_FILES, requestFor } from '../../../support/sandbox/repository.ts'
import { machineProbe, machineSandbox, reportSkipped } from '../../../support/sandbox/runner.ts'

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
]

const inSandbox = machineProbe.ok ? describe : describe.skip
reportSkipped(PATCHES.length)
const judge = createPatchJudge(machineSandbox)

inSandbox('a patch that is', () => {
  test.each(PATCHES)('%s has its verdict', async (_name, changes, verdict, code) => {
    const judged = await judge(requestFor(changes), new AbortController().signal)
    const codes = judged.judgement.findings.map((found) => found.code)
    expect([judged.judgement.verdict, codes]).toEqual([verdict, code === null ? [] : expect.arrayContaining([code])])
  })
})
