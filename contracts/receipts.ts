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

/** Whether the node was not reached or timed out. */
const wasNotReached = (error: unknown): boolean =>
  error instanceof TimeoutError || (error instanceof HttpRequestError && error.status === undefined)

const mayComeYet = (error: unknown): boolean =>
  error instanceof TransactionReceiptNotFoundError || (error instanceof BaseError && error.walk(wasNotReached) !== null)

/**
 * Polls for a receipt independently of new blocks, since a chain that mines on demand may not mine another one. Retries an absent receipt and an
 * unreachable node, and throws the last error after `withinMs`; throws any other error at once.
 */
export const receiptOf = async (
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
  withinMs = 60_000,
  pollMs = POLL_MS,
): Promise<TransactionReceipt> => {
  for (const end = Date.now() + withinMs; ; await new Promise((resolve) => setTimeout(resolve, pollMs))) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!mayComeYet(error) || Date.now() > end) throw error
    }
  }
}
