// A verifier of somebody else, who decides on chain past the service.
import { encodeFunctionData, stringToHex, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { escrowCoreAbi } from '../../activities/chain/abi/escrow-core.ts'
import { treasuryPolicyAbi } from '../../activities/chain/abi/treasury-policy.ts'
import { chainJobId } from '../../domain/ids.ts'
import { localKey } from '../../local/keys.ts'
import { liveEscrow } from '../../schemas/chain-file.ts'
import type { FleetWorld } from '../support/fleet-world.ts'

/** A key that no service signs with. */
const somebody = () => privateKeyToAccount(localKey('admin').privateKey)

type Place = Pick<FleetWorld, 'view' | 'chainFile'>

/** The owner of the policy gives the role. */
export const approveVerifierElsewhere = async ({ view, chainFile }: Place): Promise<void> => {
  const data = encodeFunctionData({ abi: treasuryPolicyAbi, functionName: 'setVerifier', args: [somebody().address, true] })
  await view.send(privateKeyToAccount(localKey('deployer').privateKey), { to: chainFile.contracts.policy.address as `0x${string}`, data })
}

export const approveElsewhere = async ({ view, chainFile }: Place, jobId: string): Promise<void> => {
  const args = [chainJobId(jobId), true, stringToHex('APPROVED_ELSEWHERE', { size: 32 }), '', zeroHash] as const
  const data = encodeFunctionData({ abi: escrowCoreAbi, functionName: 'resolveSinglePayout', args })
  await view.send(somebody(), { to: liveEscrow(chainFile), data })
}
