import { iso, isoOrNull } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import type { Lane } from '../../schemas/catalogue/job-terms.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { LaneView } from '../../schemas/lanes/shapes.ts'
import type { Settings } from '../../schemas/settings.ts'
import { laneLimits, lockLane, readLaneUse } from '../catalogue/lanes.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'

export interface LaneDeps {
  settings: Pick<Settings, 'CATALOGUE_LANES'>
  chain: Pick<ChainFile, 'asset'>
}

/** A lane with its limits and its use at `now` (epoch ms). */
export const readLane = async (rows: Rows, { settings, chain }: LaneDeps, lane: Lane, now: number): Promise<LaneView> => {
  const limits = laneLimits(settings, lane)
  const { postedRaw, backlog, openJobs, resumeAt, paused } = await readLaneUse(rows, lane, now)
  return {
    lane,
    dailyBudget: assetAmount(limits.dailyRaw, chain.asset),
    postedToday: assetAmount(postedRaw, chain.asset),
    backlog,
    backlogLimit: limits.backlog,
    openJobs,
    resumeAt: isoOrNull(resumeAt),
    paused: paused === null ? null : { by: paused.by, at: iso(paused.at), reason: paused.reason },
  }
}

/** Decision of an operator (wallet in lower case) about a lane. */
export interface LaneDecision {
  lane: Lane
  paused: boolean
  reason: string
  by: string
}

/** Pauses or resumes a lane. What is listed in it at the same time comes before or after, by the lock of the lane. */
export const decideLane = async (rows: Rows, decision: LaneDecision, now: number): Promise<void> => {
  const { lane, paused, reason, by } = decision
  await lockLane(rows, lane)
  const values = { paused, reason, by, at: now }
  await rows
    .insertInto('lane_state')
    .values({ lane, ...values })
    .onConflict((conflict) => conflict.column('lane').doUpdateSet(values))
    .execute()
  const topic = paused ? 'catalogue.lane_paused' : 'catalogue.lane_resumed'
  await emit(rows, { topic, wallets: [by], correlationId: `lane:${lane}`, at: now, data: { lane, reason, by } })
}
