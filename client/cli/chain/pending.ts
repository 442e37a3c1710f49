// The last transaction that a wallet sent on a chain, until it was seen mined: a repeated command follows it instead of sending another one.
import { rmSync } from 'node:fs'
import type { Context } from '../context.ts'
import { refused } from '../failures.ts'
import { readFileIfThere, replacePrivate } from '../state/files.ts'
import { findReceipt, NodeRefusal, pause, type Receipt, type Rpc } from './rpc.ts'

export interface SentTransaction {
  hash: string
  /** The signed transaction. It is public once it is sent. */
  raw: string
  nonce: number
  /** What the command was asked to do, with its amount or job. */
  purpose: string
  step: string
  /** Whether the command is done when it is mined. */
  isLast: boolean
}

const isSent = (value: unknown): value is SentTransaction => {
  if (typeof value !== 'object' || value === null) return false
  const { hash, raw, nonce, purpose, step, isLast } = value as Partial<Record<keyof SentTransaction, unknown>>
  const texts = [hash, raw, purpose, step].every((member) => typeof member === 'string')
  return texts && typeof nonce === 'number' && typeof isLast === 'boolean'
}

const parse = (text: string | undefined): SentTransaction | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isSent(value) ? value : undefined
  } catch {
    return undefined
  }
}

export type SentFile = ReturnType<typeof createSentFile>

/** The file of the last transaction of a wallet on a chain. */
export const createSentFile = ({ state }: Pick<Context, 'state'>, wallet: string, chainId: number) => {
  const path = state.transactionFile(wallet, chainId)
  return {
    read: (): SentTransaction | undefined => parse(readFileIfThere(path)),
    write: (sent: SentTransaction): void => {
      state.prepare()
      replacePrivate(path, JSON.stringify(sent))
    },
    remove: (): void => rmSync(path, { force: true }),
  }
}

/** Whether the wallet's nonce says that a transaction without receipt can no longer be mined, or that the chain is another one. */
const isLost = async (rpc: Rpc, wallet: string, { hash, nonce }: SentTransaction): Promise<boolean> => {
  const [mined, known] = await Promise.all([
    rpc<string>('eth_getTransactionCount', [wallet, 'latest']),
    rpc<object | null>('eth_getTransactionByHash', [hash]),
  ])
  // A receipt can have come between the two answers.
  return known === null && Number(mined) !== nonce && (await findReceipt(rpc, hash)) === null
}

/** Sends a signed transaction. A node that has it already is as good as one that takes it. */
export const broadcast = async (rpc: Rpc, raw: string): Promise<void> => {
  try {
    await rpc('eth_sendRawTransaction', [raw])
  } catch (error) {
    if (!(error instanceof NodeRefusal) || !/already (known|imported)|known transaction/i.test(error.message)) throw error
  }
}

/** Waits for the receipt. Rejects when the transaction failed. */
export const awaitReceipt = async (rpc: Rpc, hash: string, signal: AbortSignal): Promise<Receipt> => {
  for (;;) {
    const receipt = await findReceipt(rpc, hash)
    if (receipt?.status === '0x1') return receipt
    if (receipt !== null) throw refused(`The transaction ${hash} was mined and failed: the contract refused it.`)
    await pause(signal)
  }
}

interface Following {
  rpc: Rpc
  wallet: string
  file: SentFile
  signal: AbortSignal
  note: (...lines: string[]) => void
}

/** Follows the transaction of an earlier command until it is mined. Returns it; undefined when there is none, or when it got lost. */
export const followSent = async ({ rpc, wallet, file, signal, note }: Following): Promise<SentTransaction | undefined> => {
  const sent = file.read()
  if (sent === undefined) return undefined
  const { hash, raw, purpose, step } = sent
  note(`Following the transaction of an earlier command: ${purpose}, ${step}, ${hash}`)
  if ((await findReceipt(rpc, hash)) === null) {
    if (await isLost(rpc, wallet, sent)) {
      note('It can no longer be mined: another transaction of the wallet took its place, or the chain is a new one.')
      file.remove()
      return undefined
    }
    try {
      await broadcast(rpc, raw)
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      note(`The node does not take it again: ${error.message}`)
      if ((await findReceipt(rpc, hash)) === null) {
        file.remove()
        return undefined
      }
    }
  }
  try {
    const { blockNumber } = await awaitReceipt(rpc, hash, signal)
    note(`It was mined in block ${Number(blockNumber)}.`)
    return sent
  } finally {
    // Of a failed one the wallet is free, too; of one that is not mined yet it is not.
    if (!signal.aborted && (await findReceipt(rpc, hash).catch(() => null)) !== null) file.remove()
  }
}

/** Failure of a node that does not take a transaction. */
export const notTaken = (error: unknown): unknown =>
  error instanceof NodeRefusal ? refused(`The chain does not take the transaction: ${error.message}.`) : error
