import type { Inventory } from '../../activities/catalogue/lists.ts'
import type { StoredReading } from '../../activities/catalogue/reward-bank.ts'
import { subsidyOfDay } from '../../activities/eligibility/exposure.ts'
import { bankReading, readInventory } from '../catalogue/inventory.ts'
import type { ApiDeps } from '../deps.ts'
import {
  countDiverged,
  countOverdueReviews,
  countSettlements,
  countWaitingForPeople,
  type SettlementCounts,
  type WaitingForPeople,
} from './counts.ts'

/** What the database says about work and money at one moment. */
export interface ProductSnapshot {
  /** Service time, epoch ms. */
  asOf: number
  settlement: SettlementCounts
  /** Disputes that people left undecided for a day. */
  people: WaitingForPeople
  /** Pull requests that wait for a verdict beyond their review time. */
  overdueReviews: number
  /** Sessions that an operator has to close with the chain. */
  diverged: number
  bank: StoredReading | null
  /** Null while no reading of the bank may be counted on: what is claimable is then unverified, as a claim says too. */
  inventory: Inventory | null
  /** UTC day and what of its onboarding subsidy is allocated, base units. */
  subsidy: { day: string; allocatedRaw: bigint }
}

/** Reads the whole snapshot. */
export const readSnapshot = async (deps: Pick<ApiDeps, 'database' | 'clock' | 'chain' | 'settings'>): Promise<ProductSnapshot> => {
  const { database, clock } = deps
  const now = clock.now()
  const day = new Date(now).toISOString().slice(0, 10)
  const { rows } = database
  const [settlement, people, overdueReviews, diverged, { reading: bank, fresh }, allocatedRaw] = await Promise.all([
    countSettlements(rows, now),
    countWaitingForPeople(rows, now),
    countOverdueReviews(rows, now),
    countDiverged(rows),
    bankReading(deps),
    subsidyOfDay(rows, day),
  ])
  const inventory = fresh ? await readInventory(deps) : null
  return { asOf: now, settlement, people, overdueReviews, diverged, bank, inventory, subsidy: { day, allocatedRaw } }
}
