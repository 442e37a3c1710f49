import { chownSync, lstatSync, readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { canEnter } from '../../../local/database/place.ts'
import { readIfThere, stateFiles } from '../../../local/files.ts'
import { readRunning, type StackInfo } from '../../../local/info.ts'
import { endLeftovers, isRunning, type ProcessRecord } from '../../../local/processes.ts'
import { onChain } from '../../local/support/chain-actions.ts'
import { useStateDirectory } from '../../local/support/directory.ts'
import { CHECKOUT, type RunningStart, type StartProcessOptions, startProcess } from '../../local/support/start-process.ts'
import { inTurns } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { atEnd, dir } from './one-directory.ts'

/** Exit code of a start that ended everything within `END_MS` of the first signal. After that it exits with 1. */
const ENDED_IN_TIME = 0
const started: { run: RunningStart; dir: string }[] = []
const start = (dir: string, options: StartProcessOptions = {}): RunningStart => {
  const run = startProcess(dir, options)
  started.push({ run, dir })
  return run
}
const infoOf = (dir: string): StackInfo => {
  const info = readRunning(stateFiles(dir))
  if (!info) throw new Error('no stack runs')
  return info
}
const records = (dir: string): ProcessRecord[] => JSON.parse(readIfThere(stateFiles(dir).processes) ?? '[]') as ProcessRecord[]

const endStarted = async (): Promise<void> => {
  for (const { run, dir } of started.splice(0)) {
    run.child.kill('SIGKILL')
    await run.ended
    await endLeftovers(stateFiles(dir).processes)
  }
}

atEnd(endStarted)

/** Starts that leave nothing behind. */
const inThree = inTurns(3)

describe('npm start', () => {
  const ours = useStateDirectory(endStarted)
  let second: RunningStart

  test('prints no password, and writes files for their owner only, with any mask of its caller', async () => {
    const mask = process.umask(0)
    const first = start(dir)
    process.umask(mask)
    await first.printed('Ready after')
    expect(first.output()).toContain('postgres:***@')
    expect(first.output()).not.toContain(new URL(infoOf(dir).databaseUrl).password)
    // The cache is shared by the stacks of the tests, and holds only public files.
    const opened = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('cache'))
      .filter((name) => {
        const stats = lstatSync(join(dir, name))
        return stats.isFile() && (stats.mode & 0o077) !== 0
      })
    expect(opened).toEqual([])
  })

  test('after a crash ends the processes of the last run, keeps the blocks mined meanwhile, and reports it', async () => {
    const { rpcUrl } = infoOf(dir)
    await onChain(rpcUrl).pay(2)
    const [first] = started
    first?.run.child.kill('SIGKILL')
    await first?.run.ended
    const left = records(dir)
    expect(left.map(isRunning)).toEqual([true, true, true])
    expect(readRunning(stateFiles(dir))).toBeUndefined()
    // No process follows the chain now.
    await onChain(rpcUrl).pay(3)
    const head = await onChain(rpcUrl).newest()

    second = start(dir)
    await second.printed('Ready after')
    expect(second.output()).toMatch(/The last run left .*chain.* behind/)
    expect(left.filter(isRunning)).toEqual([])
    expect(await onChain(infoOf(dir).rpcUrl).newest()).toEqual(head)
    expect(await onChain(infoOf(dir).rpcUrl).balance()).toBe(5n)
  })

  test('uses the servers that DATABASE_URL and TEMPORAL_ADDRESS name, which go on when the stack ends', async () => {
    const { databaseUrl, temporalAddress } = infoOf(dir)
    const run = start(ours, { env: { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress } })
    await run.printed('Ready after')
    expect(infoOf(ours)).toMatchObject({ databaseUrl, temporalAddress })
    expect(infoOf(ours).temporalUi).toBeUndefined()
    expect(records(ours).map(({ name }) => name)).toEqual(['chain'])
    run.child.kill('SIGINT')
    expect(await run.ended).toBe(0)
    expect(records(dir).map(isRunning)).toEqual([true, true, true])
  })

  test('ends everything within ten seconds of a Ctrl-C, also one that npm passes on a second time', async () => {
    const children = records(dir)
    second.child.kill('SIGINT')
    await second.printed('Ending')
    second.child.kill('SIGINT')
    expect(await second.ended).toBe(ENDED_IN_TIME)
    expect(children.length).toBe(3)
    expect(children.filter(isRunning)).toEqual([])
  })

  inThree('ends also in the middle of its start', async () => {
    for (const begun of [1, 3]) {
      const run = start(dir)
      await eventually(`the start has ${begun} processes`, () => records(dir).filter(isRunning).length >= begun)
      run.child.kill('SIGTERM')
      expect(await run.ended).toBe(ENDED_IN_TIME)
      expect(records(dir).filter(isRunning)).toEqual([])
    }
  })

  inThree('ends in the middle of its start although a database never answers', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const asked = new Promise((resolve) => silent.once('connection', resolve))
    const { port } = silent.address() as AddressInfo
    const run = start(dir, { env: { DATABASE_URL: `postgresql://postgres@127.0.0.1:${port}/service` } })
    await asked
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(records(dir).filter(isRunning)).toEqual([])
    silent.close()
  })

  inThree('starts a process again that ended, says so, and ends with code 1 when it ends again and again', async () => {
    const run = start(dir)
    await run.printed('Ready after')
    const postgres = () => records(dir).find((record) => record.name === 'postgres' && isRunning(record))
    for (let round = 1, seen = 0; round <= 6; round += 1) {
      const found = await eventually(
        'another PostgreSQL runs',
        async () => postgres(),
        (record) => record !== undefined && record.pid !== seen,
      )
      seen = found?.pid ?? 0
      process.kill(seen, 'SIGINT')
    }
    expect(await run.ended).toBe(1)
    expect(run.output()).toMatch(
      /postgres ended by itself .*database system is shut down.*Starting postgres again.*keeps its state; npm start/s,
    )
    expect(run.output().split('Starting postgres again')).toHaveLength(6)
    expect(records(dir).filter(isRunning)).toEqual([])
  })
})

const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }
const testAsRoot = process.getuid?.() === 0 && canEnter(UNPRIVILEGED, CHECKOUT) ? test : test.skip

describe('an ordinary user', () => {
  const dir = useStateDirectory(endStarted)

  testAsRoot('starts and ends the stack without any right of root', async () => {
    chownSync(dir, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
    const run = start(dir, { ...UNPRIVILEGED, env: { HOME: dir, XDG_CACHE_HOME: `${dir}/cache-home` } })
    await run.printed('Ready after')
    const { databaseUrl } = infoOf(dir)
    expect(databaseUrl).toContain('127.0.0.1')
    run.child.kill('SIGINT')
    expect(await run.ended).toBe(0)
  })
})
