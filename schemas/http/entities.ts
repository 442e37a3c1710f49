import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** Stored answer of a mutation by wallet, operation and key. A workflow operation stores its run: a duplicate request awaits the same run. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  primaryKeys: ['wallet', 'operation', 'key'],
  properties: {
    wallet: p.text().primary(),
    operation: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.text(),
    /** Job or session id of the request, when a workflow runs the operation. */
    subject: p.text().nullable(),
    workflowId: p.text().nullable(),
    runId: p.text().nullable(),
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
  tableName: 'rate_window',
  primaryKeys: ['bucket', 'key', 'windowStart'],
  properties: { bucket: p.text().primary(), key: p.text().primary(), windowStart: instant().primary(), count: p.integer() },
})
