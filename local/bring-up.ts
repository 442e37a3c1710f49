import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSandbox } from '../activities/sandbox/probe.ts'
import { seed } from './catalogue/seed.ts'
import { LOCAL_HOOK_SECRET } from './codehost/start.ts'
import { readIfThere, type StateFiles, writePrivate } from './files.ts'
import type { StackInfo } from './info.ts'
import { type Infrastructure, type StartedParts, startInfrastructure } from './infrastructure.ts'
import { ensureServiceKeys, localKeys } from './keys.ts'
import { type Ports, rememberedPorts } from './ports.ts'
import type { PartRequest, Processes } from './processes.ts'
import { consoleSettings, envLines, serviceSettings, startServices } from './services.ts'
import type { Supervise } from './supervisor.ts'
import { ensureBundle } from './temporal/bundle.ts'
import { startTimeServer, type TimeServer } from './time/server.ts'

export type BringUpRequest = PartRequest & {
  wishes: Ports
  services: boolean
  /** Settings of API and worker that differ from the local ones. */
  env: Record<string, string>
  started: StartedParts
  supervise: Supervise
}

const STOP_MS = 3_500
/** The console has nothing to finish. */
const CONSOLE_STOP_MS = 1_000

const infoOf = (
  files: StateFiles,
  { databaseUrl, temporal, chain, codehost, sources, artefacts }: Infrastructure,
  services: { api: string; console: string; workerMetrics: string } | undefined,
): StackInfo => {
  const { admin, verifier, arbitrator, operator } = localKeys()
  return {
    pid: process.pid,
    ...(services === undefined ? {} : { ...services, docs: `${services.api}/docs`, consoleEnv: files.consoleEnv }),
    temporalAddress: temporal.address,
    ...(temporal.ui === undefined ? {} : { temporalUi: temporal.ui }),
    databaseUrl,
    rpcUrl: chain.rpcUrl,
    codehost: codehost.url,
    sources: sources.url,
    artefacts: artefacts.url,
    artefactsCertificate: files.artefactsCertificate,
    chainFile: files.chainFile,
    clockOffsetFile: files.clockOffset,
    logs: files.logs,
    serviceEnv: files.serviceEnv,
    keys: { admin: admin.privateKey, verifier: verifier.privateKey, arbitrator: arbitrator.privateKey, operator: operator.privateKey },
  }
}

/** Hosts that callers may name: what the start asks for, the artefacts, and the sources of work, whose content names documents on the same host. */
const callerHosts = ({ sources, artefacts }: Infrastructure, env: Record<string, string>): string =>
  [sources.host, artefacts.host, env.LOCAL_CALLER_HOSTS ?? process.env.LOCAL_CALLER_HOSTS ?? ''].filter((hosts) => hosts !== '').join(',')

/** Writes the certificates that API and worker trust: that of the artefacts, and those that the start asks for. Returns the file. */
const writeAuthorities = (files: StateFiles, env: Record<string, string>): string => {
  const asked = env.NODE_EXTRA_CA_CERTS ?? process.env.NODE_EXTRA_CA_CERTS
  // Without the key beside it.
  const own = new X509Certificate(readFileSync(files.artefactsCertificate)).toString()
  writePrivate(files.authorities, [own, asked === undefined ? '' : (readIfThere(asked) ?? '')].join('\n'))
  return files.authorities
}

const consoleUrlOf = (ports: Ports): string => `http://127.0.0.1:${ports.console}`

const startTime = async ({ files, started }: BringUpRequest, { databaseUrl, chain }: Infrastructure): Promise<TimeServer> => {
  const { chainFile, clockOffset: clockOffsetFile, serviceEnv } = files
  started.time = await startTimeServer({ rpcUrl: chain.rpcUrl, databaseUrl, chainFile, clockOffsetFile, serviceEnv })
  return started.time
}

/** Starts API, worker, runner and console. Returns their addresses. */
const startPrograms = async (request: BringUpRequest, ports: Ports, infrastructure: Infrastructure, settings: Record<string, string>) => {
  const { files, env, say } = request
  await seed(infrastructure.databaseUrl, files)
  const urls = { api: `http://127.0.0.1:${ports.api}`, console: consoleUrlOf(ports) }
  const time = await startTime(request, infrastructure)
  const own = consoleSettings(settings, { port: ports.console, urls: { ...urls, temporalUi: infrastructure.temporal.ui }, time })
  writePrivate(files.consoleEnv, envLines(own))
  const services = startServices(request, { urls, settings, consoleSettings: own })
  const [probe] = await Promise.all([createSandbox().probe(), services])
  if (!probe.ok) say(`No sandbox: ${probe.reason} Patches are not verified (git-patch-tests-v1); all else runs.`)
  infrastructure.codehost.sendChangesTo({ url: `${urls.api}/codehost/events`, secret: env.CODEHOST_HOOK_SECRET ?? LOCAL_HOOK_SECRET })
  return { ...urls, workerMetrics: `http://127.0.0.1:${ports.workerMetrics}/metrics` }
}

const startParts = async (request: BringUpRequest, ports: Ports): Promise<StackInfo> => {
  const { files, processes, services, env } = request
  const parts = [
    startInfrastructure({ ...request, ports, env: process.env }),
    services ? ensureBundle(processes, files.cache) : undefined,
  ] as const
  await Promise.allSettled(parts)
  const [infrastructure, bundle] = await Promise.all(parts)
  const { databaseUrl, temporal, codehost, sources } = infrastructure
  const [port, metricsPort] = [ports.api, ports.workerMetrics]
  const servers = { databaseUrl, temporalAddress: temporal.address, codehostUrl: codehost.url, sourcesUrl: sources.url }
  const reachable = { LOCAL_CALLER_HOSTS: callerHosts(infrastructure, env), NODE_EXTRA_CA_CERTS: writeAuthorities(files, env) }
  const own = { ...temporal.settings, ...env, ...reachable }
  const settings = serviceSettings({
    files,
    port,
    metricsPort,
    ...servers,
    ...(services && { consoleUrl: consoleUrlOf(ports) }),
    env: own,
    bundle,
  })
  writePrivate(files.serviceEnv, envLines(settings))
  return infoOf(files, infrastructure, services ? await startPrograms(request, ports, infrastructure, settings) : undefined)
}

/** Starts every part and returns its addresses. On failure the caller ends the started parts with {@link endAll}. */
export const bringUp = async (request: BringUpRequest): Promise<StackInfo> => {
  const { files, wishes } = request
  ensureServiceKeys(files)
  const { ports, release } = await rememberedPorts(files.ports, wishes)
  try {
    return await startParts(request, ports)
  } finally {
    release()
  }
}

/** Ends every part before the parts it uses. Takes less than ten seconds. */
export const endAll = async (processes: Processes, { chain, codehost, sources, artefacts, time }: StartedParts): Promise<void> => {
  processes.close()
  const named = (...names: string[]) => processes.children().filter(({ name }) => names.includes(name))
  await Promise.all(named('console').map((child) => processes.stop(child, CONSOLE_STOP_MS)))
  await Promise.all([time?.stop(), ...named('api', 'worker', 'runner').map((child) => processes.stop(child, STOP_MS))])
  const engines = named('bundle', 'temporal', 'postgres', ...(chain ? [] : ['chain']))
  await Promise.all([
    chain?.stop(),
    codehost?.stop(),
    sources?.stop(),
    artefacts?.stop(),
    ...engines.map((child) => processes.stop(child, STOP_MS)),
  ])
}
