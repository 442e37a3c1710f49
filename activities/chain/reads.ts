import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import { awaitMembers, createBlockReads, type EscrowJob } from './block-reads.ts'
import type { ChainClients } from './clients.ts'
import { assertChain, type BlockRef, readLatestBlock, UnreadyAnswerError } from './node/answers.ts'
import { convertReadErrors } from './reachable.ts'

/** Readings of a node that lags, after the first, and the pause before each, ms. */
const LAG_TRIES = 5
const LAG_PAUSE_MS = 200

/** Oldest block that a reading may be at. */
export type OldestBlock = () => Promise<bigint>

/**
 * Reads of the contracts; `operator` is null in a process without its key. Reads of one answer share one block and one JSON-RPC batch. Throws 502
 * `blockchain_unavailable`, also for a node whose newest block is older than `oldestBlock`.
 */
export const createChainReads = (
  chain: ChainFile,
  clients: ChainClients,
  operator: Hex | null,
  oldestBlock: OldestBlock = async () => 0n,
) => {
  const {
    jobAt,
    positionAt,
    policyAt,
    previewAt,
    claimCountAt,
    poolAssetsAt,
    poolPlacedAt,
    creditDebtAt,
    borrowCapacityAt,
    evidenceAt,
    isPaused,
  } = createBlockReads(chain, clients)

  /** Another node behind the same address may have the block that one of them lacks, so the reading is repeated a few times. */
  const latestBlock = async (triesLeft = LAG_TRIES): Promise<BlockRef> => {
    const { reader, chainId } = clients
    const [block, oldest] = await Promise.all([readLatestBlock(reader), oldestBlock(), assertChain(reader, chainId)])
    if (block.number >= oldest) return block
    if (triesLeft === 0) throw new UnreadyAnswerError(`the node is at block ${block.number}, and block ${oldest} is recorded`)
    await sleep(LAG_PAUSE_MS)
    return latestBlock(triesLeft - 1)
  }

  /** Reads at the newest block. */
  const atLatest = <T>(read: (block: BlockRef) => Promise<T>): Promise<T> => convertReadErrors(async () => read(await latestBlock()))

  return {
    chain,
    operator,
    escrowAddress: liveEscrow(chain),

    latestBlock: () => convertReadErrors(() => latestBlock()),

    /** All chain facts of an evaluation, at one block. `preview` is null for a job that is not on chain. */
    claimFacts: (chainJobId: Hex, wallet: Hex) =>
      atLatest(async (block) => {
        const read = await awaitMembers({
          job: jobAt(chainJobId, block.number),
          position: positionAt(wallet, block.number),
          operatorPosition: operator === null ? null : positionAt(operator, block.number),
          policy: policyAt(block.number),
          workerClaimCount: claimCountAt(wallet, block.number),
          poolAssetsRaw: poolAssetsAt(wallet, block.number),
          creditDebtRaw: creditDebtAt(wallet, block.number),
        })
        const preview = read.job.state === 'none' ? null : await previewAt(wallet, chainJobId, block.number)
        return { block, preview, ...read }
      }),

    /** Facts of a wallet at one block, for recommendations and summaries. */
    walletFacts: (wallet: Hex) =>
      atLatest((block) =>
        awaitMembers({
          block,
          position: positionAt(wallet, block.number),
          policy: policyAt(block.number),
          workerClaimCount: claimCountAt(wallet, block.number),
          poolAssetsRaw: poolAssetsAt(wallet, block.number),
          creditDebtRaw: creditDebtAt(wallet, block.number),
        }),
      ),

    /** What the deposit pool has placed in its venue at the newest block; null without a pool. */
    poolPlacedRaw: (): Promise<bigint | null> => atLatest((block) => poolPlacedAt(block.number)),

    bondPolicy: () => atLatest((block) => policyAt(block.number)),

    escrowJob: (chainJobId: Hex): Promise<EscrowJob & { block: BlockRef }> =>
      atLatest(async (block) => ({ ...(await jobAt(chainJobId, block.number)), block })),

    /** A job with the hash of its newest submission, which counts in the state `submitted` and after it. */
    escrowSubmission: (chainJobId: Hex): Promise<EscrowJob & { evidenceHash: Hex; block: BlockRef }> =>
      atLatest(async (block) => {
        const [job, evidenceHash] = await Promise.all([jobAt(chainJobId, block.number), evidenceAt(chainJobId, block.number)])
        return { ...job, evidenceHash, block }
      }),

    /** Whether the contracts are paused at the newest block. */
    isPaused: (): Promise<boolean> => convertReadErrors(isPaused),

    borrowCapacity: (wallet: Hex): Promise<{ raw: bigint; block: BlockRef }> =>
      atLatest(async (block) => ({ raw: await borrowCapacityAt(wallet, block.number), block })),
  }
}
export type ChainReads = ReturnType<typeof createChainReads>
export type ClaimChainFacts = Awaited<ReturnType<ChainReads['claimFacts']>>
