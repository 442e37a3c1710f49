import { type Hex, keccak256, parseTransaction } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Fees, replacementFees } from '../../../domain/chain/replacement-fees.ts'
import type { Rows } from '../../database/database.ts'
import type { SignerRole } from '../clients.ts'
import { createBroadcaster } from './broadcast.ts'
import { journalEventOf } from './events.ts'
import { quoteFees } from './fees.ts'
import { rowsFrom } from './reads.ts'
import { findJournalRows, insertSigned, type JournalRow, PENDING_STATUSES, type Signature, takeNonces } from './rows.ts'
import type { TransactionDeps } from './send.ts'

/** A plain transfer; generous, since not every chain counts as the first one did. */
const FILL_GAS = 100_000n

/** Why nothing was changed. */
export type Refusal =
  | 'no_row'
  | 'not_pending'
  | 'not_mined'
  | 'nonce_used'
  | 'node_unreachable'
  | 'replaced_meanwhile'
  | 'row_exists'
  | 'held_by_pool'
  | 'not_handed_out'

/** What an operator's act came to. `taken` is false when the bytes are kept but no write address took them yet: the pump goes on. */
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

const refused = (refusal: Refusal, detail: string): NonceAct => ({ done: false, refusal, detail })

/** The call of signed bytes, to be signed again as it is, and their fees (the encoding leaves a zero out). */
const callOf = (raw: Hex) => {
  const { type, chainId, to, data, gas, value, nonce, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw)
  if (type !== 'eip1559' || nonce === undefined) throw new Error('these bytes are not of this journal')
  return { call: { type, chainId, to, data, gas, value, nonce }, fees: { maxFeePerGas, maxPriorityFeePerGas } }
}

/** Fee caps that signed bytes offer. */
export const parseFees = (raw: Hex): Fees => callOf(raw).fees

/** The row under its lock, if nobody changed it since it was read. */
const lockIfUnchanged = (rows: Rows, { intentKey, txHash }: JournalRow) =>
  rows
    .selectFrom('chain_transaction')
    .select('updatedAt')
    .where('intentKey', '=', intentKey)
    .where('txHash', '=', txHash)
    .where('status', 'in', PENDING_STATUSES)
    .forUpdate()
    .executeTakeFirst()

/** Keeps the old signature beside the new one, and makes the new one the row's own: signed, and not out yet. */
const storeSignature = async (rows: Rows, old: JournalRow, { txHash, rawTransaction }: Signature, signedAt: number, now: number) => {
  const { intentKey } = old
  const { count } = await rows
    .selectFrom('chain_signature')
    .select((one) => one.fn.countAll<string>().as('count'))
    .where('intentKey', '=', intentKey)
    .executeTakeFirstOrThrow()
  const known = Number(count)
  const first = { intentKey, number: 0, txHash: old.txHash, rawTransaction: old.rawTransaction, signedAt }
  const next = { intentKey, number: Math.max(known, 1), txHash, rawTransaction, signedAt: now }
  await rows
    .insertInto('chain_signature')
    .values(known === 0 ? [first, next] : [next])
    .execute()
  await rows
    .updateTable('chain_transaction')
    .set({ txHash, rawTransaction, status: 'signed', broadcasts: 0, broadcastAt: null, updatedAt: now })
    .where('intentKey', '=', intentKey)
    .execute()
}

