import { type ContractEventName, type Hex, type Log, type PublicClient, parseEventLogs } from 'viem'
import { LARGEST_PAGE, lastPage, smallerPage } from '../../domain/chain/pages.ts'
import { type Asset, rawAndDisplay } from '../../domain/common/money.ts'
import { escrowCoreAbi } from './abi/escrow-core.ts'
import { readBlock, readReceipt } from './node/answers.ts'

type EscrowEventName = ContractEventName<typeof escrowCoreAbi>

/** Events of one job among the logs of a receipt, in log order. */
export const findEvents = <Name extends EscrowEventName>(logs: Log[], escrow: Hex, eventName: Name, chainJobId: Hex) =>
  parseEventLogs({ abi: escrowCoreAbi, eventName, logs }).filter((event) => {
    const args: Record<string, unknown> = event.args
    return event.address.toLowerCase() === escrow.toLowerCase() && args.jobId === chainJobId
  })

/** The last event of one job in a receipt. Throws if the receipt has none. */
export const getEvent = <Name extends EscrowEventName>(logs: Log[], escrow: Hex, eventName: Name, chainJobId: Hex) => {
  const event = findEvents(logs, escrow, eventName, chainJobId).at(-1)
  if (event === undefined) throw new Error(`receipt without ${eventName}`)
  return event
}

/** Events by which a transaction is searched. */
export type SearchedEvent = 'JobClosed' | 'DisputeOpened' | 'JobClaimed' | 'JobRejected' | 'Submitted' | 'Verified'

/**
 * Hash of the newest transaction since `fromBlock` that emitted `eventName` for the job; null if there is none. Searches backwards in pages:
 * the event is usually recent, and nodes refuse a query over all blocks of a long claim. After a refused page the next one is smaller.
 */
export const findEventTransaction = async (
  reader: PublicClient,
  escrow: Hex,
  eventName: SearchedEvent,
  chainJobId: Hex,
  fromBlock: bigint,
): Promise<Hex | null> => {
  const place = { address: escrow, abi: escrowCoreAbi, eventName, args: { jobId: chainJobId } }
  let size = LARGEST_PAGE
  let to = await reader.getBlockNumber({ cacheTime: 0 })
  for (let span = lastPage(fromBlock, to, size); span !== null; span = lastPage(fromBlock, to, size)) {
    try {
      const found = await reader.getContractEvents({ ...place, fromBlock: span.from, toBlock: span.to })
      const newest = found.at(-1)
      if (newest !== undefined) return newest.transactionHash
      to = span.from - 1n
    } catch (error) {
      const smaller = smallerPage(span)
      if (smaller === null) throw error
      size = smaller
    }
  }
  return null
}

/** A mined transaction with its receipt. `blockTime` in epoch ms. */
export const readTransaction = async (reader: PublicClient, txHash: Hex) => {
  const receipt = await readReceipt(reader, txHash)
  const block = await readBlock(reader, { blockNumber: receipt.blockNumber })
  return { txHash, receipt, blockNumber: receipt.blockNumber, blockTime: block.time }
}

/** Parses the amounts of a payout from the receipt that settled the job; null if the receipt pays no worker. */
export const parsePayout = (logs: Log[], escrow: Hex, chainJobId: Hex, { symbol, decimals }: Asset) => {
  const split = findEvents(logs, escrow, 'SettlementSplit', chainJobId).at(-1)
  if (split === undefined) return null
  const retention = findEvents(logs, escrow, 'GasRetentionApplied', chainJobId).at(-1)
  const retainedRaw = retention?.args.retainedRaw ?? 0n
  const { worker, treasuryAccount, asset, workerAmount, protocolFeeAmount, protocolFeeBps } = split.args
  const rewardRaw = workerAmount + retainedRaw
  return {
    worker: worker.toLowerCase(),
    treasuryAccount: treasuryAccount.toLowerCase(),
    asset: asset.toLowerCase(),
    assetSymbol: symbol,
    decimals,
    ...rawAndDisplay(
      {
        workerAmount,
        protocolFeeAmount,
        rewardAmount: rewardRaw,
        posterTotalAmount: rewardRaw + protocolFeeAmount,
        gasRetentionAmount: retainedRaw,
      },
      decimals,
    ),
    protocolFeeBps,
    gasRetentionBps: rewardRaw === 0n ? 0 : Number((retainedRaw * 10_000n) / rewardRaw),
  }
}
