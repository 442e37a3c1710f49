import { type ContractEventName, type Hex, type Log, type PublicClient, parseEventLogs } from 'viem'
import { escrowCoreAbi } from './abi/escrow-core.ts'

type EscrowEventName = ContractEventName<typeof escrowCoreAbi>

/** Events of one job among the logs of a receipt, in log order. */
export const eventsOf = <Name extends EscrowEventName>(logs: Log[], escrow: Hex, eventName: Name, chainJobId: Hex) =>
  parseEventLogs({ abi: escrowCoreAbi, eventName, logs }).filter((event) => {
    const args: Record<string, unknown> = event.args
    return event.address.toLowerCase() === escrow.toLowerCase() && args.jobId === chainJobId
  })

/** The last event of one job in a receipt. Throws when the receipt holds none: the transaction was not what it should be. */
export const needEvent = <Name extends EscrowEventName>(logs: Log[], escrow: Hex, eventName: Name, chainJobId: Hex) => {
  const event = eventsOf(logs, escrow, eventName, chainJobId).at(-1)
  if (event === undefined) throw new Error(`receipt without ${eventName}`)
  return event
}

const TERMINAL = [
  'JobClosed',
  'JobReopened',
  'JobCancelled',
  'DisputeResolved',
  'AutoResolvedOnTimeout',
  'JobClaimed',
  'JobRejected',
  'Submitted',
] as const
export type SearchedEvent = (typeof TERMINAL)[number]

/** Hash of the newest transaction since `fromBlock` that emitted `eventName` for the job; null when there is none. */
export const findEventTransaction = async (
  reader: PublicClient,
  escrow: Hex,
  eventName: SearchedEvent,
  chainJobId: Hex,
  fromBlock: bigint,
): Promise<Hex | null> => {
  const logs = await reader.getContractEvents({
    address: escrow,
    abi: escrowCoreAbi,
    eventName,
    args: { jobId: chainJobId },
    fromBlock,
    toBlock: 'latest',
  })
  return logs.at(-1)?.transactionHash ?? null
}

/** What a payout moved, out of the receipt that settled the job. Amounts are digit strings in base units. */
export interface PayoutSettlement {
  worker: string
  treasuryAccount: string
  asset: string
  assetSymbol: string
  workerAmountRaw: string
  protocolFeeAmountRaw: string
  protocolFeeBps: number
  rewardAmountRaw: string
  posterTotalAmountRaw: string
  gasRetentionAmountRaw: string
  gasRetentionBps: number
}

/** Reads a payout from its receipt; null when the receipt pays nobody. */
export const payoutOf = (logs: Log[], escrow: Hex, chainJobId: Hex, assetSymbol: string): PayoutSettlement | null => {
  const split = eventsOf(logs, escrow, 'SettlementSplit', chainJobId).at(-1)
  if (split === undefined) return null
  const retention = eventsOf(logs, escrow, 'GasRetentionApplied', chainJobId).at(-1)
  const retainedRaw = retention?.args.retainedRaw ?? 0n
  const { worker, treasuryAccount, asset, workerAmount, protocolFeeAmount, protocolFeeBps } = split.args
  const rewardRaw = workerAmount + retainedRaw
  return {
    worker: worker.toLowerCase(),
    treasuryAccount: treasuryAccount.toLowerCase(),
    asset: asset.toLowerCase(),
    assetSymbol,
    workerAmountRaw: workerAmount.toString(),
    protocolFeeAmountRaw: protocolFeeAmount.toString(),
    protocolFeeBps,
    rewardAmountRaw: rewardRaw.toString(),
    posterTotalAmountRaw: (rewardRaw + protocolFeeAmount).toString(),
    gasRetentionAmountRaw: retainedRaw.toString(),
    gasRetentionBps: rewardRaw === 0n ? 0 : Number((retainedRaw * 10_000n) / rewardRaw),
  }
}
