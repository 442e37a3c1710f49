import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError, type Hex, type PublicClient, type TransactionReceipt } from 'viem'
import type { Clock } from '../../common/clock.ts'
import type { Database } from '../../database/database.ts'
import type { ChainClients } from '../clients.ts'
import { assertChain, findReceipt } from '../node/answers.ts'
import { isUnreachable } from '../reachable.ts'
import { isAlreadyKnown } from '../reverts.ts'
import { listSignatures } from './reads.ts'
import { findJournalRows, type JournalRow, markBroadcast, type Signature } from './rows.ts'

/** Progress of a journalled transaction. The process that made a step reports it once. */
export type JournalStep = 'signed' | 'sent' | 'mined' | 'reverted' | 'dead' | 'replaced'
export type Observe = (step: JournalStep, row: JournalRow) => void

export interface BroadcastDeps {
  database: Database
  clients: ChainClients
  clock: Clock
  /** Waits (ms) between two reads. In a worker it sends heartbeats and rejects when the activity is cancelled. Default: only waits. */
  pause?: (milliseconds: number) => Promise<unknown>
  /** Called with each state of a transaction, for log and metrics. */
  observe?: Observe | undefined
}

/** Errors that a node may answer in place of a receipt, as long as it indexes a block, before a waiting step fails. */
const MAX_NODE_ERRORS = 20

/** An error that the node answered. Throws any other one, also that of a node that does not answer. */
const asNodeError = (error: unknown): BaseError => {
  if (error instanceof BaseError && !isUnreachable(error)) return error
  throw error
}

/** A receipt and the signature that was mined. */
export interface Mined {
  receipt: TransactionReceipt
  signature: Signature
}

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1_000
/** A step that waits for a receipt sends the bytes again at this interval and checks for a replacement or a lost nonce. */
export const REBROADCAST_MS = 4_000

/** Whether the node knows the transaction, mined or not. Throws if it does not answer. */
const knowsTransaction = async (client: PublicClient, hash: Hex): Promise<boolean> =>
  (await client.request({ method: 'eth_getTransactionByHash', params: [hash] })) !== null

/** Broadcasts journalled transactions and finds out their outcome. */
export const createBroadcaster = ({ database, clients, clock, pause = sleep, observe = () => undefined }: BroadcastDeps) => {
  const { reader, writers, chainId, nodes } = clients

  /** Sends the bytes to one write URL. A refusal counts only if the node does not have the transaction: nodes word "already known" in many ways. */
  const sendTo = async (writer: PublicClient, { rawTransaction, txHash }: JournalRow): Promise<void> => {
    try {
      await writer.sendRawTransaction({ serializedTransaction: rawTransaction })
    } catch (error) {
      if (!isAlreadyKnown(error) && !(await knowsTransaction(writer, txHash).catch(() => false))) throw error
    }
  }

  /** Sends the same bytes to every write URL, which is always safe. One URL that accepts or already knows them is enough. */
  const broadcast = async (row: JournalRow): Promise<void> => {
    const results = await Promise.allSettled(writers.map((writer) => sendTo(writer, row)))
    if (!results.some(({ status }) => status === 'fulfilled'))
      throw results.find((result) => result.status === 'rejected')?.reason ?? new Error('no write URL accepted the transaction')
    if (await markBroadcast(database.rows, row, clock.now())) observe('sent', row)
  }

  const findMined = async (client: PublicClient, signatures: Signature[]): Promise<Mined | undefined> => {
    const receiptOf = async (signature: Signature) => ({ signature, receipt: await findReceipt(client, signature.txHash) })
    return (await Promise.all(signatures.map(receiptOf))).find((one): one is Mined => one.receipt !== undefined)
  }

  /** Whether the node serves this chain and has neither receipt nor transaction of any signature. */
  const knowsNone = async (client: PublicClient, signatures: Signature[]): Promise<boolean> => {
    try {
      const known = Promise.all(signatures.map(({ txHash }) => knowsTransaction(client, txHash)))
      const [mined, isKnown] = await Promise.all([findMined(client, signatures), known, assertChain(client, chainId)])
      return mined === undefined && !isKnown.some(Boolean)
    } catch {
      return false
    }
  }

  /**
   * True only if every write URL counts the signer beyond this nonce and no node has a receipt or the transaction of any signature. A node that
   * does not answer, or that serves another chain, proves nothing, and neither do answers of two nodes: the second may lack the block that the
   * first counted. Signatures are read after the counts, because mined bytes were stored before.
   */
  const isDead = async (row: JournalRow): Promise<boolean> => {
    const changes = nodes.choice.changes()
    const counts = await Promise.all(
      writers.map((writer) => writer.getTransactionCount({ address: row.signer, blockTag: 'latest' }).catch(() => 0)),
    )
    if (!counts.every((count) => count > row.nonce)) return false
    const signatures = await listSignatures(database.rows, row)
    return (
      (await Promise.all([reader, ...writers].map((client) => knowsNone(client, signatures)))).every(Boolean) &&
      nodes.choice.changes() === changes
    )
  }

  /** The current row: its bytes may have been replaced. */
  const reloadRow = async (row: JournalRow): Promise<JournalRow> =>
    (await findJournalRows(database.rows, [row.intentKey])).get(row.intentKey) ?? row

  /** Reads once: the receipt of any signature, or `dead` if that is proved; undefined while the outcome is open. */
  const findOutcome = async (row: JournalRow): Promise<Mined | 'dead' | undefined> => {
    const mined = await findMined(reader, await listSignatures(database.rows, row))
    return mined ?? ((await isDead(row)) ? 'dead' : undefined)
  }

  /** Waits for the outcome without a limit. A replacement by another process counts too. */
  const waitForOutcome = async (begun: JournalRow): Promise<Mined | 'dead'> => {
    let pauseMs = FIRST_PAUSE_MS
    let signatures: Signature[] = [begun]
    let errors = 0
    for (let sinceSentMs = 0; ; sinceSentMs += pauseMs) {
      const found = await findMined(reader, signatures).catch(asNodeError)
      if (found instanceof BaseError) {
        errors += 1
        if (errors > MAX_NODE_ERRORS) throw found
      } else if (found) return found
      if (sinceSentMs >= REBROADCAST_MS) {
        const row = await reloadRow(begun)
        signatures = await listSignatures(database.rows, row)
        if (await isDead(row)) return 'dead'
        await broadcast(row)
        sinceSentMs = 0
      }
      await pause(pauseMs)
      pauseMs = Math.min(Math.ceil(pauseMs * 1.5), LONGEST_PAUSE_MS)
    }
  }

  return { broadcast, findOutcome, waitForOutcome }
}
