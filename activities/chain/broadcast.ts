import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { Clock } from '../clock.ts'
import type { Database } from '../records/database.ts'
import type { ChainClients } from './clients.ts'
import { type JournalRow, markBroadcast } from './journal.ts'
import { isAlreadyKnown } from './reverts.ts'

export interface BroadcastDeps {
  database: Database
  clients: ChainClients
  clock: Clock
  /** Waits (ms) between two looks. In a worker it heartbeats and rejects when the step is cancelled, so that a wait can end. */
  pause: (milliseconds: number) => Promise<void>
}

const FIRST_LOOK_MS = 60
const LONGEST_LOOK_MS = 1_000
/** Bytes without a receipt are handed out again this often, and asked whether they can still be mined. */
const REBROADCAST_MS = 4_000

/** Hands journalled bytes to the chain and waits for what becomes of them. */
export const createBroadcaster = ({ database, clients, clock, pause }: BroadcastDeps) => {
  const { reader, writers } = clients

  /** Sends the same bytes to every write URL (always safe); one that takes them, or already has them, is enough. */
  const broadcast = async (row: JournalRow): Promise<void> => {
    const results = await Promise.allSettled(
      writers.map((writer) => writer.sendRawTransaction({ serializedTransaction: row.rawTransaction })),
    )
    const accepted = results.some((result) => result.status === 'fulfilled' || isAlreadyKnown(result.reason))
    if (!accepted) throw results.find((result) => result.status === 'rejected')?.reason ?? new Error('no write URL took the transaction')
    await markBroadcast(database.rows, row.intentKey, clock.now())
  }

  const receiptOf = async (txHash: Hex): Promise<TransactionReceipt | undefined> => {
    try {
      return await reader.getTransactionReceipt({ hash: txHash })
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    }
  }

  /**
   * True only when every write URL counts the signer beyond this nonce and still none has the receipt. A node that cannot be
   * asked proves nothing.
   */
  const isDead = async (row: JournalRow, signer: Hex): Promise<boolean> => {
    const counts = await Promise.all(
      writers.map((writer) => writer.getTransactionCount({ address: signer, blockTag: 'latest' }).catch(() => 0)),
    )
    if (!counts.every((count) => count > row.nonce)) return false
    return (await receiptOf(row.txHash)) === undefined
  }

  /** The receipt, however long it takes; `dead` once it is proved that these bytes can never be mined. */
  const outcomeOf = async (row: JournalRow, signer: Hex): Promise<TransactionReceipt | 'dead'> => {
    let look = FIRST_LOOK_MS
    for (let sinceSentMs = 0; ; sinceSentMs += look) {
      const receipt = await receiptOf(row.txHash)
      if (receipt) return receipt
      if (sinceSentMs >= REBROADCAST_MS) {
        if (await isDead(row, signer)) return 'dead'
        await broadcast(row)
        sinceSentMs = 0
      }
      await pause(look)
      look = Math.min(Math.ceil(look * 1.3), LONGEST_LOOK_MS)
    }
  }

  return { broadcast, outcomeOf }
}
