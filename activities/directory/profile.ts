import { sql } from 'kysely'
import { deliveryCounts } from '../../domain/deliveries/view.ts'
import type { ProfileFacts } from '../../domain/directory/profile.ts'
import { DISPUTE_OUTCOMES, type DisputeOutcome } from '../../schemas/directory/record.ts'
import { PROFILE_ROWS } from '../../schemas/directory/shapes.ts'
import type { BadgeService } from '../../schemas/reputation/shapes.ts'
import type { ROUND_VERDICTS } from '../../schemas/sessions/verdicts.ts'
import type { Rows } from '../database/database.ts'
import { countDeliveries } from '../deliveries/records.ts'
import { nativeAccountMember } from '../identity/native-accounts.ts'
import { openSessions } from './listing.ts'

const count = sql<number>`count(*)::integer`

const readEarned = async (rows: Rows, wallet: string): Promise<bigint> => {
  const { raw } = await rows
    .selectFrom('session')
    .select(sql<string>`coalesce(sum((payout_tx -> 'settlement' ->> 'workerAmountRaw')::numeric), 0)::text`.as('raw'))
    .where('wallet', '=', wallet)
    .where('payoutTx', 'is not', null)
    .executeTakeFirstOrThrow()
  return BigInt(raw)
}

const readSignals = async (rows: Rows, wallet: string): Promise<ProfileFacts['signals']> =>
  rows
    .selectFrom('pull_request')
    .select([
      count.as('attempted'),
      sql<number>`count(first_state)::integer`.as('prOpened'),
      sql<number>`(count(*) filter (where latest_state ->> 'ci' = 'passing'))::integer`.as('checksPassed'),
      sql<number>`(count(*) filter (where delivery = 'merged'))::integer`.as('maintainerApproved'),
      sql<number>`(count(*) filter (where delivery = 'merged'))::integer`.as('merged'),
    ])
    .where('wallet', '=', wallet)
    .executeTakeFirstOrThrow()

const readDisputes = async (rows: Rows, wallet: string): Promise<Pick<ProfileFacts, 'disputeCounts' | 'disputes'>> => {
  const found = await rows
    .selectFrom('dispute')
    .innerJoin('session', 'session.sessionId', 'dispute.sessionId')
    .select(['dispute.disputeId', 'dispute.status', 'dispute.openedAt', 'dispute.updatedAt'])
    .select(sql<(typeof ROUND_VERDICTS)[number] | null>`session.dispute_resolution ->> 'verdict'`.as('verdict'))
    .where('dispute.claimant', '=', wallet)
    .orderBy('dispute.openedAt', 'desc')
    .orderBy('dispute.disputeId')
    .execute()
  const disputes = found.map(({ verdict, ...dispute }) => ({ ...dispute, outcome: verdict === null ? null : DISPUTE_OUTCOMES[verdict] }))
  const countOf = (outcome: DisputeOutcome) => disputes.filter((dispute) => dispute.outcome === outcome).length
  const open = disputes.filter(({ status }) => status === 'open').length
  return {
    disputeCounts: {
      total: disputes.length,
      open,
      lost: countOf('lost'),
      won: countOf('won'),
      split: countOf('split'),
      timeout: countOf('timeout'),
      resolved: disputes.length - open,
    },
    disputes: disputes.slice(0, PROFILE_ROWS.disputes),
  }
}

const readBadges = async (rows: Rows, wallet: string): Promise<Pick<ProfileFacts, 'totalBadges' | 'categoryLevels' | 'badges'>> => {
  const [newest, levels] = await Promise.all([
    rows
      .selectFrom('badge')
      .select(['sessionId', 'jobId', 'category', 'level', 'issuedAt', 'document'])
      .where('worker', '=', wallet)
      .orderBy('issuedAt', 'desc')
      .orderBy('sessionId')
      .limit(PROFILE_ROWS.badges)
      .execute(),
    rows
      .selectFrom('badge')
      .select(['category', sql<number>`max(level)::integer`.as('level'), count.as('badges')])
      .where('worker', '=', wallet)
      .groupBy('category')
      .orderBy('category')
      .execute(),
  ])
  return {
    totalBadges: levels.reduce((sum, { badges }) => sum + badges, 0),
    categoryLevels: Object.fromEntries(levels.map(({ category, level }) => [category, level])),
    badges: newest.map(({ document, ...badge }) => ({ ...badge, service: document.service as BadgeService })),
  }
}

const readCategories = (rows: Rows, wallet: string): Promise<ProfileFacts['categories']> =>
  rows
    .selectFrom('session')
    .innerJoin('job', 'job.id', 'session.jobId')
    .select(['job.category', count.as('count')])
    .where('session.wallet', '=', wallet)
    .groupBy('job.category')
    .orderBy('count', 'desc')
    .orderBy('job.category')
    .limit(PROFILE_ROWS.categories)
    .execute()

/** What a profile shows beside the counts of the wallet (lower case). */
export const readProfileFacts = async (
  rows: Rows,
  wallet: string,
  { showsActivity }: { showsActivity: boolean },
): Promise<ProfileFacts> => {
  const [earnedRaw, signals, deliveries, disputes, badges, categories, activities, account] = await Promise.all([
    readEarned(rows, wallet),
    readSignals(rows, wallet),
    countDeliveries(rows, wallet),
    readDisputes(rows, wallet),
    readBadges(rows, wallet),
    readCategories(rows, wallet),
    openSessions(rows, showsActivity ? [wallet] : []),
    nativeAccountMember(rows, wallet),
  ])
  return {
    ...account,
    earnedRaw,
    signals,
    deliveryCounts: deliveryCounts(deliveries),
    ...disputes,
    ...badges,
    categories,
    activity: activities.get(wallet) ?? null,
  }
}
