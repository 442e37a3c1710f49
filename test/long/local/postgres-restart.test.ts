import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { placePostgres, postgresUser, removePostgres } from '../../../local/database/place.ts'
import { type StateFiles, stateFiles } from '../../../local/files.ts'
import { createProcesses, isZombie } from '../../../local/processes.ts'
import { eventually } from '../../support/eventually.ts'
import { startPostgresIn } from '../../support/postgres/server.ts'
import { openDirectory } from '../../support/state-directory.ts'

let directory: string
let files: StateFiles
let parent: ChildProcess
beforeEach(() => {
  directory = openDirectory('postgres-return')
  files = stateFiles(directory)
})
afterEach(() => {
  parent.kill('SIGKILL')
  removePostgres(files)
  rmSync(directory, { recursive: true, force: true })
})

/** A child of a parent that never waits for it, of the database's own user: PostgreSQL checks no other user's processes. */
const childOf = async (command: string): Promise<number> => {
  parent = spawn('sh', ['-c', `${command} & exec sleep 120`], { ...postgresUser(), cwd: '/', stdio: 'ignore' })
  const childOfParent = () =>
    readdirSync('/proc')
      .map(Number)
      .find((pid) => {
        try {
          return (
            pid > 0 &&
            readFileSync(`/proc/${pid}/stat`, 'utf8')
              .replace(/^.*\) /s, '')
              .split(' ')[1] === String(parent.pid)
          )
        } catch {
          return false
        }
      })
  return (await eventually('the parent has a child', childOfParent)) ?? Number.NaN
}

/** Starts a server on the data of this file. */
const start = async () => {
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  return { processes, ...(await startPostgresIn(files, processes)) }
}

/** As a server leaves its data that was killed under this number. */
const killedAs = async (pid: number): Promise<void> => {
  const { processes, child } = await start()
  const note = join(placePostgres(files).data, 'postmaster.pid')
  const left = readFileSync(note, 'utf8')
  await processes.stop(child, 0, 'SIGKILL')
  writeFileSync(note, left.replace(/^\d+/, String(pid)))
}

test('a database that was killed starts again while its server is still listed as a zombie', async () => {
  const pid = await childOf('sleep 0')
  await eventually('the child is a zombie', () => isZombie(pid))
  await killedAs(pid)
  const { processes, child } = await start()
  expect(child.hasExited()).toBe(false)
  await processes.stop(child, 10_000)
})

test('a database that another process seems to run is left alone', async () => {
  await killedAs(await childOf('sleep 120'))
  await expect(start()).rejects.toThrow(/postmaster\.pid/)
})
