import { erc20Abi, type Hex } from 'viem'
import type { PoolPosition } from '../../domain/pool/quotes.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { depositPoolAbi } from '../chain/abi/deposit-pool.ts'
import { awaitMembers } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import { type BlockRef, readBlock } from '../chain/node/answers.ts'
import { convertReadErrors } from '../chain/reachable.ts'
import type { ChainReads } from '../chain/reads.ts'

/** The deposit pool without a wallet, at one block, base units. */
export interface PoolFigures extends Pick<PoolPosition, 'managedRaw' | 'supplyRaw' | 'seedRaw' | 'bufferRaw' | 'caps'> {
  /** Principal that the pool has placed at its venue. */
  placedRaw: bigint
}

/** The deposit pool with one wallet, at one block, base units. */
export interface PoolWalletFigures extends PoolFigures, PoolPosition {
  /** Tokens that the pool may take from the wallet. */
  allowanceRaw: bigint
}

/** A chain file with a deposit pool. */
export interface PoolChain {
  chain: ChainFile
  pool: NonNullable<ChainFile['contracts']['depositPool']>
}

/** Reads of the deposit pool; the numbers of one answer are of one block. Throws 502 `blockchain_unavailable`. */
export const createPoolReads = (
  chain: ChainFile,
  { address }: PoolChain['pool'],
  { reader }: ChainClients,
  reads: Pick<ChainReads, 'latestBlock'>,
) => {
  const pool = { address: address as Hex, abi: depositPoolAbi } as const
  const token = { address: chain.asset.address as Hex, abi: erc20Abi } as const

  const figuresAt = async (blockNumber: bigint): Promise<PoolFigures> => {
    const at = { ...pool, blockNumber }
    const { totalRaw, perHolderRaw, ...figures } = await awaitMembers({
      managedRaw: reader.readContract({ ...at, functionName: 'totalAssets' }),
      supplyRaw: reader.readContract({ ...at, functionName: 'totalSupply' }),
      seedRaw: reader.readContract({ ...at, functionName: 'operatorPrincipalShares' }),
      bufferRaw: reader.readContract({ ...at, functionName: 'bufferAssets' }),
      placedRaw: reader.readContract({ ...at, functionName: 'venuePrincipalCostBasis' }),
      totalRaw: reader.readContract({ ...at, functionName: 'TOTAL_ASSET_CAP' }),
      perHolderRaw: reader.readContract({ ...at, functionName: 'PER_AGENT_ASSET_CAP' }),
    })
    return { ...figures, caps: { totalRaw, perHolderRaw } }
  }

  const walletAt = (wallet: Hex, blockNumber: bigint) =>
    awaitMembers({
      balanceRaw: reader.readContract({ ...pool, functionName: 'balanceOf', args: [wallet], blockNumber }),
      lockedRaw: reader.readContract({ ...pool, functionName: 'lockedShares', args: [wallet], blockNumber }),
      pledgedRaw: reader.readContract({ ...pool, functionName: 'pledgedShares', args: [wallet], blockNumber }),
      walletRaw: reader.readContract({ ...token, functionName: 'balanceOf', args: [wallet], blockNumber }),
      allowanceRaw: reader.readContract({ ...token, functionName: 'allowance', args: [wallet, address as Hex], blockNumber }),
    })

  /** The block below the newest one with the confirmations after which the follower records events. */
  const confirmedAt = async (latest: BlockRef): Promise<BlockRef> => {
    if (chain.confirmations === 0) return latest
    const depth = BigInt(chain.confirmations)
    return readBlock(reader, { blockNumber: latest.number > depth ? latest.number - depth : 0n })
  }

  const walletFiguresAt = async (wallet: Hex, blockNumber: bigint): Promise<PoolWalletFigures> => {
    const [figures, own] = await Promise.all([figuresAt(blockNumber), walletAt(wallet, blockNumber)])
    return { ...figures, ...own }
  }

  return {
    walletFiguresAt,

    confirmedAt: (latest: BlockRef): Promise<BlockRef> => convertReadErrors(() => confirmedAt(latest)),

    /** The pool, and the wallet if there is one, at the newest confirmed block, and what `beside` reads of the block meanwhile. */
    confirmed: <Beside>(wallet: Hex | null, beside: (block: BlockRef) => Promise<Beside>) =>
      convertReadErrors(async () => {
        const block = await confirmedAt(await reads.latestBlock())
        const [figures, own, read] = await Promise.all([
          figuresAt(block.number),
          wallet === null ? null : walletAt(wallet, block.number),
          beside(block),
        ])
        return { block, pool: figures, wallet: own && { ...figures, ...own }, beside: read }
      }),

    /** The pool with a wallet at the newest block, on whose state its transactions are built. */
    latest: (wallet: Hex): Promise<{ block: BlockRef; figures: PoolWalletFigures }> =>
      convertReadErrors(async () => {
        const block = await reads.latestBlock()
        return { block, figures: await walletFiguresAt(wallet, block.number) }
      }),
  }
}
