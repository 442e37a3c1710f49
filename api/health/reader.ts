import type { ServiceDeps } from '../deps.ts'
import { staleWhileRevalidate } from '../http/cache.ts'
import { type Probed, probe } from '../http/probe.ts'
import type { Findings } from './findings.ts'
import { readSnapshot } from './snapshot.ts'

const SNAPSHOT = { freshMs: 5_000, staleMs: () => 60_000 }
/** A chain read is at most a second old; a failed read is served longer, so that requests do not wait for a chain that is down. */
const CHAIN_READS = { freshMs: 1_000, staleMs: ({ ok }: Probed<unknown>) => (ok ? 1_000 : 60_000) }
const NONCES = { freshMs: 2_000, staleMs: () => 30_000 }
/** The engine's own list lags by some seconds. */
const STOPPED = { freshMs: 5_000, staleMs: () => 30_000 }

/** Reads of the payment chain; a failed one is served longer, as above. */
const SETTLEMENT = { freshMs: 5_000, staleMs: () => 60_000 }
/** A poll of a runner lasts a minute. */
const RUNNERS = { freshMs: 5_000, staleMs: () => 30_000 }

const NOT_PROBED = { ok: false } as const

/** Reads what a health report is built from; probes and counts are cached for some seconds. */
export const createHealthReader = (deps: ServiceDeps) => {
  const { probes, logger, clock } = deps
  const { now } = clock
  const logFailure = (what: string) => (error: unknown) => logger.warn({ err: error, probe: what }, 'a health probe failed')
  const readProduct = staleWhileRevalidate(() => readSnapshot(deps), { ...SNAPSHOT, now })
  const readChain = staleWhileRevalidate(() => probe(probes.chain, logFailure('chain')), { ...CHAIN_READS, now })
  const readNonces = staleWhileRevalidate(() => probe(probes.nonces, logFailure('nonces')), { ...NONCES, now })
  // A failed count does not replace the last one.
  const countStopped = staleWhileRevalidate(() => probes.stopped(), { ...STOPPED, now })
  const readRunners = staleWhileRevalidate(() => probes.runners(), { ...RUNNERS, now })
  const readSettlement = staleWhileRevalidate(() => probe(probes.settlement, logFailure('settlement')), { ...SETTLEMENT, now })
  return async (): Promise<Findings> => {
    const [database, temporal, chain, settlement] = await Promise.all([
      probe(probes.database, logFailure('database')),
      probe(probes.temporal, logFailure('temporal')),
      readChain(),
      readSettlement(),
    ])
    const [snapshot, nonces, follower, stopped, runners] = await Promise.all([
      database.ok ? readProduct().catch((error: unknown) => logFailure('snapshot')(error)) : undefined,
      database.ok && chain.ok ? readNonces() : NOT_PROBED,
      database.ok ? probe(probes.follower, logFailure('follower')) : NOT_PROBED,
      temporal.ok ? probe(countStopped, logFailure('stopped')) : NOT_PROBED,
      temporal.ok ? probe(readRunners, logFailure('runners')) : NOT_PROBED,
    ])
    const evidence = probes.evidence()
    return {
      now: now(),
      wallNow: Date.now(),
      snapshot: snapshot ?? null,
      evidence,
      database,
      temporal,
      chain,
      settlement,
      nonces,
      follower,
      stopped,
      runners,
    }
  }
}

export type HealthReader = ReturnType<typeof createHealthReader>
