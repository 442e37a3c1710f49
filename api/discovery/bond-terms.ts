import { DISPUTE_WINDOW_SECONDS } from '../../domain/common/constants.ts'
import { bondPolicyView } from '../../domain/eligibility/claim-economics.ts'
import { DEADLINE_RULES } from '../../domain/eligibility/deadline-rules.ts'
import { liveEscrow } from '../../schemas/chain/chain-file.ts'
import type { Onboarding } from '../../schemas/discovery/onboarding.ts'
import type { ServiceDeps } from '../deps.ts'
import { WITHDRAWAL_BUILDER } from './starter-flow.ts'

const OPEN_DISPUTE_ABI = {
  type: 'function',
  name: 'openDispute',
  stateMutability: 'nonpayable',
  inputs: [{ name: 'jobId', type: 'bytes32' }],
  outputs: [],
}

/** The current bond terms of the policy contract. After a failed read the document has no value and no default. */
const claimBond = async ({ chain, liveReads }: ServiceDeps): Promise<object> => {
  try {
    return { available: true, ...bondPolicyView(chain.asset.symbol, await liveReads.bondPolicy()) }
  } catch {
    // The failed read is logged where it happens.
    return { available: false, reason: 'blockchain_unavailable' }
  }
}

const disputeWindow = ({ chain }: ServiceDeps): object => ({
  available: true,
  seconds: DISPUTE_WINDOW_SECONDS,
  remedy: {
    action: 'Open a dispute on the escrow contract from the wallet that did the work.',
    onChain: {
      contract: 'EscrowCore',
      address: liveEscrow(chain).toLowerCase(),
      signature: 'openDispute(bytes32)',
      abiFragment: OPEN_DISPUTE_ABI,
      args: ['chainJobId'],
      value: '0',
    },
    brokeredPath: { available: false, reason: 'no_worker_reachable_brokered_open_dispute_route' },
  },
})

const selfDeposit = ({ chain }: ServiceDeps): object => ({
  requiredWhenLiquidIsShort: true,
  routeAvailable: true,
  requiredClaimLockRawFormula: 'parseUnits(totalClaimLock, decimals)',
  depositAmountRawFormula: 'max(parseUnits(totalClaimLock, decimals) − liquid, 0)',
  decimals: chain.asset.decimals,
  positionRead: { method: 'GET', path: '/account/position' },
  writes: [{ method: 'POST', path: '/account/deposit/transactions', tool: 'buildAccountDepositTransactions' }],
})

/** Block `workerDoor`: bond, dispute window, deposit and withdrawal of a worker. */
export const workerTerms = async (deps: ServiceDeps): Promise<Onboarding['workerDoor']> => ({
  claimBond: await claimBond(deps),
  preflight: { method: 'GET', path: '/jobs/preflight', tool: 'preflightJob' },
  selfDeposit: selfDeposit(deps),
  accountFund: deps.isLocal
    ? { available: true, method: 'POST', path: '/account/fund', scope: 'local chain, mock assets, backend signer' }
    : { available: false, reason: 'local_chain_only' },
  withdrawal: { available: true, path: 'on chain: withdraw(address,uint256) on the account contract', builder: WITHDRAWAL_BUILDER },
  submissionValidation: { method: 'POST', path: '/jobs/validate-submission', tool: 'validateJobSubmission' },
  claimTtl: { source: 'claimTtlSeconds of the job definition', statement: 'Submitting stops the claim clock.', rules: [...DEADLINE_RULES] },
  disputeWindow: disputeWindow(deps),
  liveReads: { claimBond: 'treasury policy contract', chainId: deps.chain.chainId },
})
