import { sql } from 'kysely'
import { type Hex, parseTransaction } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Fees, replacementFees } from '../../../domain/chain/replacement-fees.ts'
import type { Rows } from '../../database/database.ts'
import { getAccount, type SignerRole } from '../clients.ts'
import { createBroadcaster } from './broadcast.ts'
import { listRowsFrom } from './reads.ts'
import { findJournalRows, insertSigned, type JournalRow, PENDING_STATUSES, type Signature, takeNonces } from './rows.ts'
import type { TransactionDeps } from './send.ts'
import { quoteFees, signIntent } from './sign.ts'

/** Gas of a plain transfer, with reserve for chains that charge more than Ethereum. */
const FILL_GAS = 100_000n

/** Why an action changed nothing. */
type Refusal =
  | 'no_row'
  | 'not_pending'
  | 'not_mined'
  | 'nonce_used'
  | 'node_unreachable'
  | 'replaced_meanwhile'
  | 'row_exists'
  | 'held_by_pool'
  | 'not_handed_out'

/** Result of an operator's action. `accepted` is false if the bytes are stored but no write URL took them yet; the pump sends them again. */
export type NonceAct =
  | {
      done: true
      act: 'replaced' | 'filled' | 'resent'
      row: JournalRow
      oldHash: Hex | null
      fees: Fees
      accepted: boolean
      reason: string | null
    }
  | { done: false; refusal: Refusal; detail: string }

const refuse = (refusal: Refusal, detail: string): NonceAct => ({ done: false, refusal, detail })

/** Fee caps that signed bytes offer. The encoding omits zero values. */
export const parseFees = (raw: Hex): Fees => {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw)
  return { maxFeePerGas, maxPriorityFeePerGas }
}

/** Locks the row if it is unchanged since it was read. */
const lockIfUnchanged = (rows: Rows, { intentKey, txHash }: JournalRow) =>
  rows
    .selectFrom('chain_transaction')
    .select('updatedAt')
    .where('intentKey', '=', intentKey)
    .where('txHash', '=', txHash)
    .where('status', 'in', PENDING_STATUSES)
    .forUpdate()
    .executeTakeFirst()

/** Stores the old signature next to the new one, which becomes the row's own with status signed. */
const storeSignature = async (rows: Rows, old: JournalRow, { txHash, rawTransaction }: Signature, signedAt: number, now: number) => {
  const { intentKey } = old
  const insertion = rows.insertInto('chain_signature')
  await insertion
    .values({ intentKey, number: 0, txHash: old.txHash, rawTransaction: old.rawTransaction, signedAt })
    .onConflict((conflict) => conflict.column('txHash').doNothing())
    .execute()
  const number = sql<number>`(select count(*) from chain_signature where intent_key = ${intentKey})`
  await insertion.values({ intentKey, number, txHash, rawTransaction, signedAt: now }).execute()
  await rows
    .updateTable('chain_transaction')
    .set({ txHash, rawTransaction, status: 'signed', broadcasts: 0, broadcastAt: null, updatedAt: now })
    .where('intentKey', '=', intentKey)
    .execute()
}

