import { createPublicClient, createWalletClient, type Hex, http, parseEventLogs, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hydrationUsdcAdapterAbi } from '../../activities/chain/abi/hydration-usdc-adapter.ts'
import { testUsdcAbi } from '../../activities/chain/abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../../activities/chain/abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../../activities/chain/abi/xcm-wrapper.ts'
import { receiptOf } from '../../contracts/receipts.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { localKey } from '../keys.ts'

/** Fee of each leg, and what a deposit leaves for it; base units. */
export const LEG_FEE = 20_000n
/** Gas of a call, well above the use: an estimate would be too low when the service settles another request meanwhile. */
const GAS = 2_000_000n
const REMOTE_ABI = [
  {
    type: 'function',
    name: 'setBalance',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'account', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [],
  },
] as const

/** Gas money of the wrapper, wei. */
const WRAPPER_COIN = 10n ** 18n
/** Code of a contract that gives the coin it was created with to an account, which need not accept coin. */
const coinFor = (account: string): Hex => `0x73${account.slice(2)}ff`

/** Cross-chain requests of the local chain. The owner of the policy queues and dispatches them, and sets the balances at the venue. */
export const createRemoteSide = (chain: ChainFile, rpcUrl: string) => {
  const { xcm, policy } = chain.contracts
  if (xcm === undefined) throw new Error('the chain file names no wrapper')
  const owner = privateKeyToAccount(localKey('deployer').privateKey)
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 20 })
  const wallet = createWalletClient({ account: owner, transport: http(rpcUrl) })
  const on = <const Abi>(address: string, abi: Abi) => ({ address: address as Hex, abi, chain: null, account: owner, gas: GAS })
  const token = on(chain.asset.address, testUsdcAbi)
  const adapter = on(xcm.adapter.address, hydrationUsdcAdapterAbi)
  const wrapper = on(xcm.wrapper.address, xcmWrapperAbi)
  const { account: remote, share, asset } = xcm.venue
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
  const setRemote = async (address: string, raw: bigint): Promise<void> => {
    const before = await client.readContract({ address: address as Hex, abi: testUsdcAbi, functionName: 'balanceOf', args: [remote] })
    await mined(wallet.writeContract({ ...on(address, REMOTE_ABI), functionName: 'setBalance', args: [remote, before + raw] }))
  }
  const mint = (to: Hex, raw: bigint) => mined(wallet.writeContract({ ...token, functionName: 'mint', args: [to, raw] }))
  /** A deposit that `queue` queues under this id. */
  const prepareDeposit = async (account: Hex, assets: bigint) => {
    const approve = async () => mined(wallet.writeContract({ ...token, functionName: 'approve', args: [adapter.address, assets] }))
    await mint(owner.address, assets)
    await approve()
    nonce += 1n
    const args = [account, assets, assets - LEG_FEE, assets - LEG_FEE, LEG_FEE, 0n, nonce] as const
    const call = { ...adapter, functionName: 'stageTreasuryDeposit', args } as const
    const { result: requestId } = await client.simulateContract({ ...call, chain: undefined })
    /** The allowance is that of the latest deposit that was prepared. */
    const queue = async (): Promise<Hex> => {
      await approve()
      return queuedId(wallet.writeContract(call))
    }
    return { requestId, queue }
  }

  return {
    client,
    prepareDeposit,
    /** Queues a deposit for an account: all of it but the fee is sold, and that is the least output. */
    deposit: async (account: Hex, assets: bigint): Promise<Hex> => (await prepareDeposit(account, assets)).queue(),
    /** Queues a withdrawal of shares that brings at least `minimum` home. */
    withdraw: (account: Hex, shares: bigint, minimum: bigint): Promise<Hex> => {
      nonce += 1n
      const args = [account, shares, minimum, LEG_FEE, 0n, nonce] as const
      return queuedId(wallet.writeContract({ ...adapter, functionName: 'stageTreasuryWithdraw', args }))
    },
    /** Both legs of a deposit; the assets leave the hub as the precompile would take them. */
    dispatchDeposit: async (requestId: Hex): Promise<void> => {
      await dispatch(requestId, [0, 1])
      const args = [wrapper.address] as const
      const held = await client.readContract({ address: token.address, abi: testUsdcAbi, functionName: 'balanceOf', args })
      // A balance that Anvil sets is in no block: a chain that mines its blocks again would lack it.
      await mined(wallet.sendTransaction({ chain: null, account: owner, data: coinFor(wrapper.address), value: WRAPPER_COIN, gas: GAS }))
      await client.request({ method: 'anvil_impersonateAccount', params: args } as never)
      const asWrapper = createWalletClient({ account: wrapper.address, transport: http(rpcUrl) })
      await mined(asWrapper.writeContract({ ...token, account: wrapper.address, functionName: 'transfer', args: [owner.address, held] }))
    },
    dispatchWithdrawal: (requestId: Hex) => dispatch(requestId, [2, 3]),
    /** Shares, or assets, arrive in the account of the wrapper at the venue. */
    sharesArrive: (raw: bigint) => setRemote(share.address, raw),
    assetsArrive: (raw: bigint) => setRemote(asset.address, raw),
    /** Assets of a withdrawal come home. */
    assetsComeHome: (raw: bigint) => mint(adapter.address, raw),
    setPaused: (paused: boolean) =>
      mined(wallet.writeContract({ ...on(policy.address, treasuryPolicyAbi), functionName: 'setPaused', args: [paused] })),
    setStrategySettler: (settler: Hex, allowed: boolean) =>
      mined(
        wallet.writeContract({ ...on(policy.address, treasuryPolicyAbi), functionName: 'setStrategySettler', args: [settler, allowed] }),
      ),
    /** The owner settles a request as a party of its own. */
    settleAsOwner: async (requestId: Hex, status: number): Promise<void> => {
      const settler = (allowed: boolean) =>
        mined(
          wallet.writeContract({
            ...on(policy.address, treasuryPolicyAbi),
            functionName: 'setStrategySettler',
            args: [owner.address, allowed],
          }),
        )
      await settler(true)
      await mined(
        wallet.writeContract({ ...adapter, functionName: 'settleRequest', args: [requestId, status, 0n, 0n, 0n, zeroHash, zeroHash] }),
      )
      await settler(false)
    },
    request: (requestId: Hex) =>
      client.readContract({ address: wrapper.address, abi: xcmWrapperAbi, functionName: 'getRequest', args: [requestId] }),
    /** Assets of a failed deposit that are not back yet. */
    toRecover: (requestId: Hex) =>
      client.readContract({ ...adapter, account: owner.address, functionName: 'recoveryAssetsOutstanding', args: [requestId] }),
    balanceOf: (account: Hex) =>
      client.readContract({ address: token.address, abi: testUsdcAbi, functionName: 'balanceOf', args: [account] }),
  }
}
export type RemoteSide = ReturnType<typeof createRemoteSide>
