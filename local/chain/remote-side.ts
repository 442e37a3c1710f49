import { createPublicClient, createWalletClient, type Hex, http, parseAbi, parseEventLogs } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hydrationUsdcAdapterAbi } from '../../activities/chain/abi/hydration-usdc-adapter.ts'
import { testUsdcAbi } from '../../activities/chain/abi/test-usdc.ts'
import { xcmWrapperAbi } from '../../activities/chain/abi/xcm-wrapper.ts'
import { receiptOf } from '../../contracts/receipts.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { localKey } from '../keys.ts'

/** Fee of each leg, and what a deposit leaves for it; base units. */
export const LEG_FEE = 20_000n
/** Gas of a call, well above the use: an estimate would be too low when the service settles another request meanwhile. */
const GAS = 2_000_000n
const REMOTE_ABI = parseAbi(['function setBalance(address account, uint256 amount)'])

/** Gas money of the wrapper, wei. */
const WRAPPER_COIN = 10n ** 18n
/** Code of a contract that gives the coin it was created with to an account, which need not accept coin. */
const coinFor = (account: string): Hex => `0x73${account.slice(2)}ff`

/** Cross-chain requests of the local chain. The owner of the policy queues and dispatches them, and sets the balances at the venue. */
export const createRemoteSide = (chain: ChainFile, rpcUrl: string) => {
  const { xcm } = chain.contracts
  if (xcm === undefined) throw new Error('the chain file names no wrapper')
  const owner = privateKeyToAccount(localKey('deployer').privateKey)
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 20 })
  const wallet = createWalletClient({ account: owner, transport: http(rpcUrl) })
  const on = <const Abi>(address: string, abi: Abi) => ({ address: address as Hex, abi, chain: null, account: owner, gas: GAS })
  const token = on(chain.asset.address, testUsdcAbi)
  const adapter = on(xcm.adapter.address, hydrationUsdcAdapterAbi)
  const wrapper = on(xcm.wrapper.address, xcmWrapperAbi)
  const { account: remote, share } = xcm.venue
  let nonce = BigInt(Date.now())

  const mined = async (sent: Promise<Hex>) => {
    const receipt = await receiptOf(client, await sent)
    if (receipt.status !== 'success') throw new Error(`the transaction ${receipt.transactionHash} was reverted`)
    return receipt
  }
  const queuedId = async (sent: Promise<Hex>): Promise<Hex> => {
    const { logs } = await mined(sent)
    const [queued] = parseEventLogs({ abi: xcmWrapperAbi, eventName: 'RequestQueued', logs })
    if (queued === undefined) throw new Error('no request was queued')
    return queued.args.requestId
  }
  const dispatch = async (requestId: Hex, legs: readonly number[]): Promise<void> => {
    for (const leg of legs)
      await mined(wallet.writeContract({ ...wrapper, functionName: 'dispatchLeg', args: [requestId, leg, leg === 0 ? 0n : LEG_FEE] }))
  }
  const balanceOf = (account: Hex, address: Hex = token.address) =>
    client.readContract({ address, abi: testUsdcAbi, functionName: 'balanceOf', args: [account] })
  /** An amount arrives in the account of the wrapper at the venue. */
  const arrive = async (address: Hex, raw: bigint): Promise<void> => {
    const args = [remote, (await balanceOf(remote, address)) + raw] as const
    await mined(wallet.writeContract({ ...on(address, REMOTE_ABI), functionName: 'setBalance', args }))
  }
  const mint = (to: Hex, raw: bigint) => mined(wallet.writeContract({ ...token, functionName: 'mint', args: [to, raw] }))
  const approve = (raw: bigint) => mined(wallet.writeContract({ ...token, functionName: 'approve', args: [adapter.address, raw] }))
  const nextNonce = (): bigint => {
    nonce += 1n
    return nonce
  }
  /** The call that queues a deposit for an account: all of it but the fee is sold, and that is the least output. */
  const stageDeposit = (account: Hex, assets: bigint) => {
    const args = [account, assets, assets - LEG_FEE, assets - LEG_FEE, LEG_FEE, 0n, nextNonce()] as const
    return { ...adapter, functionName: 'stageTreasuryDeposit', args } as const
  }

  return {
    ...{ client, owner, wallet, on, adapter, mined, queuedId, dispatch, balanceOf, arrive, mint, approve, nextNonce, stageDeposit },
    deposit: async (account: Hex, assets: bigint): Promise<Hex> => {
      await mint(owner.address, assets)
      await approve(assets)
      return queuedId(wallet.writeContract(stageDeposit(account, assets)))
    },
    /** Both legs of a deposit; the assets leave the hub as the precompile would take them. */
    dispatchDeposit: async (requestId: Hex): Promise<void> => {
      await dispatch(requestId, [0, 1])
      const held = await balanceOf(wrapper.address)
      // A balance that Anvil sets is in no block: a chain that mines its blocks again would lack it.
      await mined(wallet.sendTransaction({ chain: null, account: owner, data: coinFor(wrapper.address), value: WRAPPER_COIN, gas: GAS }))
      await client.request({ method: 'anvil_impersonateAccount', params: [wrapper.address] } as never)
      const asWrapper = createWalletClient({ account: wrapper.address, transport: http(rpcUrl) })
      await mined(asWrapper.writeContract({ ...token, account: wrapper.address, functionName: 'transfer', args: [owner.address, held] }))
    },
    sharesArrive: (raw: bigint) => arrive(share.address, raw),
    request: (requestId: Hex) =>
      client.readContract({ address: wrapper.address, abi: xcmWrapperAbi, functionName: 'getRequest', args: [requestId] }),
  }
}
export type RemoteSide = ReturnType<typeof createRemoteSide>
