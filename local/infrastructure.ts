import { migrate } from '../migrations/migrate.ts'
import { ensureCertificate } from './artefacts/certificate.ts'
import { type LocalArtefacts, startArtefacts } from './artefacts/server.ts'
import { ensureDeployment, prepareChain } from './chain/deployment.ts'
import { assertChainHasJournal, awaitLastMined, readLastMined } from './chain/journal-check.ts'
import { type LocalChain, startChain } from './chain/start.ts'
import { type LocalCodehost, startCodehost } from './codehost/start.ts'
import { startMigratedPostgres } from './database/migrated.ts'
import { startPostgres } from './database/start.ts'
import type { Ports } from './ports.ts'
import type { PartRequest } from './processes.ts'
import { createLocalSources } from './sources/all.ts'
import { readFaults } from './sources/faults.ts'
import { type LocalSources, startSources } from './sources/server.ts'
import type { Supervise } from './supervisor.ts'
import { type LocalTemporal, startTemporal } from './temporal/start.ts'
import { readClockSetting, writeClockOffset } from './time/clock.ts'
import type { TimeServer } from './time/server.ts'

export type Infrastructure = {
  databaseUrl: string
  temporal: LocalTemporal
  chain: LocalChain
  codehost: LocalCodehost
  sources: LocalSources
  artefacts: LocalArtefacts
}
/** The parts of this process, and the chain, as soon as they run. The caller stops them, also after a failed start: only a stop of the chain completes its log. */
export type StartedParts = {
  chain?: LocalChain
  codehost?: LocalCodehost
  sources?: LocalSources
  artefacts?: LocalArtefacts
  time?: TimeServer
}
export type InfrastructureRequest = PartRequest & { ports: Ports; env: NodeJS.ProcessEnv; started: StartedParts; supervise: Supervise }

const startDatabase = async ({ files, processes, ports, say, env, supervise }: InfrastructureRequest): Promise<string> => {
  if (env.DATABASE_URL) {
    await migrate(env.DATABASE_URL)
    return env.DATABASE_URL
  }
  const { databaseUrl } = await startMigratedPostgres({ processes, files, port: ports.postgres, say })
  supervise('postgres', async () => (await startPostgres(processes, files, ports.postgres)).child)
  return databaseUrl
}

const startEngine = async (request: InfrastructureRequest): Promise<LocalTemporal> => {
  const engine = await startTemporal(request)
  const { child } = engine
  if (child !== undefined) request.supervise('temporal', async () => (await startTemporal(request)).child ?? child)
  return engine
}

const startOwnChain = async ({ files, processes, ports, say, started }: InfrastructureRequest): Promise<LocalChain> => {
  prepareChain(files)
  const { offsetMs, frozenAt } = readClockSetting(files.clockOffset)
  const chain = await startChain({ processes, files, port: ports.rpc, offsetSeconds: Math.round(offsetMs / 1000), say })
  started.chain = chain
  // After a crash during a move of time the chain may be ahead: the service's clock follows it, unless it is held.
  if (frozenAt === undefined && chain.offsetSeconds * 1000 > offsetMs) writeClockOffset(files.clockOffset, chain.offsetSeconds * 1000)
  await ensureDeployment(chain, files, say)
  return chain
}

const startOwnCodehost = async ({ ports, started }: InfrastructureRequest): Promise<LocalCodehost> => {
  const codehost = await startCodehost({ port: ports.codehost })
  started.codehost = codehost
  return codehost
}

const startOwnSources = async ({ ports, started, env }: InfrastructureRequest): Promise<LocalSources> => {
  const sources = await startSources({
    port: ports.sources,
    sources: createLocalSources,
    faults: readFaults(env.LOCAL_SOURCE_FAULTS),
  })
  started.sources = sources
  return sources
}

const startOwnArtefacts = async ({ files, ports, started }: InfrastructureRequest): Promise<LocalArtefacts> => {
  const artefacts = await startArtefacts({ port: ports.artefacts, certificate: ensureCertificate(files.artefactsCertificate) })
  started.artefacts = artefacts
  return artefacts
}

/** Starts all six in parallel. After a failure it awaits the others, so that nothing starts during the clean-up. */
export const startInfrastructure = async (request: InfrastructureRequest): Promise<Infrastructure> => {
  const parts = [
    startDatabase(request),
    startEngine(request),
    startOwnChain(request),
    startOwnCodehost(request),
    startOwnSources(request),
    startOwnArtefacts(request),
  ] as const
  await Promise.allSettled(parts)
  const [databaseUrl, temporal, chain, codehost, sources, artefacts] = await Promise.all(parts)
  await assertChainHasJournal(await readLastMined(databaseUrl), chain.rpcUrl)
  const { started } = request
  request.supervise('chain', async () => {
    // Read first: a chain that runs again must not be stopped, with a transaction that it just accepted, because the database is still away.
    const mined = await awaitLastMined(databaseUrl)
    await started.chain?.stop()
    delete started.chain
    const { child, rpcUrl } = await startOwnChain(request)
    await assertChainHasJournal(mined, rpcUrl)
    return child
  })
  return { databaseUrl, temporal, chain, codehost, sources, artefacts }
}
