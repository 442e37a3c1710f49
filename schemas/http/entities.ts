import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** Answer of a mutation by (wallet, operation, key); a workflow operation names its run so that a twin attaches to it. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  primaryKeys: ['wallet', 'operation', 'key'],
  properties: {
    wallet: p.text().primary(),
    operation: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.text(),
    /** jobId / sessionId the key stands for, where the operation is a process. */
    subject: p.text().nullable(),
    workflowId: p.text().nullable(),
    runId: p.text().nullable(),
    updateId: p.text().nullable(),
    responseStatus: p.integer().nullable(),
    /** `json`, not `jsonb`: members stay in the order in which they were answered. */
    responseBody: p.json<unknown>().columnType('json').nullable(),
    createdAt: instant(),
    completedAt: instant().nullable(),
  },
})

/** Fixed windows of the rate limits (unlogged table: a crash forgets windows, nothing else). */
export const RateWindow = defineEntity({
  name: 'RateWindow',
  tableName: 'rate_window',
  primaryKeys: ['bucket', 'key', 'windowStart'],
  properties: { bucket: p.text().primary(), key: p.text().primary(), windowStart: instant().primary(), count: p.integer() },
})
