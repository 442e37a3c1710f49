// A fleet that reads the local sources on their schedules, and how a test turns its clock and asks for past and future runs.
import { Client, Connection } from '@temporalio/client'
import { codehostSettings, startCodehost } from '../../../../local/codehost/start.ts'
import { writePrivate } from '../../../../local/files.ts'
import { choosePorts } from '../../../../local/ports.ts'
import { envLines } from '../../../../local/services.ts'
import { createLocalSources } from '../../../../local/sources/all.ts'
import { seededPackage, seededVersion } from '../../../../local/sources/osv.ts'
import { sourceSettings, startSources } from '../../../../local/sources/server.ts'
import { moveTime } from '../../../../local/time/move.ts'
import { ingestScheduleId } from '../../../../schemas/ingestion/process.ts'
import type { Provider } from '../../../../schemas/ingestion/providers.ts'
import { residentOf } from '../../../support/fleet/resident.ts'
import { openFleet } from '../../../support/fleet/world.ts'

const PACKAGES = 20
/** Inputs of the schedules that have none by default which a source takes. */
const INPUTS: Partial<Record<Provider, Record<string, unknown>>> = {
  osv: {
    packages: Array.from({ length: PACKAGES }, (_, index) => ({
      ecosystem: 'npm',
      name: seededPackage(index),
      version: seededVersion(index),
    })),
  },
  'open-data': { query: 'air quality' },
}

/**
 * Requests of a run: enough for a page of each source. By default a run over the code host makes 200, since it reads what it has listed before again on
 * the way to what is new; here the next run goes on where it stopped.
 */
const REQUEST_BUDGET = 40
/** The hours of two weeks pass in some minutes, and the code host counts requests by its own clock. */
const CODEHOST_LIMIT = 5_000 * 24 * 14

/**
 * Rewards that a lane may list in 24 hours, base units: less than a day of its sources. The lane that is paused has enough left for each of its
 * four sources when the first of them has listed for some runs.
 */
export const DAILY_RAW: Readonly<Record<string, bigint>> = {
  liveness: 3_000_000n,
  'oss-anchored': 1_500_000n,
  'benchmark-showcase': 6_000_000n,
}
const lanes = Object.entries(DAILY_RAW).map(([lane, dailyRaw]) => [lane, { dailyRaw: String(dailyRaw), backlog: 10_000 }] as const)

export type ScheduleWorld = Awaited<ReturnType<typeof openScheduleWorld>>

const startSides = async () => {
  const sources = await startSources({ sources: createLocalSources })
  const codehost = await startCodehost({ limitPerHour: CODEHOST_LIMIT })
  const { ports, release } = await choosePorts({ metrics: 0 })
  const stop = async (): Promise<void> => {
    release()
    await codehost.stop()
    await sources.stop()
  }
  return { sources, codehost, metricsPort: ports.metrics, stop }
}

export const openScheduleWorld = async () => {
  const sides = await startSides()
  const { sources, codehost, metricsPort } = sides
  const env = {
    ...sourceSettings(sources.url),
    ...codehostSettings(codehost.url),
    LOCAL_CALLER_HOSTS: sources.host,
    WORKER_METRICS_PORT: String(metricsPort),
    CATALOGUE_LANES: JSON.stringify(Object.fromEntries(lanes)),
    INGEST_OPEN_CAP: '1000',
    INGEST_REQUEST_BUDGET: String(REQUEST_BUDGET),
  }
  const world = await openFleet({ env }).catch(async (error: unknown) => {
    await sides.stop()
    throw error
  })
  const connection = Connection.lazy({ address: world.temporalAddress })
  const engine = new Client({ connection })
  const { files, rpcUrl, databaseUrl } = world
  writePrivate(files.serviceEnv, envLines({ TEMPORAL_ADDRESS: world.temporalAddress }))
  const place = { rpcUrl, databaseUrl, chainFile: files.chainFile, clockOffsetFile: files.clockOffset, serviceEnv: files.serviceEnv }
  const [worker] = world.workers
  if (worker === undefined) throw new Error('the fleet has one worker')
  let mostMiB = 0

  return {
    ...world,
    worker,
    sources,
    engine,
    /** Moves every clock of the service to an instant, epoch ms. */
    moveTo: async (instant: number): Promise<void> => {
      await moveTime(place, { instant })
      await world.admin.signInAgain()
    },
    /** Turns the schedule of a source on, so that its runs list jobs. */
    turnOn: (provider: Provider) =>
      world.admin.post('/admin/sources/steer', { provider, action: 'resume', dryRun: false, input: INPUTS[provider] }),
    backfill: (provider: Provider, { start, end }: { start: number; end: number }, overlap: 'BUFFER_ALL' | 'ALLOW_ALL') =>
      engine.schedule.getHandle(ingestScheduleId(provider)).backfill({ start: new Date(start), end: new Date(end), overlap }),
    /** Metrics of the worker, by name and source. */
    readMetrics: async (): Promise<Map<string, number>> => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const found = text.matchAll(/^\w*?(ingest_source_\w+)\{[^}]*provider="([^"]+)"[^}]*\} (\S+)$/gm)
      return new Map([...found].map(([, name, provider, value]) => [`${name} ${provider}`, Number(value)]))
    },
    /** Most resident memory of the worker, MiB, as far as it was looked at. */
    mostMiB: (): number => {
      if (worker.isUp()) mostMiB = Math.max(mostMiB, residentOf(worker.pid()))
      return mostMiB
    },
    close: async (): Promise<void> => {
      await connection.close()
      await world.close()
      await sides.stop()
    },
  }
}
