import { earnsReceipt } from '../../../domain/audit/session-ending.ts'
import { holdsEvent, provenReceipt, type ReceiptInclusion, type TrieReceipt } from '../../../domain/chain/receipt-trie.ts'
import { findReceiptProblem } from '../../../domain/receipts/work-receipt.ts'
import { type WorkReceipt, WorkReceiptShape } from '../../../schemas/receipts/shapes.ts'
import { type KeyRecord, listKeyRecords } from '../../identity/key-records.ts'
import { findForgery } from '../../identity/signing-keys.ts'
import { type ReceiptRow, receiptRow } from '../../receipts/records.ts'
import { type AuditedSession, settledSessions } from '../claims.ts'
import { type Audit, type Check, type Contradiction, compareMembers, parseJson } from '../context.ts'

/** Compares a receipt with its session and the end of the session on chain. */
const compareWithChain = ({ sessionId, jobId, wallet, chainJobId, evidenceHash, chain }: AuditedSession, receipt: WorkReceipt) =>
  compareMembers(
    { sessionId, jobId, worker: wallet, chainJobId, evidenceHash, paid: chain.ending?.workerRaw ?? 0n, tx: chain.ending?.txHash },
    {
      ...receipt,
      evidenceHash: receipt.verdict.evidenceHash,
      paid: receipt.settlement?.workerAmountRaw ?? '0',
      tx: receipt.settlementProof.transactionHash,
    },
  )

/** Compares the columns of a receipt with its document. */
const compareColumns = (row: ReceiptRow, receipt: WorkReceipt): Contradiction | null => {
  const { document, ...columns } = receiptRow(receipt)
  return document === row.document ? compareMembers(columns, { ...row }) : { expected: 'canonical bytes', found: 'other bytes' }
}

/** Why a receipt does not prove its event; null if it does, or binds only hash and number. */
const findProofProblem = async ({ settlementProof: proof }: WorkReceipt): Promise<string | null> => {
  if (proof.binding === 'hash_and_number') return null
  const mined = await provenReceipt(proof.inclusion as ReceiptInclusion, proof.blockHash)
  return mined !== null && holdsEvent(mined, proof.event as TrieReceipt['logs'][number]) ? null : 'a path that does not lead to the event'
}

/** Contradiction between a stored receipt, its session, the chain and its signature; null if they agree. */
const checkReceipt = async (session: AuditedSession, row: ReceiptRow | undefined, keys: readonly KeyRecord[]) => {
  if (!earnsReceipt(session.chain)) return row === undefined ? null : { expected: 'no receipt', found: 'a receipt' }
  if (row === undefined) return { expected: `a receipt of ${session.chain.ending?.txHash}`, found: 'none' }
  const { data: receipt, error } = WorkReceiptShape.safeParse(parseJson(row.document))
  if (error !== undefined) return { expected: 'a receipt of the published schema', found: error.issues[0]?.message ?? 'another document' }
  const different = compareWithChain(session, receipt) ?? compareColumns(row, receipt)
  if (different !== null) return different
  const problem = findReceiptProblem(receipt) ?? (await findProofProblem(receipt)) ?? (await findForgery(keys, receipt))
  return problem === null ? null : { expected: 'our signed receipt', found: problem }
}

/** The configured key must be the current one of the records, by which all signatures are checked. */
const findKeyProblem = async ({ readKey }: Audit, keys: readonly KeyRecord[]): Promise<Contradiction | null> => {
  const current = keys.find(({ retiredAt }) => retiredAt === null)
  const { fingerprint } = await readKey()
  return current === undefined || current.fingerprint === fingerprint ? null : { expected: fingerprint, found: current.fingerprint }
}

/** Compares the receipts with the endings on chain and with their signatures. */
export const checkReceipts: Check = async (audit, add) => {
  const keys = await listKeyRecords(audit.rows, 'receipt')
  const keyProblem = await findKeyProblem(audit, keys)
  if (keyProblem !== null) add({ subject: 'current key of receipts', ...keyProblem })
  const list = (ids: string[]) => audit.rows.selectFrom('work_receipt').selectAll().where('sessionId', 'in', ids).execute()
  for await (const { session, stored } of settledSessions(audit, list)) {
    const contradiction = await checkReceipt(session, stored[0], keys)
    if (contradiction !== null) add({ subject: `receipt of session ${session.sessionId}`, ...contradiction })
  }
}
