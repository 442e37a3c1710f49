import { type Hex, zeroHash } from 'viem'
import { treasuryPolicyAbi } from '../../../activities/chain/abi/treasury-policy.ts'
import { createRemoteSide, LEG_FEE } from '../../../local/chain/remote-side.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'

/** What tests do to cross-chain requests beside what the demo does: withdrawals, a paused policy and settlements by the owner. */
export const createRequestScript = (chain: ChainFile, rpcUrl: string) => {
  const side = createRemoteSide(chain, rpcUrl)
  const { client, owner, wallet, adapter, mined, queuedId, dispatch, approve, mint } = side
  const policy = side.on(chain.contracts.policy.address, treasuryPolicyAbi)
  const setStrategySettler = (settler: Hex, allowed: boolean) =>
    mined(wallet.writeContract({ ...policy, functionName: 'setStrategySettler', args: [settler, allowed] }))
  return {
    ...side,
    setStrategySettler,
    /** A deposit that `queue` queues under this id. */
    prepareDeposit: async (account: Hex, assets: bigint) => {
      await mint(owner.address, assets)
      await approve(assets)
      const call = side.stageDeposit(account, assets)
      const { result: requestId } = await client.simulateContract({ ...call, chain: undefined })
      /** The allowance is that of the latest deposit that was prepared. */
      const queue = async (): Promise<Hex> => {
        await approve(assets)
        return queuedId(wallet.writeContract(call))
      }
      return { requestId, queue }
    },
    /** Queues a withdrawal of shares that brings at least `minimum` home. */
    withdraw: (account: Hex, shares: bigint, minimum: bigint): Promise<Hex> => {
      const args = [account, shares, minimum, LEG_FEE, 0n, side.nextNonce()] as const
      return queuedId(wallet.writeContract({ ...adapter, functionName: 'stageTreasuryWithdraw', args }))
    },
    dispatchWithdrawal: (requestId: Hex) => dispatch(requestId, [2, 3]),
    assetsArrive: (raw: bigint) => side.arrive(chain.contracts.xcm?.venue.asset.address as Hex, raw),
    /** Assets of a withdrawal come home. */
    assetsComeHome: (raw: bigint) => mint(adapter.address, raw),
    setPaused: (paused: boolean) => mined(wallet.writeContract({ ...policy, functionName: 'setPaused', args: [paused] })),
    /** The owner settles a request as a party of its own. */
    settleAsOwner: async (requestId: Hex, status: number): Promise<void> => {
      await setStrategySettler(owner.address, true)
      const args = [requestId, status, 0n, 0n, 0n, zeroHash, zeroHash] as const
      await mined(wallet.writeContract({ ...adapter, functionName: 'settleRequest', args }))
      await setStrategySettler(owner.address, false)
    },
    /** Assets of a failed deposit that are not back yet. */
    toRecover: (requestId: Hex) =>
      client.readContract({ ...adapter, account: owner.address, functionName: 'recoveryAssetsOutstanding', args: [requestId] }),
  }
}
export type RequestScript = ReturnType<typeof createRequestScript>
