import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { ROOT } from '../../local/files.ts'
import { isRunning, processIdentity } from '../../local/processes.ts'
import { makePem, testChain } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { useDirectory } from './support/directory.ts'

const directory = useDirectory()
const left: number[] = []
afterEach(() => {
  for (const group of left.splice(0)) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // Nothing of the group is left.
    }
  }
})

/** Settings with which a process waits for a chain that never answers. */
const settings = () => {
  const chainFile = join(directory, 'chain.json')
  writeFileSync(chainFile, JSON.stringify({ ...testChain, local: true, rpc: { primary: 'http://127.0.0.1:9' } }))
  const secrets = { SHARE_SECRET: 'share '.repeat(8), ANSWER_SECRET: 'answer '.repeat(8) }
  const keys = { JWT_KEY: makePem(), RECEIPT_KEY: makePem(), OPERATOR_KEY: `0x${'11'.repeat(32)}`, ...secrets }
  return { ...keys, PORT: '0', CHAIN_FILE: chainFile, DATABASE_URL: 'postgresql://127.0.0.1:9/none' }
}

/** The processes below another one, of Linux's record. */
const below = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '')
    .map(Number)
    .flatMap((child) => [child, ...below(child)])

const whenLinux = process.platform === 'linux' ? test : test.skip

whenLinux.each(['api', 'worker'])('SIGTERM to npm run %s ends its process, and npm after it with code 0', async (script) => {
  const { PATH, HOME } = process.env
  const npm = spawn('npm', ['run', script], { cwd: ROOT, env: { PATH, HOME, ...settings() }, detached: true })
  const pid = npm.pid ?? 0
  left.push(pid)
  let text = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (part) => {
      text += part
    })
  await eventually(
    'the process waits for its chain',
    async () => text,
    (read) => read.includes('do not answer') || read.includes('does not answer'),
  )
  const service = below(pid).map((child) => ({ pid: child, identity: processIdentity(child) ?? '' }))
  npm.kill('SIGTERM')
  expect(await once(npm, 'exit')).toEqual([0, null])
  expect(service.length).toBeGreaterThan(0)
  expect(service.filter(isRunning)).toEqual([])
})

test('every command that runs until it is stopped takes the place of its shell', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  for (const name of ['start', 'demo', 'api', 'worker']) expect(`${name}: ${scripts[name]}`).toMatch(/: exec node /)
})
