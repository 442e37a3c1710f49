// Signs transactions locally and sends them one after another without waiting for blocks; all receipts are
// checked at the end.
import { type Address, createPublicClient, getContractAddress, type Hex, http, type PublicClient, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { receiptOf } from './receipts.ts'

export interface PipelineCall {
  readonly label: string
  readonly from: Hex
  /** Absent for a deployment. */
  readonly to?: Address
  readonly data: Hex
}

// More than the largest needs, and well under the block limit of the development node.
const DEPLOYMENT_GAS = 8_000_000n
const CALL_GAS = 1_000_000n
const MAX_FEE_PER_GAS = 50_000_000_000n

export type Pipeline = Awaited<ReturnType<typeof createPipeline>>

export async function createPipeline(rpcUrl: string) {
  const client: PublicClient = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }), pollingInterval: 50 })
  const chainId = await client.getChainId()
  const nonces = new Map<Address, number>()
  const sent: { label: string; hash: Hex }[] = []
  const nextNonce = async (address: Address): Promise<number> =>
    nonces.get(address) ?? (await client.getTransactionCount({ address, blockTag: 'pending' }))

  return {
    client,
    /** Sends a call; the returned address is the one a deployment gets. */
    async send({ label, from, to, data }: PipelineCall): Promise<Address> {
      const account = privateKeyToAccount(from)
      const { address } = account
      const nonce = await nextNonce(address)
      nonces.set(address, nonce + 1)
      const fees = { gas: to ? CALL_GAS : DEPLOYMENT_GAS, maxFeePerGas: MAX_FEE_PER_GAS, maxPriorityFeePerGas: 0n }
      const serializedTransaction = await account.signTransaction({ type: 'eip1559', chainId, nonce, data, ...(to ? { to } : {}), ...fees })
      sent.push({ label, hash: await client.sendRawTransaction({ serializedTransaction }) })
      return getContractAddress({ from: address, nonce: BigInt(nonce) })
    },
    /** The address that a deployment gets when `before` other transactions of its sender come first. */
    async addressAfter(key: Hex, before: number): Promise<Address> {
      const from = privateKeyToAccount(key).address
      return getContractAddress({ from, nonce: BigInt((await nextNonce(from)) + before) })
    },
    /** Waits for every receipt, throws when one failed. */
    async settle(): Promise<Map<string, TransactionReceipt>> {
      const settled = await Promise.all(sent.map(async ({ label, hash }) => ({ label, receipt: await receiptOf(client, hash) })))
      const failed = settled.filter(({ receipt }) => receipt.status !== 'success').map(({ label }) => label)
      if (failed.length > 0) throw new Error(`transactions failed: ${failed.join(', ')}`)
      return new Map(settled.map(({ label, receipt }) => [label, receipt]))
    },
  }
}
