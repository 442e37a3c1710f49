import { countInventory, type Inventory } from '../../activities/records/catalogue-lists.ts'
import { subsidyOfDay } from '../../activities/records/exposure.ts'
import { latestReading, type StoredReading } from '../../activities/records/reward-bank.ts'
import type { ApiDeps } from '../deps.ts'
import { countSettlements, type SettlementCounts } from './counts.ts'

/** What the database says about work and money at one moment. */
export interface ProductSnapshot {
  /** Service time, epoch ms. */
  asOf: number
  settlement: SettlementCounts
  bank: StoredReading | null
  /** Null when the bank was never read: what is claimable is then unknown. */
  inventory: Inventory | null
  /** UTC day and what of its onboarding subsidy is allocated, base units. */
  subsidy: { day: string; allocatedRaw: bigint }
}

/** Reads the whole snapshot. */
export const readSnapshot = async ({ database, clock, chain }: Pick<ApiDeps, 'database' | 'clock' | 'chain'>): Promise<ProductSnapshot> => {
  const now = clock.now()
  const day = new Date(now).toISOString().slice(0, 10)
  const { rows } = database
  const [settlement, bank, allocatedRaw] = await Promise.all([
    countSettlements(rows, now),
    latestReading(rows, chain.asset.symbol),
    subsidyOfDay(rows, day),
  ])
  const inventory = bank === null ? null : await countInventory(rows, { now, bankRaw: bank.liquidRaw, ...bank })
  return { asOf: now, settlement, bank, inventory, subsidy: { day, allocatedRaw } }
}
