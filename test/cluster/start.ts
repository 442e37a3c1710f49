// A Temporal cluster of four roles, each a process of its own, on PostgreSQL.
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import { stateFiles } from '../../local/files.ts'
import { choosePorts } from '../../local/ports.ts'
import { type Child, createProcesses, untilReady } from '../../local/processes.ts'
import { DYNAMIC_CONFIG } from '../../local/temporal/start.ts'
import { startPostgresServer } from '../support/postgres/server.ts'
import { openDirectory } from '../support/state-directory.ts'
import { findPrograms } from './programs.ts'

export const ROLES = ['frontend', 'history', 'matching', 'worker'] as const
export type Role = (typeof ROLES)[number]

const SHARDS = 16
const READY_MS = 60_000
const STORES = { default: 'temporal', visibility: 'temporal_visibility' } as const
const SETUP = fileURLToPath(new URL('../../workers/setup.ts', import.meta.url))
const run = promisify(execFile)

type Ports = Record<`${Role}${'Rpc' | 'Membership'}`, number>

/** The configuration of every role; JSON is YAML. */
const configuration = (database: URL, ports: Ports, dynamic: string): object => {
  const store = (databaseName: string) => ({
    sql: {
      ...{ pluginName: 'postgres12', databaseName, connectAddr: database.host, connectProtocol: 'tcp' },
      ...{
        user: database.username,
        password: decodeURIComponent(database.password),
        maxConns: 20,
        maxIdleConns: 20,
        maxConnLifetime: '1h',
      },
    },
  })
  const service = (role: Role) => ({
    rpc: { grpcPort: ports[`${role}Rpc`], membershipPort: ports[`${role}Membership`], bindOnLocalHost: true },
  })
  const rpcAddress = `127.0.0.1:${ports.frontendRpc}`
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      ...{ defaultStore: 'default', visibilityStore: 'visibility', numHistoryShards: SHARDS },
      datastores: { default: store(STORES.default), visibility: store(STORES.visibility) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(ROLES.map((role) => [role, service(role)])),
    clusterMetadata: {
      ...{ enableGlobalNamespace: false, failoverVersionIncrement: 10, masterClusterName: 'active', currentClusterName: 'active' },
      clusterInformation: { active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress } },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: rpcAddress },
    dynamicConfigClient: { filepath: dynamic, pollInterval: '10s' },
  }
}

/** Values of the dev server's flags as the file of a cluster has them. */
const dynamicConfiguration = (): object =>
  Object.fromEntries(Object.entries(DYNAMIC_CONFIG).map(([name, value]) => [name, [{ value: JSON.parse(value) }]]))

const createSchemas = async (sql: string, database: URL): Promise<void> => {
  const at = ['--ep', database.hostname, '-p', database.port, '-u', database.username, '--pw', decodeURIComponent(database.password)]
  for (const [store, name] of Object.entries(STORES)) {
    const tool = (...args: string[]) => run(sql, [...at, '--pl', 'postgres12', '--db', name, ...args])
    await tool('create')
    await tool('setup-schema', '-v', '0.0')
    await tool('update-schema', '--schema-name', `postgresql/v12/${store === 'default' ? 'temporal' : 'visibility'}`)
  }
}

/** Starts the cluster and prepares its namespace by the command of operators. */
export const startCluster = async (say: (line: string) => void) => {
  const programs = findPrograms(say)
  const postgres = await startPostgresServer()
  const database = new URL(postgres.url)
  const directory = openDirectory('cluster')
  const files = stateFiles(directory)
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  const names = ROLES.flatMap((role) => [`${role}Rpc`, `${role}Membership`] as const)
  const { ports, release } = await choosePorts(Object.fromEntries(names.map((name) => [name, 0])) as Ports)
  const [config, dynamic] = ['config.yaml', 'dynamic.yaml'].map((name) => join(directory, name)) as [string, string]
  writeFileSync(dynamic, JSON.stringify(dynamicConfiguration()))
  writeFileSync(config, JSON.stringify(configuration(database, ports, dynamic)), { mode: 0o600 })
  const address = `127.0.0.1:${ports.frontendRpc}`
  const running = new Map<Role, Child>()

  const answers = async (): Promise<boolean> => {
    try {
      const connection = await Connection.connect({ address, connectTimeout: '1 s' })
      try {
        await connection.workflowService.getSystemInfo({})
        return true
      } finally {
        await connection.close()
      }
    } catch {
      return false
    }
  }
  const start = async (role: Role): Promise<void> => {
    const args = ['--config-file', config, '--allow-no-auth', 'start', '--service', role]
    running.set(role, await processes.start({ name: role, command: programs.server, args }))
  }
  const stop = async (): Promise<void> => {
    await Promise.all([...running.values()].filter((child) => !child.hasExited()).map((child) => processes.stop(child, 5_000)))
    await postgres.stop()
    release()
    rmSync(directory, { recursive: true, force: true })
  }

  try {
    await createSchemas(programs.sql, database)
    for (const role of ROLES) await start(role)
    await untilReady([...running.values()], answers, READY_MS)
    // The roles find each other within some seconds.
    for (let tries = 0; ; tries += 1) {
      const prepared = await run(process.execPath, [SETUP, 'temporal'], {
        env: { PATH: process.env.PATH, TEMPORAL_ADDRESS: address },
      }).catch((error: { stderr: string }) => error.stderr)
      if (typeof prepared !== 'string') break
      if (tries === 20) throw new Error(`npm run setup -- temporal failed: ${prepared}`)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return {
    address,
    directory,
    /** SIGKILL, as when its machine is lost. */
    kill: async (role: Role): Promise<void> => {
      const child = running.get(role)
      if (child !== undefined) await processes.stop(child, 0, 'SIGKILL')
    },
    start,
    stop,
  }
}
