import { expect } from '@jest/globals'
import { listKeyRecords } from '../../../activities/identity/key-records.ts'
import { keyView } from '../../../activities/identity/signing-keys.ts'
import { checkRecord } from '../../../examples/verify-record/check.ts'
import { parseStrict } from '../../../examples/verify-record/encoding/json.ts'
import { RECORD_SCHEMAS } from '../../../schemas/operations/record-schemas.ts'
import { expectSchema, verifyDetached, verifyReceipt } from '../../support/signed-documents.ts'
import type { Service } from './service.ts'

const schemaOf = (name: string) => RECORD_SCHEMAS.get(name) ?? {}

/** Holds every stored receipt, badge and dispute file to schema, id, sums and signature, and to the verifier of strangers. Gives the receipts by their resolution's verdict and status. */
export const verifyEveryDocument = async ({ rows }: Pick<Service, 'rows'>): Promise<Set<string>> => {
  const keySet = { keys: (await listKeyRecords(rows, 'receipt')).map(keyView, 'receipt') }
  const sessions = await rows.selectFrom('session').select(['sessionId', 'status', 'workReceiptId', 'rejectionFinalizedAt']).execute()
  const ends = new Set<string>()
  for (const { sessionId, status, workReceiptId } of sessions.filter((session) => session.workReceiptId !== null)) {
    const stored = await rows.selectFrom('work_receipt').selectAll().where('sessionId', '=', sessionId).executeTakeFirstOrThrow()
    expect(stored.receiptId).toBe(workReceiptId)
    const receipt = await verifyReceipt(stored.document, keySet, schemaOf('work-receipt-v1'))
    const file = await rows.selectFrom('dispute_file').select('document').where('sessionId', '=', sessionId).executeTakeFirst()
    const dispute = await rows.selectFrom('dispute').select('disputeId').where('sessionId', '=', sessionId).executeTakeFirst()
    expect(file === undefined).toBe(dispute === undefined)
    const evidence = { keySet, heads: [], chainId: null, now: Date.parse(receipt.signature.signedAt), unpublished: false }
    if (file !== undefined) await checkRecord(parseStrict(file.document), evidence)
    ends.add(`${status} ${receipt.resolution.kind} ${receipt.resolution.verdict} ${receipt.verdict.outcome}`)
    const badge = await rows.selectFrom('badge').select('document').where('sessionId', '=', sessionId).executeTakeFirst()
    expect(badge !== undefined).toBe(status === 'resolved')
    if (badge === undefined) continue
    expectSchema(schemaOf('agent-badge-v1'), badge.document)
    await verifyDetached(badge.document, keySet)
    await checkRecord(badge.document, evidence)
    expect(badge.document.items).toEqual(receipt.verdict.items)
  }
  return ends
}
