import type { Hex, PublicClient, TransactionReceipt } from 'viem'

const POLL_MS = 50

/**
 * Asks for a receipt until it is there, whether or not blocks come: on a chain that mines on demand the next one may be long in coming,
 * and who waits for it misses the one that held the transaction. Throws what the last question answered once `withinMs` are over.
 */
export const receiptOf = async (
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
  withinMs = 60_000,
): Promise<TransactionReceipt> => {
  for (const end = Date.now() + withinMs; ; await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
