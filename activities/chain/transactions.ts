import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, keccak256, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Clock } from '../clock.ts'
import type { Database } from '../records/database.ts'
import type { ChainClients, SignerRole, Signers } from './clients.ts'
import {
  type Fees,
  findJournalRows,
  insertSigned,
  type JournalRow,
  markBroadcast,
  markMined,
  revertedCount,
  type TransactionIntent,
  takeNonces,
  unsentUpTo,
} from './journal.ts'
import { isAlreadyKnown, revertNameOf } from './reverts.ts'

export interface MinedTransaction {
  txHash: Hex
  status: 'mined' | 'reverted'
  blockNumber: bigint
  /** Block time in epoch ms (whole seconds). */
  blockTime: number
  revertReason: string | null
  receipt: TransactionReceipt
}

export interface TransactionDeps {
  database: Database
  clients: ChainClients
  signers: Signers
  clock: Clock
  /** Called while waiting, so that a long wait is seen and a cancelled one ends. */
  heartbeat: () => void
}

/** Head room over the quoted fee: blocks can raise the base fee between quote and inclusion. */
const FEE_BUFFER = 3n
const POLL_MS = 60
const REBROADCAST_MS = 4_000

export type Transactions = ReturnType<typeof createTransactions>

/** Sends through the journal: row and signature first, in one transaction with the nonce; then broadcast; then the receipt. */
export const createTransactions = ({ database, clients, signers, clock, heartbeat }: TransactionDeps) => {
  const { reader, writers, chainId } = clients

  const signerOf = (role: SignerRole): PrivateKeyAccount => {
    const account = signers[role]
    if (!account) throw new Error(`no ${role} key is configured`)
    return account
  }

  const quoteFees = async (): Promise<Fees> => {
    const fees = await reader.estimateFeesPerGas()
    return { maxFeePerGas: fees.maxFeePerGas * FEE_BUFFER, maxPriorityFeePerGas: fees.maxPriorityFeePerGas }
  }

  /** Finds or writes the rows of `intents`; new ones get consecutive nonces and their signatures in one database transaction. */
  const journal = async (account: PrivateKeyAccount, intents: TransactionIntent[]): Promise<JournalRow[]> => {
    const keys = intents.map((intent) => intent.key)
    const known = await findJournalRows(database.rows, keys)
    if (known.size < keys.length) await signMissing(account, intents)
    const all = known.size < keys.length ? await findJournalRows(database.rows, keys) : known
    return keys.map((key) => {
      const row = all.get(key)
      if (!row) throw new Error(`journal lost ${key}`)
      return row
    })
  }

  const signMissing = async (account: PrivateKeyAccount, intents: TransactionIntent[]): Promise<void> => {
    const [fees, floor] = await Promise.all([quoteFees(), reader.getTransactionCount({ address: account.address, blockTag: 'pending' })])
    const signer = account.address.toLowerCase()
    await database.transaction(async (rows) => {
      const known = await findJournalRows(
        rows,
        intents.map((intent) => intent.key),
      )
      const missing = intents.filter((intent) => !known.has(intent.key))
      if (missing.length === 0) return
      const first = await takeNonces(rows, chainId, signer, missing.length, floor)
      const signed = await Promise.all(
        missing.map(async (intent, index) => {
          const nonce = first + index
          const raw = await account.signTransaction({
            chainId,
            type: 'eip1559',
            to: intent.to,
            data: intent.data,
            gas: intent.gas,
            nonce,
            value: 0n,
            ...fees,
          })
          return { intent, nonce, raw, txHash: keccak256(raw) }
        }),
      )
      await insertSigned(rows, chainId, signer, signed, clock.now())
    })
  }

  /** Hands the bytes to every write URL; one that takes them (or already has them) is enough. */
  const sendRaw = async (row: JournalRow): Promise<void> => {
    const results = await Promise.allSettled(
      writers.map((writer) => writer.sendRawTransaction({ serializedTransaction: row.rawTransaction })),
    )
    const accepted = results.some((result) => result.status === 'fulfilled' || isAlreadyKnown(result.reason))
    if (!accepted) throw results.find((result) => result.status === 'rejected')?.reason ?? new Error('no write URL took the transaction')
    await markBroadcast(database.rows, row.intentKey, clock.now())
  }

  const pump = async (signer: string, last: JournalRow): Promise<void> => {
    for (const row of await unsentUpTo(database.rows, chainId, signer, last.nonce)) await sendRaw(row)
  }

  const receiptOf = async (txHash: Hex): Promise<TransactionReceipt | undefined> => {
    try {
      return await reader.getTransactionReceipt({ hash: txHash })
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    }
  }

  const awaitReceipt = async (row: JournalRow): Promise<TransactionReceipt> => {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const receipt = await receiptOf(row.txHash)
      if (receipt) return receipt
      heartbeat()
      if (waitedMs > 0 && waitedMs % REBROADCAST_MS < POLL_MS) await sendRaw(row)
      await sleep(POLL_MS)
    }
  }

  const settle = async ({ intent, ...row }: JournalRow, from: Hex): Promise<MinedTransaction> => {
    const receipt = await awaitReceipt({ intent, ...row })
    const block = await reader.getBlock({ blockNumber: receipt.blockNumber })
    const blockTime = Number(block.timestamp) * 1000
    const status = receipt.status === 'success' ? 'mined' : 'reverted'
    const revertReason =
      status === 'reverted'
        ? await revertNameOf(reader, { from, to: intent.to, data: intent.data, gas: intent.gas }, receipt.blockNumber)
        : null
    await markMined(
      database.rows,
      row.intentKey,
      { status, blockNumber: receipt.blockNumber, blockHash: receipt.blockHash, blockTime, revertReason },
      clock.now(),
    )
    return { txHash: row.txHash, status, blockNumber: receipt.blockNumber, blockTime, revertReason, receipt }
  }

  const send = async (role: SignerRole, intents: TransactionIntent[]): Promise<MinedTransaction[]> => {
    const account = signerOf(role)
    const journalled = await journal(account, intents)
    const last = journalled.at(-1)
    if (last) await pump(account.address.toLowerCase(), last)
    return Promise.all(journalled.map((row) => settle(row, account.address)))
  }

  return {
    /** The intents among `keys` that are journalled already, in nonce order: a repeat resumes them instead of deciding again. */
    resume: async (keys: string[]): Promise<TransactionIntent[]> => {
      const known = await findJournalRows(database.rows, keys)
      return [...known.values()].sort((left, right) => left.nonce - right.nonce).map((row) => row.intent)
    },

    addressOf: (role: SignerRole): Hex => signerOf(role).address,

    /**
     * Sends `intents` in order from one signer, pipelined, each at most once, and waits for all receipts. A repeat with the same
     * keys returns the first outcome. A revert is an answer (`status: 'reverted'`), not an error; an error means "not known yet".
     */
    send,

    /** Sends one step. A try that was reverted is over; the next one gets a key of its own (the caller has read the chain in between). */
    sendStep: async (role: SignerRole, step: string, build: (key: string) => TransactionIntent): Promise<MinedTransaction> => {
      const [mined] = await send(role, [build(`${step}/${await revertedCount(database.rows, step)}`)])
      if (mined === undefined) throw new Error('nothing was sent')
      return mined
    },

    /** Lifts the journal's next nonce to the chain's pending count (the key was used outside the journal). Run at boot. */
    reconcile: async (role: SignerRole): Promise<{ nextNonce: number; chainPending: number }> => {
      const account = signerOf(role)
      const signer = account.address.toLowerCase()
      const chainPending = await reader.getTransactionCount({ address: account.address, blockTag: 'pending' })
      const nextNonce = await database.transaction(async (rows) => {
        const next = await takeNonces(rows, chainId, signer, 0, chainPending)
        const gap = await rows
          .selectFrom('chain_transaction')
          .select('nonce')
          .where('chainId', '=', chainId)
          .where('signer', '=', signer)
          .where('status', 'in', ['signed', 'broadcast'])
          .limit(1)
          .executeTakeFirst()
        if (gap !== undefined || next >= chainPending) return next
        return takeNonces(rows, chainId, signer, chainPending - next, chainPending).then(() => chainPending)
      })
      return { nextNonce, chainPending }
    },
  }
}
