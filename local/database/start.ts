import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readIfThere, type StateFiles, writePrivate } from '../files.ts'
import { type Child, isZombie, type Processes, processIdentity, untilReady } from '../processes.ts'
import { type PostgresPlace, placePostgres } from './place.ts'

export type LocalPostgres = { databaseUrl: string; child: Child }

const DATABASE = 'service'
const READY_MS = 30_000

/** Settings of the server: connections for API, worker and a benchmark, with the default durability. */
const settings = (port: number, others: Record<string, string>): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...others,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

type Command = { program: string; args: string[]; input?: string; signal: AbortSignal }

const run = async (place: PostgresPlace, { program, args, input = '', signal }: Command): Promise<void> => {
  const running = promisify(execFile)(join(place.bin, program), args, { ...place.user, cwd: dirname(place.data), signal })
  running.child.stdin?.end(input)
  await running
}

const password = (file: string): string => {
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

/** Creates the data directory. The mark is written last: a directory without it is incomplete and recreated. */
const initialise = async (place: PostgresPlace, secret: string, signal: AbortSignal): Promise<void> => {
  const mark = join(place.data, 'service-database-made')
  if (existsSync(mark)) return
  rmSync(place.data, { recursive: true, force: true })
  mkdirSync(place.data, { recursive: true, mode: 0o700 })
  own(place, place.data)
  const passwordFile = writePasswordFile(place, secret)
  try {
    const auth = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
    await run(place, { program: 'initdb', args: [`--pgdata=${place.data}`, ...auth, ...locale], signal })
  } finally {
    rmSync(dirname(passwordFile), { recursive: true })
  }
  // Single-user mode reads one statement a line, before any server runs.
  const input = `CREATE DATABASE ${DATABASE};\n`
  await run(place, { program: 'postgres', args: ['--single', '-D', place.data, 'postgres'], input, signal })
  writePrivate(mark, '')
}

/** Path of PostgreSQL's own process id file. */
const pidFile = (place: PostgresPlace): string => join(place.data, 'postmaster.pid')

/** Processes with this working directory, where the system reports them. */
const findProcessesIn = (directory: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === directory && processIdentity(pid) !== undefined
      } catch {
        return false
      }
    })

const LEFT_MS = 10_000

/**
 * Removes the process id file of a zombie, which PostgreSQL takes for a running server, once none of its processes is left. PostgreSQL handles
 * every other stale file itself.
 */
const removeStalePidFile = async (place: PostgresPlace): Promise<void> => {
  if (!isZombie(Number((readIfThere(pidFile(place)) ?? '').split('\n')[0]))) return
  const data = realpathSync(place.data)
  for (const until = Date.now() + LEFT_MS; findProcessesIn(data).length > 0; await new Promise((resolve) => setTimeout(resolve, 25)))
    if (Date.now() > until)
      throw new Error(`processes ${findProcessesIn(data).join(', ')} of an earlier PostgreSQL still work in ${data}: end them`)
  rmSync(pidFile(place), { force: true })
}

const READY_LINE = 7
/** Whether the process id file is of this process and reports readiness; another process id is left over from a crash. */
const isReady = (place: PostgresPlace, pid: number): boolean => {
  const lines = (readIfThere(pidFile(place)) ?? '').split('\n')
  return Number(lines[0]) === pid && lines[READY_LINE]?.trim() === 'ready'
}

/** Starts PostgreSQL 18 on its own data; `others` override the settings. SIGINT is its signal for a fast orderly shutdown. */
export const startPostgres = async (
  processes: Processes,
  files: StateFiles,
  port: number,
  others: Record<string, string> = {},
): Promise<LocalPostgres> => {
  const place = placePostgres(files)
  const secret = password(files.postgresPassword)
  await initialise(place, secret, processes.closing)
  await removeStalePidFile(place)
  const child = await processes.start({
    name: 'postgres',
    command: join(place.bin, 'postgres'),
    args: ['-D', place.data, ...settings(port, others)],
    ...place.user,
    cwd: dirname(place.data),
    stopSignal: 'SIGINT',
  })
  await untilReady([child], () => isReady(place, child.pid), READY_MS)
  return { databaseUrl: `postgresql://postgres:${secret}@127.0.0.1:${port}/${DATABASE}`, child }
}
