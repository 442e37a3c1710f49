import type * as operations from '../../schemas/health/operations.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { staleWhileRevalidate } from '../http/cache.ts'
import type { StoppedRuns } from '../temporal/engine.ts'
import type { Findings } from './findings.ts'
import { type Probed, probe } from './probes.ts'
import { healthReport } from './report.ts'
import { readSnapshot } from './snapshot.ts'

const SNAPSHOT = { freshMs: 5_000, staleMs: () => 60_000 }
/** What a chain says that answers is a second old at most; one that is away is no reason to wait for it each time. */
const CHAIN_READS = { freshMs: 1_000, staleMs: ({ ok }: Probed<unknown>) => (ok ? 1_000 : 60_000) }
const NONCES = { freshMs: 2_000, staleMs: () => 30_000 }
/** The engine's list is some seconds behind by itself. */
const STOPPED = { freshMs: 5_000, staleMs: () => 30_000 }

const UNASKED = { ok: false } as const

type HealthDeps = Pick<ApiDeps, 'settings' | 'chain' | 'isLocal' | 'database' | 'clock' | 'logger' | 'metrics' | 'probes'>

const createHealthReader = (deps: HealthDeps) => {
  const { probes, logger, clock } = deps
  const note = (what: string) => (error: unknown) => logger.warn({ err: error, probe: what }, 'a health probe failed')
  const snapshot = staleWhileRevalidate(() => readSnapshot(deps), { ...SNAPSHOT, now: clock.now })
  const chain = staleWhileRevalidate(() => probe(probes.chain, note('chain')), { ...CHAIN_READS, now: clock.now })
  const nonces = staleWhileRevalidate(() => probe(probes.nonces, note('nonces')), { ...NONCES, now: clock.now })
  // A count that fails does not stand in for the last one.
  const counted = staleWhileRevalidate(() => probes.stopped(), { ...STOPPED, now: clock.now })
  const stopped = (): Promise<Probed<StoppedRuns>> => probe(counted, note('stopped'))
  return async (): Promise<Findings> => {
    const [database, temporal, chainRead] = await Promise.all([
      probe(probes.database, note('database')),
      probe(probes.temporal, note('temporal')),
      chain(),
    ])
    const [read, signers, follower, stoppedRuns] = await Promise.all([
      database.ok ? snapshot().catch((error: unknown) => note('snapshot')(error)) : undefined,
      database.ok && chainRead.ok ? nonces() : UNASKED,
      database.ok ? probe(probes.follower, note('follower')) : UNASKED,
      temporal.ok ? stopped() : UNASKED,
    ])
    const now = clock.now()
    return {
      now,
      wallNow: Date.now(),
      database,
      temporal,
      stopped: stoppedRuns,
      chain: chainRead,
      snapshot: read ?? null,
      nonces: signers,
      follower,
    }
  }
}

/** Health, liveness and metrics. */
export const createHealthHandlers = (deps: HealthDeps): HandlersOf<typeof operations> => {
  const readHealth = createHealthReader(deps)
  return {
    async getHealth() {
      const health = healthReport(deps, await readHealth())
      return health.serviceHealth.ok ? { status: 200, body: health } : { status: 503, body: health }
    },
    async getLiveness() {
      return { status: 200, body: { live: true } }
    },
    async getMetrics() {
      return { status: 200, body: await deps.metrics.registry.metrics() }
    },
  }
}
