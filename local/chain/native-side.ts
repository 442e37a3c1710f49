import { type Address, createPublicClient, encodeFunctionData, formatEther, type Hex, http } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { systemPrecompileAbi } from '../../activities/chain/abi/system-precompile.ts'
import { receiptOf } from '../../contracts/receipts.ts'
import { type MappingStatus, mappingOfAnswer, SYSTEM_PRECOMPILE } from '../../domain/identity/native/mapping.ts'
import { localKey } from '../keys.ts'

/** The forms of a native account; hex in lower case. */
export type LocalAccount = { wallet: Hex; accountId: Hex }
/** What the native side holds of an account, wei, and whether its address is mapped to it. */
export type NativeStanding = { freeWei: bigint; heldWei: bigint; mapping: MappingStatus }

const SYSTEM = { address: SYSTEM_PRECOMPILE, abi: systemPrecompileAbi } as const
/** A payer in another process may have taken the nonce. */
const SEND_ATTEMPTS = 5

/** Plays the calls that native accounts send on their side of the chain. The faucet of the stack pays for them. */
export const createNativeSide = (rpcUrl: string) => {
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 })
  const payer: PrivateKeyAccount = privateKeyToAccount(localKey('faucet').privateKey)

  const sendOnce = async (data: Hex, value: bigint): Promise<void> => {
    const [chainId, nonce, gas, fees] = await Promise.all([
      client.getChainId(),
      client.getTransactionCount({ address: payer.address, blockTag: 'pending' }),
      // Refuses what the chain would revert, with the name of its error.
      client.estimateGas({ account: payer.address, to: SYSTEM_PRECOMPILE, data, value }),
      client.estimateFeesPerGas(),
    ])
    const call = { chainId, nonce, gas: (gas * 12n) / 10n, to: SYSTEM_PRECOMPILE as Address, data, value, ...fees }
    const serializedTransaction = await payer.signTransaction({ type: 'eip1559', ...call })
    const hash = await client.sendRawTransaction({ serializedTransaction })
    const { status } = await receiptOf(client, hash)
    if (status !== 'success') throw new Error(`the transaction ${hash} was reverted`)
  }

  const send = async (data: Hex, value = 0n): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendOnce(data, value)
      } catch (error) {
        if (attempt === SEND_ATTEMPTS || !/nonce|underpriced/i.test(String(error))) throw error
      }
    }
  }

  return {
    /** Pays the account on its native side, wei. */
    fund: ({ accountId }: LocalAccount, valueWei: bigint) =>
      send(encodeFunctionData({ abi: systemPrecompileAbi, functionName: 'fund', args: [accountId] }), valueWei),

    /** `Revive.map_account`: holds the deposit. */
    map: ({ accountId }: LocalAccount) =>
      send(encodeFunctionData({ abi: systemPrecompileAbi, functionName: 'mapAccount', args: [accountId] })),

    /** `Revive.unmap_account`: releases the deposit. */
    unmap: ({ accountId }: LocalAccount) =>
      send(encodeFunctionData({ abi: systemPrecompileAbi, functionName: 'unmapAccount', args: [accountId] })),

    /** Ends an account as one that fell below the existential deposit; the faucet gets what it had. */
    reap: ({ accountId }: LocalAccount) => send(encodeFunctionData({ abi: systemPrecompileAbi, functionName: 'reap', args: [accountId] })),

    standingOf: async (account: LocalAccount): Promise<NativeStanding> => {
      const [[freeWei, heldWei], answer] = await Promise.all([
        client.readContract({ ...SYSTEM, functionName: 'balances', args: [account.accountId] }),
        client.readContract({ ...SYSTEM, functionName: 'toAccountId', args: [account.wallet] }),
      ])
      return { freeWei, heldWei, mapping: mappingOfAnswer(account, answer) }
    },
  }
}
export type NativeSide = ReturnType<typeof createNativeSide>

/** A standing in one line; amounts in whole units. */
export const describeStanding = ({ freeWei, heldWei, mapping }: NativeStanding, symbol: string): string =>
  `free ${formatEther(freeWei)} ${symbol}, held ${formatEther(heldWei)} ${symbol}, ${mapping}`
