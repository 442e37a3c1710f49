// Kills, freezes and a move of time on a whole stack, which npm starts and a signal to npm ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, expect, test } from '@jest/globals'
import { createRpc } from '../../../local/chain/rpc.ts'
import { ROOT, readIfThere, stateFiles } from '../../../local/files.ts'
import { readRunning, type StackInfo } from '../../../local/info.ts'
import { endLeftovers, isRunning, type ProcessRecord } from '../../../local/processes.ts'
import { moveTime } from '../../../local/time/move.ts'
import { useStateDirectory } from '../../local/support/directory.ts'
import { eventually } from '../../support/eventually.ts'

const files = () => stateFiles(dir)
const records = (): ProcessRecord[] => JSON.parse(readIfThere(files().processes) ?? '[]') as ProcessRecord[]
const processOf = (name: string): ProcessRecord => {
  const found = records().find((record) => record.name === name && isRunning(record))
  if (found === undefined) throw new Error(`no process ${name} runs`)
  return found
}

let npm: ReturnType<typeof spawn>
let info: StackInfo
const dir = useStateDirectory(async () => {
  if (npm.exitCode === null) process.kill(-(npm.pid ?? 0), 'SIGKILL')
  await endLeftovers(files().processes)
})

beforeAll(async () => {
  const { PATH, HOME } = process.env
  npm = spawn('npm', ['start', '--', '--any-ports', '--dir', dir], { cwd: ROOT, env: { PATH, HOME }, detached: true, stdio: 'ignore' })
  info = await eventually(
    'the stack runs',
    () => readRunning(files()),
    (found) => found !== undefined,
  )
})

interface Report {
  now: string
  status: string
  warnings: { code: string; severity: string }[]
}
const health = async (): Promise<Report | null> =>
  fetch(`${info.api}/health`).then(
    (answer) => answer.json() as Promise<Report>,
    () => null,
  )
const isWell = (report: Report | null): boolean => report?.status === 'ok' && report.warnings.every(({ severity }) => severity === 'info')
/** Waits for a report that was made after the instant: an answer may be some seconds old. */
const untilWell = (since: number) =>
  eventually('health is ok, without a warning', health, (report) => isWell(report) && Date.parse(report?.now ?? '') > since)

test.each(['api', 'worker', 'runner', 'console', 'postgres', 'temporal', 'chain'])(
  'health is ok again after a kill of %s, which runs again',
  async (name) => {
    await untilWell(0)
    const killed = processOf(name)
    process.kill(killed.pid, 'SIGKILL')
    await eventually(`${name} runs again`, () => records().find((one) => one.name === name && one.pid !== killed.pid && isRunning(one)))
    await eventually('the chain answers', () => createRpc(info.rpcUrl)<string>('eth_blockNumber').catch(() => null))
    await eventually('the console answers', () =>
      fetch(`${info.console}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    await untilWell(Date.now())
  },
)

test('health names a worker that is frozen, and is ok once it goes on', async () => {
  const { pid } = processOf('worker')
  process.kill(pid, 'SIGSTOP')
  try {
    const isNamed = (report: Report | null) => report?.warnings.some(({ code }) => code === 'verifier_not_ready') === true
    await eventually('health says that checks are overdue', health, isNamed)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await untilWell(Date.now())
})

test('health is ok again after a move of two hours', async () => {
  const { service } = await moveTime(info, { plusSeconds: 7_200 })
  await untilWell(service)
})

test('SIGTERM to npm start ends it with every part, a frozen console before its API, in time: a late end has code 1', async () => {
  const all = records().filter(isRunning)
  const [api, frozen] = [processOf('api'), processOf('console')]
  process.kill(frozen.pid, 'SIGSTOP')
  const exited = once(npm, 'exit')
  npm.kill('SIGTERM')
  await eventually('the API has ended', () => !isRunning(api))
  expect(isRunning(frozen)).toBe(false)
  expect(await exited).toEqual([0, null])
  expect([all.length, all.filter(isRunning)]).toEqual([7, []])
})
