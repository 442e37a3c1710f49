import { countUnpaidGrants } from '../../activities/accounts/gas-grant-records.ts'
import { listFailing } from '../../activities/audit/records.ts'
import { readNeedChecks } from '../../activities/catalogue/verdict-needs.ts'
import { countWaitingForPeople } from '../../activities/disputes/rows.ts'
import { subsidyOfDay } from '../../activities/eligibility/exposure.ts'
import { readActiveSources } from '../../activities/ingestion/sources.ts'
import { countTroubledLocks } from '../../activities/locked-deposits/records.ts'
import { countDiverged, countOverdueReviews, countSettlements } from '../../activities/sessions/counts.ts'
import { listStrategyAdapters } from '../../activities/strategies/records.ts'
import { utcDay } from '../../domain/common/instants.ts'
import { bankReading, readInventory } from '../catalogue/inventory.ts'
import type { ServiceDeps } from '../deps.ts'

type Settled<Members> = { [Name in keyof Members]: Awaited<Members[Name]> }

/** Waits for all members of an object together. */
export const awaitMembers = async <Members extends object>(members: Members): Promise<Settled<Members>> => {
  const entries = Object.entries(members).map(async ([name, value]) => [name, await value] as const)
  return Object.fromEntries(await Promise.all(entries)) as Settled<Members>
}

/** Counts of work and money in the database at one moment. */
export const readSnapshot = async (deps: ServiceDeps) => {
  const { rows } = deps.database
  const now = deps.clock.now()
  const day = utcDay(now)
  const { reading: bank, fresh } = await bankReading(deps)
  return awaitMembers({
    /** Service time, epoch ms. */
    asOf: now,
    settlement: countSettlements(rows, now),
    /** Disputes undecided for a day or longer. */
    people: countWaitingForPeople(rows, now),
    /** Pull requests without a verdict after their review deadline. */
    overdueReviews: countOverdueReviews(rows, now),
    /** Diverged sessions that an operator has to close. */
    diverged: countDiverged(rows),
    /** Checks of the audit that did not pass last. */
    audit: listFailing(rows),
    bank,
    /** Null without a fresh bank reading: then claims are refused as unverified, too. */
    inventory: fresh ? readInventory(deps) : null,
    /** UTC day and the allocated part of its onboarding subsidy, base units. */
    subsidy: subsidyOfDay(rows, day).then((allocatedRaw) => ({ day, allocatedRaw })),
    /** Gas grants that did not pay: without a mined transfer after half an hour, or refused by the wallet this week. */
    unpaidGrants: countUnpaidGrants(rows, now),
    /** Live locked deposits whose balance fell below them, and whose consent does not cover them. */
    troubledLocks: countTroubledLocks(rows),
    /** Adapters of the registered strategies. */
    strategyAdapters: listStrategyAdapters(rows, deps.chain.chainId),
    /** Sources of jobs whose schedule is on. */
    sources: readActiveSources(rows, now),
    /** Last checks of what verdicts need. */
    needs: readNeedChecks(rows),
  })
}
export type ProductSnapshot = Awaited<ReturnType<typeof readSnapshot>>
