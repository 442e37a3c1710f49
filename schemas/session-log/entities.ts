import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { HeadDocument } from './shapes.ts'

/** Signed head of one day of the log. */
export const LogHead = defineEntity({
  name: 'LogHead',
  properties: {
    /** Day of UTC that the head closes, `YYYY-MM-DD`. */
    day: p.text().primary(),
    document: p.json<HeadDocument>(),
    sealedAt: instant(),
  },
})

/** The list that a head signs: entries of sessions by their hashes. */
export const LogEntryRow = defineEntity({
  name: 'LogEntryRow',
  tableName: 'log_entry',
  properties: {
    day: p.text().primary(),
    /** From 1. */
    position: p.integer().primary(),
    hash: p.text(),
    previousHash: p.text().nullable(),
  },
})
