import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readIfThere, writePrivate } from '../files.ts'
import { copyDirectory, dropSnapshot, findSnapshot, type Snapshot } from '../snapshots.ts'
import type { PostgresPlace } from './place.ts'

export const DATABASE = 'service'

/** Written last: a data directory without it is incomplete and recreated. */
const MARK = 'service-database-made'

type Command = { program: string; args: string[]; input?: string; signal: AbortSignal }

const run = async (place: PostgresPlace, { program, args, input = '', signal }: Command): Promise<string> => {
  const running = promisify(execFile)(join(place.bin, program), args, { ...place.user, cwd: dirname(place.data), signal })
  // A program that ends before it has read its input says so by its exit code.
  running.child.stdin?.on('error', () => undefined)
  running.child.stdin?.end(input)
  return (await running).stderr
}

/** Executes one statement in single-user mode, before any server runs. The program reports a failed statement in its output only. */
const execute = async (place: PostgresPlace, database: string, statement: string, signal: AbortSignal): Promise<void> => {
  const args = ['--single', '-D', place.data, '-c', 'fsync=off', database]
  const errors = (await run(place, { program: 'postgres', args, input: `${statement};\n`, signal })).match(/(ERROR|FATAL|PANIC):.*/)
  if (errors) throw new Error(`the new database is unusable: ${errors[0]}`)
}

/** The password of a state directory, created when there is none. */
export const ensurePassword = (file: string): string => {
  const known = readIfThere(file)
  if (known !== undefined) return known
  const made = randomBytes(18).toString('base64url')
  writePrivate(file, made)
  return made
}

const own = (place: PostgresPlace, path: string): void => {
  if (place.user.uid !== undefined && place.user.gid !== undefined) chownSync(path, place.user.uid, place.user.gid)
}

/** Writes the password for `initdb`, which reads it from a file only, readable by the database's user alone. */
const writePasswordFile = (place: PostgresPlace, secret: string): string => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-password-'))
  const file = join(directory, 'password')
  writeFileSync(file, secret, { mode: 0o600 })
  for (const path of [directory, file]) own(place, path)
  return file
}

/** Whether the data directory is complete. */
export const isInitialised = (place: PostgresPlace): boolean => existsSync(join(place.data, MARK))

/** Creates the data directory. It is not forced to disk: after a loss of power within its first minute the state is recreated by --fresh. */
export const initialise = async (place: PostgresPlace, secret: string, signal: AbortSignal): Promise<void> => {
  if (isInitialised(place)) return
  rmSync(place.data, { recursive: true, force: true })
  mkdirSync(place.data, { recursive: true, mode: 0o700 })
  own(place, place.data)
  const passwordFile = writePasswordFile(place, secret)
  try {
    const auth = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync']
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
    await run(place, { program: 'initdb', args: [`--pgdata=${place.data}`, ...auth, ...locale], signal })
  } finally {
    rmSync(dirname(passwordFile), { recursive: true })
  }
  await execute(place, 'postgres', `CREATE DATABASE ${DATABASE}`, signal)
  writePrivate(join(place.data, MARK), '')
}

/** Copies the data directory from a snapshot and gives it this password. Returns false without a usable snapshot. */
export const restoreData = async (place: PostgresPlace, secret: string, snapshot: Snapshot, signal: AbortSignal): Promise<boolean> => {
  const saved = findSnapshot(snapshot)
  if (saved === undefined) return false
  rmSync(place.data, { recursive: true, force: true })
  try {
    await copyDirectory(saved, place.data)
    await execute(place, DATABASE, `ALTER ROLE postgres PASSWORD '${secret}'`, signal)
  } catch (error) {
    if (signal.aborted) throw error
    dropSnapshot(snapshot)
    return false
  }
  writePrivate(join(place.data, MARK), '')
  return true
}

/** Copies the data of a stopped server for a snapshot, without the mark of a complete directory. */
export const copyData = async (place: PostgresPlace, to: string): Promise<void> => {
  await copyDirectory(place.data, to)
  rmSync(join(to, MARK))
}
