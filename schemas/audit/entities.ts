import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { AuditOutcome } from './record.ts'

/** Last result of each check of the audit. Times are wall-clock time. */
export const AuditCheck = defineEntity({
  name: 'AuditCheck',
  properties: {
    name: p.text().primary(),
    outcome: p.text().$type<AuditOutcome>(),
    findings: p.integer(),
    checkedAt: instant(),
    /** When it last passed; null before. */
    passedAt: instant().nullable(),
  },
})
