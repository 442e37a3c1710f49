import type { Hex, TransactionReceipt } from 'viem'
import { revertNameOf } from '../reverts.ts'
import type { BroadcastDeps, Mined } from './broadcast.ts'
import { journalEventOf } from './events.ts'
import { type JournalRow, markDead, markMined } from './rows.ts'

export interface MinedTransaction {
  txHash: Hex
  status: 'mined' | 'reverted'
  blockNumber: bigint
  /** Block time in epoch ms (whole seconds). */
  blockTime: number
  revertReason: string | null
  receipt: TransactionReceipt
}

/** Writes into the journal what the chain decided. */
export const createOutcomes = ({ database, clients, clock, observe = () => undefined }: BroadcastDeps) => {
  const { reader, chainId } = clients

  /** The receipt has decided; a node that cannot say why (the state is gone, the gas ran out) keeps nothing open. */
  const revertReasonOf = async ({ intent, signer }: JournalRow, { status, blockNumber }: TransactionReceipt): Promise<string | null> => {
    if (status === 'success') return null
    const call = { from: signer, to: intent.to, data: intent.data, gas: intent.gas }
    return revertNameOf(reader, call, blockNumber).catch(() => null)
  }

  return {
    /** The bytes that were mined, with their block; of a replaced transaction that may be any of them. */
    recordMined: async (row: JournalRow, { receipt, signature }: Mined): Promise<MinedTransaction> => {
      const { blockNumber, blockHash } = receipt
      const block = await reader.getBlock({ blockNumber })
      const blockTime = Number(block.timestamp) * 1000
      const status = receipt.status === 'success' ? 'mined' : 'reverted'
      const revertReason = await revertReasonOf(row, receipt)
      const facts = { ...signature, status, blockNumber, blockHash, blockTime, revertReason } as const
      if (await markMined(database.rows, row.intentKey, facts, clock.now())) observe(journalEventOf(status, { ...row, ...signature }))
      return { txHash: signature.txHash, status, blockNumber, blockTime, revertReason, receipt }
    },

    /** The nonce went to another transaction: the row is closed, and later nonces start beyond what the chain has counted. */
    closeDead: async (row: JournalRow): Promise<void> => {
      const { intentKey, signer } = row
      const counted = await reader.getTransactionCount({ address: signer, blockTag: 'pending' })
      const closed = await database.transaction((rows) => markDead(rows, { intentKey, chainId, signer, counted }, clock.now()))
      if (closed) observe(journalEventOf('dead', row))
    },
  }
}
