import { type BroadcastDeps, createBroadcaster, REBROADCAST_MS } from './broadcast.ts'
import { createOutcomes } from './outcomes.ts'
import { neglectedRows } from './reads.ts'
import { type JournalRow, listPending, unsentUpTo } from './rows.ts'

/** Signed bytes that are not out after this long lost the process that wanted to send them. */
const UNSENT_MS = 5_000
/** Who waits for a receipt sends the bytes again long before this: nobody waits any more. */
const NO_RECEIPT_MS = 7 * REBROADCAST_MS

/** How far a pump came; what no write address takes stops it, since nothing above can be mined before. */
export interface Pumped {
  sentCount: number
  refused: { row: JournalRow; error: unknown } | null
}

/**
 * The one place that decides which bytes are handed out again, apart from the step that waits for its own. The same bytes can be
 * sent any number of times by any number of processes, so nothing is locked.
 */
export const createPump = (deps: BroadcastDeps) => {
  const { database, clients, clock } = deps
  const { reader, chainId } = clients
  const { broadcast, findOutcome } = createBroadcaster(deps)
  const { recordMined, closeDead } = createOutcomes(deps)

  const sending = new Map<string, Promise<void>>()

  /** Many steps of this process pump the same rows at once: each row goes out once for all of them. */
  const send = (row: JournalRow): Promise<void> => {
    const sent = sending.get(row.txHash) ?? broadcast(row).finally(() => sending.delete(row.txHash))
    sending.set(row.txHash, sent)
    return sent
  }

  const sendRows = async (rows: JournalRow[]): Promise<Pumped> => {
    for (const [sentCount, row] of rows.entries()) {
      const error = await send(row).then(
        () => null,
        (thrown: unknown) => ({ thrown }),
      )
      if (error !== null) return { sentCount, refused: { row, error: error.thrown } }
    }
    return { sentCount: rows.length, refused: null }
  }

  const close = async (row: JournalRow): Promise<void> => {
    const outcome = await findOutcome(row)
    if (outcome === 'dead') await closeDead(row)
    else if (outcome !== undefined) await recordMined(row, outcome)
  }

  return {
    /** What was never seen broadcast up to a nonce, so that one crash never stalls the others. Throws when the node refuses one. */
    sendUnsentUpTo: async (signer: string, nonce: number): Promise<void> => {
      const { refused } = await sendRows(await unsentUpTo(database.rows, chainId, signer, nonce))
      if (refused) throw refused.error
    },

    /** Everything of a signer that is not known to be mined: a mempool may have lost it. For a start. */
    sendPending: async (signer: string): Promise<Pumped> => sendRows(await listPending(database.rows, chainId, signer)),

    /** What lost its process: findOutcome on chain, it is closed; open, its bytes go out again. */
    resumeNeglected: async (signer: JournalRow['signer']): Promise<Pumped> => {
      const now = clock.now()
      const before = { unsentBefore: now - UNSENT_MS, lastSentBefore: now - NO_RECEIPT_MS }
      const rows = await neglectedRows(database.rows, chainId, signer, before)
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
