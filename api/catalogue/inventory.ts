import { countInventory, type Inventory } from '../../activities/catalogue/lists.ts'
import { latestReading, type StoredReading } from '../../activities/catalogue/reward-bank.ts'
import { listUnmetNeeds } from '../../activities/catalogue/verdict-needs.ts'
import { isFreshReading } from '../../domain/catalogue/funding.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import type { ServiceDeps } from '../deps.ts'
import { staleWhileRevalidate } from '../http/cache.ts'
import { type Probed, probe } from '../http/probe.ts'

/** Newest reading of the reward bank, and whether it is fresh enough to use. */
export const bankReading = async ({
  database,
  chain,
  settings,
}: ServiceDeps): Promise<{ reading: StoredReading | null; fresh: boolean }> => {
  const reading = await latestReading(database.rows, chain.asset.symbol)
  return { reading, fresh: reading !== null && isFreshReading(reading.ageSeconds, settings.REWARD_BANK_MAX_AGE_SECONDS) }
}

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
  const { reading, fresh } = await bankReading(deps)
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
  const [{ reading, fresh }, unmet] = await Promise.all([bankReading(deps), listUnmetNeeds(deps.database.rows)])
  const counts = await countInventory(deps.database.rows, {
    now,
    unmet,
    bankRaw: fresh ? (reading?.liquidRaw ?? 0n) : 0n,
    posterFeeBps: reading?.posterFeeBps ?? 0,
    posterFeeFloorRaw: reading?.posterFeeFloorRaw ?? 0n,
  })
  return { ...counts, asOf: iso(now) }
}
