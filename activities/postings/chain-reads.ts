import { BaseError, type Hex } from 'viem'
import type { FeeReading, PosterFeeTerms } from '../../domain/postings/quote.ts'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import { depositPoolAbi } from '../chain/abi/deposit-pool.ts'
import { escrowCoreAbi } from '../chain/abi/escrow-core.ts'
import { treasuryPolicyAbi } from '../chain/abi/treasury-policy.ts'
import { awaitMembers, createBlockReads } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import type { BlockRef } from '../chain/node/answers.ts'
import { convertReadErrors, isUnreachable } from '../chain/reachable.ts'
import type { ChainReads } from '../chain/reads.ts'

/** Reads of the escrow and the policy for posters; the numbers of one answer are of one block. Throws 502 `blockchain_unavailable`. */
export const createPostingReads = (chain: ChainFile, clients: ChainClients, reads: Pick<ChainReads, 'latestBlock'>) => {
  const { reader } = clients
  const { jobAt } = createBlockReads(chain, clients)
  const escrow = { address: liveEscrow(chain), abi: escrowCoreAbi } as const
  const policy = { address: chain.contracts.policy.address as Hex, abi: treasuryPolicyAbi } as const
  const { depositPool } = chain.contracts

  /** Fee that the escrow states for a reward; null for an escrow that states none. */
  const previewAt = async (rewardRaw: bigint, blockNumber: bigint): Promise<FeeReading['previewRaw']> => {
    try {
      return await reader.readContract({ ...escrow, functionName: 'previewPosterFee', args: [rewardRaw], blockNumber })
    } catch (error) {
      if (error instanceof BaseError && !isUnreachable(error)) return null
      throw error
    }
  }

  const feeTermsAt = (blockNumber: bigint): Promise<PosterFeeTerms> =>
    awaitMembers({
      posterFeeBps: reader.readContract({ ...escrow, functionName: 'posterFeeBps', blockNumber }),
      posterFeeFloorRaw: reader.readContract({ ...escrow, functionName: 'posterFeeFloorRaw', blockNumber }),
    })

  const feeAt = async (rewardRaw: bigint, blockNumber: bigint): Promise<FeeReading> => {
    const [terms, previewRaw] = await Promise.all([feeTermsAt(blockNumber), previewAt(rewardRaw, blockNumber)])
    return { ...terms, previewRaw }
  }

  /** Whether a wallet judges, arbitrates or settles on chain. */
  const hasRoleAt = async (wallet: Hex, blockNumber: bigint): Promise<boolean> => {
    const roles = (['verifiers', 'arbitrators', 'settlementBroker'] as const).map((functionName) =>
      reader.readContract({ ...policy, functionName, args: [wallet], blockNumber }),
    )
    return (await Promise.all(roles)).some(Boolean)
  }

  /** Most that a wallet can have in the deposit pool, base units; 0 without a pool. */
  const perWalletCapAt = async (blockNumber: bigint): Promise<bigint> =>
    depositPool === undefined
      ? 0n
      : reader.readContract({ address: depositPool.address as Hex, abi: depositPoolAbi, functionName: 'PER_AGENT_ASSET_CAP', blockNumber })

  /** Reads at the newest block, or at a given one. */
  const atBlock = <T>(read: (block: BlockRef) => Promise<T>, at?: BlockRef): Promise<T> =>
    convertReadErrors(async () => read(at ?? (await reads.latestBlock())))

  return {
    /** Fee of a reward, the state of its job, what a claimer meets, and whether the poster has a role on chain. */
    draftFacts: (poster: Hex, { jobId, rewardRaw }: { jobId: Hex; rewardRaw: bigint }) =>
      atBlock((block) =>
        awaitMembers({
          block,
          job: jobAt(jobId, block.number),
          fee: feeAt(rewardRaw, block.number),
          hasRole: hasRoleAt(poster, block.number),
          perWalletCapRaw: perWalletCapAt(block.number),
        }),
      ),

    /** Fee of a reward and the state of its job, at a block. */
    fundingFacts: (jobId: Hex, rewardRaw: bigint, at: BlockRef) =>
      atBlock((block) => awaitMembers({ fee: feeAt(rewardRaw, block.number), job: jobAt(jobId, block.number) }), at),

    /** A job with the instant of its creation (epoch ms), at the newest block. */
    openJob: (jobId: Hex) =>
      atBlock((block) =>
        awaitMembers({
          block,
          job: jobAt(jobId, block.number),
          createdAt: reader
            .readContract({ ...escrow, functionName: 'createdAt', args: [jobId], blockNumber: block.number })
            .then((seconds) => Number(seconds) * 1000),
        }),
      ),

    /** Fee terms of the escrow; null for one that tells none. */
    feeTerms: (): Promise<PosterFeeTerms | null> =>
      atBlock(async ({ number: blockNumber }) => {
        try {
          return await feeTermsAt(blockNumber)
        } catch (error) {
          if (error instanceof BaseError && !isUnreachable(error)) return null
          throw error
        }
      }),

    /** Account that gets the fees. */
    feeRecipient: (): Promise<Hex> =>
      atBlock(({ number: blockNumber }) => reader.readContract({ ...escrow, functionName: 'treasuryAccount', blockNumber })),

    /** Time in which a rejection can be disputed. */
    disputeWindowSeconds: (): Promise<number> =>
      atBlock(({ number: blockNumber }) => reader.readContract({ ...escrow, functionName: 'DISPUTE_WINDOW', blockNumber }).then(Number)),
  }
}
export type PostingReads = ReturnType<typeof createPostingReads>
