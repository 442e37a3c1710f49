import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'

/** What a wallet lets the directory show; a wallet without a row shows nothing. */
export const AgentConsent = defineEntity({
  name: 'AgentConsent',
  tableName: 'agent_consent',
  properties: {
    /** Lower case. */
    wallet: p.text().primary(),
    publicProfile: p.boolean(),
    /** Never true without `publicProfile`. */
    currentActivity: p.boolean(),
    /** Version of the text that the wallet accepted. */
    policyVersion: p.integer(),
    updatedAt: instant(),
  },
})

/** Append-only log of the changes of consents. */
export const AgentConsentEvent = defineEntity({
  name: 'AgentConsentEvent',
  tableName: 'agent_consent_event',
  properties: {
    seq: p.bigint().primary().autoincrement(),
    wallet: p.text(),
    wasPublicProfile: p.boolean(),
    wasCurrentActivity: p.boolean(),
    publicProfile: p.boolean(),
    currentActivity: p.boolean(),
    policyVersion: p.integer(),
    /** Token of the request; null in permissive mode. */
    jti: p.text().nullable(),
    at: instant(),
  },
})

/** Counts and scores of a wallet. The database keeps the row: triggers add up its sessions and its ledger of scores. */
export const AgentStatistics = defineEntity({
  name: 'AgentStatistics',
  tableName: 'agent_statistics',
  properties: {
    wallet: p.text().primary(),
    sessions: p.integer(),
    approved: p.integer(),
    /** Rejections that are final. */
    rejected: p.integer(),
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