/** An operator's three actions on a nonce. None assigns a new nonce, and bytes are stored before they are sent. */
export const createReplacement = ({ signers, ...deps }: TransactionDeps) => {
  const { database, clients, clock, observe = () => undefined } = deps
  const { reader, writers, chainId } = clients
  const { broadcast } = createBroadcaster(deps)

  /** Transaction counts of all write URLs; null if one of them does not answer. */
  const countsOf = (address: Hex, blockTag: 'latest' | 'pending'): Promise<number[] | null> =>
    Promise.all(writers.map((writer) => writer.getTransactionCount({ address, blockTag }))).catch(() => null)

  /** The refusal if the nonce is used or a write URL does not answer; null otherwise. */
  const checkNonce = async (address: Hex, nonce: number): Promise<NonceAct | null> => {
    const counts = await countsOf(address, 'latest')
    if (counts === null) return refuse('node_unreachable', 'a write URL does not answer, so the nonce may be used')
    if (counts.some((count) => count > nonce)) return refuse('nonce_used', `the chain has already counted nonce ${nonce}`)
    return null
  }

  const sendRow = async (act: 'replaced' | 'filled' | 'resent', row: JournalRow, oldHash: Hex | null, fees: Fees): Promise<NonceAct> => {
    const reason = await broadcast(row).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    return { done: true, act, row, oldHash, fees, accepted: reason === null, reason }
  }

  const send = async (key: string, oldHash: Hex | null, fees: Fees): Promise<NonceAct> => {
    const row = (await findJournalRows(database.rows, [key])).get(key)
    if (row === undefined) throw new Error(`the journal has no row ${key}`)
    observe(oldHash === null ? 'signed' : 'replaced', row)
    return sendRow(oldHash === null ? 'filled' : 'replaced', row, oldHash, fees)
  }

  const rowAt = async (signer: string, nonce: number): Promise<JournalRow | undefined> => {
    const [row] = await listRowsFrom(database.rows, chainId, signer, nonce, 1)
    return row?.nonce === nonce ? row : undefined
  }

  const replaceRow = async (account: PrivateKeyAccount, row: JournalRow): Promise<NonceAct> => {
    const fees = replacementFees(parseFees(row.rawTransaction), await quoteFees(reader))
    const signature = await signIntent(account, chainId, row.intent, row.nonce, fees)
    const stored = await database.transaction(async (rows) => {
      const locked = await lockIfUnchanged(rows, row)
      if (locked === undefined) return false
      await storeSignature(rows, row, signature, locked.updatedAt, clock.now())
      return true
    })
    if (!stored) return refuse('replaced_meanwhile', 'it was replaced or mined meanwhile: check the status again')
    return send(row.intentKey, row.txHash, fees)
  }

  const insertFill = async (
    account: PrivateKeyAccount,
    nonce: number,
    floor: number,
    fees: Fees,
  ): Promise<{ key: string } | 'not_handed_out' | 'row_exists'> => {
    const signer = account.address.toLowerCase()
    const key = `fill/${chainId}/${signer}/${nonce}`
    const intent = { key, to: account.address, functionName: 'fill', data: '0x', gas: FILL_GAS } as const
    const signed = await signIntent(account, chainId, intent, nonce, fees)
    return database.transaction(async (rows) => {
      // The lock on the signer's row stops nonce assignment: a nonce without a row now never had one.
      if ((await takeNonces(rows, chainId, signer, 0, floor)) <= nonce) return 'not_handed_out'
      const [row] = await listRowsFrom(rows, chainId, signer, nonce, 1)
      if (row?.nonce === nonce) return 'row_exists'
      await insertSigned(rows, chainId, signer, [signed], clock.now())
      return { key }
    })
  }

  return {
    /**
     * Signs the same call again with the same nonce and higher fees. Exactly one version will be mined; a step that waits for the row accepts
     * the receipt of either.
     */
    replace: async (role: SignerRole, nonce: number): Promise<NonceAct> => {
      const account = getAccount(signers, role)
      const row = await rowAt(account.address.toLowerCase(), nonce)
      if (row === undefined) return refuse('no_row', `the journal holds no transaction of nonce ${nonce}; fill the gap instead`)
      if (row.status !== 'signed' && row.status !== 'broadcast') return refuse('not_pending', `it is ${row.status}`)
      return (await checkNonce(account.address, nonce)) ?? replaceRow(account, row)
    },

    /**
     * Sends a mined transaction again that the chain has lost in a reorganisation; it has the same call and nonce. A reverted or dead one is
     * not sent: its call may succeed now, and no step waits for it.
     */
    resend: async (role: SignerRole, nonce: number): Promise<NonceAct> => {
      const { address } = getAccount(signers, role)
      const row = await rowAt(address.toLowerCase(), nonce)
      if (row === undefined) return refuse('no_row', `the journal holds no transaction of nonce ${nonce}`)
      if (row.status !== 'mined')
        return refuse(
          'not_mined',
          `it is ${row.status}, and its call may succeed now: use the nonce for a transfer from the signer's own wallet`,
        )
      return (await checkNonce(address, nonce)) ?? sendRow('resent', row, null, parseFees(row.rawTransaction))
    },

    /** Fills a gap, an assigned nonce without a row or a pooled transaction, with a zero transfer to the signer itself. */
    fill: async (role: SignerRole, nonce: number): Promise<NonceAct> => {
      const account = getAccount(signers, role)
      const beyond = await checkNonce(account.address, nonce)
      if (beyond) return beyond
      const pooled = await countsOf(account.address, 'pending')
      if (pooled === null) return refuse('node_unreachable', 'a write URL does not answer, so the nonce may be used')
      if (pooled.some((count) => count > nonce)) return refuse('held_by_pool', 'a transaction of this nonce waits in a pool')
      const fees = await quoteFees(reader)
      const inserted = await insertFill(account, nonce, Math.max(...pooled), fees)
      if (inserted === 'not_handed_out') return refuse(inserted, `the journal has not assigned nonce ${nonce} yet`)
      if (inserted === 'row_exists') return refuse(inserted, `the journal holds a transaction of nonce ${nonce}: replace it`)
      return send(inserted.key, null, fees)
    },
  }
}
