import { type Hex, zeroAddress } from 'viem'
import type { Position } from '../../domain/chain/account-position.ts'
import { type EscrowTerms, PAYOUT_MODES } from '../../domain/chain/escrow-terms.ts'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import { CHAIN_JOB_STATES, type ChainJobState } from '../../schemas/chain/job-state.ts'
import { agentAccountCoreAbi } from './abi/agent-account-core.ts'
import { creditPoolAbi } from './abi/credit-pool.ts'
import { depositPoolAbi } from './abi/deposit-pool.ts'
import { escrowCoreAbi } from './abi/escrow-core.ts'
import { treasuryPolicyAbi } from './abi/treasury-policy.ts'
import type { ChainClients } from './clients.ts'

/** One job of the escrow. Its terms are meaningless while its state is `none`. */
export interface EscrowJob extends EscrowTerms {
  state: ChainJobState
  poster: Hex | null
  worker: Hex | null
  /** Epoch ms of the whole second; null when unclaimed. */
  claimExpiresAt: number | null
  rejectedAt: number | null
  disputedAt: number | null
  releasedRaw: bigint
  /** What the poster holds back beside the reward, and the fee on top. */
  opsReserveRaw: bigint
  contingencyReserveRaw: bigint
  posterFeeRaw: bigint
  /** The part of the fee that payouts have taken. */
  feeReleasedRaw: bigint
  waiverEligible: boolean
}

const nonZero = (address: Hex): Hex | null => (address === zeroAddress ? null : address)
const seconds = (value: bigint): number | null => (value === 0n ? null : Number(value) * 1000)

/** Awaits the members of an object together. */
export const awaitMembers = async <T extends object>(promises: T) => {
  const entries = Object.entries(promises).map(async ([name, promise]) => [name, await promise])
  return Object.fromEntries(await Promise.all(entries)) as { [Name in keyof T]: Awaited<T[Name]> }
}

