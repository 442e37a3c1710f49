import { BaseError, type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'

/** A block by height, hash and time. */
export interface BlockRef {
  number: bigint
  hash: Hex
  /** Block time in epoch ms. */
  time: number
}

/** The answer lacks a value or has a placeholder for it, as nodes answer that are not ready. The read is repeated later. */
export class UnreadyAnswerError extends BaseError {
  override readonly name = 'UnreadyAnswerError'
}

/** The node serves another chain than the chain file names; a retry does not help while it does. */
export class WrongChainError extends BaseError {
  override readonly name = 'WrongChainError'
}

/** Throws `WrongChainError` if the node serves another chain. A node behind a load balancer may change its chain at any time. */
export const assertChain = async (client: Pick<PublicClient, 'getChainId'>, expected: number): Promise<void> => {
  const found = await client.getChainId()
  if (found !== expected) throw new WrongChainError(`the chain file says chain ${expected}, the node says ${found}`)
}

/** Block time of a node's answer, epoch ms; null if the answer has none. Only the first block of a chain may have the time 0. */
export const parseBlockTime = (timestamp: bigint | Hex | null | undefined, number: bigint): number | null => {
  if (timestamp == null || timestamp === '0x') return null
  const time = Number(timestamp) * 1_000
  return Number.isSafeInteger(time) && (time > 0 || number === 0n) ? time : null
}

const toBlockRef = (block: { number: bigint | null; hash: Hex | null; timestamp: bigint }): BlockRef => {
  const { number, hash, timestamp } = block
  const time = number === null ? null : parseBlockTime(timestamp, number)
  if (number === null || hash === null || time === null) throw new UnreadyAnswerError(`block ${number} lacks its number, hash or time`)
  return { number, hash, time }
}

/** The newest block. */
export const readLatestBlock = async (client: PublicClient): Promise<BlockRef> => toBlockRef(await client.getBlock({ blockTag: 'latest' }))

/** The newest block of a node that serves the chain of the clients. */
export const readLatestOf = async ({ reader, chainId }: { reader: PublicClient; chainId: number }): Promise<BlockRef> => {
  const [block] = await Promise.all([readLatestBlock(reader), assertChain(reader, chainId)])
  return block
}

/** One block by height or hash. Throws viem's `BlockNotFoundError` if the node does not have it. */
export const readBlock = async (client: PublicClient, at: { blockNumber: bigint } | { blockHash: Hex }): Promise<BlockRef> =>
  toBlockRef(await client.getBlock(at))

const assertComplete = (receipt: TransactionReceipt): TransactionReceipt => {
  const { blockNumber, blockHash, status, logs }: Partial<Record<keyof TransactionReceipt, unknown>> = receipt
  const isKnown = status === 'success' || status === 'reverted'
  if (blockNumber == null || blockHash == null || logs == null || !isKnown)
    throw new UnreadyAnswerError(`the receipt of ${receipt.transactionHash} lacks its block, logs or status`)
  return receipt
}

/** A mined receipt. An answer without block or status counts as unready: it is neither a success nor a revert. */
export const readReceipt = async (client: PublicClient, hash: Hex): Promise<TransactionReceipt> =>
  assertComplete(await client.getTransactionReceipt({ hash }))

/** A mined receipt; undefined if the node has none. */
export const findReceipt = async (client: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> => {
  try {
    return await readReceipt(client, hash)
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}
