import { type BroadcastDeps, createBroadcaster, REBROADCAST_MS } from './broadcast.ts'
import { createOutcomes } from './outcomes.ts'
import { listNeglected } from './reads.ts'
import { type JournalRow, listPending, listUnsentUpTo } from './rows.ts'

/** After this time the process that signed a transaction without sending it counts as stopped. */
const UNSENT_MS = 5_000
/** After this time without a receipt no step waits for the transaction: a waiting step sends the bytes far more often. */
const NO_RECEIPT_MS = 7 * REBROADCAST_MS

/** Result of a pump. It stops at bytes that no write URL accepts, since no later nonce can be mined before them. */
export interface Pumped {
  sentCount: number
  refused: { row: JournalRow; error: unknown } | null
}

/**
 * Decides which transactions are sent again; otherwise only a step that waits for its own transaction sends again. Any process can send the
 * same bytes any number of times, so no lock is needed.
 */
export const createPump = (deps: BroadcastDeps) => {
  const { database, clients, clock } = deps
  const { reader, chainId } = clients
  const { broadcast, findOutcome } = createBroadcaster(deps)
  const { recordMined, closeDead } = createOutcomes(deps)

  const sending = new Map<string, Promise<void>>()

  /** Steps of this process that send the same row at the same time share one request. */
  const send = (row: JournalRow): Promise<void> => {
    const sent = sending.get(row.txHash) ?? broadcast(row).finally(() => sending.delete(row.txHash))
    sending.set(row.txHash, sent)
    return sent
  }

  const sendRows = async (rows: JournalRow[]): Promise<Pumped> => {
    for (const [sentCount, row] of rows.entries()) {
      try {
        await send(row)
      } catch (error) {
        return { sentCount, refused: { row, error } }
      }
    }
    return { sentCount: rows.length, refused: null }
  }

  const close = async (row: JournalRow): Promise<void> => {
    const outcome = await findOutcome(row)
    if (outcome === 'dead') await closeDead(row)
    else if (outcome !== undefined) await recordMined(row, outcome)
  }

  return {
    /** Sends all unsent rows up to a nonce, so that a crash of one process never stalls the others. Throws if the node refuses one. */
    sendUnsentUpTo: async (signer: string, nonce: number): Promise<void> => {
      const { refused } = await sendRows(await listUnsentUpTo(database.rows, chainId, signer, nonce))
      if (refused) throw refused.error
    },

    /** Sends all rows of a signer without an outcome: a mempool may have lost them. Runs at startup. */
    sendPending: async (signer: string): Promise<Pumped> => sendRows(await listPending(database.rows, chainId, signer)),

    /** Takes over rows that no process handles: closes those with an outcome on chain, sends the others again. */
    resumeNeglected: async (signer: JournalRow['signer']): Promise<Pumped> => {
      const now = clock.now()
      const before = { unsentBefore: now - UNSENT_MS, lastSentBefore: now - NO_RECEIPT_MS }
      const rows = await listNeglected(database.rows, chainId, signer, before)
      if (rows.length === 0) return { sentCount: 0, refused: null }
      const counted = await reader.getTransactionCount({ address: signer, blockTag: 'latest' })
      const sent = await sendRows(rows.filter(({ nonce }) => nonce >= counted))
      const closed = await Promise.allSettled(rows.filter(({ nonce }) => nonce < counted).map(close))
      for (const one of closed) if (one.status === 'rejected') throw one.reason
      return sent
    },
  }
}
export type Pump = ReturnType<typeof createPump>
