import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ROOT } from './files.ts'

/** Test files of which some tests need bubblewrap, and none a server. */
const FILES = [
  'test/activities/sandbox/run.test.ts',
  'test/activities/paid-verification/profiles/git-patch/bundles.test.ts',
  'test/activities/paid-verification/profiles/git-patch/contracts.test.ts',
  'test/activities/paid-verification/profiles/git-patch/execution.test.ts',
  'test/activities/paid-verification/profiles/git-patch/forging.test.ts',
  'test/long/sandbox/escapes.test.ts',
]
const ANNOUNCED = /^(\d+) tests of the sandbox are skipped: (.+)$/gm

interface Report {
  numFailedTests: number
  testResults: { name: string; assertionResults: { status: string }[] }[]
}

test('a run of tests without bubblewrap prints how many tests of each file it skips, and why', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skipped-'))
  try {
    const native = { testRunner: join(ROOT, 'test/jest/native-runner.js'), testEnvironment: join(ROOT, 'test/jest/environment.js') }
    const config = JSON.stringify({ ...native, rootDir: ROOT, transform: {}, testMatch: FILES.map((file) => `<rootDir>/${file}`) })
    const output = join(folder, 'report.json')
    const given = ['node_modules/jest/bin/jest.js', '--runInBand', '--json', '--outputFile', output, '--config', config]
    const env = { ...process.env, RUNNER_BUBBLEWRAP: '/none' }
    const { stderr } = spawnSync(process.execPath, given, { cwd: ROOT, env, encoding: 'utf8' })
    const { numFailedTests, testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
    const skipped = testResults.map(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'pending').length)
    const announced = [...stderr.matchAll(ANNOUNCED)]
    expect(announced.map(([, count]) => Number(count)).sort()).toEqual(skipped.sort())
    expect(skipped).toHaveLength(FILES.length)
    expect(Math.min(...skipped)).toBeGreaterThan(0)
    expect(new Set(announced.map(([, , reason]) => reason))).toEqual(new Set(['bubblewrap is not installed: apt-get install bubblewrap.']))
    expect(numFailedTests).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
