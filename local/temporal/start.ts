import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Connection } from '@temporalio/client'
import { type EngineConnection, pickEngineSettings, readEngineConnection } from '../../activities/temporal/connection.ts'
import { findNamespaceGaps, registerAttributes, SEARCH_ATTRIBUTES } from '../../activities/temporal/namespace.ts'
import { parseSettings } from '../../schemas/settings.ts'
import { type Child, type PartRequest, untilReady } from '../processes.ts'
import { findTemporal } from './binary.ts'

/** `child` and `ui` are missing when `TEMPORAL_ADDRESS` names an external server; `settings` then reach it. */
export type LocalTemporal = { address: string; ui?: string; child?: Child; settings?: Record<string, string> }

/**
 * The default of 20 polls a second on the single shard adds some 50 ms to every step, and the default time shift lets a timer fire up to a
 * second late: 0.85 s for each timer on the way when time is moved, against 0.05 s.
 */
export const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': '5000',
  'history.timerProcessorMaxPollRPS': '5000',
  'history.visibilityProcessorMaxPollRPS': '5000',
  'frontend.WorkflowTimeSkippingEnabled': 'true',
  'history.timerProcessorMaxTimeShift': '"20ms"',
}

const READY_MS = 30_000

const pairs = (flag: string, values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`])

const serverArguments = (file: string, port: number, uiPort: number): string[] => [
  ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort), '--log-level', 'warn'],
  ...['--db-filename', file],
  // Twice the throughput of the default pragmas; data survives a killed process.
  ...pairs('--sqlite-pragma', { journal_mode: 'wal', synchronous: 'normal' }),
  ...pairs('--search-attribute', SEARCH_ATTRIBUTES),
  ...pairs('--dynamic-config-value', DYNAMIC_CONFIG),
]

/** How to reach the engine that settings of an environment name. */
export const engineOf = (env: NodeJS.ProcessEnv): EngineConnection => readEngineConnection(parseSettings(pickEngineSettings(env)).values)

/** Connects to a Temporal server for one use. */
export const withConnection = async <T>(
  options: EngineConnection['connection'],
  use: (connection: Connection) => Promise<T>,
): Promise<T> => {
  const connection = await Connection.connect({ ...options, connectTimeout: '5 s' })
  try {
    return await use(connection)
  } finally {
    await connection.close()
  }
}

const isReady = (address: string): Promise<boolean> =>
  withConnection({ address }, async (connection) => {
    return (await findNamespaceGaps(connection, 'default')).missing.length === 0
  }).catch(() => false)

export type TemporalRequest = PartRequest & { ports: { temporal: number; temporalUi: number }; env: NodeJS.ProcessEnv }

/** Uses the server that `TEMPORAL_ADDRESS` names, with the other settings of a connection, or starts the dev server on its own file. */
export const startTemporal = async ({ processes, files, ports, say, env }: TemporalRequest): Promise<LocalTemporal> => {
  if (env.TEMPORAL_ADDRESS) {
    const { connection: options, namespace } = engineOf(env)
    await withConnection(options, (connection) => registerAttributes(connection, namespace))
    return { address: options.address, settings: pickEngineSettings(env) }
  }
  mkdirSync(dirname(files.temporal), { recursive: true })
  const command = await findTemporal(say, env)
  const child = await processes.start({
    name: 'temporal',
    command,
    args: serverArguments(files.temporal, ports.temporal, ports.temporalUi),
    stopSignal: 'SIGINT',
  })
  const address = `127.0.0.1:${ports.temporal}`
  await untilReady([child], () => isReady(address), READY_MS)
  return { address, ui: `http://127.0.0.1:${ports.temporalUi}`, child }
}
