import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { ShareSurface } from './record.ts'

/** A frozen, redacted copy of a record. Its token carries a MAC of the id. */
export const Share = defineEntity({
  name: 'Share',
  properties: {
    id: p.text().primary(),
    surface: p.text().$type<ShareSurface>(),
    /** Id of the shared record: wallet, session id, dispute id or tag. */
    ref: p.text(),
    snapshot: p.json<Record<string, unknown>>(),
    snapshotAt: instant(),
    /** Lower case. */
    createdBy: p.text(),
    createdAt: instant(),
    expiresAt: instant(),
    revokedAt: instant().nullable(),
    revokedBy: p.text().nullable(),
    /** Raised by each change. */
    version: p.integer(),
  },
})
