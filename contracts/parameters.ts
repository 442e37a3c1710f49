// What the local chain is configured with; the specification's own numbers where it names them.
import { stringToHex } from 'viem'
import { IDLE_STRATEGY_LABEL } from '../schemas/idle-allocation/record.ts'

export const ACCOUNT_DOMAIN = { eip712Name: 'Service AgentAccountCore', eip712Version: '1' } as const
export const ESCROW_DOMAIN = { eip712Name: 'Service EscrowCore', eip712Version: '1' } as const

/** Generation of the escrow that this source compiles to. */
export const ESCROW_GENERATION = 3

export const MIN_CLAIM_FEE = 50_000n

/** Values of the policy by the functions that read them. */
export const POLICY_PARAMETERS = {
  defaultClaimStakeBps: 1_000,
  claimFeeBps: 200,
  claimFeeVerifierBps: 7_000,
  minimumCollateralRatioBps: 20_000n,
  perAccountBorrowCap: 25_000_000n,
  dailyOutflowCap: 2n ** 256n - 1n,
  onboardingWaiverClaimCount: 3n,
  rejectionSkillPenalty: 10n,
  rejectionReliabilityPenalty: 20n,
  disputeLossSkillPenalty: 30n,
  disputeLossReliabilityPenalty: 50n,
} as const

/** Values with which the policy is born, where `POLICY_PARAMETERS` may differ. */
export const INITIAL_POLICY = {
  dailyOutflowCap: 2n ** 256n - 1n,
  claimFeeBps: 200n,
  claimFeeVerifierBps: 7_000n,
  onboardingWaiverClaimCount: 3n,
  rejectionSkillPenalty: 10n,
  rejectionReliabilityPenalty: 20n,
  disputeLossSkillPenalty: 30n,
  disputeLossReliabilityPenalty: 50n,
} as const

/** Values of the escrow by the functions that read them. */
export const FEES = { retentionFlatRaw: 50_000n, retentionCapBps: 2_000, posterFeeBps: 500, posterFeeFloorRaw: 50_000n } as const

/** Names that are compiled into the deposit pool. */
export const DEPOSIT_POOL_SHARE = { shareName: 'Service Agent Deposit Pool Share', shareSymbol: 'SVUSDC' } as const
/** Text that is compiled into the credit pool. */
export const CREDIT_RISK_DISCLOSURE = 'Pilot: principal is at risk. A default is a loss of lenders.'

/** Id of the yield source that answers at once. */
export const LOCAL_STRATEGY_ID = stringToHex('MOCK_VDOT', { size: 32 })

/** Id of the yield source that lends idle balances to the deposit pool. */
export const IDLE_STRATEGY_ID = stringToHex(IDLE_STRATEGY_LABEL, { size: 32 })

/** Id of the yield source on another chain, and the account of the wrapper there: its first 20 bytes are the account in that chain's EVM. */
export const CROSS_CHAIN_STRATEGY_ID = stringToHex('HYDRATION_USDC_V1', { size: 32 })
export const REMOTE_ACCOUNT_ID32 = stringToHex('xcm-wrapper-of-local', { size: 32 })

export const LOCAL_ASSET = {
  symbol: 'USDC',
  decimals: 6,
  assetId: 1337,
  minimumBalanceRaw: '70000',
  // Domain of the signed transfers, as TestUSDC states it.
  eip712Name: 'USD Coin',
  eip712Version: '2',
} as const
