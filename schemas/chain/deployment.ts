import { z } from 'zod'

/** An address, in any case of its letters. */
export const Address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])
/** A hash or an account of 32 bytes. */
const Bytes32 = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])
/** An amount in base units, as digits. */
const Digits = z.string().regex(/^\d{1,78}$/)
const Bps = z.int().min(0).max(10_000)

/** Roles of the policy that any number of addresses may hold, by the functions that read them. */
export const POLICY_ROLES = [
  'settlementBroker',
  'agentTransferBroker',
  'strategySettler',
  'reputationWriter',
  'outflowRecorder',
  'trustedSchemaIssuers',
  'verifiers',
  'arbitrators',
] as const
export type PolicyRole = (typeof POLICY_ROLES)[number]

/** Values of the policy and of the fees of the escrow; the defaults are those of `contracts/parameters.ts`. */
const Parameters = z.strictObject({
  /** Part of the reward that a worker stakes on a claim. */
  defaultClaimStakeBps: Bps.optional(),
  /** Claim fee as part of the reward. */
  claimFeeBps: Bps.optional(),
  /** Part of a slashed claim fee that the verifier gets. */
  claimFeeVerifierBps: Bps.optional(),
  /** Collateral that a debt needs; never below 10000. */
  minimumCollateralRatioBps: z.int().min(10_000).optional(),
  /** Most debt of an account, base units. */
  perAccountBorrowCap: Digits.optional(),
  /** Most that leaves an account in a day, base units. */
  dailyOutflowCap: Digits.optional(),
  /** Claims of a new worker without stake and fee. */
  onboardingWaiverClaimCount: z.int().min(0).optional(),
  rejectionSkillPenalty: z.int().min(0).optional(),
  rejectionReliabilityPenalty: z.int().min(0).optional(),
  disputeLossSkillPenalty: z.int().min(0).optional(),
  disputeLossReliabilityPenalty: z.int().min(0).optional(),
  /** Smallest claim fee, base units of the asset. */
  minClaimFee: Digits.optional(),
  /** Flat part of a reward that is kept for the gas of a brokered claim, base units. */
  retentionFlatRaw: Digits.optional(),
  /** Most of a reward that is kept for gas. */
  retentionCapBps: Bps.optional(),
  /** Fee of the poster as part of the reward. */
  posterFeeBps: Bps.optional(),
  /** Smallest fee of the poster, base units. */
  posterFeeFloorRaw: Digits.optional(),
})

const ExistingAsset = z.strictObject({
  address: Address,
  symbol: z.string().min(1).max(16),
  decimals: z.int().min(0).max(30),
  /** Id of the asset on the native side of the chain. */
  assetId: z.int().optional(),
  /** Smallest balance that an account keeps, base units. */
  minimumBalanceRaw: Digits.optional(),
  /** Names of the domain of signed transfers; absent where the token takes none. */
  eip712Name: z.string().optional(),
  eip712Version: z.string().optional(),
})

/** What one deployment is made of. Each fact of a chain stands here, none in the program. */
export const DeploymentConfig = z.strictObject({
  /** Name of the chain, as pages show it. */
  name: z.string().min(1).max(60),
  nativeSymbol: z.string().min(1).max(16),
  nativeDecimals: z.int().min(0).max(30).default(18),
  /** Blocks on top of a transaction before it counts as settled. */
  confirmations: z.int().min(0).max(1_000),
  /** True where money is worth nothing; only there may parts be `test`. */
  testChain: z.boolean().default(false),
  /** The money: a token that exists, or `test` for one that everyone may mint. */
  asset: z.union([z.literal('test'), ExistingAsset]),
  /** Owner at the end, such as a multisig. */
  owner: Address,
  /** May pause beside the owner; absent: only the owner pauses. */
  pauser: Address.optional(),
  roles: z.strictObject({
    operator: Address,
    verifier: Address,
    arbitrator: Address,
    treasury: Address,
    /** Needed with savings. */
    creditOperator: Address.optional(),
  }),
  /** Further holders that are right, by role: the check does not report them. The deployment grants them nothing. */
  alsoAllowed: z.partialRecord(z.enum(POLICY_ROLES), z.array(Address).min(1)).default({}),
  parameters: Parameters.default({}),
  /** Deposit pool, credit pool and their yield sources; absent: none. `mock` is for test chains. */
  savings: z
    .strictObject({
      strategies: z.array(z.enum(['mock', 'idle'])).default(['idle']),
      /** Contribution with which each pool begins, base units. */
      seedRaw: Digits.optional(),
      /** Terms of the credit pool, which its operator sets; compared when they are named. */
      ltvBps: z.int().min(1).max(9_000).optional(),
      interestBps: z.int().min(0).max(2_000).optional(),
    })
    .optional(),
  /** Requests to another chain; absent: none. */
  crossChain: z
    .strictObject({
      /** Address of the precompile for messages, or `test` for a stand-in. */
      precompile: z.union([z.literal('test'), Address]),
      /** Account of the wrapper on the other chain; its first 20 bytes are the account in that chain's EVM. */
      remoteAccount: Bytes32,
      /** Dispatches the legs. */
      dispatcher: Address,
      /** Tokens that the venue trades there, or `test` for stand-ins on this chain. `rpc` is that of this chain when absent. */
      venue: z.union([z.literal('test'), z.strictObject({ rpc: z.string().optional(), asset: Address, share: Address })]),
    })
    .optional(),
  /** Least native money of each signer, in whole units. */
  minimumGas: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,18})?$/)
    .default('0.1'),
})
export type DeploymentConfig = z.infer<typeof DeploymentConfig>

/** Hashes of the code of one contract. */
const CodeRecord = z.strictObject({
  /** Name of the contract in the source. */
  contract: z.string(),
  /** keccak-256 of what the creation ran, with the arguments of the constructor. */
  initCodeHash: Bytes32,
  /** keccak-256 of the code that the chain has. */
  runtimeCodeHash: Bytes32,
})

/** What a deployment writes about itself in the chain file; the check compares it with the chain. */
export const DeploymentRecord = z.strictObject({
  deployer: Address,
  /** Holds the ownership until the new owner has taken it; absent where the deployer stays owner. */
  handover: Address.optional(),
  config: DeploymentConfig,
  code: z.record(z.string(), CodeRecord),
})
export type DeploymentRecord = z.infer<typeof DeploymentRecord>
