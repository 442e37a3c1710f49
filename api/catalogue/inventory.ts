import { bankReading, takeInventory } from '../../activities/catalogue/inventory.ts'
import type { Inventory } from '../../activities/catalogue/lists.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import type { ServiceDeps } from '../deps.ts'
import { staleWhileRevalidate } from '../http/cache.ts'
import { type Probed, probe } from '../http/probe.ts'

/** A reading of the reward bank that is too old to say which jobs can be paid. */
export interface OldReading {
  /** Instant of the reading; null before the first. */
  readAt: string | null
}

/** What keeps claims from being taken right now; null for what is well. */
export interface Outage {
  old: OldReading | null
  /** Instant at which this process first found that the workflow engine does not answer. */
  engineAwaySince: string | null
}

/** The newest reading if it is too old to use, null while it is fresh. */
const oldReading = async (deps: ServiceDeps): Promise<OldReading | null> => {
  const { reading, fresh } = await bankReading(deps.database.rows, deps)
  if (fresh) return null
  return { readAt: reading === null ? null : iso(deps.clock.now() - Math.round(reading.ageSeconds * 1000)) }
}

/** A page shows the last answer of the engine for so long, while the process asks again: no reader waits for an engine that is away. */
const ENGINE = { freshMs: 2_000, staleMs: ({ ok }: Probed<unknown>) => (ok ? 10_000 : 60_000) }

/** Reads what keeps claims from being taken, for pages that show jobs. */
export const createOutageReader = (deps: ServiceDeps): (() => Promise<Outage>) => {
  const { probes, logger, clock } = deps
  const logFailure = (error: unknown): void => logger.warn({ err: error, probe: 'temporal' }, 'a probe for a page failed')
  const askEngine = staleWhileRevalidate(() => probe(probes.temporal, logFailure), { ...ENGINE, now: clock.now })
  let awaySince: number | null = null
  return async () => {
    const [old, { ok }] = await Promise.all([oldReading(deps), askEngine()])
    awaySince = ok ? null : (awaySince ?? clock.now())
    return { old, engineAwaySince: isoOrNull(awaySince) }
  }
}

/** Counts over the whole catalogue. Nothing counts as claimable without a fresh bank reading. Slow on a large catalogue: cache the result. */
export const readInventory = async (deps: ServiceDeps): Promise<Inventory & { asOf: string }> => {
  const now = deps.clock.now()
  return { ...(await takeInventory(deps.database.rows, deps, now)), asOf: iso(now) }
}
