import type { Hex, TransactionReceipt } from 'viem'
import { assertChain, readBlock } from '../node/answers.ts'
import { findRevertName } from '../reverts.ts'
import type { BroadcastDeps, Mined } from './broadcast.ts'
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

/** Records outcomes on chain in the journal. */
export const createOutcomes = ({ database, clients, clock, observe = () => undefined }: BroadcastDeps) => {
  const { reader, chainId } = clients

  /** The receipt decides the outcome. A node that cannot give the revert reason (pruned state, out of gas) does not keep the row open. */
  const revertReasonOf = async ({ intent, signer }: JournalRow, { status, blockNumber }: TransactionReceipt): Promise<string | null> => {
    if (status === 'success') return null
    const call = { from: signer, to: intent.to, data: intent.data, gas: intent.gas, value: intent.value }
    return findRevertName(reader, call, blockNumber).catch(() => null)
  }

  return {
    /** Stores which signature was mined, with its block. */
    recordMined: async (row: JournalRow, { receipt, signature }: Mined): Promise<MinedTransaction> => {
      const { blockNumber, blockHash } = receipt
      const { txHash, rawTransaction } = signature
      const { time: blockTime } = await readBlock(reader, { blockNumber })
      const status = receipt.status === 'success' ? 'mined' : 'reverted'
      const revertReason = await revertReasonOf(row, receipt)
      const logCount = receipt.logs.filter(({ address }) => address.toLowerCase() === row.intent.to.toLowerCase()).length
      const facts = { txHash, rawTransaction, status, blockNumber, blockHash, blockTime, logCount, revertReason }
      if (await markMined(database.rows, row.intentKey, facts, clock.now())) observe(status, { ...row, txHash, rawTransaction })
      return { txHash, status, blockNumber, blockTime, revertReason, receipt }
    },

    /** Closes a row whose nonce another transaction used. Later nonces start above the chain's count. */
    closeDead: async (row: JournalRow): Promise<void> => {
      const { intentKey, signer } = row
      const count = reader.getTransactionCount({ address: signer, blockTag: 'pending' })
      const [counted] = await Promise.all([count, assertChain(reader, chainId)])
      const closed = await database.transaction((rows) => markDead(rows, { intentKey, chainId, signer, counted }, clock.now()))
      if (closed) observe('dead', row)
    },
  }
}
