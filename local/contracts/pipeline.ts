// Signs transactions locally and sends them one after another without waiting for blocks; all receipts are
// checked at the end. Every transaction leaves through one function, so that a caller can keep a log of them.
import { type Address, createPublicClient, getContractAddress, type Hex, http, type PublicClient, type TransactionReceipt } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { receiptOf } from '../receipts.ts'

export type SendRaw = (raw: Hex) => Promise<Hex>

export interface PipelineCall {
  readonly label: string
  readonly from: Hex
  /** Absent for a deployment. */
  readonly to?: Address
  readonly data: Hex
}

export interface Pipeline {
  readonly client: PublicClient
  /** Sends a call; the returned address is the one a deployment gets. */
  send(call: PipelineCall): Promise<Address>
  /** Waits for every receipt, throws when one failed. */
  settle(): Promise<Map<string, TransactionReceipt>>
}

interface Sender {
  readonly account: PrivateKeyAccount
  nonce: number
}

interface Sent {
  readonly label: string
  readonly hash: Hex
}

// More than the largest needs, and well under the block limit of the development node.
const DEPLOYMENT_GAS = 8_000_000n
const CALL_GAS = 1_000_000n
const MAX_FEE_PER_GAS = 50_000_000_000n

export async function createPipeline(rpcUrl: string, sendRaw?: SendRaw): Promise<Pipeline> {
  const client: PublicClient = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }), pollingInterval: 50 })
  const chainId = await client.getChainId()
  const deliver: SendRaw = sendRaw ?? ((serializedTransaction) => client.sendRawTransaction({ serializedTransaction }))
  const senders = new Map<Address, Sender>()
  const sent: Sent[] = []

  const senderOf = async (key: Hex): Promise<Sender> => {
    const account = privateKeyToAccount(key)
    const known = senders.get(account.address)
    if (known) return known
    const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    const sender = { account, nonce }
    senders.set(account.address, sender)
    return sender
  }

  return {
    client,
    async send({ label, from, to, data }) {
      const sender = await senderOf(from)
      const nonce = sender.nonce++
      const fees = { gas: to ? CALL_GAS : DEPLOYMENT_GAS, maxFeePerGas: MAX_FEE_PER_GAS, maxPriorityFeePerGas: 0n }
      const raw = await sender.account.signTransaction({ type: 'eip1559', chainId, nonce, data, ...(to ? { to } : {}), ...fees })
      sent.push({ label, hash: await deliver(raw) })
      return getContractAddress({ from: sender.account.address, nonce: BigInt(nonce) })
    },
    async settle() {
      const settled = new Map<string, TransactionReceipt>()
      const wait = async ({ label, hash }: Sent): Promise<void> => {
        settled.set(label, await receiptOf(client, hash))
      }
      await Promise.all(sent.map(wait))
      const failed = [...settled].filter(([, { status }]) => status !== 'success').map(([label]) => label)
      if (failed.length > 0) throw new Error(`transactions failed: ${failed.join(', ')}`)
      return settled
    },
  }
}
