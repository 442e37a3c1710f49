import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Report } from '../../.ci/summary.ts'
import { ROOT } from './files.ts'

const IMPORTS = "import { beforeAll, describe, expect, test } from '@jest/globals'\n"
const FILES = {
  'a.test.ts': `${IMPORTS}
process.env.LEFT_BY_A = 'a variable'
test('passes', (): void => expect(1).toBe(1))
test('fails', () => expect(1).toBe(2))
test('exceeds its limit', () => new Promise(() => undefined), 20)
test('leaves a rejection', async () => { void Promise.reject(new Error('late')); await new Promise((done) => setImmediate(done)) })
test.each([1, 2])('fails for %s of two', (value) => expect(value).toBe(1))
describe('a group', () => { beforeAll(() => { throw new Error('hook') }); test('fails with its hook', () => undefined) })
test('misses an assertion', () => expect.assertions(1))`,
  'b.test.ts': `${IMPORTS}test('finds the environment as it was', () => expect(process.env.LEFT_BY_A).toBeUndefined())`,
  'c.test.ts': `${IMPORTS}throw new Error('not loaded')`,
}

test('the runner of the tests reports each failure, and a file that does not load, and restores the environment after a file', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'runner-')))
  try {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
    const native = { testRunner: join(ROOT, 'test/jest/native-runner.js'), testEnvironment: join(ROOT, 'test/jest/environment.js') }
    const config = { ...native, rootDir: folder, transform: {}, testMatch: ['**/*.test.ts'] }
    const given = ['node_modules/jest/bin/jest.js', '--runInBand', '--json', '--config', JSON.stringify(config)]
    const { stdout, status } = spawnSync(process.execPath, given, { cwd: ROOT, encoding: 'utf8' })
    const { testResults } = JSON.parse(stdout) as Report
    const named = (wanted: string) =>
      testResults.flatMap(({ assertionResults }) => assertionResults.filter((one) => one.status === wanted).map(({ fullName }) => fullName))
    expect(named('passed').sort()).toEqual(['fails for 1 of two', 'finds the environment as it was', 'passes'])
    expect(named('failed').sort()).toEqual(
      [
        'a group fails with its hook',
        'exceeds its limit',
        'fails',
        'fails for 2 of two',
        'leaves a rejection',
        'misses an assertion',
      ].sort(),
    )
    expect(testResults.find(({ name }) => name.endsWith('c.test.ts'))).toMatchObject({ status: 'failed', assertionResults: [] })
    expect(status).toBe(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
