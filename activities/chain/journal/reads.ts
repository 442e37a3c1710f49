import type { Rows } from '../../database/database.ts'
import { type JournalRow, ownSignature, PENDING_STATUSES, parseRow, rowsOfSigner, type Signature } from './rows.ts'

/** Signers that the journal has handed out nonces for, with the next one. */
export const journalSigners = async (rows: Rows, chainId: number): Promise<{ signer: string; nextNonce: number }[]> =>
  rows.selectFrom('chain_nonce').select(['signer', 'nextNonce']).where('chainId', '=', chainId).orderBy('signer').execute()

/** Rows of a signer from a nonce on, whatever became of them; lowest nonce first. */
export const rowsFrom = async (rows: Rows, chainId: number, signer: string, nonce: number, limit: number): Promise<JournalRow[]> => {
  const found = await rowsOfSigner(rows, chainId, signer).where('nonce', '>=', nonce).limit(limit).execute()
  return found.map(parseRow)
}

/** Every signature of an intent, newest first: the row's own, and the others of a row that was replaced. */
export const signaturesOf = async (rows: Rows, row: JournalRow): Promise<Signature[]> => {
  const found = await rows
    .selectFrom('chain_signature')
    .select(['txHash', 'rawTransaction'])
    .where('intentKey', '=', row.intentKey)
    .orderBy('number', 'desc')
    .execute()
  return found.length === 0 ? [ownSignature(row)] : found.map(asSignature)
}

const asSignature = (found: { txHash: string; rawTransaction: string }): Signature => found as Signature

/** Rows of a signer that nobody seems to care for: unsent since `unsentBefore`, or not handed out since `lastSentBefore`; lowest nonce first. */
export const neglectedRows = async (
  rows: Rows,
  chainId: number,
  signer: string,
  { unsentBefore, lastSentBefore }: { unsentBefore: number; lastSentBefore: number },
): Promise<JournalRow[]> => {
  const found = await rowsOfSigner(rows, chainId, signer)
    .where('status', 'in', PENDING_STATUSES)
    .where((is) =>
      is.or([
        is.and([is('status', '=', 'signed'), is('updatedAt', '<=', unsentBefore)]),
        is.and([is('status', '=', 'broadcast'), is('updatedAt', '<=', lastSentBefore)]),
      ]),
    )
    .execute()
  return found.map(parseRow)
}
