import { sql } from 'kysely'
import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { buildReceipt, findReceiptProblem, type ReceiptFacts } from '../../domain/receipts/work-receipt.ts'
import { assertItemised } from '../../domain/sessions/verdict-items.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { type WorkReceipt, WorkReceiptShape } from '../../schemas/receipts/shapes.ts'
import type { Rows } from '../database/database.ts'
import type { SignDocument } from '../identity/signing-keys.ts'

export type ReceiptRow = Tables['work_receipt']

/** The row of a signed receipt. */
export const receiptRow = (receipt: WorkReceipt): ReceiptRow => {
  const { receiptId, sessionId, jobId, worker, verdict, signature, timestamps } = receipt
  const { kid } = signature
  const verifiedAt = Date.parse(timestamps.verifiedAt)
  return { receiptId, sessionId, jobId, worker, outcome: verdict.outcome, kid, verifiedAt, document: canonicalJson(receipt) }
}

/** Builds and signs a receipt. Throws if it breaks its published schema or an invariant. */
export const issueReceipt = async (facts: ReceiptFacts, sign: SignDocument): Promise<ReceiptRow> => {
  const receipt = buildReceipt(facts)
  assertItemised(receipt.verdict)
  const signature = await sign(receipt, Math.max(facts.verifiedAt, facts.settledAt))
  const document = { ...receipt, signature }
  const problem = WorkReceiptShape.safeParse(document).error?.message ?? findReceiptProblem(receipt)
  if (problem !== null) throw new Error(`receipt of ${facts.session.sessionId}: ${problem}`)
  return receiptRow(document)
}

/** Sort key of a wallet's receipts: newest first. */
export type ReceiptPosition = Pick<ReceiptRow, 'verifiedAt' | 'receiptId'>

/** Stores a receipt. Runs in the transaction that names it in its session. */
export const insertReceipt = async (rows: Rows, receipt: ReceiptRow): Promise<void> => {
  await rows.insertInto('work_receipt').values(receipt).execute()
}

/** Finds a receipt by its id; null if there is none. */
export const findReceipt = async (rows: Rows, receiptId: string): Promise<ReceiptRow | null> =>
  (await rows.selectFrom('work_receipt').selectAll().where('receiptId', '=', receiptId).executeTakeFirst()) ?? null

export type RunReceiptRow = Tables['run_receipt']

/** Stores the receipt of a paid run. Runs in the transaction that ends the run. Runs of which all is equal, times included, have one receipt. */
export const insertRunReceipt = async (rows: Rows, receipt: RunReceiptRow): Promise<void> => {
  await rows
    .insertInto('run_receipt')
    .values(receipt)
    .onConflict((conflict) => conflict.column('receiptId').doNothing())
    .execute()
}

/** Finds the receipt of a paid run by its id; null if there is none. */
export const findRunReceipt = async (rows: Rows, receiptId: string): Promise<RunReceiptRow | null> =>
  (await rows.selectFrom('run_receipt').selectAll().where('receiptId', '=', receiptId).executeTakeFirst()) ?? null

/** Finds the receipt of a funding by its id, as canonical JSON; null if there is none. */
export const findFundingReceipt = async (rows: Rows, receiptId: string): Promise<string | null> => {
  const found = await rows
    .selectFrom('posting')
    .select('fundingReceipt')
    .where(sql<string>`funding_receipt ->> 'receiptId'`, '=', receiptId)
    .executeTakeFirst()
  return found?.fundingReceipt == null ? null : canonicalJson(found.fundingReceipt)
}

/** A funding receipt that a fork made void: its job, and the receipt that counts now, null without one. Null for any other id. */
export const findFormerReceipt = async (rows: Rows, receiptId: string): Promise<{ jobId: string; supersededBy: string | null } | null> =>
  (await rows
    .selectFrom('former_funding_receipt')
    .leftJoin('posting', 'posting.jobId', 'former_funding_receipt.jobId')
    .select(['former_funding_receipt.jobId', sql<string | null>`posting.funding_receipt ->> 'receiptId'`.as('supersededBy')])
    .where('receiptId', '=', receiptId as `0x${string}`)
    .executeTakeFirst()) ?? null

/** The receipt of a session of a worker (lower case) that was paid; null without one. */
export const findPaidReceipt = async (
  rows: Rows,
  { worker, sessionId }: { worker: string; sessionId: string },
): Promise<ReceiptRow | null> =>
  (await rows
    .selectFrom('work_receipt')
    .selectAll('work_receipt')
    .innerJoin('session', 'session.sessionId', 'work_receipt.sessionId')
    .where('work_receipt.sessionId', '=', sessionId)
    .where('work_receipt.worker', '=', worker)
    .where('session.payoutTx', 'is not', null)
    .executeTakeFirst()) ?? null

/** Up to `limit` receipts of a worker after a position, newest first. */
export const listReceipts = async (
  rows: Rows,
  { worker, limit, after }: { worker: string; limit: number; after: ReceiptPosition | null },
): Promise<ReceiptRow[]> => {
  const own = rows.selectFrom('work_receipt').selectAll().where('worker', '=', worker)
  const newestFirst = own.orderBy('verifiedAt', 'desc').orderBy('receiptId').limit(limit)
  if (after === null) return newestFirst.execute()
  return newestFirst
    .where('verifiedAt', '<=', after.verifiedAt)
    .where((is) => is.or([is('verifiedAt', '<', after.verifiedAt), is('receiptId', '>', after.receiptId)]))
    .execute()
}
