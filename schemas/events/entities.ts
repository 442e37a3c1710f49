import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** The outbox. One relay assigns the public number `seq` after the commit, because serial ids commit out of order. */
export const Event = defineEntity({
  name: 'Event',
  properties: {
    id: p.bigint().primary().autoincrement(),
    seq: p.bigint().nullable(),
    topic: p.text(),
    source: p.text(),
    phase: p.text(),
    severity: p.text(),
    correlationId: p.text(),
    wallets: p.json<string[]>(),
    jobId: p.text().nullable(),
    sessionId: p.text().nullable(),
    blockNumber: p.bigint().nullable(),
    txHash: p.text().nullable(),
    at: instant(),
    /** Service time of the record where `at` is the time of a block; else null. */
    recordedAt: instant().nullable(),
    data: p.json<Record<string, unknown>>(),
  },
})
