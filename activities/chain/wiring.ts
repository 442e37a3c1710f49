import { type Abi, type Hex, type PublicClient, zeroAddress } from 'viem'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from './abi/agent-account-core.ts'
import { escrowCoreAbi } from './abi/escrow-core.ts'
import { testUsdcAbi } from './abi/test-usdc.ts'
import { treasuryPolicyAbi } from './abi/treasury-policy.ts'
import type { SignerRole } from './clients.ts'
import { isUnreachable } from './reachable.ts'

/** Addresses of this process's keys. A role is checked only if its key is configured. */
type RoleAddresses = Partial<Record<SignerRole, Hex | undefined>>

interface WiringCheck {
  name: string
  address: Hex
  abi: Abi
  functionName: string
  args: readonly unknown[]
  /** Describes a wrong value; null for the expected one. */
  findProblem: (found: unknown) => string | null
}

const equals =
  (expected: unknown) =>
  (found: unknown): string | null =>
    String(found).toLowerCase() === String(expected).toLowerCase() ? null : `is ${String(found)}, expected ${String(expected)}`
const isNonZero = (found: unknown): string | null => (String(found) === zeroAddress ? 'is not set' : null)

const checksOf = (chain: ChainFile, roles: RoleAddresses): WiringCheck[] => {
  const { policy, agentAccount, reputation } = chain.contracts
  const escrow = liveEscrow(chain)
  const at =
    (contract: string, address: string, abi: Abi) =>
    (functionName: string, findProblem: WiringCheck['findProblem'], ...args: readonly unknown[]): WiringCheck => ({
      name: `${contract}.${functionName}`,
      address: address as Hex,
      abi,
      functionName,
      args,
      findProblem,
    })
  const onPolicy = at('policy', policy.address, treasuryPolicyAbi)
  const onAccounts = at('agentAccount', agentAccount.address, agentAccountCoreAbi)
  const onEscrow = at('escrow', escrow, escrowCoreAbi)
  return [
    onEscrow('policy', equals(policy.address)),
    onEscrow('accounts', equals(agentAccount.address)),
    onEscrow('reputation', equals(reputation.address)),
    onEscrow('treasuryAccount', isNonZero),
    onAccounts('policy', equals(policy.address)),
    onAccounts('treasuryAccount', isNonZero),
    onAccounts('escrowOperators', equals(true), escrow),
    onPolicy('approvedAssets', equals(true), chain.asset.address),
    onPolicy('settlementBroker', equals(true), escrow),
    onPolicy('reputationWriter', equals(true), escrow),
    onPolicy('outflowRecorder', equals(true), agentAccount.address),
    ...(roles.operator ? [onPolicy('settlementBroker', equals(true), roles.operator)] : []),
    ...(roles.verifier ? [onPolicy('verifiers', equals(true), roles.verifier)] : []),
    ...(roles.arbitrator ? [onPolicy('arbitrators', equals(true), roles.arbitrator)] : []),
    at('asset', chain.asset.address, testUsdcAbi)('decimals', equals(chain.asset.decimals)),
  ]
}

const problemOf = async (reader: PublicClient, { name, address, abi, functionName, args, findProblem }: WiringCheck): Promise<string[]> => {
  try {
    const problem = findProblem(await reader.readContract({ address, abi, functionName, args }))
    return problem === null ? [] : [`${name}(${args.join(', ')}) ${problem}`]
  } catch (error) {
    if (isUnreachable(error)) throw error
    return [`${name}(${args.join(', ')}) at ${address} cannot be read`]
  }
}

/**
 * Checks the deployment that this service needs: links between contracts, treasuries, roles of the configured keys, decimals. Throws one error
 * that lists every wrong value, or the failure of a node that does not answer.
 */
export const assertWired = async (reader: PublicClient, chain: ChainFile, roles: RoleAddresses): Promise<void> => {
  const problems = (await Promise.all(checksOf(chain, roles).map((line) => problemOf(reader, line)))).flat()
  if (problems.length > 0) throw new Error(`the contracts are not wired for this service: ${problems.join('; ')}`)
}
