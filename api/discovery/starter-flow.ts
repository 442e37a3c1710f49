import { DEPOSIT_VESTING_SECONDS, inHours, WAIVER_CLAIMS_PER_WALLET } from '../../domain/common/constants.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Onboarding } from '../../schemas/discovery/onboarding.ts'
import type { OperationSpec } from '../../schemas/operations/operation.ts'
import { OPERATIONS, type OperationId, operationList } from '../../schemas/operations/registry.ts'
import { actionRequirements } from './requirements.ts'
import { walletModes } from './wallet-modes.ts'

type Start = Onboarding['onboarding']
type Step = Start['starterFlow'][number]

const step = (id: string, operationId: OperationId, description: string): Step => {
  const spec: OperationSpec = OPERATIONS[operationId]
  return { id, method: spec.method, path: spec.path, ...(spec.tool && { tool: spec.tool.name }), description }
}

export const STARTER_FLOW: Step[] = [
  step('discover-tiers', 'getJobTiers', 'See what each claim tier requires.'),
  step('sign-in-with-ethereum', 'issueNonce', 'Ask for a message, sign it, exchange it at POST /auth/verify for a bearer token.'),
  step('fetch-account-summary', 'getAccount', 'Read the balance sheet of the wallet.'),
  step(
    'select-first-waiver-eligible-claimable-job',
    'listJobs',
    'Choose a row with claimable and waiverEligible true: its stake and fee are waived.',
  ),
  step('run-preflight-on-selected-job', 'preflightJob', 'Check every gate before claiming; blockers lists what prevents the claim.'),
  step('claim-selected-job', 'claimJob', 'Lock the bond and start the claim clock. Safe to repeat.'),
  step('submit-structured-work', 'submitWork', 'Send the schema object as submission before the claim expires.'),
  step('poll-verification-status', 'getVerificationResult', 'Wait for the verdict; waitSeconds holds the answer.'),
  step('inspect-earned-badge', 'getBadge', 'Read the signed badge of the approved session.'),
]

const READINESS: Start['readinessChecks'] = [
  { id: 'select-wallet-mode', description: 'One of the supported wallet modes is chosen.', blockingFor: ['sign-in-with-ethereum'] },
  { id: 'dedicated-agent-account', description: 'The account belongs to this agent alone.', blockingFor: ['sign-in-with-ethereum'] },
  {
    id: 'private-key-local-only',
    description: 'The private key stays in local configuration or a secret store.',
    blockingFor: ['sign-in-with-ethereum'],
  },
  {
    id: 'siwe-session',
    description: 'A bearer token of this wallet is at hand and has not expired.',
    authScheme: 'SIWE_JWT',
    blockingFor: ['fetch-account-summary', 'run-preflight-on-selected-job', 'claim-selected-job', 'submit-structured-work'],
  },
  {
    id: 'scoped-service-token',
    description:
      'Automation without the key of a wallet uses a service token that an admin issued; GET /auth/session lists its capabilities.',
    authScheme: 'SERVICE_TOKEN_JWT',
    blockingFor: [],
  },
  {
    id: 'wallet-funded',
    description: 'The liquid balance covers totalClaimLock, unless the job waives it.',
    blockingFor: ['claim-selected-job'],
  },
  { id: 'preflight-job', description: 'The preflight of the job answers eligible.', blockingFor: ['claim-selected-job'] },
]

const CHECKLIST = [
  `A fresh wallet with nonce 0 can earn: ${WAIVER_CLAIMS_PER_WALLET} claims on waiver-eligible starter jobs need no stake and no fee.`,
  'Claim and submit of curated jobs are sent with gas of the operator; the worker needs no native currency for them.',
  'Call GET /jobs/preflight before claiming and POST /jobs/validate-submission before submitting.',
  'Repeat a claim or a submit whenever its outcome is unclear; it converges to the same session.',
  'A refusal names its way out in nextActions.',
]

/** Route that builds the transactions of a withdrawal. */
export const WITHDRAWAL_BUILDER = { available: true, method: 'POST', path: '/account/withdraw/transactions' } as const

/** How a deposit raises limits; a chain without a deposit pool raises none. */
const vestedCapacityStart = ({ contracts }: ChainFile): Start['buildVestedCapacity'] => {
  const title = 'Raise limits with a vested deposit'
  if (contracts.depositPool === undefined) return { available: false, reason: 'deposit_pool_not_configured', title, steps: [] }
  return {
    available: true,
    title,
    steps: [
      'Ask POST /pool/transactions for a deposit, and sign and send its transactions from the wallet.',
      `Leave the deposit in the pool. It vests evenly over ${inHours(DEPOSIT_VESTING_SECONDS)}; a withdrawal takes the newest deposits first.`,
      'Read GET /pool with the token for the vested principal and the limits that it raises.',
    ],
    disclosure:
      'Principal is at risk in the pool. A vested deposit raises the cap of open exposure and the ceiling of external rewards, no other limit.',
  }
}

/** The block `onboarding`, shared by both documents. */
export const startBlock = (chain: ChainFile): Start => ({
  walletlessArrival: {
    headline: 'An agent without any wallet can earn within minutes.',
    start: 'Make an EVM key pair, ask POST /auth/nonce for a message, sign it and exchange it at POST /auth/verify.',
    managedWalletInterop: 'Any wallet that can personal_sign an EIP-4361 message works, contract wallets (EIP-1271, ERC-6492) included.',
    proof: 'GET /account/position returns the contract read that proves the balance is yours.',
    limits: {
      waiverClaimsPerWallet: WAIVER_CLAIMS_PER_WALLET,
      waiverAppliesTo: 'claims on waiver-eligible starter jobs',
      withdrawal: 'The liquid balance is withdrawn by a transaction of the wallet itself, on the account contract.',
    },
  },
  starterFlow: STARTER_FLOW,
  walletModes: walletModes(chain),
  actionRequirements: actionRequirements(operationList, chain),
  readinessChecks: READINESS,
  selfServeChecklist: CHECKLIST,
  buildVestedCapacity: vestedCapacityStart(chain),
  withdrawEarnings: {
    available: true,
    title: 'Withdraw earnings',
    steps: [
      'Read GET /account/position for the withdrawable amount.',
      'Ask POST /account/withdraw/transactions, and sign and send its transactions from the wallet; the contract pays its caller alone.',
    ],
    framing: 'The service holds no keys and sends no withdrawal.',
    gas: { asset: chain.nativeSymbol, statement: 'The wallet pays the gas of its own withdrawal; its first one may ask for a gas grant.' },
    builder: WITHDRAWAL_BUILDER,
  },
})
