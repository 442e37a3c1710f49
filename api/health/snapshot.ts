import { countUnpaidGrants } from '../../activities/accounts/gas-grant-records.ts'
import { listFailing } from '../../activities/audit/records.ts'
import type { Inventory } from '../../activities/catalogue/lists.ts'
import type { StoredReading } from '../../activities/catalogue/reward-bank.ts'
import { readNeedChecks } from '../../activities/catalogue/verdict-needs.ts'
import { countWaitingForPeople, type WaitingForPeople } from '../../activities/disputes/rows.ts'
import { subsidyOfDay } from '../../activities/eligibility/exposure.ts'
import { countTroubledLocks } from '../../activities/locked-deposits/records.ts'
import { countDiverged, countOverdueReviews, countSettlements, type SettlementCounts } from '../../activities/sessions/counts.ts'
import { listStrategyAdapters } from '../../activities/strategies/records.ts'
import type { NeedChecks } from '../../domain/catalogue/readiness.ts'
import { utcDay } from '../../domain/common/instants.ts'
import { bankReading, readInventory } from '../catalogue/inventory.ts'
import type { ApiDeps } from '../deps.ts'

/** Counts of work and money in the database at one moment. */
export interface ProductSnapshot {
  /** Service time, epoch ms. */
  asOf: number
  settlement: SettlementCounts
  /** Disputes undecided for a day or longer. */
  people: WaitingForPeople
  /** Pull requests without a verdict after their review deadline. */
  overdueReviews: number
  /** Diverged sessions that an operator has to close. */
  diverged: number
  /** Checks of the audit that did not pass last. */
  audit: Awaited<ReturnType<typeof listFailing>>
  bank: StoredReading | null
  /** Null without a fresh bank reading: then claims are refused as unverified, too. */
  inventory: Inventory | null
  /** UTC day and the allocated part of its onboarding subsidy, base units. */
  subsidy: { day: string; allocatedRaw: bigint }
  /** Gas grants that did not pay: without a mined transfer after half an hour, or refused by the wallet this week. */
  unpaidGrants: number
  /** Live locked deposits whose balance fell below them, and whose consent does not cover them. */
  troubledLocks: { uncovered: number; unconsented: number }
  /** Adapters of the registered strategies. */
  strategyAdapters: string[]
  /** Last checks of what verdicts need. */
  needs: NeedChecks
}

/** Reads the whole snapshot. */
export const readSnapshot = async (deps: Pick<ApiDeps, 'database' | 'clock' | 'chain' | 'settings'>): Promise<ProductSnapshot> => {
  const { database, clock } = deps
  const now = clock.now()
  const day = utcDay(now)
  const { rows } = database
  const [
    settlement,
    people,
    overdueReviews,
    diverged,
    { reading: bank, fresh },
    allocatedRaw,
    unpaidGrants,
    troubledLocks,
    strategyAdapters,
    needs,
    audit,
  ] = await Promise.all([
    countSettlements(rows, now),
    countWaitingForPeople(rows, now),
    countOverdueReviews(rows, now),
    countDiverged(rows),
    bankReading(deps),
    subsidyOfDay(rows, day),
    countUnpaidGrants(rows, now),
    countTroubledLocks(rows),
    listStrategyAdapters(rows, deps.chain.chainId),
    readNeedChecks(rows),
    listFailing(rows),
  ])
  const inventory = fresh ? await readInventory(deps) : null
  const counts = { settlement, people, overdueReviews, diverged, unpaidGrants, troubledLocks, audit }
  return { asOf: now, ...counts, bank, inventory, subsidy: { day, allocatedRaw }, strategyAdapters, needs }
}
