// Commands that no gate runs whole: what they load and judge by still works.
import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'

const run = (...args: string[]): string => {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
  return status === 0 ? 'passed' : `${stdout}${stderr}`
}

test('tests of rules pass in the configuration that judges mutants', () => {
  const config = ['--config', 'test/mutation/jest.config.js', '--testEnvironment', 'node']
  expect(run('node_modules/jest/bin/jest.js', ...config, 'test/domain/claims', 'test/activities')).toBe('passed')
})

test('the measurements load outside the test runner', () => {
  const parts = ['bystander', 'claims', 'fanout', 'jobs-list', 'savings', 'tools', 'load/latency']
  expect(run('--input-type=module', '-e', parts.map((part) => `import './test/bench/${part}.ts'`).join('\n'))).toBe('passed')
})
