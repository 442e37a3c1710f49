import {
  type Address,
  BaseError,
  createPublicClient,
  ExecutionRevertedError,
  encodeFunctionData,
  formatEther,
  getContractError,
  type Hex,
  http,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { systemPrecompileAbi } from '../../activities/chain/abi/system-precompile.ts'
import { receiptOf } from '../../contracts/receipts.ts'
import type { NativeAccount } from '../../domain/identity/native/account.ts'
import { mappingOfAnswer, SYSTEM_PRECOMPILE } from '../../domain/identity/native/mapping.ts'
import type { MappingStatus } from '../../schemas/identity/native-shapes.ts'
import { localKey } from '../keys.ts'

/** The forms of a native account that its side of the chain knows. */
export type LocalAccount = Pick<NativeAccount, 'wallet' | 'accountId'>
/** What the native side holds of an account, wei, and whether its address is mapped to it. */
export type NativeStanding = { freeWei: bigint; heldWei: bigint; mapping: MappingStatus }

const SYSTEM = { address: SYSTEM_PRECOMPILE, abi: systemPrecompileAbi } as const
type SystemCall = { to: Address; data: Hex; functionName: 'fund' | 'mapAccount' | 'unmapAccount' | 'reap' }

const isRevert = (error: unknown): boolean => error instanceof ExecutionRevertedError

/** A payer in another process may have taken the nonce. */
const SEND_ATTEMPTS = 5

/** Plays the calls that native accounts send on their side of the chain. The faucet of the stack pays for them. */
export const createNativeSide = (rpcUrl: string) => {
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 })
  const payer = privateKeyToAccount(localKey('faucet').privateKey)

  const sendOnce = async ({ to, data }: SystemCall, value: bigint): Promise<void> => {
    const [chainId, nonce, gas, fees] = await Promise.all([
      client.getChainId(),
      client.getTransactionCount({ address: payer.address, blockTag: 'pending' }),
      client.estimateGas({ account: payer.address, to, data, value }),
      client.estimateFeesPerGas(),
    ])
    const call = { chainId, nonce, gas: (gas * 12n) / 10n, to, data, value, ...fees }
    const hash = await client.sendRawTransaction({ serializedTransaction: await payer.signTransaction({ type: 'eip1559', ...call }) })
    const { status } = await receiptOf(client, hash)
    if (status !== 'success') throw new Error(`the transaction ${hash} was reverted`)
  }

  /** Sends a call; throws with the name of the stand-in's error where it refuses. */
  const send = async (functionName: SystemCall['functionName'], { accountId }: LocalAccount, value = 0n): Promise<void> => {
    const call = { to: SYSTEM_PRECOMPILE, functionName, data: encodeFunctionData({ ...SYSTEM, functionName, args: [accountId] }) } as const
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendOnce(call, value)
      } catch (error) {
        if (error instanceof BaseError && error.walk(isRevert) !== null)
          throw getContractError(error, { ...SYSTEM, functionName, args: [accountId] })
        if (attempt === SEND_ATTEMPTS || !/nonce|underpriced/i.test(String(error))) throw error
      }
    }
  }

  return {
    /** Pays the account on its native side, wei. */
    fund: (account: LocalAccount, valueWei: bigint) => send('fund', account, valueWei),
    /** `Revive.map_account`: holds the deposit. */
    map: (account: LocalAccount) => send('mapAccount', account),
    /** `Revive.unmap_account`: releases the deposit. */
    unmap: (account: LocalAccount) => send('unmapAccount', account),
    /** Ends an account as one that fell below the existential deposit; the faucet gets what it had. */
    reap: (account: LocalAccount) => send('reap', account),

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
