import {
  BaseError,
  type Hex,
  HttpRequestError,
  type PublicClient,
  TimeoutError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'

const POLL_MS = 50

/** The node was not reached, or not within its time: nothing is known of what it would have said. */
const wasNotReached = (error: unknown): boolean =>
  error instanceof TimeoutError || (error instanceof HttpRequestError && error.status === undefined)

const mayComeYet = (error: unknown): boolean =>
  error instanceof TransactionReceiptNotFoundError || (error instanceof BaseError && error.walk(wasNotReached) !== null)

/**
 * Asks for a receipt until it is there, whether or not blocks come: on a chain that mines on demand the next one may be long in coming,
 * and who waits for it misses the one that held the transaction. A receipt that is absent and a node that is not reached are asked again,
 * and what the last question answered is thrown once `withinMs` are over; any other error of the node is thrown at once.
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
      if (!mayComeYet(error) || Date.now() > end) throw error
    }
  }
}
