// An external verifier or arbitrator acts directly on chain.
import { encodeFunctionData, type Hex, stringToHex, zeroHash } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { treasuryPolicyAbi } from '../../../activities/chain/abi/treasury-policy.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { localKey } from '../../../local/keys.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import { createTurns } from '../turns.ts'
import type { Task } from './work.ts'

/** A key that no service signs with. */
const externalAccount = () => privateKeyToAccount(localKey('admin').privateKey)

/** Runs that meet at one moment would meet on one nonce of that key. */
const inTurn = createTurns()

type Place = Pick<FleetWorld, 'view' | 'chainFile'>

/** A call of the policy by its owner. */
const govern = async ({ view, chainFile }: Place, data: Hex): Promise<void> => {
  const to = chainFile.contracts.policy.address as Hex
  await view.send(privateKeyToAccount(localKey('deployer').privateKey), { to, data })
}

export const giveRolesElsewhere = async (place: Place): Promise<void> => {
  for (const functionName of ['setVerifier', 'setArbitrator'] as const)
    await govern(place, encodeFunctionData({ abi: treasuryPolicyAbi, functionName, args: [externalAccount().address, true] }))
}

/** The contracts do nothing while this lasts. */
export const whilePaused = async <T>(place: Place, act: () => Promise<T>): Promise<T> => {
  const setPaused = (paused: boolean) =>
    govern(place, encodeFunctionData({ abi: treasuryPolicyAbi, functionName: 'setPaused', args: [paused] }))
  await setPaused(true)
  try {
    return await act()
  } finally {
    await setPaused(false)
  }
}

export const judgeElsewhere = async ({ view, chainFile }: Place, jobId: string, approved: boolean): Promise<void> => {
  const code = stringToHex(approved ? 'APPROVED_ELSEWHERE' : 'REJECTED_ELSEWHERE', { size: 32 })
  const args = [chainJobId(jobId), approved, code, '', zeroHash] as const
  const data = encodeFunctionData({ abi: escrowCoreAbi, functionName: 'resolveSinglePayout', args })
  await inTurn(() => view.send(externalAccount(), { to: liveEscrow(chainFile), data }))
}

/** The worker's own key hands work in. */
export const submitElsewhere = async ({ view, chainFile }: Place, { agent, jobId, work }: Task): Promise<void> => {
  const data = encodeFunctionData({ abi: escrowCoreAbi, functionName: 'submitWork', args: [chainJobId(jobId), keccakOf(work)] })
  await view.send(agent.account, { to: liveEscrow(chainFile), data })
}

/** An arbitrator signs what the service has prepared, and sends it. */
export const signElsewhere = async ({ view }: Place, { to, data }: { to: Hex; data: Hex }): Promise<void> =>
  void (await inTurn(() => view.send(externalAccount(), { to, data })))

/** Everything liquid in the account of an agent goes to its wallet. */
export const withdrawElsewhere = async ({ view, chainFile }: Place, account: PrivateKeyAccount): Promise<void> => {
  const { liquidRaw } = await view.standingOf(account.address)
  const args = [chainFile.asset.address as Hex, liquidRaw] as const
  const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'withdraw', args })
  await view.send(account, { to: chainFile.contracts.agentAccount.address as Hex, data })
}
