import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'

/** Counts and scores of a wallet. The database keeps the row: triggers add up its sessions and its ledger of scores. */
export const AgentStatistics = defineEntity({
  name: 'AgentStatistics',
  properties: {
    wallet: p.text().primary(),
    sessions: p.integer(),
    approved: p.integer(),
    /** Rejections that are final. */
    rejected: p.integer(),
    /** Claims that expired without a submission. */
    expired: p.integer(),
    /** Sessions that ended in any way. */
    finished: p.integer(),
    skill: p.integer(),
    reliability: p.integer(),
    economic: rawAmount(),
    /** Sum of the scores. */
    score: rawAmount(),
    firstActiveAt: instant().nullable(),
    /** Last claim or submission. */
    lastActiveAt: instant().nullable(),
  },
})
