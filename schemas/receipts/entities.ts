import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** Signed receipt of a session, written once with its terminal status. */
export const WorkReceiptRecord = defineEntity({
  name: 'WorkReceiptRecord',
  tableName: 'work_receipt',
  properties: {
    receiptId: p.text().primary(),
    sessionId: p.text(),
    jobId: p.text(),
    worker: p.text(),
    outcome: p.text(),
    /** Key of the signature. */
    kid: p.text(),
    verifiedAt: instant(),
    /** Canonical JSON, as served. */
    document: p.text(),
  },
})

/** Signed receipt of a paid run of verification, written once with its end. It names no run, and stays when the run is deleted. */
export const RunReceiptRecord = defineEntity({
  name: 'RunReceiptRecord',
  tableName: 'run_receipt',
  properties: {
    receiptId: p.text().primary(),
    /** Key of the signature. */
    kid: p.text(),
    /** Canonical JSON, as served. */
    document: p.text(),
  },
})
