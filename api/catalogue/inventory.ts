import { countInventory, type Inventory } from '../../activities/catalogue/lists.ts'
import { latestReading, type StoredReading } from '../../activities/catalogue/reward-bank.ts'
import { listUnmetNeeds } from '../../activities/catalogue/verdict-needs.ts'
import { isFreshReading } from '../../domain/catalogue/funding.ts'
import { iso } from '../../domain/common/instants.ts'
import type { ServiceDeps } from '../deps.ts'

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

/** The newest reading if it is too old to use, null while it is fresh. */
export const oldReading = async (deps: ServiceDeps): Promise<OldReading | null> => {
  const { reading, fresh } = await bankReading(deps)
  if (fresh) return null
  return { readAt: reading === null ? null : iso(deps.clock.now() - Math.round(reading.ageSeconds * 1000)) }
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
