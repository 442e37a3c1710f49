import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** A verdict, written once. A session may have several: a repeated verification, a human verdict. */
export const Verification = defineEntity({
  name: 'Verification',
  properties: {
    id: p.text().primary(),
    sessionId: p.text(),
    jobId: p.text(),
    seq: p.integer(),
    outcome: p.text(),
    reasonCode: p.text(),
    handler: p.text(),
    handlerVersion: p.integer(),
    score: p.integer(),
    verdict: p.json<Record<string, unknown>>(),
    decidedAt: instant(),
  },
})
