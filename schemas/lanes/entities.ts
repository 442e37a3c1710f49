import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'
import type { SweepKind, SweepReport } from './record.ts'

/** Last decision of an operator about a lane; a lane without a row was never paused. */
export const LaneState = defineEntity({
  name: 'LaneState',
  properties: {
    lane: p.text().primary(),
    paused: p.boolean(),
    reason: p.text(),
    /** Wallet of the operator, lower case. */
    by: p.text(),
    at: instant(),
  },
})

/** What became of a recurring template. Its terms are those of its definition. */
export const RecurringTemplate = defineEntity({
  name: 'RecurringTemplate',
  properties: {
    templateId: p.text().primary(),
    createdAt: instant(),
    runs: p.integer(),
    /** Rewards of its derived jobs. */
    spentRaw: rawAmount(),
    /** Due times up to this one are decided. */
    decidedUntil: instant(),
    /** Last pause; the lifecycle of its job says whether it lasts. */
    pausedAt: instant().nullable(),
    /** Wallet of an operator, lower case; null where the service paused it. */
    pausedBy: p.text().nullable(),
    pauseReason: p.text().nullable(),
    /** Set until its process has got the signal of a change. */
    wakeRequestedAt: instant().nullable(),
  },
})

/** A run of a template: one derived job. */
export const RecurringRun = defineEntity({
  name: 'RecurringRun',
  properties: {
    jobId: p.text().primary(),
    templateId: p.text(),
    /** Due time of the schedule, or the time that an operator named. */
    nominalAt: instant(),
    firedAt: instant(),
    /** Wallet of the operator who fired it, lower case; null for the schedule. */
    firedBy: p.text().nullable(),
    rewardRaw: rawAmount(),
  },
})

/** Last run of each sweep. */
export const SweepRun = defineEntity({
  name: 'SweepRun',
  properties: {
    kind: p.text().$type<SweepKind>().primary(),
    startedAt: instant(),
    finishedAt: instant(),
    report: p.json<SweepReport>(),
  },
})
