import { formatGwei, type Hex, type PublicClient, parseTransaction } from 'viem'
import { Stopped } from './stopped.ts'

export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** What the chain asks now for a unit of gas, without room for a rise. */
export async function priceNow(client: PublicClient): Promise<{ price: bigint; tip: bigint }> {
  const { baseFeePerGas } = await client.getBlock()
  if (baseFeePerGas === null) return { price: await client.getGasPrice(), tip: 0n }
  const tip = baseFeePerGas === 0n ? 0n : await client.estimateMaxPriorityFeePerGas().catch(() => 0n)
  return { price: baseFeePerGas + tip, tip }
}

/** How many times the price of the start the fee may reach when no cap is given. */
const ROOM = 4n

/** The cap of a run: the one that is given, or room above the price of the start. */
export const capOf = async (client: PublicClient, given: bigint | undefined): Promise<bigint> =>
  given ?? (await priceNow(client)).price * ROOM

const raised = (fee: bigint): bigint => fee + fee / 8n + 1n

/** Fees of the next transaction, or of one that replaces `older` and must offer an eighth more. Stops above the cap. */
export async function feesWithin(client: PublicClient, cap: bigint, older?: Hex): Promise<Fees> {
  const { price, tip } = await priceNow(client)
  const before = older === undefined ? undefined : parseTransaction(older)
  const least = before ? raised(before.maxFeePerGas ?? 0n) : price
  if (least > cap)
    throw new Stopped(
      `the next fee would be ${formatGwei(least)} gwei, and the cap is ${formatGwei(cap)} gwei: wait, or raise --max-fee-gwei`,
    )
  const wanted = price * 2n > least ? price * 2n : least
  const maxFeePerGas = wanted > cap ? cap : wanted
  const wantedTip = before ? raised(before.maxPriorityFeePerGas ?? 0n) : tip
  return { maxFeePerGas, maxPriorityFeePerGas: wantedTip > maxFeePerGas ? maxFeePerGas : wantedTip }
}
