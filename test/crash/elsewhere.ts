// Somebody else who has a part on chain, and takes it past the service.
import { encodeFunctionData, stringToHex, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { escrowCoreAbi } from '../../activities/chain/abi/escrow-core.ts'
import { treasuryPolicyAbi } from '../../activities/chain/abi/treasury-policy.ts'
import { keccakOf } from '../../domain/hashes.ts'
import { chainJobId } from '../../domain/ids.ts'
import { localKey } from '../../local/keys.ts'
import { liveEscrow } from '../../schemas/chain-file.ts'
import type { FleetWorld } from '../support/fleet-world.ts'
import type { Task } from './work.ts'

/** A key that no service signs with. */
const somebody = () => privateKeyToAccount(localKey('admin').privateKey)

type Place = Pick<FleetWorld, 'view' | 'chainFile'>

/** The owner of the policy gives the roles. */
export const giveRolesElsewhere = async ({ view, chainFile }: Place): Promise<void> => {
  const owner = privateKeyToAccount(localKey('deployer').privateKey)
  const to = chainFile.contracts.policy.address as `0x${string}`
  for (const functionName of ['setVerifier', 'setArbitrator'] as const)
    await view.send(owner, { to, data: encodeFunctionData({ abi: treasuryPolicyAbi, functionName, args: [somebody().address, true] }) })
}

export const judgeElsewhere = async ({ view, chainFile }: Place, jobId: string, approved: boolean): Promise<void> => {
  const code = stringToHex(approved ? 'APPROVED_ELSEWHERE' : 'REJECTED_ELSEWHERE', { size: 32 })
  const args = [chainJobId(jobId), approved, code, '', zeroHash] as const
  const data = encodeFunctionData({ abi: escrowCoreAbi, functionName: 'resolveSinglePayout', args })
  await view.send(somebody(), { to: liveEscrow(chainFile), data })
}

/** The worker's own key hands work in. */
export const submitElsewhere = async ({ view, chainFile }: Place, { agent, jobId, work }: Task): Promise<void> => {
  const data = encodeFunctionData({ abi: escrowCoreAbi, functionName: 'submitWork', args: [chainJobId(jobId), keccakOf(work)] })
  await view.send(agent.account, { to: liveEscrow(chainFile), data })
}

/** An arbitrator signs what the service has prepared, and sends it. */
export const signElsewhere = async ({ view }: Place, { to, data }: { to: `0x${string}`; data: `0x${string}` }): Promise<void> =>
  void (await view.send(somebody(), { to, data }))
