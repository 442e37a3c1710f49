// The cross-chain contracts of a fresh deployment, and short ways to use them.
import { type Abi, type Address, encodeFunctionData, type Hex, zeroHash } from 'viem'
import { hydrationUsdcAdapterAbi } from '../../../activities/chain/abi/hydration-usdc-adapter.ts'
import { xcmWrapperAbi } from '../../../activities/chain/abi/xcm-wrapper.ts'
import { loadArtifact } from '../../../local/contracts/artifact.ts'
import { CROSS_CHAIN_STRATEGY_ID } from '../../../local/contracts/parameters.ts'
import type { Happening } from './decode.ts'
import { requestId } from './strategies.ts'
import { type Outcome, type World, who } from './world.ts'

export type CrossChainKey = 'wrapper' | 'adapter' | 'precompile'

export const LEG = { depositFunding: 0, depositSell: 1, withdrawSell: 2, withdrawHome: 3 } as const
export const STATUS = { pending: 1, succeeded: 2, failed: 3, cancelled: 4 } as const
export const FEE = 20_000n

/** Limits of a request; unset members are those of a deposit of 5 USDC without a deadline. */
export interface Limits {
  readonly sell?: bigint
  readonly minimum?: bigint
  readonly fee?: bigint
  readonly deadline?: bigint
  readonly nonce?: bigint
}

export type CrossChain = Awaited<ReturnType<typeof startCrossChain>>

export async function startCrossChain(world: World) {
  const { wrapper, adapter } = world.deployment.contracts.xcm
  const precompile: Address = await world.client.readContract({
    ...{ address: wrapper.address, abi: xcmWrapperAbi, functionName: 'xcmPrecompile' },
  })
  const { abi } = await loadArtifact('MockXcmPrecompile')
  const at: Readonly<Record<CrossChainKey, Address>> = { wrapper: wrapper.address, adapter: adapter.address, precompile }
  const abis: Readonly<Record<CrossChainKey, Abi>> = { wrapper: xcmWrapperAbi, adapter: hydrationUsdcAdapterAbi, precompile: abi }
  world.watch(at.wrapper, { prefix: 'XCM', abi: abis.wrapper })
  world.watch(at.adapter, { prefix: 'LANE', abi: abis.adapter })

  const attempt = (from: Address, key: CrossChainKey, functionName: string, ...args: readonly unknown[]): Promise<Outcome> =>
    world.attemptAt(from, at[key], encodeFunctionData({ abi: abis[key], functionName, args }))
  const run = async (from: Address, key: CrossChainKey, name: string, ...args: readonly unknown[]): Promise<readonly Happening[]> => {
    const outcome = await attempt(from, key, name, ...args)
    if (outcome.error !== undefined) throw new Error(`${name} was refused: ${outcome.error}`)
    return outcome.events
  }
  const read = (key: CrossChainKey, functionName: string, ...args: readonly unknown[]) =>
    world.client.readContract({ address: at[key], abi: abis[key], functionName, args })
  const refusal = async (from: Address, key: CrossChainKey, name: string, ...args: readonly unknown[]): Promise<string> =>
    (await attempt(from, key, name, ...args)).error ?? 'it passed'

  const depositArgs = (assets: bigint, { sell = assets - FEE, minimum = sell, fee = FEE, deadline = 0n, nonce = 1n }: Limits = {}) =>
    [who.worker, assets, sell, minimum, fee, deadline, nonce] as const
  const withdrawArgs = (shares: bigint, { minimum = shares, fee = FEE, deadline = 0n, nonce = 1n }: Limits = {}) =>
    [who.worker, shares, minimum, fee, deadline, nonce] as const
  const depositId = (assets = 5_000_000n, nonce = 1n): Hex =>
    requestId(0, who.worker, world.at.token, who.worker, assets, 0n, nonce, CROSS_CHAIN_STRATEGY_ID)
  const withdrawId = (shares: bigint, nonce = 1n): Hex =>
    requestId(1, who.worker, world.at.token, who.worker, 0n, shares, nonce, CROSS_CHAIN_STRATEGY_ID)

  const deposit = async (assets = 5_000_000n, limits: Limits = {}): Promise<Hex> => {
    await run(who.owner, 'adapter', 'stageTreasuryDeposit', ...depositArgs(assets, limits))
    return depositId(assets, limits.nonce)
  }
  const withdraw = async (shares: bigint, limits: Limits = {}): Promise<Hex> => {
    await run(who.owner, 'adapter', 'stageTreasuryWithdraw', ...withdrawArgs(shares, limits))
    return withdrawId(shares, limits.nonce)
  }
  const dispatch = (id: Hex, leg: number, fee = leg === LEG.depositFunding ? 0n : FEE) =>
    run(who.owner, 'wrapper', 'dispatchLeg', id, leg, fee)
  const settleArgs = (id: Hex, status: number, assets = 0n, shares = assets, observed = 0n, code = zeroHash) =>
    [id, status, assets, shares, observed, zeroHash, code] as const

  return {
    ...{ at, attempt, run, read, refusal, depositArgs, withdrawArgs, depositId, withdrawId, deposit, withdraw, dispatch, settleArgs },
    /** The legs of a deposit with the assets gone from the hub. */
    dispatchDeposit: async (id: Hex): Promise<void> => {
      await dispatch(id, LEG.depositFunding)
      await dispatch(id, LEG.depositSell)
    },
    dispatchWithdrawal: async (id: Hex): Promise<void> => {
      await dispatch(id, LEG.withdrawSell)
      await dispatch(id, LEG.withdrawHome)
    },
    settle: (id: Hex, status: number, ...rest: readonly (bigint | undefined)[]) =>
      run(who.operator, 'adapter', 'settleRequest', ...settleArgs(id, status, ...(rest as [bigint?, bigint?, bigint?]))),
    /** What the precompile does with executed funding on a real hub: the assets leave the wrapper. */
    leaveHub: (assets: bigint) => world.run(at.wrapper, 'token', 'transfer', who.stranger, assets),
  }
}
