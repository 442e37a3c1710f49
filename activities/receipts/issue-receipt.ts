import { buildReceipt, findReceiptProblem, type ReceiptFacts } from '../../domain/receipts/work-receipt.ts'
import { assertItemised } from '../../domain/sessions/verdict-items.ts'
import { WorkReceiptShape } from '../../schemas/receipts/shapes.ts'
import type { SignDocument } from '../identity/signing-keys.ts'
import { type ReceiptRow, receiptRow } from './records.ts'

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
