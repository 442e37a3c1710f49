import type { Updateable } from 'kysely'
import type { Database, Rows } from '../../../activities/database/database.ts'
import { insertReceipt, type ReceiptRow } from '../../../activities/receipts/records.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'

/** Row of a receipt without a signed document, for records that never were on a chain. Adds the key that it names. */
export const receiptRowOf = async (
  rows: Rows,
  { sessionId, jobId, worker, at }: { sessionId: string; jobId: string; worker: string; at: number },
): Promise<ReceiptRow> => {
  const key = {
    kid: 'badge-1',
    purpose: 'receipt' as const,
    fingerprint: 'f',
    x: 'x',
    y: 'y',
    validFrom: 0,
    retiredAt: null,
    verifiesUntil: null,
  }
  await rows
    .insertInto('signing_key')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { receiptId: sha256Of(sessionId), sessionId, jobId, worker, outcome: 'approved', kid: 'badge-1', verifiedAt: at, document: '{}' }
}

/** Changes a session to an end that has a receipt, with its receipt. */
export const endWithReceipt = (database: Database, sessionId: string, changes: Updateable<Tables['session']>): Promise<void> =>
  database.transaction(async (rows) => {
    const { jobId, wallet } = await rows
      .selectFrom('session')
      .select(['jobId', 'wallet'])
      .where('sessionId', '=', sessionId)
      .executeTakeFirstOrThrow()
    const receipt = await receiptRowOf(rows, { sessionId, jobId, worker: wallet, at: 0 })
    await rows
      .updateTable('session')
      .set({ ...changes, workReceiptId: receipt.receiptId })
      .where('sessionId', '=', sessionId)
      .execute()
    await insertReceipt(rows, receipt)
  })
