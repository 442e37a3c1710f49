import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type Report, summarise } from '../../.ci/summary.ts'
import { manifest, ROOT, read } from './tree.ts'

const GOOD: Report = { success: true, numTotalTests: 7, numPassedTests: 7, numFailedTests: 0, numRuntimeErrorTestSuites: 0 }

describe('the closing line of a run', () => {
  test('counts the check as one test', () => {
    expect(summarise(GOOD, true, true)).toEqual({ line: '8 passed, 0 failed', ok: true })
    expect(summarise(GOOD, false, true)).toEqual({ line: '7 passed, 1 failed', ok: false })
  })

  test('counts failed tests and files that did not load', () => {
    const bad = { ...GOOD, success: false, numPassedTests: 4, numFailedTests: 3, numRuntimeErrorTestSuites: 2 }
    expect(summarise(bad, true, false)).toEqual({ line: '5 passed, 5 failed', ok: false })
  })

  test.each<[string, Report | null, boolean]>([
    ['no report was written', null, false],
    ['the run was cut short after its last test', GOOD, false],
    ['no test ran at all', { ...GOOD, numTotalTests: 0, numPassedTests: 0 }, true],
    ['the run calls itself unsuccessful without naming a test', { ...GOOD, success: false }, true],
  ])('is a failure when %s', (_case, report, endedWell) => {
    expect(summarise(report, true, endedWell)).toMatchObject({ ok: false, line: expect.stringMatching(/^\d+ passed, 1 failed$/) })
  })

  test('is printed last, and the exit code says the same', () => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'))
    try {
      const path = join(folder, 'tests.json')
      writeFileSync(path, JSON.stringify(GOOD))
      const run = (...codes: string[]) => spawnSync(process.execPath, ['.ci/summary.ts', path, ...codes], { cwd: ROOT, encoding: 'utf8' })
      expect(run('0', '0')).toMatchObject({ stdout: '8 passed, 0 failed\n', status: 0 })
      expect(run('1', '0')).toMatchObject({ stdout: '7 passed, 1 failed\n', status: 1 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the run itself', () => {
  test('can be started, and has no errors a shell would find', () => {
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111)
    expect(spawnSync('bash', ['-n', '.ci/run'], { cwd: ROOT, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  test('runs the check, and the test command that the README gives', () => {
    expect(read('.ci/run')).toContain('npm run --silent check')
    expect(read('.ci/run')).toMatch(/npm test -- --json/)
    expect(read('README.md')).toContain('npm ci && npm test')
  })

  test('the check formats, lints, keeps the walls and checks types', () => {
    expect(manifest().scripts.check).toBe('biome ci . && tsc --noEmit')
    expect(manifest().scripts.test).toMatch(/--experimental-vm-modules.* jest/)
  })
})
