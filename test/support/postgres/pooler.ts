// PgBouncer in front of a PostgreSQL of the tests.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { postgresUser } from '../../../local/database/place.ts'
import { stateFiles } from '../../../local/files.ts'
import { choosePorts } from '../../../local/ports.ts'
import { createProcesses, untilReady } from '../../../local/processes.ts'
import { openDirectory } from '../state-directory.ts'

const READY_MS = 15_000
const STOP_MS = 5_000

const PROGRAM = 'pgbouncer'
/** Path of the program; empty without one. Debian puts it where only root looks. */
const findPooler = (): string => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin; command -v ${PROGRAM}`], { encoding: 'utf8' }).stdout.trim()

/** Why no pooler can be started here; null where one can. */
export const missingPooler = (): string | null => (findPooler() !== '' ? null : 'pgbouncer is not installed: apt-get install pgbouncer.')

export interface PoolerRequest {
  /** Database behind it. */
  databaseUrl: string
  /** Largest number of connections to it. */
  poolSize?: number
  /** Certificates in front of the pooler, and the authority of the server behind it. */
  tls?: { cert: string; key: string; authority: string }
}

/** Starts a pooler in session mode. `url` is the address of the same database through it. */
export const startPooler = async ({ databaseUrl, poolSize = 20, tls }: PoolerRequest) => {
  const directory = openDirectory('pooler')
  const files = stateFiles(directory)
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  const { ports, release } = await choosePorts({ pooler: 0 })
  const target = new URL(databaseUrl)
  const user = postgresUser()
  const place = (name: string, write: (path: string) => void): string => {
    const path = join(directory, name)
    write(path)
    chmodSync(path, 0o600)
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
    return path
  }
  const copy = (name: string, from: string): string => place(name, (path) => copyFileSync(from, path))
  const users = place('users', (path) =>
    writeFileSync(path, `"${decodeURIComponent(target.username)}" "${decodeURIComponent(target.password)}"\n`),
  )
  const secured = tls && [
    ...[
      'client_tls_sslmode = require',
      `client_tls_cert_file = ${copy('cert', tls.cert)}`,
      `client_tls_key_file = ${copy('key', tls.key)}`,
    ],
    ...['server_tls_sslmode = verify-full', `server_tls_ca_file = ${copy('authority', tls.authority)}`],
  ]
  const settings = [
    ...['[databases]', `* = host=${target.hostname} port=${target.port}`, '[pgbouncer]', 'listen_addr = 127.0.0.1'],
    ...[`listen_port = ${ports.pooler}`, 'unix_socket_dir =', 'auth_type = scram-sha-256', `auth_file = ${users}`],
    ...['pool_mode = session', `default_pool_size = ${poolSize}`, 'max_client_conn = 200'],
    ...(secured ?? []),
  ]
  const file = place('pgbouncer.ini', (path) => writeFileSync(path, `${settings.join('\n')}\n`))
  const child = await processes.start({
    name: 'pooler',
    command: findPooler(),
    args: [file],
    ...user,
    stopSignal: 'SIGINT',
  })
  const accepts = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(ports.pooler, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  await untilReady([child], accepts, READY_MS).finally(release)
  const url = new URL(databaseUrl)
  url.port = String(ports.pooler)
  return {
    url: url.href,
    stop: async (): Promise<void> => {
      await processes.stop(child, STOP_MS)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
