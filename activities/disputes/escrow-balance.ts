import type { Hex } from 'viem'
import type { EscrowBalance } from '../../domain/disputes/payout.ts'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import { escrowCoreAbi } from '../chain/abi/escrow-core.ts'
import { treasuryPolicyAbi } from '../chain/abi/treasury-policy.ts'
import type { ChainClients } from '../chain/clients.ts'
import { convertReadErrors } from '../chain/reachable.ts'

/** Reads what the escrow holds for a session's job at one block, base units. Throws 502 `blockchain_unavailable`. */
export const createEscrowBalanceReader = (chain: ChainFile, { reader }: Pick<ChainClients, 'reader'>) => {
  const escrow = { address: liveEscrow(chain), abi: escrowCoreAbi } as const
  const policy = { address: chain.contracts.policy.address as Hex, abi: treasuryPolicyAbi } as const
  return ({ chainJobId, retainedRaw }: { chainJobId: string; retainedRaw: bigint }): Promise<EscrowBalance> =>
    convertReadErrors(async () => {
      const blockNumber = await reader.getBlockNumber({ cacheTime: 0 })
      const [job, claimFeeVerifierBps] = await Promise.all([
        reader.readContract({ ...escrow, functionName: 'jobs', args: [chainJobId as Hex], blockNumber }),
        reader.readContract({ ...policy, functionName: 'claimFeeVerifierBps', blockNumber }),
      ])
      return {
        rewardRaw: job.reward,
        releasedRaw: job.released,
        protocolFeeRaw: job.protocolFee,
        protocolFeeReleasedRaw: job.protocolFeeReleased,
        protocolFeeBps: job.protocolFeeBps,
        opsReserveRaw: job.opsReserve,
        contingencyReserveRaw: job.contingencyReserve,
        claimStakeRaw: job.claimStake,
        claimFeeRaw: job.claimFee,
        claimFeeVerifierBps: Number(claimFeeVerifierBps),
        retainedRaw,
      }
    })
}
