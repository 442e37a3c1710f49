import { parseArgs } from 'node:util'
import { Connection } from '@temporalio/client'
import { createEngineClient } from '../activities/temporal/client.ts'
import { type EngineConnection, pickEngineSettings, readEngineConnection } from '../activities/temporal/connection.ts'
import { hasGrpcStatus } from '../activities/temporal/grpc-status.ts'
import {
  fillNamespace,
  findNamespaceGaps,
  type NamespaceGaps,
  RETENTION_HOURS,
  SEARCH_ATTRIBUTES,
} from '../activities/temporal/namespace.ts'
import { readSchedule } from '../activities/temporal/schedules.ts'
import { readChainFile } from '../schemas/chain/chain-file.ts'
import { exitOnBadSettings } from '../schemas/run-process.ts'
import { parseSettings } from '../schemas/settings.ts'
import { brief } from './observability/error-line.ts'
import { loadWorkerSubjects } from './subjects.ts'

const USAGE = `usage: npm run setup -- temporal [--check]
Creates the namespace and the search attributes that the service needs; what is there stays. The connection is that of the TEMPORAL_* settings.
--check changes nothing and ends with code 1 if something is missing or has another type.`

const REFUSED = `the engine does not let this connection change namespaces, as Temporal Cloud does not: create there, by its UI or its own tool, what --check names`

/** Parses the command line; null when it is no command. */
const readCommand = (args: string[]): { isCheck: boolean } | null => {
  try {
    const { values, positionals } = parseArgs({ args, options: { check: { type: 'boolean', default: false } }, allowPositionals: true })
    return positionals.length === 1 && positionals[0] === 'temporal' ? { isCheck: values.check } : null
  } catch {
    return null
  }
}

const linesOf = (namespace: string, { isMissing, retentionHours, missing, mistyped }: NamespaceGaps, done: string): string[] => [
  ...(isMissing ? [`namespace ${namespace}: ${done}`] : []),
  ...(retentionHours === null ? [] : [`retention of ${retentionHours} h, at least ${RETENTION_HOURS} h are needed: ${done}`]),
  ...missing.map((name) => `search attribute ${name} (${SEARCH_ATTRIBUTES[name]}): ${done}`),
  ...mistyped.map(
    ({ name, found, wanted }) =>
      `search attribute ${name} has the type ${found} and must be ${wanted}: remove it with "temporal operator search-attribute remove", then run setup again`,
  ),
]

/** Schedules that no worker has created yet. Workers create them at their start. */
const missingSchedules = async (connection: Connection, engine: EngineConnection): Promise<string[]> => {
  const path = process.env.CHAIN_FILE?.trim()
  if (!path) return ['schedules: not looked at, because CHAIN_FILE names no chain']
  const chain = readChainFile(path)
  const subjects = await loadWorkerSubjects()
  const scheduled = subjects.flatMap(({ module }) => module.standing?.(chain) ?? []).filter(({ schedule }) => schedule !== undefined)
  const client = createEngineClient(connection, engine)
  const found = await Promise.all(
    scheduled.map(async ({ start }) => [start.workflowId, await readSchedule(client, start.workflowId)] as const),
  )
  return found.flatMap(([id, reading]) => (reading === null ? [`schedule ${id}: missing, the next worker that starts creates it`] : []))
}

/** Runs the command. Returns whether the namespace has all that the service needs. */
const setup = async (connection: Connection, engine: EngineConnection, isCheck: boolean): Promise<boolean> => {
  const { namespace } = engine
  const gaps = await findNamespaceGaps(connection, namespace)
  const isWhole = linesOf(namespace, gaps, '').length === 0
  if (!isCheck) await fillNamespace(connection, namespace, gaps)
  for (const line of linesOf(namespace, gaps, isCheck ? 'missing' : 'done')) console.log(line)
  if (!(isCheck && gaps.isMissing)) for (const line of await missingSchedules(connection, engine)) console.log(line)
  if (isCheck ? isWhole : gaps.mistyped.length === 0) console.log(`namespace ${namespace} has what the service needs`)
  return isCheck ? isWhole : gaps.mistyped.length === 0
}

const main = async (): Promise<void> => {
  const command = readCommand(process.argv.slice(2))
  process.exitCode = 1
  if (command === null) return console.error(USAGE)
  const engine = readEngineConnection(parseSettings(pickEngineSettings(process.env)).values)
  let connection: Connection | undefined
  try {
    connection = await Connection.connect({ ...engine.connection, connectTimeout: '5 s' })
    if (await setup(connection, engine, command.isCheck)) process.exitCode = 0
  } catch (error) {
    console.error(hasGrpcStatus(error, 'PERMISSION_DENIED', 'UNIMPLEMENTED') ? REFUSED : brief(error))
  } finally {
    await connection?.close()
  }
}

if (import.meta.main) await exitOnBadSettings(main)
