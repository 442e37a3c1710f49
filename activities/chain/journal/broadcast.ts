import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { Clock } from '../../common/clock.ts'
import type { Database } from '../../database/database.ts'
import type { ChainClients } from '../clients.ts'
import { isAlreadyKnown } from '../reverts.ts'
import { journalEventOf, type Observe } from './events.ts'
import { signaturesOf } from './reads.ts'
import { findJournalRows, type JournalRow, markBroadcast, ownSignature, type Signature } from './rows.ts'

export interface BroadcastDeps {
  database: Database
  clients: ChainClients
  clock: Clock
  /** Waits (ms) between two looks. In a worker it heartbeats and rejects when the step is cancelled, so that a wait can end. */
  pause: (milliseconds: number) => Promise<void>
  /** Hears what becomes of each transaction: the log, the figures. */
  observe?: Observe | undefined
}

/** The receipt of the bytes that were mined. */
export interface Mined {
  receipt: TransactionReceipt
  signature: Signature
}

const FIRST_PAUSE_MS = 60
const LONGEST_PAUSE_MS = 1_000
/** Who waits for a receipt hands the bytes out again this often, and asks whether they were replaced or can still be mined. */
export const REBROADCAST_MS = 4_000

const findReceipt = async (client: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> => {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** Hands journalled bytes to the chain and finds out what becomes of them. */
export const createBroadcaster = ({ database, clients, clock, pause, observe = () => undefined }: BroadcastDeps) => {
  const { reader, writers } = clients

  /** Sends the same bytes to every write URL (always safe); one that takes them, or already has them, is enough. */
  const broadcast = async (row: JournalRow): Promise<void> => {
    const results = await Promise.allSettled(
      writers.map((writer) => writer.sendRawTransaction({ serializedTransaction: row.rawTransaction })),
    )
    const accepted = results.some((result) => result.status === 'fulfilled' || isAlreadyKnown(result.reason))
    if (!accepted) throw results.find((result) => result.status === 'rejected')?.reason ?? new Error('no write URL took the transaction')
    if (await markBroadcast(database.rows, row, clock.now())) observe(journalEventOf('sent', row))
  }

  const findMined = async (client: PublicClient, signatures: Signature[]): Promise<Mined | undefined> => {
    const receipts = await Promise.all(signatures.map(({ txHash }) => findReceipt(client, txHash)))
    const found = signatures.map((signature, index) => ({ signature, receipt: receipts[index] }))
    return found.find((one): one is Mined => one.receipt !== undefined)
  }

  const hasNoReceipt = async (client: PublicClient, signatures: Signature[]): Promise<boolean> =>
    findMined(client, signatures).then(
      (mined) => mined === undefined,
      () => false,
    )

  /**
   * True only when every write URL counts the signer beyond this nonce and still nobody has a receipt of any of its signatures. A
   * node that cannot be asked proves nothing. The signatures are read after the counts: bytes that were mined were stored before.
   */
  const isDead = async (row: JournalRow): Promise<boolean> => {
    const counts = await Promise.all(
      writers.map((writer) => writer.getTransactionCount({ address: row.signer, blockTag: 'latest' }).catch(() => 0)),
    )
    if (!counts.every((count) => count > row.nonce)) return false
    const signatures = await signaturesOf(database.rows, row)
    return (await Promise.all([reader, ...writers].map((client) => hasNoReceipt(client, signatures)))).every(Boolean)
  }

  /** The row as it is now: somebody may have replaced its bytes. */
  const reloadRow = async (row: JournalRow): Promise<JournalRow> =>
    (await findJournalRows(database.rows, [row.intentKey])).get(row.intentKey) ?? row

  /** One pauseMs: the receipt of any of its signatures, or `dead` once that is proved; undefined while it is open. */
  const findOutcome = async (row: JournalRow): Promise<Mined | 'dead' | undefined> => {
    const mined = await findMined(reader, await signaturesOf(database.rows, row))
    if (mined) return mined
    return (await isDead(row)) ? 'dead' : undefined
  }

  /** What became of it, however long it takes; a replacement made elsewhere meanwhile counts as well. */
  const waitForOutcome = async (begun: JournalRow): Promise<Mined | 'dead'> => {
    let pauseMs = FIRST_PAUSE_MS
    let signatures = [ownSignature(begun)]
    for (let sinceSentMs = 0; ; sinceSentMs += pauseMs) {
      const mined = await findMined(reader, signatures)
      if (mined) return mined
      if (sinceSentMs >= REBROADCAST_MS) {
        const row = await reloadRow(begun)
        signatures = await signaturesOf(database.rows, row)
        if (await isDead(row)) return 'dead'
        await broadcast(row)
        sinceSentMs = 0
      }
      await pause(pauseMs)
      pauseMs = Math.min(Math.ceil(pauseMs * 1.3), LONGEST_PAUSE_MS)
    }
  }

  return { broadcast, findOutcome, waitForOutcome }
}
