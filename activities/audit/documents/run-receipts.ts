import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { showsVerdict } from '../../../domain/paid-verification/run-states.ts'
import { findRunReceiptProblem } from '../../../domain/receipts/run-receipt.ts'
import { type RunReceipt, RunReceiptShape } from '../../../schemas/receipts/run.ts'
import { type KeyRecord, listKeyRecords } from '../../identity/key-records.ts'
import { findForgery } from '../../identity/signing-keys.ts'
import type { RunRecord } from '../../paid-verification/records.ts'
import type { RunReceiptRow } from '../../receipts/records.ts'
import { type Audit, type Check, type Contradiction, compareMembers, PAGE, parseJson, readPages } from '../context.ts'

/** Compares the receipt of a run with its row. */
const compareWithRun = (run: RunRecord, { worker, intent, verifier, execution, verdict, payment }: RunReceipt): Contradiction | null =>
  compareMembers(
    {
      ...{ payer: run.payer, requestHash: run.requestHash, profileDigest: run.profileDigest, verdict: run.verdict },
      ...{ result: keccakOf(run.result), amount: run.txHash === null ? '0' : run.amountRaw, tx: run.txHash },
      ...{ network: run.network, asset: run.asset },
    },
    {
      ...{ payer: worker, requestHash: intent.specHash, profileDigest: verifier.profileDigest, verdict: verdict.outcome },
      ...{ result: execution.evidenceHash, amount: payment.amountRaw, tx: payment.transactionHash },
      ...{ network: payment.network, asset: payment.asset },
    },
  )

const checkRun = ({ document, ...run }: RunRecord & { document: string | null }): Contradiction | null => {
  if (!showsVerdict(run.state)) return document === null ? null : { expected: 'no receipt', found: 'a receipt' }
  if (document === null) return { expected: 'a receipt', found: 'none' }
  const { data: receipt } = RunReceiptShape.safeParse(parseJson(document))
  // A receipt of another schema is a finding of its own.
  return receipt === undefined ? null : compareWithRun(run, receipt)
}

/** Contradiction between a stored receipt, its columns, its schema and its signature; null if they agree. */
const checkReceipt = async ({ receiptId, kid, document }: RunReceiptRow, keys: readonly KeyRecord[]): Promise<Contradiction | null> => {
  const { data: receipt, error } = RunReceiptShape.safeParse(parseJson(document))
  if (error !== undefined) return { expected: 'a receipt of the published schema', found: error.issues[0]?.message ?? 'another document' }
  if (canonicalJson(receipt) !== document) return { expected: 'canonical bytes', found: 'other bytes' }
  const different = compareMembers({ receiptId, kid }, { ...receipt, kid: receipt.signature.kid })
  if (different !== null) return different
  const problem = findRunReceiptProblem(receipt) ?? (await findForgery(keys, receipt))
  return problem === null ? null : { expected: 'our signed receipt', found: problem }
}

const listRuns =
  ({ rows }: Audit) =>
  (last: { runKey: string } | undefined) =>
    rows
      .selectFrom('verification_run')
      .leftJoin('run_receipt', 'run_receipt.receiptId', 'verification_run.receiptId')
      .selectAll('verification_run')
      .select('run_receipt.document')
      .where('endedAt', 'is not', null)
      .$if(last !== undefined, (those) => those.where('runKey', '>', last?.runKey ?? ''))
      .orderBy('runKey')
      .limit(PAGE)
      .execute()

const listReceipts =
  ({ rows }: Audit) =>
  (last: RunReceiptRow | undefined) =>
    rows
      .selectFrom('run_receipt')
      .selectAll()
      .$if(last !== undefined, (those) => those.where('receiptId', '>', last?.receiptId ?? ''))
      .orderBy('receiptId')
      .limit(PAGE)
      .execute()

/** Compares the receipts of paid runs with the runs that are still stored, and all of them with their signatures. */
export const checkRunReceipts: Check = async (audit, add) => {
  const keys = await listKeyRecords(audit.rows, 'receipt')
  for await (const page of readPages(listRuns(audit)))
    for (const run of page) {
      const contradiction = checkRun(run)
      if (contradiction !== null) add({ subject: `receipt of run ${run.runKey}`, ...contradiction })
    }
  for await (const page of readPages(listReceipts(audit)))
    for (const row of page) {
      const contradiction = await checkReceipt(row, keys)
      if (contradiction !== null) add({ subject: `receipt ${row.receiptId} of a run`, ...contradiction })
    }
}
