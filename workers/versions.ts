import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Client, Connection } from '@temporalio/client'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { z } from 'zod'
import { readVersionConfiguration } from '../activities/configuration.ts'
import { createEngineClient } from '../activities/temporal/client.ts'
import {
  countRunning,
  type Deployment,
  isPolling,
  pinProcess,
  type RunningProcess,
  readDeployment,
  setCurrentVersion,
} from '../activities/temporal/deployments.ts'
import { exitOnBadSettings } from '../schemas/run-process.ts'
import { SettingsError } from '../schemas/settings-error.ts'
import { commandEnvironment } from './local-stack.ts'
import { brief } from './observability/error-line.ts'
import { buildOf } from './temporal/build.ts'
import { type IncompatibleProcess, type ReplayReport, replayRunning } from './temporal/replay.ts'

const USAGE = `usage: npm run versions -- list
       npm run versions -- check
       npm run versions -- current [--pin]
list shows the versions of WORKER_DEPLOYMENT, and how many processes run on each.
check replays every running process that would come to this build; it changes nothing. npm run upgrade-check is the same.
current makes BUILD_ID the current version once its workers poll, if every running process can continue on it. Run by the older build,
it is the way back.
--pin leaves the processes that cannot continue on this build on the version that they run on; its workers must stay.
Exit code: 0 done, 1 refused, 2 the workflow engine does not answer, or the change was refused.`

/** Workers of a new build have this time to poll. */
const POLL_MS = 120_000
const RETRY_MS = 1_000
/** Replayed processes between two lines of progress. */
const PROGRESS = 1_000
/** Processes printed that cannot continue. */
const MAX_ROWS = 20

const VersionsCommand = z.union([
  z.strictObject({ act: z.enum(['list', 'check']) }),
  z.strictObject({ act: z.literal('current'), pin: z.boolean().default(false) }),
])
export type VersionsCommand = z.infer<typeof VersionsCommand>

/** Parses the command line; null when it is no command. */
export const readVersionsCommand = (args: string[]): VersionsCommand | null => {
  try {
    const { values, positionals } = parseArgs({ args, options: { pin: { type: 'boolean' } }, allowPositionals: true })
    const [act, ...more] = positionals
    return more.length > 0 ? null : VersionsCommand.parse({ act, ...values })
  } catch {
    return null
  }
}

type Say = (line: string) => void

