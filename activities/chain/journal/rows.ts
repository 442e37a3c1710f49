import { type Selectable, sql, type Updateable } from 'kysely'
import type { Hex } from 'viem'
import type { Tables } from '../../../schemas/entities/tables.ts'
import type { Rows } from '../../database/database.ts'

/** A call that a step wants on chain. `key` = workflow id + run + step: the same intent is sent at most once. */
export interface TransactionIntent {
  key: string
  to: Hex
  functionName: string
  data: Hex
  /** Fixed gas with reserve: dependent writes are pipelined, so the latest state cannot be used for an estimate. */
  gas: bigint
  /** Native coin that the call sends along, base units; none by default. */
  value?: bigint | undefined
  jobId?: string | undefined
  sessionId?: string | undefined
  requestId?: string | undefined
}

export type JournalStatus = 'signed' | 'broadcast' | 'mined' | 'reverted' | 'dead'

/** Neither mined nor proved dead. */
export const PENDING_STATUSES = ['signed', 'broadcast'] as const satisfies JournalStatus[]

/** Signed bytes of an intent, and their hash. */
export interface Signature {
  txHash: Hex
  rawTransaction: Hex
}

/** A row of the journal with its newest bytes. */
export interface JournalRow extends Signature {
  intentKey: string
  intent: TransactionIntent
  /** Lower case. */
  signer: Hex
  nonce: number
  status: JournalStatus
  /** How often the newest bytes were sent. */
  broadcasts: number
  /** When the newest bytes were first sent, or the row's last change in any other status. Epoch ms. */
  since: number
}

/** Converts a row of `chain_transaction`. */
export const parseRow = (row: Selectable<Tables['chain_transaction']>): JournalRow => ({
  intentKey: row.intentKey,
  intent: {
    key: row.intentKey,
    to: row.toAddress as Hex,
    functionName: row.functionName,
    data: row.data as Hex,
    gas: BigInt(row.gas),
    value: row.value,
    jobId: row.jobId ?? undefined,
    sessionId: row.sessionId ?? undefined,
    requestId: row.requestId ?? undefined,
  },
  signer: row.signer as Hex,
  nonce: row.nonce,
  txHash: row.txHash as Hex,
  rawTransaction: row.rawTransaction as Hex,
  status: row.status as JournalStatus,
  broadcasts: row.broadcasts,
  since: row.status === 'broadcast' ? (row.broadcastAt ?? row.updatedAt) : row.updatedAt,
})

/** Rows of these intents, by key. */
export const findJournalRows = async (rows: Rows, keys: string[]): Promise<Map<string, JournalRow>> => {
  const found = await rows.selectFrom('chain_transaction').selectAll().where('intentKey', 'in', keys).execute()
  return new Map(found.map((row) => [row.intentKey, parseRow(row)]))
}

/**
 * Assigns `count` consecutive nonces of a signer under its row lock and returns the first. `floor` is the chain's pending count, read before
 * the transaction because no RPC runs under the lock. It matters only for a signer's first use.
 */
export const takeNonces = async (rows: Rows, chainId: number, signer: string, count: number, floor: number): Promise<number> => {
  await rows
    .insertInto('chain_nonce')
    .values({ chainId, signer, nextNonce: floor })
    .onConflict((conflict) => conflict.columns(['chainId', 'signer']).doNothing())
    .execute()
  const taken = await rows
    .updateTable('chain_nonce')
    .set({ nextNonce: sql<number>`next_nonce + ${count}` })
    .where('chainId', '=', chainId)
    .where('signer', '=', signer)
    .returning('nextNonce')
    .executeTakeFirstOrThrow()
  return taken.nextNonce - count
}

export interface SignedIntent extends Signature {
  intent: TransactionIntent
  nonce: number
}

