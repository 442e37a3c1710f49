import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { openDatabase } from '../../activities/database/database.ts'
import { type StateFiles, stateFiles } from '../../local/files.ts'
import { ensureServiceKeys } from '../../local/keys.ts'
import { choosePorts } from '../../local/ports.ts'
import { createProcesses, untilReady } from '../../local/processes.ts'
import { serviceSettings } from '../../local/services.ts'
import { migrate } from '../../migrations/migrate.ts'
import { readSettings, type Settings } from '../../schemas/settings.ts'
import { startAnvil } from '../contracts/support/anvil.ts'
import { testChain } from '../support/api.ts'
import { startPostgresServer } from '../support/postgres/server.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY_MS = 30_000
const STOP_MS = 8_000

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

/** A chain that is up and has no contracts: reads of the catalogue need no more, and no answer waits for it. */
const startBareChain = async (files: StateFiles) => {
  const { rpcUrl, stop } = await startAnvil()
  writeFileSync(files.chainFile, JSON.stringify({ ...testChain, chainId: 31_337, caip2: 'eip155:31337', rpc: { primary: rpcUrl } }))
  return { stop }
}

/** What a benchmark of the API runs on: a database server, a chain, and any number of API processes. Nothing of it outlives `stop`. */
export const openPlace = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-bench-'))
  chmodSync(directory, 0o755)
  const files = stateFiles(directory)
  ensureServiceKeys(files)
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  const [server, chain] = await Promise.all([startPostgresServer(), startBareChain(files)])

  const startNode = async (name: string, args: string[], port: number, path: string, env?: NodeJS.ProcessEnv): Promise<string> => {
    const child = await processes.start({ name, command: process.execPath, args, cwd: ROOT, ...(env && { env }) })
    await untilReady([child], () => answers(`http://127.0.0.1:${port}${path}`), READY_MS)
    return `http://127.0.0.1:${port}`
  }

  const settingsOf = (databaseUrl: string, port: number, more: Record<string, string> = {}): Record<string, string> => {
    const env = { NODE_ENV: 'production', REWARD_BANK_MAX_AGE_SECONDS: '100000', ...more }
    return serviceSettings({ files, port, databaseUrl, metricsPort: 0, temporalAddress: '127.0.0.1:1', env, bundle: undefined })
  }

  return {
    /** Settings of a process of this place, as in production but for the limits. */
    settings: (databaseUrl: string): Settings => readSettings(settingsOf(databaseUrl, 1)),

    /** Address of a new migrated database. */
    async createDatabase(name: string): Promise<string> {
      const maintenance = openDatabase({ url: server.url, poolSize: 1 })
      await sql.raw(`create database ${name}`).execute(maintenance.rows)
      await maintenance.close()
      const url = new URL(server.url)
      url.pathname = `/${name}`
      await migrate(url.href)
      return url.href
    },

    /** Base address of a new API process, as in production. */
    async startApi(databaseUrl: string, more: Record<string, string> = {}): Promise<string> {
      const { ports, release } = await choosePorts({ api: 0 })
      const settings = settingsOf(databaseUrl, ports.api, more)
      return startNode(`api-${ports.api}`, ['api/main.ts'], ports.api, '/health/live', { PATH: process.env.PATH, ...settings }).finally(
        release,
      )
    },

    /** Base address of a server that answers everything with these bytes. */
    async startBare(bytes: Buffer): Promise<string> {
      const { ports, release } = await choosePorts({ bare: 0 })
      const file = join(directory, 'answer')
      writeFileSync(file, bytes)
      return startNode('bare', ['test/bench/load/bare-server.ts', file, String(ports.bare)], ports.bare, '/').finally(release)
    },

    /** Base address of a server that keeps `/events` open and writes these bytes to each at every notification of a channel. */
    async startBareStreams(bytes: Buffer, databaseUrl: string, channel: string): Promise<string> {
      const { ports, release } = await choosePorts({ bare: 0 })
      const file = join(directory, 'frame')
      writeFileSync(file, bytes)
      const args = ['test/bench/load/bare-streams.ts', file, String(ports.bare), databaseUrl, channel]
      return startNode('bare-streams', args, ports.bare, '/').finally(release)
    },

    async stop(): Promise<void> {
      processes.close()
      await Promise.all(processes.children().map((child) => processes.stop(child, STOP_MS)))
      await Promise.all([server.stop(), chain.stop()])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
export type Place = Awaited<ReturnType<typeof openPlace>>
