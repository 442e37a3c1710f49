import { erc20Abi, type Hex, type PublicClient } from 'viem'
import type { StoredRequest } from '../../domain/cross-chain/view.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { hydrationUsdcAdapterAbi } from '../chain/abi/hydration-usdc-adapter.ts'
import { treasuryPolicyAbi } from '../chain/abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../chain/abi/xcm-wrapper.ts'
import { awaitMembers } from '../chain/block-reads.ts'
import { type ChainClients, createChainClients } from '../chain/clients.ts'
import { assertChain, readLatestBlock } from '../chain/node/answers.ts'
import { convertReadErrors } from '../chain/reachable.ts'

/** Chain with requests to another one. */
export interface CrossChain {
  chain: ChainFile
  xcm: NonNullable<ChainFile['contracts']['xcm']>
}

export interface ReadRequest {
  /** Block of the reading. */
  blockNumber: bigint
  request: StoredRequest
  minimumOutputRaw: bigint
}

/** Client of the venue's chain; the one of this chain where the chain file names no other. */
const venueClient = ({ chain, xcm }: CrossChain, clients: ChainClients): PublicClient => {
  const { rpc } = xcm.venue
  return rpc === undefined ? clients.reader : createChainClients({ ...chain, rpc: { primary: rpc, backups: [], writeUrls: [] } }).reader
}

/** Reads of the wrapper, the adapter and the venue. Throws 502 `blockchain_unavailable` for a node that does not answer. */
export const createCrossChainReads = (on: CrossChain, clients: ChainClients) => {
  const { reader, chainId } = clients
  const { policy } = on.chain.contracts
  const wrapper = { address: on.xcm.wrapper.address as Hex, abi: xcmWrapperAbi } as const
  const adapter = { address: on.xcm.adapter.address as Hex, abi: hydrationUsdcAdapterAbi } as const
  const venue = venueClient(on, clients)

  const balanceOf = (client: PublicClient, token: string, holder: string, blockNumber: bigint): Promise<bigint> =>
    client.readContract({ address: token as Hex, abi: erc20Abi, functionName: 'balanceOf', args: [holder as Hex], blockNumber })

  return {
    /** A request at the newest block, or at the given one; its status is 0 for an unknown request. */
    request: (requestId: string, at?: bigint): Promise<ReadRequest> =>
      convertReadErrors(async () => {
        const [blockNumber] = await Promise.all([at ?? readLatestBlock(reader).then(({ number }) => number), assertChain(reader, chainId)])
        const args = [requestId as Hex] as const
        const [request, { minimumOutput }] = await Promise.all([
          reader.readContract({ ...wrapper, functionName: 'getRequest', args, blockNumber }),
          reader.readContract({ ...wrapper, functionName: 'getRequestParameters', args, blockNumber }),
        ])
        return { blockNumber, request, minimumOutputRaw: minimumOutput }
      }),

    /** Assets of a failed deposit that are not back at a block. */
    recoveryOutstanding: (requestId: string, blockNumber: bigint): Promise<bigint> =>
      convertReadErrors(() =>
        reader.readContract({ ...adapter, functionName: 'recoveryAssetsOutstanding', args: [requestId as Hex], blockNumber }),
      ),

    /** Whether a leg of a request was dispatched, at the newest block. */
    isDispatched: (requestId: string) =>
      convertReadErrors(
        async () => (await reader.readContract({ ...wrapper, functionName: 'requestDispatchBitmap', args: [requestId as Hex] })) !== 0,
      ),

    /** Assets and shares of the adapter, one block. */
    totals: () =>
      convertReadErrors(async () => {
        const { number: blockNumber } = await readLatestBlock(reader)
        return awaitMembers({
          totalAssetsRaw: reader.readContract({ ...adapter, functionName: 'totalAssets', blockNumber }),
          totalSharesRaw: reader.readContract({ ...adapter, functionName: 'totalShares', blockNumber }),
        })
      }),

    /** Balances of the wrapper's account at the venue, and the block of their reading. */
    venueBalances: () =>
      convertReadErrors(async () => {
        const { account, asset, share } = on.xcm.venue
        const block = await readLatestBlock(venue)
        const [assetRaw, shareRaw] = await Promise.all(
          [asset, share].map(({ address }) => balanceOf(venue, address, account, block.number)),
        )
        return { assetRaw: assetRaw ?? 0n, shareRaw: shareRaw ?? 0n, blockHash: block.hash }
      }),

    /** Assets of the adapter on this chain at a block. */
    adapterBalance: (blockNumber: bigint) =>
      convertReadErrors(() => balanceOf(reader, on.chain.asset.address, adapter.address, blockNumber)),

    /** Whether an address may settle requests of the adapter. */
    maySettle: (operator: Hex) =>
      convertReadErrors(() =>
        reader.readContract({ address: policy.address as Hex, abi: treasuryPolicyAbi, functionName: 'strategySettler', args: [operator] }),
      ),
  }
}
