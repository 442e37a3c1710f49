import { sql } from 'kysely'
import { type Hex, parseTransaction } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Fees, isOutgrown, raisedFees, replacementFees } from '../../../domain/chain/replacement-fees.ts'
import { DAY_MS } from '../../../domain/common/instants.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import { type Rows, readRow } from '../../database/database.ts'
import { getAccount, type SignerRole } from '../clients.ts'
import { createBroadcaster } from './broadcast.ts'
import { listRowsFrom, listSignatures } from './reads.ts'
import { findJournalRows, insertSigned, type JournalRow, type JournalStatus, PENDING_STATUSES, type Signature, takeNonces } from './rows.ts'
import type { TransactionDeps } from './send.ts'
import { quoteFees, signIntent } from './sign.ts'

/** Gas of a plain transfer, with reserve for chains that charge more than Ethereum. */
const FILL_GAS = 100_000n

/** A transaction waits so long for the base fee to fall before the service raises its fees. */
const RAISE_AFTER_MS = 10_000

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
  | 'above_fee_cap'
  | 'above_daily_fees'

/** What the operator lets the service add to fees by itself. */
export interface RaiseBounds {
  /** Multiple of the first price; 1 for none. */
  factor: number
  /** Base units of the native coin within 24 hours, of all signers. */
  dailyRaw: bigint
}

/** Result of an operator's action, or of a raise of fees. `accepted` is false if the bytes are stored but no write URL took them yet; the pump sends them again. */
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

const isPending = (status: JournalStatus): boolean => PENDING_STATUSES.some((pending) => pending === status)

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

/** What raises of the last 24 hours may cost. The lock orders raises: each one counts those before it. */
const sumRaised = async (rows: Rows, chainId: number, now: number): Promise<bigint> => {
  await sql`select pg_advisory_xact_lock(hashtext('fee-raises'))`.execute(rows)
  const { total } = await readRow(
    rows,
    sql<{ total: string }>`
      select coalesce(sum(s.raised_raw), 0)::text as total from chain_signature s join chain_transaction using (intent_key)
      where chain_id = ${chainId} and s.signed_at > ${new Date(now - DAY_MS)}`,
  )
  return BigInt(total)
}

/** A raise of fees: what it adds to the price, and the limit of a day. */
type Raise = Pick<Tables['chain_signature'], 'raisedRaw' | 'raiseLimitRaw'>
const NO_RAISE: Raise = { raisedRaw: null, raiseLimitRaw: null }

/** Stores the old signature next to the new one, which becomes the row's own with status signed. */
const storeSignature = async (
  rows: Rows,
  old: JournalRow,
  { txHash, rawTransaction }: Signature,
  raise: Raise,
  signedAt: number,
  now: number,
) => {
  const { intentKey } = old
  const insertion = rows.insertInto('chain_signature')
  await insertion
    .values({ intentKey, number: 0, txHash: old.txHash, rawTransaction: old.rawTransaction, signedAt, ...NO_RAISE })
    .onConflict((conflict) => conflict.column('txHash').doNothing())
    .execute()
  const number = sql<number>`(select count(*) from chain_signature where intent_key = ${intentKey})`
  await insertion.values({ intentKey, number, txHash, rawTransaction, signedAt: now, ...raise }).execute()
  await rows
    .updateTable('chain_transaction')
    .set({ txHash, rawTransaction, status: 'signed', broadcasts: 0, broadcastAt: null, updatedAt: now })
    .where('intentKey', '=', intentKey)
    .execute()
}

/** An operator's three actions on a nonce, and the raise of fees. None assigns a new nonce, and bytes are stored before they are sent. */
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

  const replaceRow = async (account: PrivateKeyAccount, row: JournalRow, fees: Fees, raise = NO_RAISE): Promise<NonceAct> => {
    const signature = await signIntent(account, chainId, row.intent, row.nonce, fees)
    const refusal = await database.transaction(async (rows) => {
      const now = clock.now()
      const locked = await lockIfUnchanged(rows, row)
      if (locked === undefined) return refuse('replaced_meanwhile', 'it was replaced or mined meanwhile: check the status again')
      const { raisedRaw, raiseLimitRaw } = raise
      if (raisedRaw !== null && raiseLimitRaw !== null && (await sumRaised(rows, chainId, now)) + raisedRaw > raiseLimitRaw)
        return refuse('above_daily_fees', `the raises of 24 hours would add more than ${raiseLimitRaw}`)
      await storeSignature(rows, row, signature, raise, locked.updatedAt, now)
      return null
    })
    return refusal ?? send(row.intentKey, row.txHash, fees)
  }

  const raiseRow = async (account: PrivateKeyAccount, row: JournalRow, baseFee: bigint, bounds: RaiseBounds): Promise<NonceAct> => {
    const [signatures, quote] = await Promise.all([listSignatures(database.rows, row), quoteFees(reader)])
    const newest = parseFees(row.rawTransaction)
    const first = parseFees((signatures.at(-1) ?? row).rawTransaction)
    const fees = raisedFees({ first, newest, quote, baseFee, factor: bounds.factor })
    if (fees === null) return refuse('above_fee_cap', `nonce ${row.nonce} needs more than ${bounds.factor} times its first price`)
    const raisedRaw = row.intent.gas * (fees.maxFeePerGas - newest.maxFeePerGas)
    return (await checkNonce(account.address, row.nonce)) ?? replaceRow(account, row, fees, { raisedRaw, raiseLimitRaw: bounds.dailyRaw })
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
      if (!isPending(row.status)) return refuse('not_pending', `it is ${row.status}`)
      const refusal = await checkNonce(account.address, nonce)
      return refusal ?? replaceRow(account, row, replacementFees(parseFees(row.rawTransaction), await quoteFees(reader)))
    },

    /**
     * Replaces, within the bounds of the operator, every transaction whose price the base fee has outgrown, lowest nonce first. It ends at the
     * first that it may not or cannot replace, since no later one is mined before.
     */
    raise: async (role: SignerRole, open: readonly JournalRow[], bounds: RaiseBounds): Promise<NonceAct[]> => {
      const waiting = open.filter(({ status, since }) => isPending(status) && clock.now() - since >= RAISE_AFTER_MS)
      if (waiting.length === 0 || bounds.factor === 1) return []
      const account = getAccount(signers, role)
      const { baseFeePerGas } = await reader.getBlock()
      const baseFee = baseFeePerGas ?? 0n
      const acts: NonceAct[] = []
      for (const row of waiting.filter(({ rawTransaction }) => isOutgrown(parseFees(rawTransaction), baseFee))) {
        const act = await raiseRow(account, row, baseFee, bounds)
        acts.push(act)
        if (!act.done) break
      }
      return acts
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
