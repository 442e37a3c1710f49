import { readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readIfThere, type StateFiles } from '../files.ts'
import { type Child, isZombie, type Processes, processIdentity, untilReady } from '../processes.ts'
import { DATABASE, ensurePassword, initialise } from './data.ts'
import { type PostgresPlace, placePostgres } from './place.ts'

export type LocalPostgres = { databaseUrl: string; child: Child }

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
  const secret = ensurePassword(files.postgresPassword)
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
