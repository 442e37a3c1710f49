import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** Stored answer of a mutation by subject of the caller, operation and key. A workflow operation stores its update: a duplicate request awaits the same one. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  properties: {
    subject: p.text().primary(),
    operation: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.text(),
    /** Session that a claim found under another key. */
    sessionId: p.text().nullable(),
    workflowId: p.text().nullable(),
    updateId: p.text().nullable(),
    responseStatus: p.integer().nullable(),
    /** `json`, not `jsonb`: a repeated answer keeps the order of its members. */
    responseBody: p.json<unknown>().columnType('json').nullable(),
    createdAt: instant(),
    completedAt: instant().nullable(),
  },
})

/** Fixed windows of the rate limits. The table is unlogged: a database crash may clear it. */
export const RateWindow = defineEntity({
  name: 'RateWindow',
  properties: { bucket: p.text().primary(), key: p.text().primary(), windowStart: instant().primary(), count: p.integer() },
})
