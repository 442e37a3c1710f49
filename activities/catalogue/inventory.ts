import { isFreshReading } from '../../domain/catalogue/funding.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Rows } from '../database/database.ts'
import { countInventory, type Inventory } from './lists.ts'
import { latestReading, type StoredReading } from './reward-bank.ts'
import { listUnmetNeeds } from './verdict-needs.ts'

export interface InventoryDeps {
  settings: Pick<Settings, 'REWARD_BANK_MAX_AGE_SECONDS'>
  chain: Pick<ChainFile, 'asset'>
}

/** Newest reading of the reward bank, and whether it is fresh enough to use. */
export const bankReading = async (
  rows: Rows,
  { chain, settings }: InventoryDeps,
): Promise<{ reading: StoredReading | null; fresh: boolean }> => {
  const reading = await latestReading(rows, chain.asset.symbol)
  return { reading, fresh: reading !== null && isFreshReading(reading.ageSeconds, settings.REWARD_BANK_MAX_AGE_SECONDS) }
}

/** Counts over the whole catalogue at `now` (epoch ms). Nothing counts as claimable without a fresh bank reading. Slow on a large catalogue. */
export const takeInventory = async (rows: Rows, deps: InventoryDeps, now: number): Promise<Inventory> => {
  const [{ reading, fresh }, unmet] = await Promise.all([bankReading(rows, deps), listUnmetNeeds(rows)])
  return countInventory(rows, {
    now,
    unmet,
    bankRaw: fresh ? (reading?.liquidRaw ?? 0n) : 0n,
    posterFeeBps: reading?.posterFeeBps ?? 0,
    posterFeeFloorRaw: reading?.posterFeeFloorRaw ?? 0n,
  })
}
