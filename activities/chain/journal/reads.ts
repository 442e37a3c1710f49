import type { Rows } from '../../database/database.ts'
import { type JournalRow, PENDING_STATUSES, parseRow, type Signature, selectRowsOfSigner } from './rows.ts'

/** Signers with assigned nonces, and their next nonce. */
export const listSigners = async (rows: Rows, chainId: number): Promise<{ signer: string; nextNonce: number }[]> =>
  rows.selectFrom('chain_nonce').select(['signer', 'nextNonce']).where('chainId', '=', chainId).orderBy('signer').execute()

/** Rows of a signer from a nonce on, in any status; lowest nonce first. */
export const listRowsFrom = async (rows: Rows, chainId: number, signer: string, nonce: number, limit: number): Promise<JournalRow[]> => {
  const found = await selectRowsOfSigner(rows, chainId, signer).where('nonce', '>=', nonce).limit(limit).execute()
  return found.map(parseRow)
}

/** Every signature of an intent, newest first; a row that was replaced has several. */
export const listSignatures = async (rows: Rows, row: JournalRow): Promise<Signature[]> => {
  const found = await rows
    .selectFrom('chain_signature')
    .select(['txHash', 'rawTransaction'])
    .where('intentKey', '=', row.intentKey)
    .orderBy('number', 'desc')
    .execute()
  return found.length === 0 ? [row] : (found as Signature[])
}

/** Rows that no process handles: unsent since `unsentBefore` or last sent before `lastSentBefore` (epoch ms); lowest nonce first. */
export const listNeglected = async (
  rows: Rows,
  chainId: number,
  signer: string,
  { unsentBefore, lastSentBefore }: { unsentBefore: number; lastSentBefore: number },
): Promise<JournalRow[]> => {
  const found = await selectRowsOfSigner(rows, chainId, signer)
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
