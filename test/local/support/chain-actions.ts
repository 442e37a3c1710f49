import { createPublicClient, createWalletClient, defineChain, http, type TransactionReceipt } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { receiptOf } from '../../../contracts/receipts.ts'
import { LOCAL_CHAIN_ID } from '../../../local/chain/anvil.ts'
import { LOCAL_MNEMONIC } from '../../../local/keys.ts'

/** A wallet that has nothing to do with the service. */
const stranger = mnemonicToAccount(LOCAL_MNEMONIC, { addressIndex: 9 })
const RECIPIENT = '0x2222222222222222222222222222222222222222'

/** Reads of a local chain, and a stranger who pays on it. */
export const onChain = (rpcUrl: string) => {
  const chain = defineChain({
    id: LOCAL_CHAIN_ID,
    name: 'Local',
    nativeCurrency: { name: 'x', symbol: 'x', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const reader = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: 20, cacheTime: 0 })
  const wallet = createWalletClient({ chain, account: stranger, transport: http(rpcUrl) })
  return {
    reader,
    async pay(times: number): Promise<TransactionReceipt[]> {
      const receipts: TransactionReceipt[] = []
      for (let index = 0; index < times; index++) {
        const hash = await wallet.sendTransaction({ to: RECIPIENT, value: 1n })
        receipts.push(await receiptOf(reader, hash))
      }
      return receipts
    },
    newest: async (): Promise<{ number: bigint; hash: string; timestamp: number }> => {
      const { number, hash, timestamp } = await reader.getBlock()
      return { number, hash, timestamp: Number(timestamp) }
    },
    balance: (blockNumber?: bigint): Promise<bigint> =>
      reader.getBalance({ address: RECIPIENT, ...(blockNumber === undefined ? {} : { blockNumber }) }),
  }
}
