import { type Abi, type Hex, type PublicClient, zeroAddress } from 'viem'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from './abi/agent-account-core.ts'
import { creditPoolAbi } from './abi/credit-pool.ts'
import { depositPoolAbi } from './abi/deposit-pool.ts'
import { escrowCoreAbi } from './abi/escrow-core.ts'
import { hydrationUsdcAdapterAbi } from './abi/hydration-usdc-adapter.ts'
import { testUsdcAbi } from './abi/test-usdc.ts'
import { treasuryPolicyAbi } from './abi/treasury-policy.ts'
import { xcmWrapperAbi } from './abi/xcm-wrapper.ts'
import type { SignerRole } from './clients.ts'
import { isUnreachable } from './reachable.ts'

/** Addresses of this process's keys. A role is checked only if its key is configured. */
type RoleAddresses = Partial<Record<SignerRole, Hex | undefined>>

/** Describes a wrong value; null for the expected one. */
type FindProblem = (found: unknown) => string | null

const equals =
  (expected: unknown): FindProblem =>
  (found) =>
    String(found).toLowerCase() === String(expected).toLowerCase() ? null : `is ${String(found)}, expected ${String(expected)}`
const isNonZero: FindProblem = (found) => (String(found) === zeroAddress ? 'is not set' : null)
const isTrue = equals(true)

/** Checks values of one contract. A check returns what is wrong. */
const createChecks =
  (reader: PublicClient, contract: string, address: string, abi: Abi) =>
  async (functionName: string, findProblem: FindProblem, ...args: readonly unknown[]): Promise<string[]> => {
    const call = `${contract}.${functionName}(${args.join(', ')})`
    try {
      const problem = findProblem(await reader.readContract({ address: address as Hex, abi, functionName, args }))
      return problem === null ? [] : [`${call} ${problem}`]
    } catch (error) {
      if (isUnreachable(error)) throw error
      return [`${call} at ${address} cannot be read`]
    }
  }

/** Checks the pools that a chain file names: both hold its asset, and each names the other. */
const checkPools = (reader: PublicClient, { asset, contracts }: ChainFile): Promise<string[]>[] => {
  const { depositPool, creditPool } = contracts
  const onPool = depositPool && createChecks(reader, 'depositPool', depositPool.address, depositPoolAbi)
  const onCredit = creditPool && createChecks(reader, 'creditPool', creditPool.address, creditPoolAbi)
  return [
    ...(onPool ? [onPool('asset', equals(asset.address))] : []),
    ...(onCredit ? [onCredit('asset', equals(asset.address))] : []),
    ...(onPool && creditPool ? [onPool('creditPool', equals(creditPool.address))] : []),
    ...(onCredit && depositPool ? [onCredit('depositPool', equals(depositPool.address))] : []),
  ]
}

/** Checks that the wrapper and the adapter of a chain file belong together and hold its asset. */
const checkCrossChain = (reader: PublicClient, { asset, contracts: { xcm, policy } }: ChainFile): Promise<string[]>[] => {
  if (xcm === undefined) return []
  const onWrapper = createChecks(reader, 'xcm.wrapper', xcm.wrapper.address, xcmWrapperAbi)
  const onAdapter = createChecks(reader, 'xcm.adapter', xcm.adapter.address, hydrationUsdcAdapterAbi)
  return [
    onWrapper('policy', equals(policy.address)),
    onAdapter('policy', equals(policy.address)),
    onAdapter('asset', equals(asset.address)),
    onAdapter('xcmWrapper', equals(xcm.wrapper.address)),
  ]
}

/**
 * Checks the deployment that this service needs: links between contracts, treasuries, roles of the configured keys, decimals, pools. Throws one error
 * that lists every wrong value, or the failure of a node that does not answer.
 */
export const assertWired = async (reader: PublicClient, chain: ChainFile, roles: RoleAddresses): Promise<void> => {
  const { policy, agentAccount, reputation } = chain.contracts
  const escrow = liveEscrow(chain)
  const onPolicy = createChecks(reader, 'policy', policy.address, treasuryPolicyAbi)
  const onAccounts = createChecks(reader, 'agentAccount', agentAccount.address, agentAccountCoreAbi)
  const onEscrow = createChecks(reader, 'escrow', escrow, escrowCoreAbi)
  const problems = await Promise.all([
    onEscrow('policy', equals(policy.address)),
    onEscrow('accounts', equals(agentAccount.address)),
    onEscrow('reputation', equals(reputation.address)),
    onEscrow('treasuryAccount', isNonZero),
    onAccounts('policy', equals(policy.address)),
    onAccounts('treasuryAccount', isNonZero),
    onAccounts('escrowOperators', isTrue, escrow),
    onPolicy('approvedAssets', isTrue, chain.asset.address),
    onPolicy('settlementBroker', isTrue, escrow),
    onPolicy('reputationWriter', isTrue, escrow),
    onPolicy('outflowRecorder', isTrue, agentAccount.address),
    ...(roles.operator ? [onPolicy('settlementBroker', isTrue, roles.operator)] : []),
    ...(roles.verifier ? [onPolicy('verifiers', isTrue, roles.verifier)] : []),
    ...(roles.arbitrator ? [onPolicy('arbitrators', isTrue, roles.arbitrator)] : []),
    ...checkPools(reader, chain),
    ...checkCrossChain(reader, chain),
    createChecks(reader, 'asset', chain.asset.address, testUsdcAbi)('decimals', equals(chain.asset.decimals)),
  ])
  if (problems.flat().length > 0) throw new Error(`the contracts are not wired for this service: ${problems.flat().join('; ')}`)
}
