import type { Hex } from 'viem'
import type { Position } from '../../domain/chain/account-position.ts'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import { type ClaimPolicy, createBlockReads, type EconomicsPreview, type EscrowJob } from './block-reads.ts'
import type { ChainClients } from './clients.ts'
import { convertReadErrors } from './readable.ts'

export interface BlockRef {
  number: bigint
  hash: Hex
  /** Block time in epoch ms. */
  time: number
}

export interface ClaimChainFacts {
  block: BlockRef
  job: EscrowJob
  preview: EconomicsPreview | null
  workerClaimCount: number
  position: Position
  operatorPosition: Position
  policy: ClaimPolicy
}

/** Reads of the contracts. Reads of one answer share one block and one JSON-RPC batch. Throws 502 `blockchain_unavailable`. */
export const createChainReads = (chain: ChainFile, clients: ChainClients, operator: Hex) => {
  const { jobAt, positionAt, policyAt, previewAt, claimCountAt, borrowCapacityAt, isPaused } = createBlockReads(chain, clients)

  const latestBlock = async (): Promise<BlockRef> => {
    const block = await clients.reader.getBlock({ blockTag: 'latest' })
    return { number: block.number, hash: block.hash, time: Number(block.timestamp) * 1000 }
  }

  /** Reads at the newest block. */
  const atLatest = <T>(read: (block: BlockRef) => Promise<T>): Promise<T> => convertReadErrors(async () => read(await latestBlock()))

  return {
    chain,
    operator,
    escrowAddress: liveEscrow(chain),

    latestBlock: () => convertReadErrors(latestBlock),

    /** All chain facts of an evaluation, at one block. */
    claimFacts: (chainJobId: Hex, wallet: Hex): Promise<ClaimChainFacts> =>
      atLatest(async (block) => {
        const [job, position, operatorPosition, policy, workerClaimCount] = await Promise.all([
          jobAt(chainJobId, block.number),
          positionAt(wallet, block.number),
          positionAt(operator, block.number),
          policyAt(block.number),
          claimCountAt(wallet, block.number),
        ])
        const preview = job.state === 'none' ? null : await previewAt(wallet, chainJobId, block.number)
        return { block, job, preview, workerClaimCount, position, operatorPosition, policy }
      }),

    /** Facts of a wallet at one block, for recommendations and summaries. */
    walletFacts: (wallet: Hex) =>
      atLatest(async (block) => {
        const [position, policy, workerClaimCount] = await Promise.all([
          positionAt(wallet, block.number),
          policyAt(block.number),
          claimCountAt(wallet, block.number),
        ])
        return { block, position, policy, workerClaimCount }
      }),

    escrowJob: (chainJobId: Hex): Promise<EscrowJob & { block: BlockRef }> =>
      atLatest(async (block) => ({ ...(await jobAt(chainJobId, block.number)), block })),

    /** Whether the contracts are paused at the newest block. */
    isPaused: (): Promise<boolean> => convertReadErrors(isPaused),

    position: (wallet: Hex): Promise<Position & { block: BlockRef }> =>
      atLatest(async (block) => ({ ...(await positionAt(wallet, block.number)), block })),

    borrowCapacity: (wallet: Hex): Promise<{ raw: bigint; block: BlockRef }> =>
      atLatest(async (block) => ({ raw: await borrowCapacityAt(wallet, block.number), block })),
  }
}
export type ChainReads = ReturnType<typeof createChainReads>
