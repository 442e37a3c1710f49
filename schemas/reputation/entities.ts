import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'

/** Signed badge document of an approved session. */
export const Badge = defineEntity({
  name: 'Badge',
  properties: {
    sessionId: p.text().primary(),
    jobId: p.text(),
    worker: p.text(),
    category: p.text(),
    level: p.integer(),
    evidenceHash: p.text(),
    chainJobId: p.text(),
    issuedAt: instant(),
    document: p.json<Record<string, unknown>>(),
  },
})

/** Append-only ledger of score changes. A score is the sum of its applied column. One row per session and kind. */
export const ReputationEvent = defineEntity({
  name: 'ReputationEvent',
  properties: {
    seq: p.bigint().primary().autoincrement(),
    wallet: p.text(),
    sessionId: p.text(),
    kind: p.text(),
    nominalSkill: p.integer(),
    nominalReliability: p.integer(),
    nominalEconomic: rawAmount(),
    appliedSkill: p.integer(),
    appliedReliability: p.integer(),
    appliedEconomic: rawAmount(),
    reason: p.text(),
    scoringVersion: p.integer(),
    at: instant(),
  },
})