/** What the command works on. */
interface VersionsDeps {
  client: Client
  build: ReturnType<typeof buildOf>
  /** Null without `WORKER_DEPLOYMENT`. */
  version: { deploymentName: string; buildId: string } | null
  say: Say
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`

const incompatibleLine = ({ process, reason }: IncompatibleProcess): string =>
  `  ${process.type} ${process.workflowId}${process.buildId === null ? '' : ` (on ${process.buildId})`}: ${reason}`

/** Result of a replay for an operator, as lines. */
export const replayLines = ({ replayed, pinned, incompatible, returning }: ReplayReport): string[] => {
  const total = Object.values(replayed).reduce((sum, count) => sum + count, 0)
  const types = Object.entries(replayed).map(([type, count]) => `${type} ${count}`)
  return [
    `${plural(total, 'running process')} replayed${types.length === 0 ? '' : ` (${types.sort().join(', ')})`}`,
    ...(pinned === 0 ? [] : [`${plural(pinned, 'process')} stay on their version until they end`]),
    ...(returning.length === 0 ? [] : [`${plural(returning.length, 'pinned process')} can continue on this build`]),
    ...(incompatible.length === 0 ? [] : [`${plural(incompatible.length, 'process')} cannot continue on this build:`]),
    ...incompatible.slice(0, MAX_ROWS).map(incompatibleLine),
    ...(incompatible.length > MAX_ROWS ? [`  and ${incompatible.length - MAX_ROWS} more`] : []),
  ]
}

/** Versions of a deployment for an operator, as lines. `running` counts processes by build. */
export const versionLines = (deployment: Deployment | null, running: ReadonlyMap<string, number>): string[] =>
  deployment === null
    ? ['no worker of this deployment has polled yet']
    : deployment.versions.map(({ buildId, state }) => `${buildId}  ${state}  ${plural(running.get(buildId) ?? 0, 'running process')}`)

const replay = ({ client, build, say }: VersionsDeps): Promise<ReplayReport> =>
  replayRunning(client, build, (count) => {
    if (count % PROGRESS === 0) say(`${count} replayed`)
  })

/** Repeats until the workers of the version poll, or the time is over. */
const untilPolled = async (attempt: () => Promise<boolean>): Promise<boolean> => {
  for (const end = Date.now() + POLL_MS; ; await sleep(RETRY_MS)) {
    if (await attempt()) return true
    if (Date.now() > end) return false
  }
}

const pinIncompatible = async (
  { client, say }: VersionsDeps,
  deploymentName: string,
  incompatible: readonly IncompatibleProcess[],
): Promise<boolean> => {
  const free = incompatible.map(({ process }) => process).filter(({ pinnedBy }) => pinnedBy === null)
  const versioned = free.flatMap((process) => (process.buildId === null ? [] : [{ process, buildId: process.buildId }]))
  for (const { process, buildId } of versioned) await pinProcess(client, process, { deploymentName, buildId })
  if (versioned.length > 0) say(`${plural(versioned.length, 'process')} pinned to the version that they run on`)
  const left = free.filter(({ buildId }) => buildId === null)
  for (const { type, workflowId } of left) say(`${type} ${workflowId} was NOT pinned: it runs on no version`)
  return left.length === 0
}

/** Builds that these processes need and whose workers do not poll. */
const absentBuilds = async (client: Client, deploymentName: string, incompatible: readonly IncompatibleProcess[]): Promise<string[]> => {
  const builds = [...new Set(incompatible.map(({ process }) => process.buildId))]
  const absent = await Promise.all(
    builds.map(async (buildId) =>
      buildId === null || !(await isPolling(client, { deploymentName, buildId })) ? [buildId ?? 'no version'] : [],
    ),
  )
  return absent.flat()
}

const unpin = async (client: Client, returning: readonly RunningProcess[]): Promise<void> => {
  for (const process of returning) await pinProcess(client, process, null)
}

/** Makes the version current. Returns whether it is, and every process that cannot continue on it is pinned. */
const makeCurrent = async (deps: VersionsDeps, pin: boolean): Promise<boolean> => {
  const { client, version, say } = deps
  if (version === null) {
    say('nothing was changed: WORKER_DEPLOYMENT and BUILD_ID name the version')
    return false
  }
  const { deploymentName, buildId } = version
  const report = await replay(deps)
  for (const line of replayLines(report)) say(line)
  const absent = pin ? await absentBuilds(client, deploymentName, report.incompatible) : []
  if (report.incompatible.length > 0 && (!pin || absent.length > 0)) {
    say(
      pin
        ? `nothing was changed: no worker of ${absent.join(', ')} polls`
        : 'nothing was changed: --pin leaves them on their version, whose workers must stay',
    )
    return false
  }
  if (!(await untilPolled(() => isPolling(client, version)))) {
    say(`nothing was changed: the workers of ${buildId} do not poll every task queue after ${POLL_MS / 1_000} s`)
    return false
  }
  const isSet = await untilPolled(async () => {
    const deployment = await readDeployment(client, deploymentName)
    return deployment !== null && (await setCurrentVersion(client, { ...version, conflictToken: deployment.conflictToken }))
  })
  if (!isSet) {
    say(`nothing was changed: the workers of ${buildId} do not poll every task queue`)
    return false
  }
  say(`${buildId} is the current version of ${deploymentName}`)
  // Until a process is pinned its tasks fail here and are repeated. What took a step since the replay is found by another one.
  const arePinned = await pinIncompatible(deps, deploymentName, report.incompatible)
  await unpin(client, report.returning)
  const { incompatible: late } = pin ? await replay(deps) : { incompatible: [] }
  return (await pinIncompatible(deps, deploymentName, late)) && arePinned
}

const run = async (command: VersionsCommand, deps: VersionsDeps): Promise<boolean> => {
  const { client, version, say } = deps
  if (command.act === 'current') return makeCurrent(deps, command.pin)
  if (command.act === 'check') {
    const report = await replay(deps)
    for (const line of replayLines(report)) say(line)
    return report.incompatible.length === 0
  }
  if (version === null) {
    say('nothing is listed: WORKER_DEPLOYMENT and BUILD_ID name the version')
    return false
  }
  const { deploymentName } = version
  const deployment = await readDeployment(client, deploymentName)
  const running = new Map<string, number>()
  for (const { buildId } of deployment?.versions ?? []) running.set(buildId, await countRunning(client, { deploymentName, buildId }))
  for (const line of versionLines(deployment, running)) say(line)
  return true
}

/** Settings that say which engine a command asks: one of them set, the environment counts alone. */
const ENGINE_SETTINGS = ['TEMPORAL_ADDRESS', 'TEMPORAL_CONFIG_FILE', 'TEMPORAL_PROFILE']

const main = async (): Promise<void> => {
  const command = readVersionsCommand(process.argv.slice(2))
  if (command === null) {
    console.log(USAGE)
    process.exitCode = 1
    return
  }
  // A replay that fails is a line of the command, and not one of the SDK.
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined), telemetryOptions: { logging: { filter: 'OFF' } } })
  const namesEngine = ENGINE_SETTINGS.some((name) => process.env[name]?.trim())
  const { settings, engine } = readVersionConfiguration(namesEngine ? process.env : commandEnvironment(process.env, console.error))
  const { WORKER_DEPLOYMENT: deploymentName, BUILD_ID: buildId } = settings
  const version = deploymentName === undefined || buildId === undefined ? null : { deploymentName, buildId }
  let connection: Connection | undefined
  try {
    connection = await Connection.connect({ ...engine.connection, connectTimeout: '5 s' })
    const client = createEngineClient(connection, engine)
    process.exitCode = (await run(command, { client, build: buildOf(settings, engine), version, say: console.log })) ? 0 : 1
  } catch (error) {
    if (error instanceof SettingsError) throw error
    console.error(brief(error))
    process.exitCode = 2
  } finally {
    await connection?.close()
  }
}

if (import.meta.main) await exitOnBadSettings(main)