/** An operator's three acts on a nonce. None hands out a new one, and the bytes are kept before anything is sent. */
export const createReplacement = ({ signers, ...deps }: TransactionDeps) => {
  const { database, clients, clock, observe = () => undefined } = deps
  const { reader, writers, chainId } = clients
  const { broadcast } = createBroadcaster(deps)

  const accountOf = (role: SignerRole): PrivateKeyAccount => {
    const account = signers[role]
    if (!account) throw new Error(`no ${role} key is configured`)
    return account
  }

  /** What each write address counts; null when one of them cannot be asked. */
  const countsOf = (address: Hex, blockTag: 'latest' | 'pending'): Promise<number[] | null> =>
    Promise.all(writers.map((writer) => writer.getTransactionCount({ address, blockTag }))).catch(() => null)

  /** Why the nonce is beyond help, or null while the chain has not counted it anywhere. */
  const checkNonce = async (address: Hex, nonce: number): Promise<NonceAct | null> => {
    const counts = await countsOf(address, 'latest')
    if (counts === null) return refused('node_unreachable', 'a write address does not answer, so nothing is proved')
    if (counts.some((count) => count > nonce)) return refused('nonce_used', `the chain has counted nonce ${nonce} already`)
    return null
  }

  const handOut = async (act: 'replaced' | 'filled' | 'resent', row: JournalRow, oldHash: Hex | null, fees: Fees): Promise<NonceAct> => {
    const reason = await broadcast(row).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    return { done: true, act, row, oldHash, fees, accepted: reason === null, reason }
  }

  const send = async (key: string, oldHash: Hex | null, fees: Fees): Promise<NonceAct> => {
    const row = (await findJournalRows(database.rows, [key])).get(key)
    if (row === undefined) throw new Error(`journal lost ${key}`)
    observe(journalEventOf(oldHash === null ? 'signed' : 'replaced', row))
    return handOut(oldHash === null ? 'filled' : 'replaced', row, oldHash, fees)
  }

  const rowAt = async (signer: string, nonce: number): Promise<JournalRow | undefined> => {
    const [row] = await rowsFrom(database.rows, chainId, signer, nonce, 1)
    return row?.nonce === nonce ? row : undefined
  }

  const replaceRow = async (account: PrivateKeyAccount, row: JournalRow): Promise<NonceAct> => {
    const { call, fees: old } = callOf(row.rawTransaction)
    const fees = replacementFees(old, await quoteFees(reader))
    const rawTransaction = await account.signTransaction({ ...call, ...fees })
    const signature = { rawTransaction, txHash: keccak256(rawTransaction) }
    const stored = await database.transaction(async (rows) => {
      const locked = await lockIfUnchanged(rows, row)
      if (locked === undefined) return false
      await storeSignature(rows, row, signature, locked.updatedAt, clock.now())
      return true
    })
    if (!stored) return refused('replaced_meanwhile', 'it was replaced or mined meanwhile: look at the status again')
    return send(row.intentKey, row.txHash, fees)
  }

  const insertFill = async (
    account: PrivateKeyAccount,
    nonce: number,
    floor: number,
    fees: Fees,
  ): Promise<{ key: string } | 'not_handed_out' | 'row_exists'> => {
    const signer = account.address.toLowerCase()
    const intent = {
      key: `fill/${chainId}/${signer}/${nonce}`,
      to: account.address,
      functionName: 'fill',
      data: '0x',
      gas: FILL_GAS,
    } as const
    const { to, data, gas } = intent
    const raw = await account.signTransaction({ chainId, type: 'eip1559', to, data, gas, nonce, value: 0n, ...fees })
    return database.transaction(async (rows) => {
      // Under the signer's row no nonce is handed out: what has no row now never had one.
      if ((await takeNonces(rows, chainId, signer, 0, floor)) <= nonce) return 'not_handed_out'
      const [row] = await rowsFrom(rows, chainId, signer, nonce, 1)
      if (row?.nonce === nonce) return 'row_exists'
      await insertSigned(rows, chainId, signer, [{ intent, nonce, raw, txHash: keccak256(raw) }], clock.now())
      return { key: intent.key }
    })
  }

  return {
    /**
     * Signs the same call with the same nonce and higher fees. Old and new bytes may both be mined, one of them will be: whoever
     * waits for the row takes the receipt of either.
     */
    replace: async (role: SignerRole, nonce: number): Promise<NonceAct> => {
      const account = accountOf(role)
      const row = await rowAt(account.address.toLowerCase(), nonce)
      if (row === undefined) return refused('no_row', `the journal holds no transaction of nonce ${nonce}; a hole is filled, not replaced`)
      if (row.status !== 'signed' && row.status !== 'broadcast') return refused('not_pending', `it is ${row.status}`)
      return (await checkNonce(account.address, nonce)) ?? replaceRow(account, row)
    },

    /**
     * Hands out again the bytes of a transaction that was mined and that the chain has lost, as after a reorganisation: the same call takes the same
     * nonce. One that was reverted or given up is not: its call may pass by now, and nobody waits for it any more.
     */
    resend: async (role: SignerRole, nonce: number): Promise<NonceAct> => {
      const { address } = accountOf(role)
      const row = await rowAt(address.toLowerCase(), nonce)
      if (row === undefined) return refused('no_row', `the journal holds no transaction of nonce ${nonce}`)
      if (row.status !== 'mined')
        return refused(
          'not_mined',
          `it is ${row.status}, and its call may pass by now: spend the nonce with a transfer from the signer's own wallet`,
        )
      return (await checkNonce(address, nonce)) ?? handOut('resent', row, null, parseFees(row.rawTransaction))
    },

    /** Puts a transfer of nothing to the signer itself into a hole: a nonce that was handed out, and that no row and no pool holds. */
    fill: async (role: SignerRole, nonce: number): Promise<NonceAct> => {
      const account = accountOf(role)
      const beyond = await checkNonce(account.address, nonce)
      if (beyond) return beyond
      const pooled = await countsOf(account.address, 'pending')
      if (pooled === null) return refused('node_unreachable', 'a write address does not answer, so nothing is proved')
      if (pooled.some((count) => count > nonce)) return refused('held_by_pool', 'a transaction of this nonce waits in a pool')
      const fees = await quoteFees(reader)
      const inserted = await insertFill(account, nonce, Math.max(...pooled), fees)
      if (inserted === 'not_handed_out') return refused(inserted, `the journal has not handed out nonce ${nonce} yet: nothing waits for it`)
      if (inserted === 'row_exists') return refused(inserted, `the journal holds a transaction of nonce ${nonce}: replace it`)
      return send(inserted.key, null, fees)
    },
  }
}
