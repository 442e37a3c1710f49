// The cross-chain contracts of a fresh deployment, and short ways to use them.
import { type Address, type Hex, zeroHash } from 'viem'
import { hydrationUsdcAdapterAbi } from '../../../activities/chain/abi/hydration-usdc-adapter.ts'
import { xcmWrapperAbi } from '../../../activities/chain/abi/xcm-wrapper.ts'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { CROSS_CHAIN_STRATEGY_ID } from '../../../contracts/parameters.ts'
import { requestId } from './strategies.ts'
import { callsOf, type World, who } from './world.ts'

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
    address: wrapper.address,
    abi: xcmWrapperAbi,
    functionName: 'xcmPrecompile',
  })
  const { abi } = await loadArtifact('MockXcmPrecompile')
  const calls = callsOf(world, {
    wrapper: { address: wrapper.address, prefix: 'XCM', abi: xcmWrapperAbi },
    adapter: { address: adapter.address, prefix: 'LANE', abi: hydrationUsdcAdapterAbi },
    precompile: { address: precompile, prefix: 'PRECOMPILE', abi },
  })
  const { at, run } = calls

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
    ...calls,
    depositArgs,
    withdrawArgs,
    depositId,
    withdrawId,
    deposit,
    withdraw,
    dispatch,
    settleArgs,
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