/** Stores signed intents. `now` in epoch ms. */
export const insertSigned = async (rows: Rows, chainId: number, signer: string, signed: SignedIntent[], now: number): Promise<void> => {
  await rows
    .insertInto('chain_transaction')
    .values(
      signed.map(({ intent, nonce, rawTransaction, txHash }) => ({
        intentKey: intent.key,
        chainId,
        signer,
        nonce,
        toAddress: intent.to.toLowerCase(),
        functionName: intent.functionName,
        data: intent.data,
        gas: intent.gas,
        value: intent.value ?? 0n,
        rawTransaction,
        txHash,
        status: 'signed',
        jobId: intent.jobId ?? null,
        sessionId: intent.sessionId ?? null,
        requestId: intent.requestId ?? null,
        blockNumber: null,
        blockHash: null,
        blockTime: null,
        logCount: null,
        revertReason: null,
        broadcasts: 0,
        broadcastAt: null,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .execute()
}

/** Number of tries of a step (`<step>/<try>` or `<step>/<try>/<part>`) whose transaction has one of these outcomes. */
export const countFailedTries = async (rows: Rows, step: string, ways: ('reverted' | 'dead')[]): Promise<number> => {
  const row = await rows
    .selectFrom('chain_transaction')
    .select(sql<number>`count(distinct split_part(substr(intent_key, ${step.length + 2}), '/', 1))::integer`.as('count'))
    .where('intentKey', 'like', `${step.replaceAll(/[%_\\]/g, '\\$&')}/%`)
    .where('status', 'in', ways)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Query of a signer's rows, lowest nonce first. */
export const selectRowsOfSigner = (rows: Rows, chainId: number, signer: string) =>
  rows.selectFrom('chain_transaction').selectAll().where('chainId', '=', chainId).where('signer', '=', signer).orderBy('nonce')

/** Transactions of a signer without an outcome, lowest nonce first. */
export const listPending = async (rows: Rows, chainId: number, signer: string): Promise<JournalRow[]> => {
  const found = await selectRowsOfSigner(rows, chainId, signer).where('status', 'in', PENDING_STATUSES).execute()
  return found.map(parseRow)
}

/** Closes a row that can never be mined and raises the signer's next nonce above the chain's count. True if this call closed it. */
export const markDead = async (
  rows: Rows,
  dead: { intentKey: string; chainId: number; signer: string; counted: number },
  now: number,
): Promise<boolean> => {
  const closed = await rows
    .updateTable('chain_transaction')
    .set({ status: 'dead', updatedAt: now })
    .where('intentKey', '=', dead.intentKey)
    .where('status', 'in', PENDING_STATUSES)
    .executeTakeFirst()
  await rows
    .updateTable('chain_nonce')
    .set({ nextNonce: sql<number>`greatest(next_nonce, ${dead.counted})` })
    .where('chainId', '=', dead.chainId)
    .where('signer', '=', dead.signer)
    .execute()
  return closed.numUpdatedRows > 0n
}

/** Unsent rows of a signer up to a nonce. The pump sends them first, so a crash of one process never stalls the others. */
export const listUnsentUpTo = async (rows: Rows, chainId: number, signer: string, nonce: number): Promise<JournalRow[]> => {
  const found = await selectRowsOfSigner(rows, chainId, signer).where('status', '=', 'signed').where('nonce', '<=', nonce).execute()
  return found.map(parseRow)
}

/** Records that a write URL accepted these bytes. Ignores bytes that were replaced meanwhile. True the first time. */
export const markBroadcast = async (rows: Rows, { intentKey, txHash }: JournalRow, now: number): Promise<boolean> => {
  const sent = await rows
    .updateTable('chain_transaction')
    .set((row) => ({
      status: 'broadcast',
      broadcastAt: row.fn.coalesce('broadcastAt', sql<number>`${new Date(now)}`),
      broadcasts: sql<number>`broadcasts + 1`,
      updatedAt: now,
    }))
    .where('intentKey', '=', intentKey)
    .where('txHash', '=', txHash)
    .where('status', 'in', PENDING_STATUSES)
    .returning('broadcasts')
    .executeTakeFirst()
  return sent?.broadcasts === 1
}

/** Stores which bytes were mined, and where. True if this call closed the row; a repeat only updates the block. */
export const markMined = async (
  rows: Rows,
  intentKey: string,
  facts: Updateable<Tables['chain_transaction']>,
  now: number,
): Promise<boolean> => {
  const mined = rows
    .updateTable('chain_transaction')
    .set({ ...facts, updatedAt: now })
    .where('intentKey', '=', intentKey)
  const closed = await mined.where('status', 'not in', ['mined', 'reverted']).executeTakeFirst()
  if (closed.numUpdatedRows > 0n) return true
  await mined.execute()
  return false
}

/** Latest journalled transaction of a session, or of one function for it; a pending claim or submission shows it. */
export const findLatestTransaction = async (
  rows: Rows,
  sessionId: string,
  functionName?: string,
): Promise<{ txHash: string; nonce: number } | undefined> =>
  rows
    .selectFrom('chain_transaction')
    .select(['txHash', 'nonce'])
    .where('sessionId', '=', sessionId)
    .$if(functionName !== undefined, (all) => all.where('functionName', '=', functionName ?? null))
    .orderBy('createdAt', 'desc')
    .orderBy('nonce', 'desc')
    .limit(1)
    .executeTakeFirst()