/** Reads of the contracts at one block. */
export const createBlockReads = (chain: ChainFile, { reader }: Pick<ChainClients, 'reader'>) => {
  const escrow = { address: liveEscrow(chain), abi: escrowCoreAbi } as const
  const accounts = { address: chain.contracts.agentAccount.address as Hex, abi: agentAccountCoreAbi } as const
  const policy = { address: chain.contracts.policy.address as Hex, abi: treasuryPolicyAbi } as const
  const asset = chain.asset.address as Hex
  const { depositPool, creditPool } = chain.contracts

  const jobAt = async (chainJobId: Hex, blockNumber: bigint): Promise<EscrowJob> => {
    const [job, claimTtlSeconds, waiverEligible] = await Promise.all([
      reader.readContract({ ...escrow, functionName: 'jobs', args: [chainJobId], blockNumber }),
      reader.readContract({ ...escrow, functionName: 'claimTtls', args: [chainJobId], blockNumber }),
      reader.readContract({ ...escrow, functionName: 'onboardingWaiverEligibleJobs', args: [chainJobId], blockNumber }),
    ])
    const state = CHAIN_JOB_STATES[job.state]
    if (state === undefined) throw new Error(`unknown escrow state ${job.state}`)
    const payoutMode = PAYOUT_MODES[job.payoutMode]
    if (payoutMode === undefined) throw new Error(`unknown payout mode ${job.payoutMode}`)
    return {
      state,
      poster: nonZero(job.poster),
      worker: nonZero(job.worker),
      specHash: job.specHash,
      payoutMode,
      asset: job.asset.toLowerCase() === asset.toLowerCase() ? chain.asset.symbol : job.asset.toLowerCase(),
      rewardRaw: job.reward,
      claimTtlSeconds,
      claimExpiresAt: seconds(job.claimExpiry),
      rejectedAt: seconds(job.rejectedAt),
      disputedAt: seconds(job.disputedAt),
      releasedRaw: job.released,
      opsReserveRaw: job.opsReserve,
      contingencyReserveRaw: job.contingencyReserve,
      posterFeeRaw: job.protocolFee,
      feeReleasedRaw: job.protocolFeeReleased,
      waiverEligible,
    }
  }

  const positionAt = async (wallet: Hex, blockNumber: bigint): Promise<Position> => {
    const [liquid, reserved, strategyAllocated, collateralLocked, jobStakeLocked, debtOutstanding] = await reader.readContract({
      ...accounts,
      functionName: 'positions',
      args: [wallet, asset],
      blockNumber,
    })
    return { liquid, reserved, strategyAllocated, collateralLocked, jobStakeLocked, debtOutstanding }
  }

  /** Current parameters of policy and escrow that price a claim. */
  const policyAt = (blockNumber: bigint) => {
    const at = { blockNumber }
    return awaitMembers({
      stakeBps: reader.readContract({ ...policy, functionName: 'defaultClaimStakeBps', ...at }),
      feeBps: reader.readContract({ ...policy, functionName: 'claimFeeBps', ...at }),
      minFeeRaw: reader.readContract({ ...policy, functionName: 'minClaimFeeByAsset', args: [asset], ...at }),
      waiverClaims: reader.readContract({ ...policy, functionName: 'onboardingWaiverClaimCount', ...at }).then(Number),
      paused: reader.readContract({ ...policy, functionName: 'paused', ...at }),
      retentionFlatRaw: reader.readContract({ ...escrow, functionName: 'retentionFlatRaw', ...at }),
      retentionCapBps: reader.readContract({ ...escrow, functionName: 'retentionCapBps', ...at }),
      posterFeeBps: reader.readContract({ ...escrow, functionName: 'posterFeeBps', ...at }),
      posterFeeFloorRaw: reader.readContract({ ...escrow, functionName: 'posterFeeFloorRaw', ...at }),
      gasRetentionSupported: reader.readContract({ ...escrow, functionName: 'supportsGasRetention', ...at }),
      claimFeeRetainedOnSuccess: reader.readContract({ ...escrow, functionName: 'retainsClaimFeeOnSuccess', ...at }),
    })
  }

  const previewAt = async (wallet: Hex, chainJobId: Hex, blockNumber: bigint) => {
    const [claimStakeRaw, claimStakeBps, claimFeeRaw, claimFeeBps, waived, claimNumber] = await reader.readContract({
      ...escrow,
      functionName: 'previewClaimEconomics',
      args: [wallet, chainJobId],
      blockNumber,
    })
    return { claimStakeRaw, claimStakeBps, claimFeeRaw, claimFeeBps, waived, claimNumber: Number(claimNumber) }
  }

  return {
    jobAt,
    positionAt,
    policyAt,
    previewAt,

    /** Hash of the newest submission of a job; it stays when the job is claimed again, so read it with the state. */
    evidenceAt: (chainJobId: Hex, blockNumber: bigint): Promise<Hex> =>
      reader.readContract({ ...escrow, functionName: 'latestEvidence', args: [chainJobId], blockNumber }),

    claimCountAt: async (wallet: Hex, blockNumber: bigint): Promise<number> =>
      Number(await reader.readContract({ ...escrow, functionName: 'workerClaimCount', args: [wallet], blockNumber })),

    /** Value of a wallet's shares of the deposit pool; null when only the pool does not answer, 0 without one. */
    poolAssetsAt: async (wallet: Hex, blockNumber: bigint): Promise<bigint | null> => {
      if (depositPool === undefined) return 0n
      const pool = { address: depositPool.address, abi: depositPoolAbi } as const
      return reader.readContract({ ...pool, functionName: 'assetsOf', args: [wallet], blockNumber }).catch(() => null)
    },

    /** Principal that the deposit pool has placed in its venue; null without a pool. */
    poolPlacedAt: async (blockNumber: bigint): Promise<bigint | null> => {
      if (depositPool === undefined) return null
      const pool = { address: depositPool.address, abi: depositPoolAbi } as const
      return reader.readContract({ ...pool, functionName: 'venuePrincipalCostBasis', blockNumber })
    },

    /** What a wallet owes the credit pool; null when only the pool does not answer, 0 without one. */
    creditDebtAt: async (wallet: Hex, blockNumber: bigint): Promise<bigint | null> => {
      if (creditPool === undefined) return 0n
      const credit = { address: creditPool.address, abi: creditPoolAbi } as const
      return reader.readContract({ ...credit, functionName: 'outstandingDebt', args: [wallet], blockNumber }).catch(() => null)
    },

    borrowCapacityAt: (wallet: Hex, blockNumber: bigint): Promise<bigint> =>
      reader.readContract({ ...accounts, functionName: 'getBorrowCapacity', args: [wallet, asset], blockNumber }),

    /** At the newest block. */
    isPaused: (): Promise<boolean> => reader.readContract({ ...policy, functionName: 'paused' }),
  }
}
