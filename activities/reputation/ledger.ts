import { sql } from 'kysely'
import { type ReputationKind, reputationEvent, type SessionReward } from '../../domain/reputation/scores.ts'
import type { Scores } from '../../domain/reputation/tiers.ts'
import type { Rows } from '../database/database.ts'

/** Scores of a wallet: the sum of the applied columns of its ledger. */
export const readScores = async (rows: Rows, wallet: string): Promise<Scores> => {
  const sum = await rows
    .selectFrom('reputation_event')
    .select([
      sql<string>`coalesce(sum(applied_skill), 0)`.as('skill'),
      sql<string>`coalesce(sum(applied_reliability), 0)`.as('reliability'),
      sql<string>`coalesce(sum(applied_economic), 0)`.as('economic'),
    ])
    .where('wallet', '=', wallet)
    .executeTakeFirstOrThrow()
  return { skill: Number(sum.skill), reliability: Number(sum.reliability), economic: Number(sum.economic) }
}

/** Number of a wallet's events and the time of the last one (epoch ms). */
export const readLedger = async (rows: Rows, wallet: string): Promise<{ count: number; lastAt: number | null }> => {
  const row = await rows
    .selectFrom('reputation_event')
    .select([sql<number>`count(*)::integer`.as('count'), sql<Date | null>`max(at)`.as('lastAt')])
    .where('wallet', '=', wallet)
    .executeTakeFirstOrThrow()
  return { count: row.count, lastAt: row.lastAt === null ? null : new Date(row.lastAt).getTime() }
}

/** Appends one event of a session; a repeat of the same kind changes nothing. Writers of one wallet queue on the row of its statistics. */
export const appendReputation = async (
  rows: Rows,
  { reward, ...event }: { wallet: string; sessionId: string; kind: ReputationKind; reward: SessionReward; at: number },
): Promise<void> => {
  const { wallet, kind } = event
  await sql`insert into agent_statistics (wallet) values (${wallet}) on conflict (wallet) do update set wallet = excluded.wallet`.execute(
    rows,
  )
  const { nominal, applied, reason, scoringVersion } = reputationEvent(await readScores(rows, wallet), kind, reward)
  await rows
    .insertInto('reputation_event')
    .values({
      ...event,
      nominalSkill: nominal.skill,
      nominalReliability: nominal.reliability,
      nominalEconomic: BigInt(nominal.economic),
      appliedSkill: applied.skill,
      appliedReliability: applied.reliability,
      appliedEconomic: BigInt(applied.economic),
      reason,
      scoringVersion,
    })
    .onConflict((conflict) => conflict.columns(['sessionId', 'kind']).doNothing())
    .execute()
}
