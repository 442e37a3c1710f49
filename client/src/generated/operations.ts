// Generated from the operation registry by `npm run client:types`. Do not edit.
import type { OperationRow, StreamItem } from '../types.ts'

/** Agent card of a worker by A2A 1.0. */
export type A2aAgentCard = {
  /** Name to show. */
  name: string
  /** What it is, in plain words. */
  description: string
  /** Where the worker takes work, preferred first. */
  supportedInterfaces: AgentInterface[]
  provider: AgentProvider
  /** Version of the record or of the document. */
  version: string
  /** Page about the worker. */
  documentationUrl: string
  /** Picture of the worker. */
  iconUrl: string
  /** What the token may do. */
  capabilities: AgentCapabilities
  /** Media types that the worker takes. */
  defaultInputModes: string[]
  /** Media types that the worker gives. */
  defaultOutputModes: string[]
  /** Categories with badges. */
  skills: AgentSkill[]
}

/** Balance sheet of a wallet; each balance maps asset symbols to amounts. */
export type Account = {
  /** Lower-case 0x address. */
  wallet: string
  /** Where the value or the record comes from. */
  source: 'chain'
  /** ISO 8601 UTC. */
  asOf: string
  /** Balance that can be used now. */
  liquid: Record<string, Amount>
  /** Balance that is reserved. */
  reserved: Record<string, Amount>
  /** Balance in strategies. */
  strategyAllocated: Record<string, Amount>
  /** Balance locked as collateral. */
  collateralLocked: Record<string, Amount>
  /** Balance locked as stake of open work. */
  jobStakeLocked: Record<string, Amount>
  /** Debt that is not repaid. */
  debtOutstanding: Record<string, Amount>
  /** Balance bound by locked deposits. */
  lockedDepositEncumbered: Record<string, Amount>
  /** Balance that can be withdrawn now. */
  withdrawable: Record<string, Amount>
  /** Balance of the wallet outside the account. */
  walletBalance?: Record<string, Amount>
  /** Latest movements. */
  treasuryTimeline: {
    /** Id of the record. */
    id: string
    /** ISO 8601 UTC. */
    at: string
    /** Kind of the record. */
    type: string
    /** Symbol of the asset. */
    asset: string
    /** Amount. */
    amount: Amount
  }[]
}

/** What a route needs. */
export type ActionRequirement = {
  /** HTTP method, or the name of a method of the contract. */
  method: string
  /** Path of the request, or of the member that is meant. */
  path: string
  /** Whether a token is needed. */
  requiresAuth: boolean
  /** Action id of the route. */
  requiredAction:
    | 'read_onboarding'
    | 'request_siwe_nonce'
    | 'verify_siwe_signature'
    | 'refresh_wallet_token'
    | 'wallet_sign_in'
    | 'read_own_earnings_account'
    | 'build_unsigned_account_deposit'
    | 'build_unsigned_account_withdrawal'
    | 'read_deposit_pool'
    | 'build_unsigned_deposit_pool_transactions'
    | 'quote_locked_deposit_before_consent'
    | 'create_signed_locked_deposit'
    | 'request_locked_deposit_early_exit'
    | 'read_credit_pool'
    | 'build_unsigned_credit_pool_transactions'
    | 'read_own_worker_summary'
    | 'read_own_work_receipts'
    | 'estimate_own_net_reward'
    | 'admin_wallet_sign_in'
    | 'verifier_wallet_sign_in'
  /** Role that is needed. */
  requiredRole?: 'admin' | 'verifier' | 'arbitrator'
  /** Scheme of the sign-in. */
  authScheme?: string
  /** Ways to sign in. */
  walletModes?: string[]
  /** Remarks. */
  notes?: string
}

/** Whether locked capital may be placed, and what stands against it. */
export type ActivationGate = {
  /** Number of open jobs. */
  open: boolean
  /** Current status. */
  status: 'open' | 'closed'
  /** What stands against it, in the order of the gates. */
  blockers: (
    | 'active_lock_composition_unreadable'
    | 'no_active_locks'
    | 'locked_cohort_below_minimum'
    | 'venue_rate_unmeasured'
    | 'projected_cycle_yield_below_2x_friction'
  )[]
  /** Active locks of t30 and t90 of all wallets. */
  totalLocked: Amount
  /** What they must be before the gate opens. */
  minimumLocked: Amount
  /** What the active locks would earn until the first of them ends. */
  projection: {
    /** Whole days until the first active lock ends; null when the locks cannot be read. */
    cycleDays: number | null
    /** The lock that ends first, and the rule. */
    cycleSetBy: {
      /** Rule in one sentence. */
      rule: 'shortest_remaining_active_lock_term'
      /** Number of active locks of t30 and t90. */
      activeLockCount: number
      /** Whole days until the first of them ends. */
      shortestRemainingDays: number | null
      /** 0x and 64 lower-case hex digits. */
      lockId?: string
      /** ISO 8601 UTC. */
      expiresAt?: string
    }
    /** What the active locks would earn in the cycle by the measured rate, rounded down. */
    projectedCycleYield: Amount
    /** The measurement behind the projection; null without one. */
    basis: {
      /** Principal of the measurement. */
      observedPrincipal: Amount
      /** Yield of the measurement. */
      observedYield: Amount
      /** Integer, as digits. */
      observedSeconds: string
      /** Evidence of the work or of the dispute. */
      evidence: string
    } | null
  }
  /** What placing the capital costs, and what it must earn at least. */
  friction: {
    /** Cost of one round trip to the venue. */
    cycleFriction: Amount
    /** Round trips in one term. */
    roundTripsPerTerm: number
    /** The yield must be this multiple of the cost. */
    marginMultiple: number
    /** Least yield at which the gate opens. */
    requiredProjectedYield: Amount
  }
  /** No operator can open the gate by hand: none. */
  override: 'none'
  /** The same in a sentence. */
  yieldStatusText: string
}

/** What an operator looks at first. */
export type AdminStatus = {
  /** ISO 8601 UTC. */
  asOf: string
  /** Rules of the sign-in. */
  auth: AuthTerms
  /** Rules of the authorisation. */
  authPolicy: {
    /** Version of the record or of the document. */
    version: string
    /** Algorithm that signs tokens. */
    algorithm: 'ES256' | 'HS256'
  }
  /** Refused sign-ins and tokens of this process. */
  authTelemetry: {
    /** ISO 8601 UTC. */
    since: string
    /** Refusals by code. */
    failures: {
      /** Stable code, for programs. */
      code: string
      /** Number of rows. */
      count: number
    }[]
  }
  /** Findings of the health report. */
  anomalies: HealthWarning[]
  /** Work that is under way. */
  ops: {
    /** Sessions that changed last. */
    recentSessions: SessionRow[]
    /** Events that were recorded last. */
    recentEvents: TimelineEntry[]
    /** Sessions that are claimed, submitted or disputed. */
    activeSessions: number
    /** Wallets with such a session. */
    activeWallets: number
    /** Rewards of these sessions. */
    totalCapitalAtWork: AssetAmount
    /** Sessions that were paid in the last 24 hours. */
    resolvedRecently: number
    /** Jobs with the most sessions of the last seven days. */
    topJobs: {
      /** Id of the job. */
      jobId: string
      /** Number of sessions. */
      sessionCount: number
    }[]
  }
  /** Terms and build of the service. */
  maintenance: {
    /** Whether money moves now, and at which rates. */
    policy: {
      /** Whether the contracts accept transactions: they are readable and not paused. */
      enabled: boolean
      /** Whether the operator can settle now. */
      settlementReady: boolean
      /** Rates of a bonded claim. */
      risk: {
        /** Stake of a claim in hundredths of a percent; null where it could not be read. */
        defaultClaimStakeBps: number | null
        /** Fee in basis points of the reward. */
        claimFeeBps: number | null
      }
    }
    /** What happens with the bond; null while it is open. */
    release: string
  }
  /** Recurring jobs, which this release does not run. */
  recurring: {
    /** Whether the part is switched on. */
    enabled: boolean
    /** Whether it runs now. */
    running: boolean
  }
  /** Counts by lifecycle. */
  jobLifecycle: {
    /** Number of all. */
    total: number
    /** Number of open jobs. */
    open: number
    /** True where the reading or the listing is old. */
    stale: number
    /** Number of paused jobs. */
    paused: number
    /** Number of archived jobs. */
    archived: number
  }
  /** Stored definitions of the newest jobs, compared with their hashes. */
  jobSpecHashIntegrity: {
    /** Number of definitions that were compared. */
    checked: number
    /** Number of definitions that do not match. */
    drifted: number
    /** Ids of the jobs that do not match. */
    driftedJobs: string[]
  }
  /** Work that no request starts. */
  backgroundWorkflows: {
    /** The workflow that reads contract events. */
    chainFollower: BackgroundWorkflow
    /** The workers that run workflows. */
    workflowWorker: BackgroundWorkflow
  }
  /** Facts of this process. */
  hostDiagnostics: {
    /** Version of Node.js. */
    nodeVersion: string
    /** Seconds since the start. */
    uptimeSeconds: number
    /** Memory of the process. */
    residentMemoryBytes: number
    /** Use of the connections to the database. */
    databasePool: {
      /** Largest number of connections. */
      max: number
      /** Connections that are in use. */
      inUse: number
      /** Connections that are idle. */
      idle: number
      /** Statements that wait for a connection. */
      waiting: number
    }
  }
  /** Other servers that the service reads. */
  providerOperations: {
    /** The code host. */
    codehost: {
      /** Whether the part is switched on. */
      enabled: boolean
    }
  }
  /** Budgets of the lanes. */
  catalogueLanes: {
    /** Budget from which the reward is paid. */
    lane: string
    /** Budget of the day. */
    dailyBudget: AssetAmount
    /** Rewards that were listed in the last 24 hours. */
    usedToday: AssetAmount
    /** Listed jobs without a claim. */
    backlog: number
    /** Number of such jobs from which nothing more is listed. */
    backlogLimit: number
  }[]
  /** Settlement on other chains. */
  xcmSettlement: {
    /** Whether the part is switched on. */
    enabled: boolean
    /** Whether it runs now. */
    running: boolean
    /** Number of settlements under way. */
    pendingCount: number
  }
  /** Observation of other chains. */
  xcmObservation: {
    /** Whether the part is switched on. */
    enabled: boolean
    /** Whether it runs now. */
    running: boolean
    /** Last failure; null without one. */
    lastError: string | null
    /** Instant of the last observation; null without one. */
    lastSyncedAt: string | null
  }
}

/** Agent Badge v1: a signed statement of approved work. */
export type AgentBadge = {
  /** Name to show. */
  name: string
  /** What it is, in plain words. */
  description: string
  /** Address of the picture. */
  image?: string
  /** Public address of the badge. */
  external_url: string
  /** Traits in the form of token metadata. */
  attributes: {
    /** Name of the trait. */
    trait_type: string
    /** Value. */
    value: unknown
  }[]
  /** Facts of the work. */
  service: {
    /** Version of this shape. */
    schemaVersion: 'v1'
    /** Id of the job. */
    jobId: string
    /** 0x and 64 lower-case hex digits. */
    chainJobId: string
    /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
    sessionId: string
    /** Kind of work, such as `docs`. */
    category: string
    /** Level of the badge. */
    level: number
    /** How the work is judged. */
    verifierMode: 'benchmark' | 'deterministic' | 'human_fallback'
    /** Reward of the job. */
    reward: BadgeAmount
    /** Stake of the claim, in whole units. */
    claimStake: BadgeAmount
    /** 0x and 64 lower-case hex digits. */
    evidenceHash: string
    /** ISO 8601 UTC. */
    completedAt: string
    /** Worker of the session. */
    worker: string
    /** Wallet that posted the job. */
    poster: string
    /** Address of the verifier. */
    verifier: string
    /** Address of the metadata of the badge. */
    metadataURI?: string
  }
  /** How the work was decided. */
  resolution: StatedResolution
  /** Checks of the verdict. An approval has no unmet one. */
  items: VerdictItem[]
  /** Participants with what they signed. */
  signers?: BadgeSigner[]
  /** Earlier and later records of the same work. */
  lineage?: Record<string, unknown>
  /** Signature. */
  signature?: DocumentSignature
}

/** Optional parts of A2A that a worker supports. */
export type AgentCapabilities = {
  /** Whether the worker streams answers. */
  streaming: boolean
  /** Whether the worker sends notifications. */
  pushNotifications: boolean
}

/** Who is behind a wallet, by the list of the operator’s own wallets. */
export type AgentIdentity = {
  /** Who is behind the wallet: the operator, another party, or not known. */
  classification: 'operator-run' | 'external' | 'unknown'
  /** Kind of the record. */
  kind: string | null
  /** Roles of each step. */
  authority: 'operator_identity_registry'
  /** Evidence of the work or of the dispute. */
  evidence: string | null
}

/** Where and by which protocol a worker takes work. */
export type AgentInterface = {
  /** Address. */
  url: string
  /** Protocol of the interface. */
  protocolBinding: string
  /** Version of the protocol. */
  protocolVersion: string
}

/** Agent Profile v1: what a worker lets everyone read. */
export type AgentProfile = {
  /** Version of this shape. */
  schemaVersion: 'v1'
  /** Lower-case 0x address. */
  wallet: string
  /** Whether the wallet belongs to the operator, so that it is no independent worker. */
  synthetic: boolean
  identity: AgentIdentity
  /** ISO 8601 UTC. */
  fetchedAt: string
  /** Scores of the wallet. */
  reputation: ProfileReputation
  stats: ProfileStatistics
  /** Category to its highest badge level. */
  categoryLevels: Record<string, number>
  currentActivity?: CurrentActivity
  /** Badges, newest first. */
  badges: ProfileBadge[]
  /** Disputes of the page. */
  disputes: ProfileDispute[]
  /** Earlier and later records of the same work. */
  lineage: ProfileLineage
  /** Claim tier of the job or of the wallet. */
  tier: 'starter' | 'pro' | 'elite'
}

/** Service that publishes the card. */
export type AgentProvider = {
  /** Name of the service. */
  organization: string
  /** Address. */
  url: string
}

/** A listed worker. */
export type AgentRow = {
  /** Lower-case 0x address. */
  wallet: string
  /** Whether the wallet belongs to the operator, so that it is no independent worker. */
  synthetic: boolean
  identity: AgentIdentity
  /** Name to show, from the address. */
  handle: string
  /** Claim tier of the job or of the wallet. */
  tier: 'starter' | 'pro' | 'elite'
  /** Sum of skill, reliability and economic. */
  reputationScore: number | string
  /** Approved sessions by all that were decided, 0 to 1; null without one. */
  successRate: number | null
  /** Sessions that ended in any way. */
  totalJobs: number
  currentActivity?: CurrentActivity
  activeStake: Amount
  /** Badges, newest first. */
  badges: AgentRowBadge[]
  /** Newest losses of scores. */
  slashEvents: SlashEvent[]
  /** True for the holder of a t90 lock who publishes it and owes nothing. */
  committedDepositor?: boolean
}

/** A badge of a worker, in short. */
export type AgentRowBadge = {
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Kind of work, such as `docs`. */
  category: string
  /** Level of the badge. */
  level: number
  /** ISO 8601 UTC. */
  completedAt: string
}

/** A category of work with its badges. */
export type AgentSkill = {
  /** Id of the record. */
  id: string
  /** Name to show. */
  name: string
  /** What it is, in plain words. */
  description: string
  /** Words for a search. */
  tags: string[]
}

/** Amount in base units with its decimals, and in whole units. */
export type Amount = {
  /** Integer in base units, as digits. */
  raw: bigint
  /** Decimal places of the asset. */
  decimals: number
  /** Whole units, as a decimal string. */
  display: string
}

/** Whether an approval comes first, and the allowance before and after it. */
export type Approval = {
  /** Whether it is required. */
  required: boolean
  /** Why, as a stable word; null where there is no reason. */
  reason: 'allowance_below_requested_assets' | 'allowance_already_sufficient'
  /** Allowance now. */
  allowanceBefore: Amount
  /** Allowance after the transactions. */
  allowanceAfter: Amount
}

/** Deadlines, verdicts and routes for the arbitrator. */
export type Arbitration = {
  /** Version of the record or of the document. */
  version: number
  /** Roles of each step. */
  authority: {
    /** Roles that may review. */
    review: string[]
    /** Verdict. */
    verdict: string[]
    /** What happens with the bond; null while it is open. */
    release: 'settled_by_verdict'
  }
  /** How a verdict reaches the chain. */
  execution: {
    /** How the part works. */
    mode: 'backend_signer' | 'out_of_band_hardware' | 'unavailable'
    /** Whether the service holds the key of the arbitrator. */
    backendCanResolve: boolean
    /** Why, as a stable word; null where there is no reason. */
    reason: string | null
  }
  /** Verdicts that are accepted. */
  allowedVerdicts: string[]
  /** Time in which a decision is due. */
  sla: {
    /** Number of seconds. */
    seconds: number
    /** ISO 8601 UTC. */
    openedAt: string
    /** ISO 8601 UTC. */
    windowEndsAt: string
    /** Whether the time has passed. */
    expired: boolean
    /** Seconds that are left. */
    secondsRemaining: number
  }
  /** How the rationale is stored. */
  reasoning: {
    /** Kind of the content. */
    contentType: string
    /** Algorithm of the hash. */
    hashAlgorithm: 'sha256'
    /** Member that holds the hash. */
    hashField: string
    /** Member that holds the address. */
    uriField: string
    /** Whether the hash is over canonical JSON. */
    canonicalHashRequired: boolean
    /** Path of the public text. */
    publicContentPath: string
  }
  /** What happens with the bond; null while it is open. */
  release: {
    /** How the part works. */
    mode: 'settled_by_verdict'
    /** Route that takes the verdict. */
    verdictEndpoint: string
    /** Whether it can be done now. */
    ready: boolean
    /** Why, as a stable word; null where there is no reason. */
    reason: string | null
  }
}

/** Amount with the symbol of its asset. */
export type AssetAmount = {
  /** Symbol of the asset. */
  asset: string
  /** Integer in base units, as digits. */
  raw: bigint
  /** Decimal places of the asset. */
  decimals: number
  /** Whole units, as a decimal string. */
  display: string
}

/** Asset with its contract. */
export type AssetReference = {
  /** Symbol of the asset. */
  symbol: string
  /** Lower-case 0x address. */
  address: string
  /** Decimal places of the asset. */
  decimals: number
}

/** Symbol of an asset of the service. */
export type AssetSymbol = string

/** What sign-in messages bind. */
export type AuthTerms = {
  /** How the part works. */
  mode: 'strict' | 'permissive'
  /** Domain for which the message is signed. */
  domain: string
  /** Chain id (EIP-155). */
  chainId: number
}

/** Chain event of a publication by itself. */
export type AutoDisclosure = {
  /** Whether the event was sent. */
  emitted: boolean
  /** Why, as a stable word; null where there is no reason. */
  reason: string
}

/** Whether a background workflow runs and when it last progressed. */
export type BackgroundWorkflow = {
  /** Whether the part is switched on. */
  enabled: boolean
  /** Whether it runs now. */
  running: boolean
  /** Whether it changes nothing. */
  dryRun: boolean
  /** How the part works. */
  mode: string
  /** Milliseconds between two runs; null where there is no interval. */
  intervalMs: number | null
  /** Failed runs in a row; null where they are not counted. */
  consecutiveFailures: number | null
  /** Instant of the last progress. */
  lastProgressAt: string | null
}

/** Amount of a badge in base units of its asset. */
export type BadgeAmount = {
  /** Symbol of the asset. */
  asset: string
  /** Integer in base units, as digits. */
  amount: string
  /** Decimal places of the asset. */
  decimals: number
}

/** Participant of a badge. */
export type BadgeSigner = {
  /** Role. */
  role: 'operator' | 'verifier' | 'worker'
  /** Wallet address. */
  wallet: string
  /** ISO 8601 UTC. */
  at: string
  /** Current status. */
  status: 'posted' | 'signed' | 'submitted'
}

/** How the work of a badge was verified. */
export type BadgeVerification = {
  /** 0x and 64 lower-case hex digits. */
  chainJobId: string
  /** 0x and 64 lower-case hex digits. */
  evidenceHash: string
  /** Address of the verifier. */
  verifier: string
  /** How the work is judged. */
  verifierMode: 'benchmark' | 'deterministic' | 'human_fallback'
  /** Public address of the work. */
  sourceUrl?: string
  /** Kind of that address. */
  sourceKind?: string
}

/** Change of one balance: `wallet` for tokens that the holder has itself, `account.*` for the record of the account contract, `pool.shares` for shares of the deposit pool, `pool.pledged` for those of them that secure loans, `credit.shares` for shares of a lender, `credit.debt` for what a borrower owes. */
export type BalanceChange = {
  /** Kind of the record. */
  kind: string
  /** Lower-case 0x address. */
  holder: string
  /** Whether the amount came in or went out. */
  direction: 'in' | 'out'
  /** By how much it changes. */
  change: AssetAmount
  /** State before. */
  before: AssetAmount
  /** State after. */
  after: AssetAmount
}

/** Block of every number and estimate of the answer. */
export type BlockReference = {
  /** Integer, as digits. */
  number: string
  /** 0x and 64 lower-case hex digits. */
  hash: string
}

/** One reason why a claim is refused. */
export type Blocker = {
  /** Stable code, for programs. */
  code: string
  /** Sentence for people. */
  message: string
  /** Gate that refuses. */
  gate?: string
  /** Why, as a stable word; null where there is no reason. */
  reason?: string
  /** True when the identical request can succeed later. */
  retryable?: boolean
  /** Seconds after which to repeat the request. */
  retryAfterSeconds?: number
  /** Facts of this occurrence. */
  details?: Record<string, unknown>
  /** What the caller can do next, best first. */
  nextActions: NextAction[]
}

/** What a verdict did with the bond. */
export type BondRelease = {
  /** What to do, or what was done. */
  action: 'slash-to-treasury' | 'return-to-depositor' | 'contract'
  /** Amount. */
  amount: Amount
  /** Whether the chain has it yet. */
  chainStatus: 'submitted' | 'settled_by_verdict'
  /** Hash of the transaction. */
  txHash?: string
}

/** A cap of a wallet. */
export type CapState = {
  /** Symbol of the asset. */
  asset: string
  /** Integer in base units, as digits. */
  raw: bigint
  /** Decimal places of the asset. */
  decimals: number
  /** Whole units, as a decimal string. */
  display: string
  /** Where the value or the record comes from. */
  source: string
  /** Parts, each with its own value. */
  components?: {
    /** Value or capabilities without any addition. */
    base: Amount
    /** Part that a deposit adds. */
    deposit: Amount
  }
  /** Whether it applies now. */
  active?: boolean
  /** Jobs of the wallet that were settled. */
  settledJobs?: number
  /** Settled jobs from which the cap applies. */
  activatesAtSettledJobs?: number
}

/** Sessions in a category. */
export type CategoryCount = {
  /** Kind of work, such as `docs`. */
  category: string
  /** Number of rows. */
  count: number
}

/** Whether a job can be claimed now. */
export type ClaimStatus = {
  /** State of the job for claims. */
  claimState: 'open' | 'restricted' | 'claimed' | 'submitted' | 'expired' | 'exhausted' | 'unclaimable' | 'paused' | 'archived' | 'stale'
  /** Current state. */
  state: 'open' | 'restricted' | 'claimed' | 'submitted' | 'expired' | 'exhausted' | 'unclaimable' | 'paused' | 'archived' | 'stale'
  /** `claimable` where the job can be claimed, otherwise the claim state. */
  effectiveState:
    | 'open'
    | 'restricted'
    | 'claimed'
    | 'submitted'
    | 'expired'
    | 'exhausted'
    | 'unclaimable'
    | 'paused'
    | 'archived'
    | 'stale'
    | 'claimable'
  /** Whether the job can be claimed now. */
  claimable: boolean
  /** Whether this wallet can claim it; null without a wallet. */
  currentWalletCanClaim: boolean | null
  /** Why, as a stable word; null where there is no reason. */
  reason:
    | 'claimable'
    | 'job_claimed'
    | 'claimed_by_other_wallet'
    | 'already_claimed_by_current_wallet'
    | 'session_submitted'
    | 'job_session_completed'
    | 'retry_limit_exhausted'
    | 'claim_ttl_expired_reopen_available'
    | 'reward_funding_pending'
    | 'reward_funding_unverified'
    | 'verifier_not_ready'
    | 'designated_claimant_authorized'
    | 'designated_claimants_only'
    | 'legacy_posting_unclaimable'
    | 'external_posting_escrow_unverified'
    | 'external_posting_not_open_on_chain'
    | 'job_paused'
    | 'job_archived'
    | 'job_stale'
    | 'tier_locked'
  /** Attempts that may reach a submission; 0 means unlimited. */
  retryLimit: number
  /** Attempts that reached a submission. */
  claimAttemptCount: number
  /** Attempts that are left; null where they are unlimited. */
  remainingClaimAttempts: number | null
  /** Ordinal among the claimant's claims, which decides the waiver; null until claimed. */
  claimNumber: number | null
  /** Wallet that holds the job; null while unclaimed. */
  claimedBy: string | null
  /** Instant of the claim. */
  claimedAt: string | null
  /** Last instant at which a submission is accepted. */
  claimExpiresAt: string | null
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string | null
  /** Member that decides. */
  claimabilitySource: 'claimStatus'
  /** What the lifecycle status says, and what it does not. */
  lifecycleStatusMeaning: string
}

/** Pull requests that the worker delivered. */
export type CodehostSignals = {
  /** Sessions that delivered a pull request. */
  attempted: number
  /** Pull requests that the code host confirmed. */
  prOpened: number
  /** Pull requests whose checks passed at the last reading. */
  checksPassed: number
  /** Pull requests that a maintainer merged. */
  maintainerApproved: number
  /** Merged pull requests. */
  merged: number
}

/** Short row of a job. */
export type CompactJob = {
  /** Rows with every member (`full`) or with the short ones (`compact`). */
  format: 'compact'
  /** Id of the record. */
  id: string
  /** Short title. */
  title: string
  /** Summary in one or two sentences. */
  summary: string
  /** Kind of work, such as `docs`. */
  category: string
  /** Kind of the job. */
  jobType: 'work' | 'curation' | 'review' | 'publish' | 'verification'
  /** Claim tier of the job or of the wallet. */
  tier: 'starter' | 'pro' | 'elite'
  /** Where the value or the record comes from. */
  source: string
  /** Kind of the source. */
  sourceType: string
  /** How the work is judged. */
  verifierMode: 'benchmark' | 'deterministic' | 'human_fallback' | 'codehost_pr'
  /** ISO 8601 UTC. */
  createdAt: string
  /** Path of the whole definition. */
  definitionUrl: string
  /** Short members of the source. */
  sourceDetails?: Record<string, unknown>
  /** Current state. */
  state: 'open' | 'restricted' | 'claimed' | 'submitted' | 'expired' | 'exhausted' | 'unclaimable' | 'paused' | 'archived' | 'stale'
  /** State of the job for claims. */
  claimState: 'open' | 'restricted' | 'claimed' | 'submitted' | 'expired' | 'exhausted' | 'unclaimable' | 'paused' | 'archived' | 'stale'
  /** `claimable` where the job can be claimed, otherwise the claim state. */
  effectiveState:
    | 'open'
    | 'restricted'
    | 'claimed'
    | 'submitted'
    | 'expired'
    | 'exhausted'
    | 'unclaimable'
    | 'paused'
    | 'archived'
    | 'stale'
    | 'claimable'
  /** Whether the job can be claimed now. */
  claimable: boolean
  /** Whether this wallet can claim it; null without a wallet. */
  currentWalletCanClaim: boolean | null
  /** Whether the reward is funded; null where nothing is to be funded. */
  fundingState: 'funded' | 'pending' | 'available' | 'unverified' | null
  /** How the work is verified. */
  verification: {
    /** Whether a verdict on the job can come now. */
    readiness: VerificationReadiness
  }
  /** Why, as a stable word; null where there is no reason. */
  reason:
    | 'claimable'
    | 'job_claimed'
    | 'claimed_by_other_wallet'
    | 'already_claimed_by_current_wallet'
    | 'session_submitted'
    | 'job_session_completed'
    | 'retry_limit_exhausted'
    | 'claim_ttl_expired_reopen_available'
    | 'reward_funding_pending'
    | 'reward_funding_unverified'
    | 'verifier_not_ready'
    | 'designated_claimant_authorized'
    | 'designated_claimants_only'
    | 'legacy_posting_unclaimable'
    | 'external_posting_escrow_unverified'
    | 'external_posting_not_open_on_chain'
    | 'job_paused'
    | 'job_archived'
    | 'job_stale'
    | 'tier_locked'
  /** Wallet that holds the job; null while unclaimed. */
  claimedBy: string | null
  /** Instant of the claim. */
  claimedAt: string | null
  /** Last instant at which a submission is accepted. */
  claimExpiresAt: string | null
  /** Attempts that may reach a submission; 0 means unlimited. */
  retryLimit: number
  /** Attempts that reached a submission. */
  claimAttemptCount: number
  /** Attempts that are left; null where they are unlimited. */
  remainingClaimAttempts: number | null
  /** Ordinal among the claimant's claims, which decides the waiver; null until claimed. */
  claimNumber: number | null
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string | null
  /** Seconds from the claim to the last submission. */
  claimTtlSeconds: number
  /** Whether the service pays the gas of the claim. */
  requiresSponsoredGas: boolean
  /** True where a wallet's first claims need no stake and no fee. */
  onboardingWaiverEligible: boolean
  /** Stake of a claim. */
  stake: AssetAmount | null
  /** Reward of the job. */
  reward: AssetAmount
  /** Bond of a claim: stake and fee. */
  claimBond?: {
    /** Stake of a claim. */
    stake: AssetAmount
    /** Fee. */
    fee: AssetAmount
    /** Stake and fee together, which the claim locks. */
    totalClaimLock: AssetAmount
  }
  /** First acceptance criterion. */
  successCriteria?: string
  /** ISO 8601 UTC. */
  listedAt: string
  /** Time in which only qualifying wallets may claim. */
  priorityWindow?: PriorityWindow
  /** How the money moves. */
  settlement: {
    /** How the work is judged. */
    verifierMode: 'benchmark' | 'deterministic' | 'human_fallback' | 'codehost_pr'
    /** Path of the request, or of the member that is meant. */
    path: 'automatic' | 'automatic_with_human_fallback' | 'human_review'
    /** Who approves; or how an allowance is set. */
    approval: string
    /** Worst case in seconds until a decision by people. */
    humanReviewWorstCaseSeconds?: number
    /** Outcome after every deadline has passed. */
    worstCase?: string
  }
  /** Whether the job is listed. */
  listingStatus: 'listed' | 'quarantined' | 'delisted'
  /** How thoroughly the work is judged. */
  verificationDepth?: string
  /** Whether an operator has read the text of the job. */
  contentTrust: 'operator-curated' | 'external-unreviewed'
  /** Who posted the job, and how. */
  provenance: JobProvenance
  /** Wallet that posted the job. */
  poster?: Record<string, unknown>
}

/** Terms of a quote, unchanged, with the signature of its message. */
export type ConsentBodyInput = {
  /** Terms that the wallet consents to. No text and no member name in it holds the character U+0000, and no whole number in it is beyond 2^53. */
  terms: Record<string, unknown>
  /** 0x and 64 lower-case hex digits. */
  termsHash: string
  /** personal_sign of the message of the quote, 65 bytes. */
  consentSignature: string
  /** Alias of the header `Idempotency-Key`. */
  idempotencyKey?: string | undefined
}

/** The text that the wallet signs, and where it sends the signature. */
export type ConsentRequest = {
  /** Whether it is required. */
  required: true
  /** HTTP method, or the name of a method of the contract. */
  method: 'SIWE_EIP4361'
  /** Sentence for people. */
  message: string
  /** Where the signature is sent. */
  submit: Submit
}

/** A stored document by its hash. */
export type Content = {
  /** 0x and 64 lower-case hex digits. */
  hash: string
  /** Kind of the content. */
  contentType: 'submission' | 'job_spec' | 'dispute_rationale' | 'locked_tier_consent_v1' | 'idle_balance_allocation_consent_v1'
  /** Wallet that owns the content. */
  ownerWallet: string
  /** Verdict. */
  verdict: 'pass' | 'fail' | null
  /** ISO 8601 UTC. */
  createdAt: string
  /** ISO 8601 UTC. */
  publishedAt?: string
  /** ISO 8601 UTC. */
  autoPublicAt: string
  /** Who may read it. */
  visibility: 'public' | 'owner_only'
  /** The content. */
  payload: Record<string, unknown>
  /** Address of the content. */
  contentURI: string
  /** Chain event of the publication by itself, after 180 days; the service sends none. */
  autoDisclosureEvent: AutoDisclosure
}

/** The credit pool and the wallet of the token at one block. */
export type Credit = {
  /** Version of this shape. */
  schemaVersion: 1
  /** What can be used now, or whether it can be used. */
  available: true
  /** Lower-case 0x address. */
  creditPool: string
  /** Lower-case 0x address. */
  depositPool: string
  /** Symbol of the asset. */
  asset: AssetReference
  /** Chain id (EIP-155). */
  chainId: number
  /** Block of the reading. */
  block: BlockReference
  /** How a request writes amounts of assets and of shares. */
  units: PoolUnits
  /** What lenders gave, and what of it is lent. */
  supply: {
    /** What all shares are worth together. */
    totalAssets: Amount
    /** Number of all shares. */
    totalShares: Amount
    /** Tokens in the credit pool, which can be lent or paid out at once. */
    buffer: Amount
    /** Principal of the active loans. */
    principalOutstanding: Amount
    /** Cap on all assets of the credit pool. */
    cap: Amount
    /** Part of the budget that is left. */
    headroom: Amount
    /** Cap on the assets of one lender. */
    perLenderCap: Amount
  }
  /** Terms of new loans. */
  schedule: {
    /** Share of the collateral that can be lent, in basis points. */
    ltvBps: number
    /** Largest such share that the contract allows. */
    maxLtvBps: number
    /** Interest of a new loan in basis points, fixed when it begins. */
    interestBps: number
    /** Largest interest that the contract allows. */
    maxInterestBps: number
    /** Fee of the platform in basis points; none. */
    platformFeeBps: number
    /** A pledge can be seized when it is worth less than this multiple of its loan. */
    impairmentTrigger: {
      /** Upper part of the multiple. */
      numerator: number
      /** Lower part of the multiple. */
      denominator: number
    }
  }
  /** Loans of all wallets. */
  lifecycle: {
    /** Pool shares that secure active loans. */
    totalPledgedShares: Amount
    /** Number of loans that were seized. */
    defaults: number
  }
  /** Wallet address. */
  wallet: {
    /** Lower-case 0x address. */
    address: string
    /** Tokens of the wallet. */
    assetBalance: Amount
    /** Tokens that the credit pool may take from the wallet. */
    allowanceToCreditPool: Amount
    /** Value of the wallet’s lender shares. */
    lenderAssets: Amount
    /** Lender shares of the wallet. */
    lenderShares: Amount
    /** Lender shares that no notice locks. */
    availableLenderShares: Amount
    /** Deposit-pool shares of the wallet. */
    depositPoolShares: Amount
    /** Deposit-pool shares that are neither locked nor pledged. */
    availableDepositPoolShares: Amount
    /** Deposit-pool shares that secure loans of the wallet. */
    pledgedShares: Amount
    /** Value of the pledged shares. */
    pledgedAssetValue: Amount
    /** Vested principal, at most the value of the shares. */
    vestedAssets: Amount
    /** Whether the vested deposit could be read. */
    vestingAvailable: boolean
    /** What all loans of the wallet may be together. */
    grossWalletLimit: Amount
    /** What the wallet can borrow now. */
    loanable: Amount
    /** Principal and interest that the wallet owes. */
    outstanding: Amount
  }
  /** Risk of a loan, as the contract states it. */
  disclosure: {
    /** Movements of the account, or a statement for people. */
    statement: string
  }
  /** How a loan is repaid. */
  repayment: {
    /** Movements of the account, or a statement for people. */
    statement: string
  }
  /** What the service does not do. */
  boundary: Record<string, unknown>
  /** How to send them. */
  broadcast: Record<string, unknown>
}

/** Whether a wallet may register interest in credit, and whether it has. */
export type CreditInterest = {
  /** Whether the wallet can claim the job now. */
  eligible: boolean
  /** Whether it is registered. */
  registered: boolean
}

/** Why there is no credit pool, or why it cannot be read. */
export type CreditUnavailable = {
  /** Version of this shape. */
  schemaVersion: 1
  /** What can be used now, or whether it can be used. */
  available: false
  /** Why, as a stable word; null where there is no reason. */
  reason: 'credit_pool_not_configured' | 'chain_backend_required' | 'credit_pool_read_failed'
}

/** Outcome of a cross-chain request. */
export type CrossChainOutcome = {
  /** Id of the request. */
  requestId: string
  /** Lower-case 0x address. */
  wrapper: string
  /** Current status. */
  status: 'succeeded' | 'failed' | 'cancelled'
  /** Whole units, as a decimal string. */
  settledAssets: string
  /** Integer in base units, as digits. */
  settledAssetsRaw: bigint
  /** Whole units, as a decimal string. */
  settledShares: string
  /** Integer in base units, as digits. */
  settledSharesRaw: bigint
  /** 0x and 64 lower-case hex digits. */
  remoteRef: string
  /** 0x and 64 lower-case hex digits. */
  failureCode: string
  /** Name of the failure code; null where it has none. */
  failureCodeLabel: string | null
  /** Where the value or the record comes from. */
  source: string
  /** ISO 8601 UTC. */
  observedAt: string
  /** Instant at which the service recorded it. */
  recordedAt: string
  /** Whether the outcome is settled on chain. */
  processed: boolean
  /** When the settlement was seen; null before. */
  processedAt: string | null
  /** Since when the request waits for an operator; null while the service tries by itself. */
  exhaustedAt: string | null
  /** Why the last try to settle failed; null after none. */
  lastFailure: string | null
}

/** A page of outcomes of cross-chain requests. */
export type CrossChainOutcomes = {
  /** Outcomes of the page. */
  items: CrossChainOutcome[]
  /** Limit that was applied. */
  limit: number
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null
}

/** Request to a yield source on another chain. */
export type CrossChainRequest = {
  /** Id of the request. */
  requestId: string
  /** 0x and 64 lower-case hex digits. */
  strategyId: string
  /** Name of the strategy; null for an id that carries no text. */
  strategyIdLabel: string | null
  /** Kind of the record. */
  kind: number
  /** Name of the kind. */
  kindLabel: 'Deposit' | 'Withdraw' | 'Claim'
  /** Lower-case 0x address. */
  account: string
  /** Lower-case 0x address. */
  asset: string
  /** Symbol of the asset; null, where that is possible, for an asset that the service does not have. */
  assetSymbol: string | null
  /** Lower-case 0x address. */
  recipient: string
  /** Whole units, as a decimal string. */
  requestedAssets: string
  /** Integer in base units, as digits. */
  requestedAssetsRaw: bigint
  /** Whole units, as a decimal string. */
  requestedShares: string
  /** Integer in base units, as digits. */
  requestedSharesRaw: bigint
  /** Integer, as digits. */
  nonce: string
  /** Integer, as digits. */
  nonceRaw: bigint
  /** Lower-case 0x address. */
  queuedBy: string
  /** Current status. */
  status: number
  /** Name of the status. */
  statusLabel: 'unknown' | 'pending' | 'succeeded' | 'failed' | 'cancelled'
  /** Whole units, as a decimal string. */
  settledAssets: string
  /** Integer in base units, as digits. */
  settledAssetsRaw: bigint
  /** Whole units, as a decimal string. */
  settledShares: string
  /** Integer in base units, as digits. */
  settledSharesRaw: bigint
  /** 0x and 64 lower-case hex digits. */
  remoteRef: string
  /** Text of the reference; null where it carries none. */
  remoteRefLabel: string | null
  /** 0x and 64 lower-case hex digits. */
  failureCode: string
  /** Name of the failure code; null where it has none. */
  failureCodeLabel: string | null
  /** ISO 8601 UTC. */
  createdAt: string
  /** Integer, as digits. */
  createdAtRaw: bigint
  /** ISO 8601 UTC. */
  updatedAt: string
  /** Integer, as digits. */
  updatedAtRaw: bigint
}

/** The open session that a worker lets the directory show. */
export type CurrentActivity = {
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Id of the job. */
  jobId: string
  /** Current status. */
  status: 'claimed' | 'submitted' | 'disputed'
  /** Name to show. */
  label: string
  /** Part of the life cycle. */
  phase: 'work' | 'verification'
  /** Outcome. */
  outcome: 'in_progress' | 'awaiting_verification' | 'operator_attention'
  /** ISO 8601 UTC. */
  claimedAt?: string
  /** ISO 8601 UTC. */
  submittedAt?: string
  /** ISO 8601 UTC. */
  updatedAt?: string
  /** ISO 8601 UTC. */
  deadlineAt?: string
  /** Whether a submission is accepted now. */
  canSubmit: boolean
  /** Whether a verdict is awaited. */
  awaitingVerification: boolean
}

/** Counts over all wallets, listed or not. */
export type DirectoryAggregate = {
  /** Wallets with a session or a public profile. */
  participants: number | null
  /** Wallets that claimed or submitted in the last 30 days. */
  activeLast30d: number | null
  /** Sessions that ended. */
  completedSessions: number | null
  /** Wallets with a public profile. */
  listed: number | null
  /** Participants without a public profile. */
  private: number | null
  /** Names of the counts that are null because they would point at few wallets. */
  suppressed: string[]
}

/** What a pull request must disclose. */
export type Disclosure = {
  /** Whether it is required. */
  required: boolean
  /** Text for the body of the pull request. */
  canonicalFooter: string
  /** Lines that name the claimant. */
  acceptedClaimantLines: {
    /** Wallet address. */
    wallet: string[]
    /** The session. */
    session: string[]
  }
  /** Rule in one sentence. */
  rule: string
}

/** A dispute, its deadline first; amounts are of its asset. */
export type Dispute = {
  /** Id of the record. */
  id: string
  /** Current status. */
  status: 'open' | 'resolved'
  /** Last instant to act in this state. */
  deadline: string | null
  /** ISO 8601 UTC. */
  openedAt: string
  /** ISO 8601 UTC. */
  windowEndsAt: string
  /** Seconds in which a decision is due. */
  slaSeconds: number
  /** Step that is under way. */
  stage: 'review' | 'arbitration'
  /** How the dispute came about. */
  origin: 'review' | 'participant' | 'operator' | 'platform'
  /** Why, as a stable word; null where there is no reason. */
  reason: string
  /** ISO 8601 UTC. */
  since: string
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Id of the job. */
  jobId: string
  /** 0x and 64 lower-case hex digits. */
  chainJobId: string
  /** Lower-case 0x address. */
  claimant: string
  /** Poster of the job; null without one. */
  respondent: string | null
  /** Status of the session. */
  sessionStatus:
    | 'claimed'
    | 'submitted'
    | 'disputed'
    | 'rejected'
    | 'resolved'
    | 'closed'
    | 'expired'
    | 'timed_out'
    | 'chain_state_diverged'
  /** State of the job in the escrow contract. */
  chainState: 'none' | 'open' | 'claimed' | 'submitted' | 'rejected' | 'disputed' | 'closed' | 'cancelled' | null
  /** Evidence of the work or of the dispute. */
  evidence: {
    /** State before. */
    before: Record<string, unknown>
    /** State after. */
    after: Record<string, unknown>
  }
  /** 0x and 64 lower-case hex digits. */
  evidenceHash: string
  /** Symbol of the asset. */
  asset: string
  /** Reward that is not paid yet. */
  remainingPayout: Amount
  /** Stake of the claim. */
  stakedAmount: Amount
  /** Fee of the claim. */
  claimFee: Amount
  /** Stake and fee together, which the claim locks. */
  totalClaimLock: Amount
  /** Verdict. */
  verdict: 'upheld' | 'dismissed' | 'split' | 'timeout' | 'approved' | 'rejected' | null
  /** Why, as a stable word. */
  reasonCode?: string
  /** Who decided. */
  decidedBy?: string
  /** ISO 8601 UTC. */
  decidedAt?: string
  /** Where the value or the record comes from. */
  source?: 'arbitrator' | 'reviewer' | 'verifier' | 'timeout' | 'chain'
  /** Whether the chain has it yet. */
  chainStatus?: 'submitted' | 'confirmed'
  /** Why, in the words of the decider. */
  rationale?: string
  /** 0x and 64 lower-case hex digits. */
  reasoningHash?: string
  /** Address of the metadata of the badge. */
  metadataURI?: string
  /** Where the payout of a split comes from. */
  payoutSource?: 'default_half_remaining' | 'operator_supplied'
  /** Hash of the transaction. */
  txHash?: string
  /** Payout of the worker: in a request a split only, above zero and at most the remaining reward. */
  workerPayout?: Amount
  /** Recorded payout, where the payout on chain differs. */
  preparedPayout?: Amount | null
  /** True where the payout on chain differs from the recorded one. */
  payoutMismatch?: boolean
  /** Unsigned transaction that waits for the arbitrator. */
  preparation?: VerdictPreparation
  /** What happens with the bond; null while it is open. */
  release: BondRelease | null
  /** Transaction with which the worker disputes the rejection. */
  remedy: DisputeRemedy
  /** Deadlines, verdicts and routes for the arbitrator. */
  arbitration: Arbitration
  /** Entries, oldest first. */
  timeline: {
    /** Id of the record. */
    id: string
    /** ISO 8601 UTC. */
    at: string
    /** Who did it. */
    actor: string
    /** What to do, or what was done. */
    action: string
    /** Facts of the entry, or the data of the call. */
    data: Record<string, unknown>
  }[]
  /** What the caller can do next, best first. */
  nextActions: NextAction[]
}

/** Disputes of the worker by their end. */
export type DisputeCounts = {
  /** Number of all. */
  total: number
  /** Number of open jobs. */
  open: number
  /** What is lost, in whole units. */
  lost: number
  /** Disputes decided for the worker. */
  won: number
  /** Disputes that divided the reward. */
  split: number
  /** Disputes without a decision in time. */
  timeout: number
  /** Disputes that ended. */
  resolved: number
}

/** Deadlines of the work and its dispute. */
export type DisputeDeadlines = {
  /** ISO 8601 UTC. */
  claimExpiresAt: string
  /** Last instant to dispute the rejection. */
  disputeWindowEndsAt: string | null
  /** ISO 8601 UTC. */
  arbitrationEndsAt: string
}

/** Signed file of an ended dispute: terms, work, verdicts, decisions, receipt and history. */
export type DisputeFile = {
  /** Version of this shape. */
  schemaVersion: 'service.dispute-file.v1'
  /** Id of the dispute. */
  disputeId: string
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Id of the job. */
  jobId: string
  /** 0x and 64 lower-case hex digits. */
  chainJobId: string
  /** Chain id (EIP-155). */
  chainId: number
  /** Lower-case 0x address other than the zero address. */
  worker: string
  /** Wallet that posted the job. */
  poster: string | null
  /** How the dispute came about. */
  origin: 'review' | 'participant' | 'operator' | 'platform'
  /** Why, as a stable word. */
  reasonCode: string
  /** ISO 8601 UTC. */
  openedAt: string
  /** Principal of the deposit that withdrawals left. */
  remaining: SignedFileAmount
  /** Terms that the wallet consents to. */
  terms: SignedDisputedTerms
  /** The work: an object as the schema of the job describes it. */
  submission: DisputedWork
  /** Verdicts of the session, oldest first. */
  verdicts: StatedVerdict[]
  /** Decisions, oldest round first. */
  rounds: SignedStatedRound[]
  deadlines: DisputeDeadlines
  /** Receipt of the transaction. */
  receipt: WorkReceipt
  /** Entries of the history as the session log publishes them. */
  log: SessionLogEntry[]
  /** What the document states and what it does not. */
  attestation: string
  /** Public address of the badge. */
  canonicalUrl: string
  /** Signature. */
  signature: DocumentSignature
}

/** Transaction with which a worker disputes a rejection. */
export type DisputeRemedy = {
  /** What can be used now, or whether it can be used. */
  available: boolean
  /** Name of the contract. */
  contract: string
  /** Address of the contract. */
  address: string
  /** Chain id (EIP-155). */
  chainId: number
  /** Signature of the function. */
  abi: string
  /** Function of the contract. */
  function: string
  /** Arguments of the call. */
  args: string[]
  /** Value. */
  value: '0'
  gasRequired: GasRequired
  /** Last instant to send it; null where it cannot be sent. */
  opensUntil: string | null
  /** Whether the service can send it. */
  brokeredPath: {
    /** What can be used now, or whether it can be used. */
    available: false
    /** Why, as a stable word; null where there is no reason. */
    reason: 'no_worker_reachable_brokered_open_dispute_route'
  }
}

/** Row of a list of disputes: everything but its evidence and its timeline. */
export type DisputeRow = {
  /** Id of the record. */
  id: string
  /** Current status. */
  status: 'open' | 'resolved'
  /** Last instant to act in this state. */
  deadline: string | null
  /** ISO 8601 UTC. */
  openedAt: string
  /** ISO 8601 UTC. */
  windowEndsAt: string
  /** Seconds in which a decision is due. */
  slaSeconds: number
  /** Step that is under way. */
  stage: 'review' | 'arbitration'
  /** How the dispute came about. */
  origin: 'review' | 'participant' | 'operator' | 'platform'
  /** Why, as a stable word; null where there is no reason. */
  reason: string
  /** ISO 8601 UTC. */
  since: string
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Id of the job. */
  jobId: string
  /** 0x and 64 lower-case hex digits. */
  chainJobId: string
  /** Lower-case 0x address. */
  claimant: string
  /** Poster of the job; null without one. */
  respondent: string | null
  /** Status of the session. */
  sessionStatus:
    | 'claimed'
    | 'submitted'
    | 'disputed'
    | 'rejected'
    | 'resolved'
    | 'closed'
    | 'expired'
    | 'timed_out'
    | 'chain_state_diverged'
  /** State of the job in the escrow contract. */
  chainState: 'none' | 'open' | 'claimed' | 'submitted' | 'rejected' | 'disputed' | 'closed' | 'cancelled' | null
  /** 0x and 64 lower-case hex digits. */
  evidenceHash: string
  /** Symbol of the asset. */
  asset: string
  /** Reward that is not paid yet. */
  remainingPayout: Amount
  /** Stake of the claim. */
  stakedAmount: Amount
  /** Fee of the claim. */
  claimFee: Amount
  /** Stake and fee together, which the claim locks. */
  totalClaimLock: Amount
  /** Verdict. */
  verdict: 'upheld' | 'dismissed' | 'split' | 'timeout' | 'approved' | 'rejected' | null
  /** Why, as a stable word. */
  reasonCode?: string
  /** Who decided. */
  decidedBy?: string
  /** ISO 8601 UTC. */
  decidedAt?: string
  /** Where the value or the record comes from. */
  source?: 'arbitrator' | 'reviewer' | 'verifier' | 'timeout' | 'chain'
  /** Whether the chain has it yet. */
  chainStatus?: 'submitted' | 'confirmed'
  /** Why, in the words of the decider. */
  rationale?: string
  /** 0x and 64 lower-case hex digits. */
  reasoningHash?: string
  /** Address of the metadata of the badge. */
  metadataURI?: string
  /** Where the payout of a split comes from. */
  payoutSource?: 'default_half_remaining' | 'operator_supplied'
  /** Hash of the transaction. */
  txHash?: string
  /** Payout of the worker: in a request a split only, above zero and at most the remaining reward. */
  workerPayout?: Amount
  /** Recorded payout, where the payout on chain differs. */
  preparedPayout?: Amount | null
  /** True where the payout on chain differs from the recorded one. */
  payoutMismatch?: boolean
  /** Unsigned transaction that waits for the arbitrator. */
  preparation?: VerdictPreparation
  /** What happens with the bond; null while it is open. */
  release: BondRelease | null
  /** Transaction with which the worker disputes the rejection. */
  remedy: DisputeRemedy
  /** Deadlines, verdicts and routes for the arbitrator. */
  arbitration: Arbitration
  /** What the caller can do next, best first. */
  nextActions: NextAction[]
}

/** The submission; its keccak256 is the evidence hash. */
export type DisputedWork = {
  /** 0x and 64 lower-case hex digits. */
  evidenceHash: string
  /** ISO 8601 UTC. */
  submittedAt: string
  /** The submission; null where there is none. */
  content: unknown
}

/** Detached signature over the canonical JSON of the other members. */
export type DocumentSignature = {
  /** Algorithm of the signature. */
  alg: 'ES256'
  /** Id of the key. */
  kid: string
  /** Signature, base64url. */
  sig: string
  /** ISO 8601 UTC. */
  signedAt: string
}

/** Signed statement of vested principal, for one loan. */
export type EligibilityAttestation = {
  /** Lower-case 0x address. */
  signer: string
  /** Vested principal, at most the value of the shares. */
  vestedAssets: Amount
  /** Last second of the attestation, in seconds since 1970. */
  validUntil: number
  /** Integer, as digits. */
  nonce: string
  /** 0x and 64 lower-case hex digits. */
  digest: string
  /** Signature. */
  signature: string
}

/** A route with its purpose. */
export type EndpointSummary = {
  /** HTTP method, or the name of a method of the contract. */
  method: string
  /** Path of the request, or of the member that is meant. */
  path: string
  /** What it is, in plain words. */
  description: string
}

/** Registrations that this domain confirms. */
export type Erc8004DomainProof = {
  /** Entries of identity registries. */
  registrations: Erc8004Registration[]
}

/** Feedback file by ERC-8004 for work that was paid. */
export type Erc8004FeedbackFile = {
  /** Identity registry: chain and address. */
  agentRegistry: string
  /** Number of the worker in the registry. */
  agentId: number
  /** Wallet that gave the work, with its chain. */
  clientAddress: string
  /** ISO 8601 UTC. */
  createdAt: string
  /** Value. */
  value: number
  /** Decimals of the value. */
  valueDecimals: number
  /** What the value measures. */
  tag1: string
  /** Handler that verified the work. */
  tag2: string
  /** Method and path of the request. */
  endpoint: string
  proofOfPayment: ProofOfPayment
}

/** Entry of an ERC-8004 identity registry. */
export type Erc8004Registration = {
  /** Number of the worker in the registry. */
  agentId: number | string
  /** Identity registry: chain and address. */
  agentRegistry: string
}

/** Registration file of a worker by ERC-8004. */
export type Erc8004RegistrationFile = {
  /** Kind of the record. */
  type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1'
  /** Name to show. */
  name: string
  /** What it is, in plain words. */
  description: string
  /** Address of the picture. */
  image: string
  /** Where the worker is reached or described. */
  services: Erc8004Service[]
  /** Whether the worker takes payments by x402. */
  x402Support: boolean
  /** Whether it applies now. */
  active: boolean
  /** Entries of identity registries. */
  registrations: Erc8004Registration[]
  /** What trust in the worker can rest on. */
  supportedTrust: ('reputation' | 'crypto-economic' | 'tee-attestation')[]
}

/** Where a worker is reached or described. */
export type Erc8004Service = {
  /** Name to show. */
  name: string
  /** Method and path of the request. */
  endpoint: string
  /** Version of the record or of the document. */
  version?: string
}

/** Something that happened, as the outbox recorded it. */
export type Event = {
  /** Integer, as digits. */
  id: string
  /** Topic of the event. */
  topic: string
  /** Kind of the record. */
  type: 'event_bus'
  /** Where the value or the record comes from. */
  source: string
  /** Part of the life cycle. */
  phase: string
  /** How much it matters. */
  severity: 'info' | 'warn' | 'error'
  /** Id that ties entries together. */
  correlationId: string
  /** Wallet address. */
  wallet: string | null
  /** Wallets that may read the event. */
  wallets: string[]
  /** Id of the job. */
  jobId: string | null
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string | null
  /** Number of the block. */
  blockNumber: string | null
  /** Hash of the transaction. */
  txHash: string | null
  /** ISO 8601 UTC. */
  timestamp: string
  /** Facts of the entry, or the data of the call. */
  data: Record<string, unknown>
}

/** One failed rule of an input. */
export type FieldError = {
  /** RFC 6901 pointer of a body member; `query/<name>`, `path/<name>` or `header/<name>` otherwise. */
  pointer: string
  /** Name of the failed rule. */
  rule: string
  /** Bound, pattern or accepted values of the rule. */
  limit?: string | number
  /** Sentence for people. */
  message: string
}

/** Whether the operator sends the gas of the first withdrawal, and why. */
export type GasGrant = {
  /** What the operator offers, in a sentence. */
  offer: string
  /** Whether the wallet can claim the job now. */
  eligible: boolean
  /** Current status. */
  status?: 'sending' | 'granted' | 'failed'
  /** Why, as a stable word; null where there is no reason. */
  reason:
    | 'first_withdrawal_gas_grant_available'
    | 'first_withdrawal_gas_grant_sent'
    | 'first_withdrawal_gas_grant_in_progress'
    | 'first_withdrawal_gas_grant_already_granted'
    | 'first_withdrawal_gas_grant_usdc_only'
    | 'first_withdrawal_gas_grant_balance_below_floor'
    | 'first_withdrawal_gas_grant_daily_cap_reached'
    | 'first_withdrawal_gas_grant_withdrawal_intent_required'
    | 'first_withdrawal_gas_grant_withdrawal_intent_stale'
    | 'first_withdrawal_gas_grant_unavailable'
    | 'first_withdrawal_gas_grant_status_read_failed'
  /** Amount. */
  amount: Amount
  /** Liquid balance that the grant needs. */
  minimumAccountLiquid: Amount
  /** Liquid balance now; null where it was not read. */
  balance: Amount | null
  /** Grants of the UTC day; null where they were not read. */
  daily: {
    /** UTC day. */
    day: string
    /** Clock of the day. */
    clock: 'UTC'
    /** ISO 8601 UTC. */
    resetAt: string
    /** Limit that was applied. */
    limit: number
    /** Grants that are reserved for the day, sent or not. */
    reservedCount: number
    /** Grants that the day still has. */
    remainingCount: number
    /** Where the value or the record comes from. */
    source: string
  } | null
  /** The grant belongs to one withdrawal. */
  intentBound: true
  /** The grant is given once, not on request. */
  standingFaucet: false
  /** The grant that the wallet received before, or that is being sent. */
  priorGrant?: {
    /** Current status. */
    status: 'sending' | 'granted' | 'failed'
    /** 0x and 64 lower-case hex digits. */
    intentHash: string
    /** Hash of the transaction. */
    txHash: string | null
  }
}

/** Gas that a transaction needs, beside what the wallet has. */
export type GasRequired = {
  /** Integer, as digits. */
  gas: string
  cost?: AssetAmount
  nativeBalance?: AssetAmount
}

/** Gas that the escrow retains from the reward of a brokered claim. */
export type GasRetention = {
  /** Whether the escrow supports it. */
  supported: boolean
  /** Whether the service sends the claim for the worker. */
  brokered: boolean
  /** Whether it is waived. */
  waived: boolean
  /** Integer in base units, as digits. */
  retainedRaw: bigint
  /** Whole units, as a decimal string. */
  retained: string
  /** Whole units, as a decimal string. */
  netReward: string
  /** Integer in base units, as digits. */
  netRewardRaw: bigint
}

/** A value as the claim captured it beside the current one. */
export type HashDrift = {
  /** 0x and 64 lower-case hex digits. */
  captured: string
  /** 0x and 64 lower-case hex digits. */
  live: string
}

/** State of the service; a value that could not be read is null beside `readable: false`. */
export type Health = {
  /** Current status. */
  status: 'ok' | 'degraded'
  /** ISO 8601 UTC. */
  now: string
  /** Time of the newest block; null where the chain is unreadable. */
  chainTime: string | null
  /** Version of the record or of the document. */
  version: string
  /** Rules of the sign-in. */
  auth: AuthTerms
  /** Whether the service can answer and makes progress. */
  serviceHealth: {
    /** Whether the part works. */
    ok: boolean
    /** Parts, each with its own value. */
    components: {
      /** The HTTP server. */
      api: {
        /** Whether the part works. */
        ok: boolean
        /** How the part works. */
        mode: string
      }
      /** The database. */
      stateStore: {
        /** Whether the part works. */
        ok: boolean
        /** Product behind the part. */
        backend: string
      }
      /** Rules of the sign-in. */
      auth: {
        /** Whether the part works. */
        ok: boolean
        /** How the part works. */
        mode: string
        /** Domain for which the message is signed. */
        domain: string
        /** Chain id (EIP-155). */
        chainId: number
      }
      /** The workers that run workflows. */
      workflowWorker: {
        /** Whether the part works. */
        ok: boolean
        /** Current state. */
        state: string
        /** Milliseconds without progress after which the workers count as stopped. */
        staleAfterMs: number
        /** Instant of the last progress. */
        lastProgressAt: string | null
        /** Time-outs that are due and not done. */
        pendingTimeoutCount: number | null
        /** Submissions that failed for a long time. */
        persistentSubmittedFailures: number | null
      }
    }
  }
  /** State of each capability. */
  capabilityHealth: {
    /** The database. */
    stateStore: 'available' | 'unavailable'
    /** The chain node. */
    blockchain: 'enabled' | 'disabled' | 'unhealthy'
    /** Whether money can be moved. */
    treasuryMutations: 'available' | 'unavailable' | 'degraded' | 'disabled'
    /** The observer of other chains. */
    xcmObserver: 'live' | 'staged' | 'unavailable' | 'disabled'
    /** The reader of contract events. */
    indexer: 'synced' | 'lagging' | 'behind' | 'unavailable'
    /** The sponsor of gas. */
    gasSponsor: 'enabled' | 'disabled'
    /** Posting of jobs by others. */
    externalPosting: 'enabled' | 'staged' | 'disabled'
    /** Seconds that the watcher of postings is behind. */
    externalPostingWatcherLagSeconds: number | null
    /** Deposits that are locked for a term. */
    lockedDeposits: 'enabled' | 'disabled'
    /** Perks of locked deposits. */
    tierPerks: 'enabled' | 'disabled'
    /** Idle-balance allocation. */
    idleAllocation: 'enabled' | 'disabled'
  }
  /** Addresses of the contracts. */
  addresses: {
    /** Lower-case 0x address. */
    token: string
    /** Lower-case 0x address. */
    agentAccountCore: string
    /** Lower-case 0x address. */
    escrowCore: string
    /** Contract for other chains; null without one. */
    xcmWrapper: string | null
    /** Contracts of the strategies. */
    strategyAdapters: string[]
    /** Contract of the deposit pool; null without one. */
    depositPool: string | null
    /** Contract of the credit pool; null without one. */
    creditPool: string | null
    /** Address that signs settlements. */
    settlementSigner: string | null
    /** Address of the reserve. */
    treasuryReserve: string | null
  }
  /** Balance from which rewards are funded. */
  rewardBank: {
    /** Balance that can be used now. */
    liquid: AssetAmount | null
    /** Instant of the reading. */
    asOf: string | null
    /** False where the value could not be read. */
    readable: boolean
    /** Where the value or the record comes from. */
    source: string
    /** True where the reading or the listing is old. */
    stale: boolean
    /** True while a new reading is under way. */
    refreshing?: boolean
  }
  /** How the money moves. */
  settlement: {
    /** Claims of the last 24 hours. */
    claimed24h: number | null
    /** Submissions of the last 24 hours. */
    submitted24h: number | null
    /** Settlements of the last 24 hours. */
    settled24h: number | null
    /** Settlements of the last 24 hours with a payment. */
    paidSettled24h: number | null
    /** Settlements of the last 24 hours without a payment. */
    zeroPaySettled24h: number | null
    /** Sessions that are claimed now. */
    claimedNotSubmitted: number | null
    /** Sessions that are submitted now. */
    submittedNotSettled: number | null
    /** Instant of the oldest submission without a settlement. */
    oldestSubmittedAt: string | null
    /** Sessions that make no progress. */
    stuck: number | null
    /** Settlements that failed in the last 24 hours. */
    failed24h: number | null
    /** Instant of the reading. */
    asOf: string | null
    /** Where the value or the record comes from. */
    source: string
    /** False where the value could not be read. */
    readable: boolean
  }
  /** First steps of an agent. */
  onboarding: {
    /** Current status. */
    status: string
    /** Why, as a stable word; null where there is no reason. */
    reason: string | null
    /** Jobs with the waiver that can be claimed. */
    waiverEligibleClaimableJobs: number | null
    /** Number below which the catalogue of starters is short. */
    minimumWaiverEligibleClaimableJobs: 2
    /** Instant of the reading. */
    asOf: string | null
    /** Where the value or the record comes from. */
    source: string
    /** False where the value could not be read. */
    readable: boolean
    /** Budget of waived claims of the day. */
    subsidy: {
      /** Range to which the record applies. */
      scope: 'tier-0-onboarding-subsidy'
      /** UTC day. */
      day: string
      /** Clock of the day. */
      clock: 'UTC'
      /** ISO 8601 UTC. */
      resetAt: string
      /** Budget of the day. */
      dailyBudget: AssetAmount
      /** Part of the budget that is used. */
      allocated: AssetAmount | null
      /** Part of the budget that is left. */
      headroom: AssetAmount | null
      /** Where the value or the record comes from. */
      source: string
    }
  }
  /** Remarks that stop nothing. */
  warnings: HealthWarning[]
  /** Parts, each with its own value. */
  components: {
    /** The database. */
    stateStore: {
      /** Whether the part works. */
      ok: boolean
    }
    /** The chain node. */
    blockchain: {
      /** Whether the part works. */
      ok: boolean
      /** Instant of the last answer of the node. */
      lastReadAt: string | null
      /** Requests in one batch at most; smaller than configured while the node refuses larger ones. */
      batchSize: number
      /** Configured requests in one batch. */
      configuredBatchSize: number
      /** Last batch that the node refused; null without one. */
      lastBatchRefusal: {
        /** ISO 8601 UTC. */
        at: string
        /** Number of requests. */
        size: number
      } | null
    }
    /** The sponsor of gas. */
    gasSponsor: OptionalPart
    /** The reader of contract events. */
    indexer: {
      /** Whether the part works. */
      ok: boolean
      /** Time since the records last had every confirmed event. */
      lagSeconds: number | null
      /** Block of the reading. */
      block: string | null
      /** Newest block of the node. */
      headBlock: string | null
      /** Lowest block whose recorded events are known to be incomplete. */
      gapBlock: string | null
      /** Events that a first reading of the node missed and a later one added. */
      missedEvents: number | null
      /** Instant at which events were last found missing. */
      gapFoundAt: string | null
    }
    /** The watcher of postings. */
    externalPostingWatcher: OptionalPart
    /** The workers that run workflows. */
    workflowWorker: {
      /** Whether the part works. */
      ok: boolean
    }
    /** How the work is verified. */
    verification: {
      /** Whether the part works. */
      ok: boolean | null
      /** Last check of each thing that verdicts need. */
      needs: {
        /** What verdicts need. */
        need: string
        /** Whether it can be done now. */
        ready: boolean
        /** Why, as a stable word; null where there is no reason. */
        reason:
          | 'handler_missing'
          | 'verifier_key_missing'
          | 'verifier_role_missing'
          | 'verifier_gas_missing'
          | 'code_host_token_missing'
          | 'code_host_token_refused'
          | 'code_host_rate_limited'
          | 'code_host_unavailable'
          | 'reviewers_missing'
          | 'source_unavailable'
          | 'check_overdue'
          | 'not_checked'
          | null
        /** ISO 8601 UTC. */
        checkedAt: string
      }[]
    }
  }
}

/** A finding of the health report. */
export type HealthWarning = {
  /** Stable code, for programs. */
  code: string
  /** How much it matters. */
  severity: 'info' | 'warn' | 'error'
  /** Sentence for people. */
  message: string
}

/** Idle-balance allocation of the wallet. */
export type IdleAllocation = {
  /** Version of this shape. */
  schemaVersion: 1
  /** What can be used now, or whether it can be used. */
  available: true
  /** Name of the product. */
  product: 'idle-balance allocation'
  /** Routes of the product. */
  endpoints: IdleAllocationRoutes
  /** Consent of the wallet: its message, its state, or its route. */
  consent: IdleConsent
  /** What was moved for the wallet. */
  movements: {
    /** Part of the budget that is used. */
    allocated: Amount
    /** What came back to keep the working capital of the wallet. */
    recalled: Amount
  }
}

/** The product of idle-balance allocation. */
export type IdleAllocationProduct = {
  /** Current status. */
  status: 'available' | 'flag_off'
  /** Whether the part is switched on. */
  enabled: boolean
  /** Name of the product. */
  product: 'idle-balance allocation'
  /** Routes of the product. */
  endpoints: IdleAllocationRoutes
}

/** Routes of idle-balance allocation. */
export type IdleAllocationRoutes = {
  /** Current status. */
  status: string
  /** Route of a quote. */
  quote: string
  /** Consent of the wallet: its message, its state, or its route. */
  consent: string
  /** Route that ends the consent. */
  revoke: string
}

/** The operator offers no idle-balance allocation now. */
export type IdleAllocationUnavailable = {
  /** Version of this shape. */
  schemaVersion: 1
  /** What can be used now, or whether it can be used. */
  available: false
  /** Why, as a stable word; null where there is no reason. */
  reason: 'route_not_live'
  /** Name of the product. */
  product: 'idle-balance allocation'
  /** Routes of the product. */
  endpoints: {
    /** Current status. */
    status: string
  }
}

/** Where the consent of the wallet stands. */
export type IdleConsent = {
  /** Current status. */
  status: 'active' | 'revoked' | 'expired' | 'invalid' | 'missing'
  /** 0x and 64 lower-case hex digits. */
  termsHash?: string
  /** ISO 8601 UTC. */
  consentExpiresAt?: string
}

/** The consent that was given. */
export type IdleConsented = {
  /** Whether this request, or another under its idempotency key, made it. */
  created: boolean
  /** Consent of the wallet: its message, its state, or its route. */
  consent: IdleConsent
}

/** Terms of idle-balance allocation with everything that the wallet signs. */
export type IdleQuote = {
  /** Version of this shape. */
  schemaVersion: 1
  /** What can be used now, or whether it can be used. */
  available: true
  /** Name of the product. */
  product: 'idle-balance allocation'
  /** Terms that the wallet consents to. */
  terms: IdleTerms
  /** 0x and 64 lower-case hex digits. */
  termsHash: string
  /** Consent of the wallet: its message, its state, or its route. */
  consent: ConsentRequest
  /** What revoking does. */
  revocation: {
    /** Revoking stops new allocations at once. */
    immediateForFutureAllocation: true
    /** Whether revoking takes back what is allocated. */
    unwindsExistingPosition: false
    /** Where the signature is sent. */
    submit: Submit
  }
}

/** Whether a consent was revoked. */
export type IdleRevoked =
  | {
      /** Whether a consent was revoked. */
      revoked: true
      /** Consent of the wallet: its message, its state, or its route. */
      consent: IdleConsent
    }
  | {
      /** Whether a consent was revoked. */
      revoked: false
      /** Why, as a stable word; null where there is no reason. */
      reason: 'idle_balance_consent_missing'
    }

/** Terms of idle-balance allocation, which the wallet consents to unchanged. */
export type IdleTerms = {
  /** Version of this shape. */
  schemaVersion: 1
  /** Wallet address. */
  wallet: string
  /** Name of the product. */
  product: 'idle-balance allocation'
  /** What counts as idle, and how much of it is moved. */
  amountBasis: string
  /** Symbol of the asset. */
  asset: {
    /** Symbol of the asset. */
    symbol: string
    /** Lower-case 0x address. */
    address: string
    /** Decimal places of the asset. */
    decimals: number
    /** Chain id (EIP-155). */
    chainId: number
  }
  /** Where the balance goes. */
  venue: {
    /** How the balance gets there. */
    route: 'deposit_pool_v2'
    /** Lower-case 0x address. */
    depositPool: string
    /** Where the pool can place it. */
    downstream: 'pool buffer' | 'configured external venue'
  }
  /** What the pool does with it now. */
  venueDisclosure: string
  /** Whether funds move: none. */
  fundsMovement: string
  /** How the wallet gets it back. */
  returnTerms: string
  /** Nonce of the message: letters and digits. */
  consentNonce: string
  /** ISO 8601 UTC. */
  issuedAt: string
  /** ISO 8601 UTC. */
  quoteExpiresAt: string
  /** ISO 8601 UTC. */
  consentExpiresAt: string
}

/** Whole definition of a job. */
export type Job = {
  /** Rows with every member (`full`) or with the short ones (`compact`). */
  format: 'full'
  /** Id of the record. */
  id: string
  /** Short title. */
  title: string
  /** What it is, in plain words. */
  description: string
  /** Kind of work, such as `docs`. */
  category: string
  /** Claim tier of the job or of the wallet. */
  tier: 'starter' | 'pro' | 'elite'
  /** Kind of the job. */
  jobType: 'work' | 'curation' | 'review' | 'publish' | 'verification'
  /** Role that is needed. */
  requiredRole: 'worker' | 'curator' | 'reviewer' | 'publisher' | 'verifier' | 'arbitrator'
  /** Symbol of the asset of the reward. */
  rewardAsset: string
  /** Reward in whole units. */
  rewardAmount: number
  /** Integer in base units, as digits. */
  rewardAmountRaw: bigint
  /** Budget from which the reward is paid. */
  lane: 'liveness' | 'oss-anchored' | 'benchmark-showcase'
  /** How the work is judged. */
  verifierMode: 'benchmark' | 'deterministic' | 'human_fallback' | 'codehost_pr'
  /** Settings of the verifier. */
  verifierConfig: Record<string, unknown>
  /** Reference of the schema of the task. */
  inputSchemaRef: string
  /** Reference of the schema of the submission. */
  outputSchemaRef: string
  /** Seconds from the claim to the last submission. */
  claimTtlSeconds: number
  /** Whether the service pays the gas of the claim. */
  requiresSponsoredGas: boolean
  /** True where a wallet's first claims need no stake and no fee. */
  onboardingWaiverEligible: boolean
  /** What the work must fulfil. */
  acceptanceCriteria?: string[]
  /** Hints for the worker. */
  agentInstructions?: string[]
  /** Difficulty in the words of the author. */
  estimatedDifficulty?: string
  /** Where the value or the record comes from. */
  source?: Record<string, unknown>
  /** How the work is verified. */
  verification: {
    /** HTTP method, or the name of a method of the contract. */
    method?: string
    /** Facts from which the verdict is made. */
    signals?: string[]
    /** Reference of the schema of the evidence. */
    evidenceSchemaRef?: string
    /** Whether a verdict on the job can come now. */
    readiness: VerificationReadiness
  }
  /** True for a template that is listed again and again. */
  recurring?: boolean
  /** When a recurring template is listed. */
  schedule?: {
    /** Five fields of cron. */
    cron: string
    /** Time zone of the schedule. */
    timezone: string
  }
  /** State of the job for claims. */
  claimState: 'open' | 'restricted' | 'claimed' | 'submitted' | 'expired' | 'exhausted' | 'unclaimable' | 'paused' | 'archived' | 'stale'
  /** Current state. */
  state: 'open' | 'restricted' | 'claimed' | 'submitted' | 'expired' | 'exhausted' | 'unclaimable' | 'paused' | 'archived' | 'stale'
  /** `claimable` where the job can be claimed, otherwise the claim state. */
  effectiveState:
    | 'open'
    | 'restricted'
    | 'claimed'
    | 'submitted'
    | 'expired'
    | 'exhausted'
    | 'unclaimable'
    | 'paused'
    | 'archived'
    | 'stale'
    | 'claimable'
  /** Whether the job can be claimed now. */
  claimable: boolean
  /** Whether this wallet can claim it; null without a wallet. */
  currentWalletCanClaim: boolean | null
  /** Why, as a stable word; null where there is no reason. */
  reason:
    | 'claimable'
    | 'job_claimed'
    | 'claimed_by_other_wallet'
    | 'already_claimed_by_current_wallet'
    | 'session_submitted'
    | 'job_session_completed'
    | 'retry_limit_exhausted'
    | 'claim_ttl_expired_reopen_available'
    | 'reward_funding_pending'
    | 'reward_funding_unverified'
    | 'verifier_not_ready'
    | 'designated_claimant_authorized'
    | 'designated_claimants_only'
    | 'legacy_posting_unclaimable'
    | 'external_posting_escrow_unverified'
    | 'external_posting_not_open_on_chain'
    | 'job_paused'
    | 'job_archived'
    | 'job_stale'
    | 'tier_locked'
  /** Attempts that may reach a submission; 0 means unlimited. */
  retryLimit: number
  /** Attempts that reached a submission. */
  claimAttemptCount: number
  /** Attempts that are left; null where they are unlimited. */
  remainingClaimAttempts: number | null
  /** Ordinal among the claimant's claims, which decides the waiver; null until claimed. */
  claimNumber: number | null
  /** Wallet that holds the job; null while unclaimed. */
  claimedBy: string | null
  /** Instant of the claim. */
  claimedAt: string | null
  /** Last instant at which a submission is accepted. */
  claimExpiresAt: string | null
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string | null
  /** Member that decides. */
  claimabilitySource: 'claimStatus'
  /** What the lifecycle status says, and what it does not. */
  lifecycleStatusMeaning: string
  /** Lifecycle of the listing or of the session. */
  lifecycle: JobLifecycle
  /** How to submit. */
  submissionContract: SubmissionContract
  /** Schemas of task and submission. */
  schemaContract: {
    /** Schema of the task. */
    input: {
      /** Reference of the schema. */
      schemaRef: string
      /** Address of the schema. */
      schemaUrl: string
      /** True for a schema of the service. */
      knownBuiltin: boolean
      /** Whether it is registered. */
      registered: boolean
    }
    /** Schema of the submission, or the submission itself. */
    output: {
      /** Reference of the schema. */
      schemaRef: string
      /** Address of the schema. */
      schemaUrl: string
      /** True for a schema of the service. */
      knownBuiltin: boolean
      /** Whether it is registered. */
      registered: boolean
      /** Part of the request that the schema checks. */
      validates: string
      /** Route that checks a submission. */
      validationEndpoint: string
    }
  }
  /** Pinned terms of the verification. */
  verificationContract: VerificationContract
  /** Whether the terms are those of a claim or of the catalogue. */
  definitionSource: 'claim_snapshot' | 'catalogue'
  /** Whether the job can be claimed now. */
  claimStatus: ClaimStatus
  /** Whether the reward is funded; null where nothing is to be funded. */
  fundingState: 'funded' | 'pending' | 'available' | 'unverified' | null
  /** ISO 8601 UTC. */
  listedAt: string
  /** Time in which only qualifying wallets may claim. */
  priorityWindow?: PriorityWindow
  /** What a pull request must disclose. */
  disclosure?: Disclosure
  /** How the money moves. */
  settlement: {
    /** Path of the request, or of the member that is meant. */
    path: string
    /** What it is, in plain words. */
    description: string
    /** Worst case in seconds until a decision by people. */
    humanReviewWorstCaseSeconds?: number
  }
  /** How thoroughly the work is judged. */
  verificationDepth?: string
  /** Whether the job is listed. */
  listingStatus: 'listed' | 'quarantined' | 'delisted'
  /** Whether an operator has read the text of the job. */
  contentTrust: 'operator-curated' | 'external-unreviewed'
  /** Who posted the job, and how. */
  provenance: JobProvenance
}

/** Whether the definition of a job is unchanged. */
export type JobIntegrity = {
  /** Whether the wallet can claim the job now. */
  eligible: boolean
  /** Whether the rule applies here. */
  applies: boolean
  /** Current status. */
  status: string
  /** Why, as a stable word; null where there is no reason. */
  reason: string | null
  /** 0x and 64 lower-case hex digits. */
  specHash: string
}

/** Lifecycle of a listing. */
export type JobLifecycle = {
  /** Current status. */
  status: 'open' | 'paused' | 'archived'
  /** Current state. */
  state: 'open' | 'paused' | 'archived' | 'stale'
  /** ISO 8601 UTC. */
  createdAt: string
  /** ISO 8601 UTC. */
  updatedAt: string
  /** Instant from which the listing is stale; null without one. */
  staleAt: string | null
}

/** Who posted a job, and how. */
export type JobProvenance = {
  /** Address of the poster; null without one. */
  posterAddress: string | null
  /** Kind of the poster. */
  posterTier: 'operator-curated' | 'external-self-serve'
  /** How the job was posted. */
  postingRoute: 'curated' | 'external-direct'
  /** ISO 8601 UTC. */
  firstSeenAt: string
  /** 0x and 64 lower-case hex digits. */
  specHash: string
}

/** Refusal of a message (JSON-RPC 2.0). */
export type JsonRpcError = {
  /** Version of JSON-RPC. */
  jsonrpc: '2.0'
  /** Id of the request that is answered. */
  id?: string | number | null
  /** What is wrong with the message. */
  error: {
    /** Stable code, for programs. */
    code: number
    /** Sentence for people. */
    message: string
    /** Facts of the entry, or the data of the call. */
    data?: unknown
  }
}

/** Result of a message (JSON-RPC 2.0). */
export type JsonRpcResult = {
  /** Version of JSON-RPC. */
  jsonrpc: '2.0'
  /** Id of the request that is answered. */
  id: string | number | null
  /** Result of the method. */
  result: Record<string, unknown>
}

/** Sessions that the worker passed on, or took over. */
export type LineageCounts = {
  /** Work that the worker passed on. */
  delegated: number
  /** Work that the worker took over. */
  subcontracted: number
}

/** Work that was passed on, or taken over. */
export type LineageRow = {
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Id of the job. */
  jobId: string
}

/** The lock that a consent made. */
export type LockConsent = {
  /** Version of this shape. */
  schemaVersion: 1
  /** Whether this request, or another under its idempotency key, made it. */
  created: boolean
  /** The locked deposit. */
  entry: LockedDeposit
  /** Locked deposits of the wallet, and the tier that they give. */
  tierState: TierState
}

/** The early exit of a lock, and what it costs. */
export type LockExit = {
  /** The locked deposit. */
  entry: LockedDeposit
  /** What the early exit costs, and when the amount is free. */
  consequence: {
    /** Claim tier of the job or of the wallet. */
    tier: 'flex'
    /** What the tier gives, or when its perks end. */
    perks: 'immediate'
    /** Share of the yield that is forfeited. */
    yieldShare: 'current_period' | 'not_applicable'
    /** Amount that the lock gives back. */
    principal: Amount
    /** ISO 8601 UTC. */
    releaseAt?: string
    /** Part of the principal that is lost: none. */
    principalHaircut: Amount
    /** Fee of the early exit: none. */
    penaltyFee: Amount
  }
}

/** Terms of a locked deposit with everything that the wallet signs. */
export type LockQuote = {
  /** Version of this shape. */
  schemaVersion: 1
  /** What can be used now, or whether it can be used. */
  available: true
  /** Name of the product. */
  product: 'locked deposit'
  /** Terms that the wallet consents to. */
  terms: LockTerms
  /** 0x and 64 lower-case hex digits. */
  termsHash: string
  /** What the tier gives, and what leaving it early costs. */
  tierTerms: TierTerms
  /** Whether locked capital may be placed, and what stands against it. */
  activationGate: ActivationGate
  /** The deposit pool at the block of the quote. */
  nav: PoolNav
  /** What a lock does not protect from. */
  riskSentence: string
  /** Liquid balance now; null where it was not read. */
  balance: {
    /** Balance that can be used now. */
    liquid: Amount
    /** What earlier locks bind. */
    alreadyEncumbered: Amount
    /** What the wallet can lock now. */
    availableToLock: Amount
  }
  /** Caps on the assets of the pool and of one wallet. */
  caps: {
    /** Cap on the active locks of one wallet. */
    perWallet: Amount
    /** Cap on the active locks of all wallets now. */
    lockedCohort: Amount
    /** Assets that the pool can still take. */
    existingPoolHeadroom: Amount
    /** Assets that the pool can still take of this wallet. */
    existingPoolPerAgentHeadroom: Amount
  }
  /** Consent of the wallet: its message, its state, or its route. */
  consent: ConsentRequest
}

/** Terms of a locked deposit, which the wallet consents to unchanged. */
export type LockTerms = {
  /** Version of this shape. */
  schemaVersion: 1
  /** Wallet address. */
  wallet: string
  /** Claim tier of the job or of the wallet. */
  tier: 't7' | 't30' | 't90'
  /** Integer in base units, as digits. */
  amountRaw: bigint
  /** Lower-case 0x address. */
  asset: string
  /** Symbol of the asset; null, where that is possible, for an asset that the service does not have. */
  assetSymbol: string
  /** Decimal places of the asset. */
  assetDecimals: number
  /** Days of the term. */
  termDays: number
  /** Nonce of the message: letters and digits. */
  consentNonce: string
  /** ISO 8601 UTC. */
  issuedAt: string
  /** ISO 8601 UTC. */
  quoteExpiresAt: string
  /** 0x and 64 lower-case hex digits. */
  forfeitTermsHash: string
  /** What leaving early costs. */
  earlyExitTerms: string
  /** What a lock does not protect from. */
  riskSentence: string
  /** Whether the profile is public. */
  publicProfileOptIn: boolean
  /** Whether funds move: none. */
  fundsMovement: 'none'
  /** Whether locked capital may be placed, and what stands against it. */
  activationGate: ActivationGate
  /** The deposit pool at the block of the quote. */
  nav: PoolNav
}

/** A locked deposit. */
export type LockedDeposit = {
  /** 0x and 64 lower-case hex digits. */
  id: string
  /** Lower-case 0x address. */
  wallet: string
  /** Claim tier of the job or of the wallet. */
  tier: 't7' | 't30' | 't90'
  /** Amount. */
  amount: Amount
  /** ISO 8601 UTC. */
  lockedAt: string
  /** Days of the term. */
  termDays: number
  /** ISO 8601 UTC. */
  expiresAt: string
  /** 0x and 64 lower-case hex digits. */
  consentRef: string
  /** Current status. */
  status: 'active' | 'exiting' | 'released'
  /** Whether the profile is public. */
  publicProfileOptIn: boolean
  /** ISO 8601 UTC. */
  exitRequestedAt?: string
  /** Why the lock left its term. */
  exitReason?: 'requested' | 'balance_below_encumbered'
  /** ISO 8601 UTC. */
  releaseAt?: string
  /** What the early exit costs. */
  forfeiture?: {
    /** Share of the yield that is forfeited. */
    yieldShare: 'current_period' | 'not_applicable'
    /** What the tier gives, or when its perks end. */
    perks: 'immediate'
    /** Part of the principal that is lost: none. */
    principalHaircut: Amount
    /** Fee of the early exit: none. */
    penaltyFee: Amount
  }
  /** ISO 8601 UTC. */
  releasedAt?: string
  /** Why the lock was released. */
  releaseReason?: 'term_completed' | 'early_exit_vesting_completed'
}

/** The product of locked deposits. */
export type LockedDepositProduct = {
  /** Current status. */
  status: 'available' | 'flag_off'
  /** Whether the part is switched on. */
  enabled: boolean
  /** Name of the product. */
  product: 'locked deposit'
  /** Tiers from the lowest to the highest. */
  tiers: TierTerms[]
  /** Order of the tiers before a job opens to everyone. */
  priority: string
  /** Whether locked capital may be placed, and what stands against it. */
  activationGate: ActivationGate
  /** The same in a sentence. */
  yieldStatusText: string
  /** Routes of the product. */
  endpoints: {
    /** Route of a quote. */
    quote: string
    /** Consent of the wallet: its message, its state, or its route. */
    consent: string
    /** What leaving early costs, or the route for it. */
    earlyExit: string
    /** Current state. */
    state: string
  }
}

/** Native asset of the chain, in which gas is paid. */
export type NativeAsset = {
  /** Symbol of the asset. */
  symbol: string
  /** Decimal places of the asset. */
  decimals: number
}

/** What the caller can do next. */
export type NextAction = {
  /** Kind of the record. */
  kind: 'http' | 'tool' | 'transaction' | 'wait' | 'sign_in'
  /** What it is, in plain words. */
  description: string
  /** HTTP method, or the name of a method of the contract. */
  method?: string
  /** Path of the request, or of the member that is meant. */
  path?: string
  /** Name of the tool that sends the same request. */
  tool?: string
  /** Arguments of the tool call. */
  arguments?: Record<string, unknown>
  /** Arguments that the caller adds to the tool call. */
  needs?: string[]
  /** Unsigned transaction. */
  transaction?: Record<string, unknown>
  gasRequired?: GasRequired
  /** ISO 8601 UTC. */
  availableAt?: string
}

/** A value as the claim captured it beside the current one. */
export type NumberDrift = {
  /** Value captured at the claim. */
  captured: number
  /** The current value, or that the process answers. */
  live: number
}

/** The submission that waits longest, and for whom. */
export type OldestUnpaid = {
  /** 0x and 64 lower-case hex digits. */
  chainJobId: string
  /** ISO 8601 UTC. */
  submittedAt: string
  /** Seconds since its submission. */
  waitingSeconds: number
  /** Who or what must act next; null once the session is over. */
  waitingFor: 'worker' | 'chain' | 'verifier' | 'pull_request' | 'reviewer' | 'arbitrator' | 'operator'
  /** Why, as a stable word; null where there is no reason. */
  reason: string | null
}

/** Budget of waived claims of the day. */
export type OnboardingSubsidy = {
  /** Range to which the record applies. */
  scope: 'tier-0-onboarding-subsidy'
  /** UTC day. */
  day: string
  /** Clock of the day. */
  clock: 'UTC'
  /** ISO 8601 UTC. */
  resetAt: string
  /** Budget of the day. */
  dailyBudget: AssetAmount
  /** Part of the budget that is used. */
  allocated: AssetAmount
  /** Part of the budget that is left. */
  headroom: AssetAmount
  /** Where the value or the record comes from. */
  source: string
  /** Whether the rule applies here. */
  applies: boolean
  /** What can be used now, or whether it can be used. */
  available: boolean
  /** What this claim would use of the budget. */
  estimatedClaimSubsidy: AssetAmount
  /** Stake that is waived. */
  waivedClaimStake: AssetAmount
  /** Gas that the service would pay. */
  brokeredGasEstimate: AssetAmount
}

/** A part that can be switched off. */
export type OptionalPart = {
  /** Whether the part works. */
  ok: boolean
  /** Current state. */
  state: 'enabled' | 'disabled'
}

/** Mined payout of an approved session. */
export type Payout = {
  /** 0x and 64 lower-case hex digits. */
  txHash: string
  /** Number of the block. */
  blockNumber: number | string
  /** Current status. */
  status: number | string
  /** How the money moves. */
  settlement: Record<string, unknown>
}

/** A claim or submission whose chain write is under way. */
export type PendingSession = {
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Id of the job. */
  jobId: string
  /** Lower-case 0x address. */
  wallet?: string
  /** Current status. */
  status: 'pending'
  /** Step that is under way. */
  stage: string
  /** Hash of the transaction. */
  txHash: string | null
  /** Nonce of the transaction or of the sign-in message. */
  nonce: number | null
  /** Seconds after which to repeat the request. */
  retryAfterSeconds: number
  /** What the caller can do next, best first. */
  nextActions: NextAction[]
}

/** A rule of the service as a document. It shows no approvals, because none is signed. */
export type Policy = {
  /** Id of the policy. */
  id: string
  /** Tag of the policy. */
  tag: string
  /** Step to which it applies. */
  scope: 'claim' | 'settle' | 'co-sign'
  /** What a breach stops. */
  severity: 'gating' | 'hard_stop' | 'advisory'
  /** Whether it applies. */
  state: 'active'
  /** Number of the present text. */
  revision: number
  /** Part of the service that applies it. */
  handler: string
  /** What it holds back until it is met. */
  gates: string[]
  /** The rule. */
  rule: string
  /** Earlier texts. */
  history: {
    /** Number of the text. */
    revision: number
    /** ISO 8601 UTC. */
    at: string
    /** Why, for the record. */
    note: string
  }[]
  /** Instant since which it applies. */
  activeSince: string
  /** Instant of the last change. */
  lastChange: string
}

/** The deposit pool at one block, with the wallet of the token if there is one. */
export type Pool = {
  /** Version of this shape. */
  schemaVersion: 1
  /** What can be used now, or whether it can be used. */
  available: true
  /** Lower-case 0x address. */
  pool: string
  /** Symbol of the asset. */
  asset: AssetReference
  /** Chain id (EIP-155). */
  chainId: number
  /** How a request writes amounts of assets and of shares. */
  units: PoolUnits
  /** Block of the reading. */
  block: TimedBlock
  /** What all shares are worth together. */
  totalAssets: Amount
  /** Number of all shares. */
  totalShares: Amount
  /** Tokens in the pool, which can be paid out at once. */
  bufferAssets: Amount
  /** Caps on the assets of the pool and of one wallet. */
  caps: {
    /** Cap on all assets of the pool. */
    totalAssetCap: Amount
    /** Cap on the assets of one wallet. */
    perAgentAssetCap: Amount
    /** Assets that the pool can still take below its cap. */
    poolHeadroom: Amount
  }
  /** Price of a share at the block. */
  sharePrice: SharePrice
  /** Whether the pool earns anything now. */
  yieldStatus: 'not_yet_earning' | 'earning'
  /** The same in a sentence. */
  yieldStatusText: string
  /** Risk of a deposit. */
  disclosure: {
    /** Movements of the account, or a statement for people. */
    statement: string
  }
  /** What a vested deposit changes for its wallet. */
  capitalSignal: {
    /** Movements of the account, or a statement for people. */
    statement: string
    /** How deposits vest. */
    vesting: {
      /** Rule by which the value is computed. */
      model: 'linear_per_deposit_tranche'
      /** Hours in which a deposit vests in full. */
      durationHours: 48
      /** Order in which withdrawals take deposits; lifo takes the newest first. */
      withdrawalBurnOrder: 'lifo'
    }
    /** Effect of a deposit on the catalogue allowance; none. */
    catalogueEffect: 'none'
  }
  /** How to withdraw earnings. */
  withdrawal: {
    /** Current status. */
    status: 'open'
    /** Why, for the record. */
    note: string
  }
  /** How to send them. */
  broadcast: Record<string, unknown>
  /** What the service does not do. */
  boundary: Record<string, unknown>
  /** Wallet address. */
  wallet?: {
    /** Lower-case 0x address. */
    address: string
    /** Tokens of the wallet. */
    assetBalance: Amount
    /** Value of the shares of the wallet. */
    depositedAssets: Amount
    /** Shares of the pool or of the strategy. */
    shares: Amount
    /** Shares that are neither locked nor pledged. */
    availableShares: Amount
    /** Tokens that the pool may take from the wallet. */
    allowanceToPool: Amount
    /** Assets that the wallet can still deposit below its cap, up to the rounding of one share. */
    perAgentHeadroom: Amount
    /** Vested principal, at most the value of the shares. */
    vestedAssets: Amount
    /** How deposits vest. */
    vesting: Vesting
    /** Raise of the open-exposure cap by vested deposits. */
    openExposureRaise: Amount
    /** Open-exposure cap with that raise. */
    openExposureCap: Amount
    /** Largest reward of an external job for this wallet. */
    externalRewardCeiling: Amount
  }
}

/** The deposit pool at the block of a quote. */
export type PoolNav = {
  /** Integer, as digits. */
  block: string
  /** Lower-case 0x address. */
  asset: string
  /** What all shares are worth together. */
  totalAssets: Amount
  /** Number of all shares. */
  totalShares: Amount
  /** Price of a share at the block. */
  sharePrice: Amount
}

/** Why there is no deposit pool, or why it cannot be read. */
export type PoolUnavailable = {
  /** Version of this shape. */
  schemaVersion: 1
  /** What can be used now, or whether it can be used. */
  available: false
  /** Why, as a stable word; null where there is no reason. */
  reason: 'deposit_pool_not_configured' | 'chain_backend_required' | 'pool_read_failed'
}

/** Asset or share in which a request names an amount. */
export type PoolUnit = {
  /** Symbol of the asset. */
  symbol: string
  /** Decimal places of the asset. */
  decimals: number
  /** How a request writes the amount. */
  input: string
}

/** In what a request names assets and shares of a pool. */
export type PoolUnits = {
  /** Symbol of the asset. */
  asset: PoolUnit
  /** Shares of the pool or of the strategy. */
  shares: PoolUnit
}

/** Time in which only qualifying wallets may claim. */
export type PriorityWindow = {
  /** ISO 8601 UTC. */
  openAt: string
  /** What qualifies a wallet before that. */
  qualifiesWith: string
}

/** Problem document (RFC 9457) of every status of 400 and above. */
export type Problem = {
  /** Kind of the record. */
  type: string
  /** Short title. */
  title: string
  /** Current status. */
  status: number
  /** Explanation of this occurrence. */
  detail: string
  /** Stable code, for programs. */
  code: string
  /** Why, as a stable word; null where there is no reason. */
  reason?: string
  /** Equals the header `X-Request-Id`. */
  requestId: string
  /** True when the identical request can succeed later. */
  retryable: boolean
  /** Seconds after which to repeat the request. */
  retryAfterSeconds?: number
  /** What the caller can do next, best first. */
  nextActions: NextAction[]
  /** Failed rules of the input. */
  errors?: FieldError[]
  /** Number of all failed rules, when `errors` shows only the first 50. */
  errorCount?: number
  /** Facts of this occurrence. */
  details?: Record<string, unknown>
}

/** A badge of a worker. */
export type ProfileBadge = {
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Kind of work, such as `docs`. */
  category: string
  /** Level of the badge. */
  level: number
  /** ISO 8601 UTC. */
  completedAt: string
  /** Id of the job. */
  jobId: string
  /** Reward of the job. */
  reward?: BadgeAmount
  /** How the work is verified. */
  verification?: BadgeVerification
  /** Path of the badge. */
  badgeUrl?: string
}

/** A dispute of the worker: its outcome and times. */
export type ProfileDispute = {
  /** Id of the dispute. */
  disputeId: string
  /** Current status. */
  status: 'open' | 'resolved'
  /** Outcome. */
  outcome: 'won' | 'lost' | 'split' | 'timeout' | null
  /** ISO 8601 UTC. */
  openedAt: string
  /** Instant of the approval or of the decision. */
  resolvedAt: string | null
}

/** Work that the worker passed on, or took over. */
export type ProfileLineage = {
  /** Work that the worker passed on. */
  delegated: LineageRow[]
  /** Work that the worker took over. */
  subcontracted: LineageRow[]
}

/** Scores of a worker. */
export type ProfileReputation = {
  /** Score of approved work. */
  skill: number
  /** Score of kept claims. */
  reliability: number
  /** Score of earnings. */
  economic: number | string
  /** Claim tier of the job or of the wallet. */
  tier: 'starter' | 'pro' | 'elite'
  /** Version of the rules of the scores. */
  scoringVersion: number
}

/** Counts and sums of a worker. */
export type ProfileStatistics = {
  /** Number of all badges. */
  totalBadges: number
  /** Approved sessions. */
  approvedCount: number
  /** Sessions whose rejection is final. */
  rejectedCount: number
  /** Approved sessions by all that were decided, 0 to 1; null without one. */
  completionRate: number | null
  totalEarned: TotalEarned
  /** First claim; null before it. */
  activeSince: string | null
  /** Last claim or submission; null before it. */
  lastActive: string | null
  /** Categories with the most sessions. */
  preferredCategories: CategoryCount[]
  codehostSignals: CodehostSignals
  /** Disputes of the page. */
  disputes: DisputeCounts
  /** Earlier and later records of the same work. */
  lineage: LineageCounts
}

/** The transaction that paid for the work. */
export type ProofOfPayment = {
  /** Lower-case 0x address. */
  fromAddress: string
  /** Lower-case 0x address. */
  toAddress: string
  /** Chain id (EIP-155). */
  chainId: string
  /** 0x and 64 lower-case hex digits. */
  txHash: string
}

/** A published document, and the chain event of its publication. */
export type PublishedContent = {
  /** 0x and 64 lower-case hex digits. */
  hash: string
  /** Kind of the content. */
  contentType: 'submission' | 'job_spec' | 'dispute_rationale' | 'locked_tier_consent_v1' | 'idle_balance_allocation_consent_v1'
  /** Wallet that owns the content. */
  ownerWallet: string
  /** Verdict. */
  verdict: 'pass' | 'fail' | null
  /** ISO 8601 UTC. */
  createdAt: string
  /** ISO 8601 UTC. */
  publishedAt?: string
  /** ISO 8601 UTC. */
  autoPublicAt: string
  /** Who may read it. */
  visibility: 'public' | 'owner_only'
  /** The content. */
  payload: Record<string, unknown>
  /** Address of the content. */
  contentURI: string
  /** Chain event of the publication by itself, after 180 days; the service sends none. */
  autoDisclosureEvent: AutoDisclosure
  /** Chain event of an early publication. `emitted` is true for the request that published the content, once the event is mined. */
  disclosureEvent: {
    /** Whether the event was sent. */
    emitted: boolean
    /** Why, as a stable word; null where there is no reason. */
    reason: 'already_published' | 'blockchain_disabled' | 'chain_write_failed' | null
    /** 0x and 64 lower-case hex digits. */
    txHash?: string
  }
}

/** One entry of the session log by its hash. */
export type PublishedLogEntry = {
  /** Place in the list of the day, from 1. */
  position: number
  /** 0x and 64 lower-case hex digits. */
  hash: string
  /** Hash of the entry before in the history of the same session; null for the first. */
  previousHash: string | null
}

/** A check before the first claim. */
export type ReadinessCheck = {
  /** Id of the record. */
  id: string
  /** What it is, in plain words. */
  description: string
  /** Scheme of the sign-in. */
  authScheme?: string
  /** Ways to sign in. */
  walletModes?: string[]
  /** Steps that need the check. */
  blockingFor: string[]
}

/** Amounts of the settlement. */
export type ReceiptAmounts = {
  /** Worker of the session. */
  worker: AssetAmount
  protocolFee: AssetAmount
  /** Gas that the escrow retains from the reward. */
  gasRetention: AssetAmount
  /** Reward of the job. */
  reward: AssetAmount
}

/** Where the verdict was computed. */
export type ReceiptEnvironment = {
  /** Kind of the record. */
  kind: string
  /** Runtime of the handler. */
  runtime: string
  /** Version of the record or of the document. */
  version: string
}

/** The submitted work. */
export type ReceiptExecution = {
  /** Lower-case 0x address other than the zero address. */
  provider: string
  /** Who runs the worker, as far as the service knows. */
  providerClass: 'operator-run' | 'external' | 'unknown'
  /** 0x and 64 lower-case hex digits. */
  artifactHash: string
  sourceBinding: SourceBinding
  /** 0x and 64 lower-case hex digits. */
  evidenceHash: string
  /** Where the verdict was computed. */
  environment: ReceiptEnvironment | null
}

/** Path of the receipt of the transaction in the receipt trie of the block. */
export type ReceiptInclusion = {
  /** Bytes as 0x and lower-case hex digits. */
  header: string
  /** 0x and 64 lower-case hex digits. */
  receiptsRoot: string
  /** Place of the transaction in its block. */
  transactionIndex: number
  /** Nodes of the path in RLP, root first. */
  nodes: string[]
}

/** Instants of the work. */
export type ReceiptTimestamps = {
  /** ISO 8601 UTC. */
  claimedAt: string
  /** ISO 8601 UTC. */
  submittedAt: string
  /** ISO 8601 UTC. */
  verifiedAt: string
}

/** The outcome and its checks. */
export type ReceiptVerdict = {
  /** Outcome. */
  outcome: 'approved' | 'rejected' | 'inconclusive' | 'platform_fault'
  /** Why, as a stable word. */
  reasonCode: string
  /** 0x and 64 lower-case hex digits. */
  evidenceHash: string
  /** Conditions of the work: waived bond, gas paid by the operator, who decided if not a verifier. */
  policyTags: string[]
  /** What the outcome cost the worker. */
  workerConsequence: 'none' | 'stake_slashed' | 'no_payout'
  /** 0x and 64 lower-case hex digits. */
  rationaleHash?: string
  /** Checks of the verdict. An approval has no unmet one. */
  items: VerdictItem[]
}

/** Who judged the work. */
export type ReceiptVerifier = {
  /** Profile of the manifest; null without one. */
  profile: string
  /** Handler of the verification. */
  handler: string
  /** Version of the record or of the document. */
  version: number
  /** How the part works. */
  mode: 'benchmark' | 'deterministic' | 'human_fallback'
  /** Lower-case 0x address other than the zero address. */
  wallet?: string
}

/** A verdict that a later decision replaced. */
export type ReplacedVerdict = {
  /** Outcome. */
  outcome: 'approved' | 'rejected' | 'disputed' | 'inconclusive' | 'platform_fault'
  /** Why, as a stable word. */
  reasonCode: string
  /** ISO 8601 UTC. */
  resolvedAt: string
  /** Checks of the verdict. An approval has no unmet one. */
  items: VerdictItem[]
}

/** How the work was decided. */
export type Resolution = {
  /** Kind of the record. */
  kind: 'verifier' | 'human_review' | 'arbitration' | 'timeout'
  /** Verdict. */
  verdict: 'upheld' | 'dismissed' | 'split' | 'timeout' | 'approved' | 'rejected'
  /** Share of the worker in basis points of the reward. */
  workerShareBps: number
}

/** Reward of one job for one wallet. */
export type RewardEstimate = {
  /** Id of the job. */
  jobId: string
  /** Lower-case 0x address. */
  wallet: string
  /** Symbol of the asset. */
  asset: string
  /** Decimal places of the asset. */
  decimals: number
  /** Whole units, as a decimal string. */
  grossReward: string
  /** Integer in base units, as digits. */
  grossRewardRaw: bigint
  /** Whole units, as a decimal string. */
  netReward: string
  /** Integer in base units, as digits. */
  netRewardRaw: bigint
  /** Gas that the escrow retains from the reward. */
  gasRetention: GasRetention
  /** Whole units, as a decimal string. */
  stakeReturned: string
  /** Integer in base units, as digits. */
  stakeReturnedRaw: bigint
  /** Whole units, as a decimal string. */
  feeReturned: string
  /** Integer in base units, as digits. */
  feeReturnedRaw: bigint
  /** Whether it is waived. */
  waived: boolean
  /** What a rejection costs. */
  onRejection: {
    /** Whole units, as a decimal string. */
    lost: string
    /** Integer in base units, as digits. */
    lostRaw: bigint
  }
}

/** Role that a job needs, and what the wallet has. */
export type RoleGate = {
  /** Whether the wallet has what is required. */
  unlocked: boolean
  /** What is required. */
  requires: {
    /** Score of approved work. */
    skill: number
  }
  /** What the wallet has. */
  has: Scores
  /** What the wallet lacks. */
  missing: {
    /** Score of approved work. */
    skill?: number
  }
  /** Role. */
  role: 'worker' | 'curator' | 'reviewer' | 'publisher' | 'verifier' | 'arbitrator'
}

/** Published JSON Schema. */
export type SchemaRow = {
  /** Reference of the schema. */
  $id: string
  /** What it is, in plain words. */
  description: string
  /** Path of the request, or of the member that is meant. */
  path: string
}

/** Scores of a wallet. */
export type Scores = {
  /** Score of approved work. */
  skill: number
  /** Score of kept claims. */
  reliability: number
  /** Score of earnings. */
  economic: number
}

/** One attempt of one wallet on one job. */
export type Session = {
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Lower-case 0x address. */
  wallet: string
  /** Id of the job. */
  jobId: string
  /** 0x and 64 lower-case hex digits. */
  chainJobId: string
  /** Alias of the header `Idempotency-Key`. */
  idempotencyKey: string | null
  /** Protocols over which requests of the session came. */
  protocolHistory: ('http' | 'mcp')[]
  /** Version of the record or of the document. */
  version: number
  /** Current status. */
  status: 'claimed' | 'submitted' | 'disputed' | 'rejected' | 'resolved' | 'closed' | 'expired' | 'timed_out' | 'chain_state_diverged'
  /** State of the job in the escrow contract. */
  chainState: 'none' | 'open' | 'claimed' | 'submitted' | 'rejected' | 'disputed' | 'closed' | 'cancelled' | null
  /** Changes of the status, oldest first. */
  statusHistory: {
    /** Value or sender before. */
    from:
      | 'claimed'
      | 'submitted'
      | 'disputed'
      | 'rejected'
      | 'resolved'
      | 'closed'
      | 'expired'
      | 'timed_out'
      | 'chain_state_diverged'
      | null
    /** Value or recipient after. */
    to: 'claimed' | 'submitted' | 'disputed' | 'rejected' | 'resolved' | 'closed' | 'expired' | 'timed_out' | 'chain_state_diverged'
    /** Why, as a stable word; null where there is no reason. */
    reason: string
    /** ISO 8601 UTC. */
    at: string
    /** Facts of the change. */
    metadata: Record<string, unknown>
  }[]
  /** ISO 8601 UTC. */
  claimedAt?: string
  /** ISO 8601 UTC. */
  since: string
  /** Who or what must act next; null once the session is over. */
  waitingFor?: 'worker' | 'chain' | 'verifier' | 'pull_request' | 'reviewer' | 'arbitrator' | 'operator' | null
  /** Why, as a stable word; null where there is no reason. */
  reason: string | null
  /** ISO 8601 UTC. */
  deadline?: string
  /** Score of the work, from 0 to 100. */
  score?: number
  /** What a pull request waits for after its first reading; otherwise who decides. */
  disposition?: 'awaiting_verdict' | 'human_review' | 'waiting_for_merge' | 'operator_review' | 'awaiting_evidence'
  /** Why the last reading of a waiting pull request settled nothing. */
  heldBecause?: string
  /** Id of the dispute. */
  disputeId?: string
  /** ISO 8601 UTC. */
  disputableUntil?: string
  /** ISO 8601 UTC. */
  claimExpiresAt: string
  /** Seconds from the claim to the last submission. */
  claimTtlSeconds?: number
  /** Deadline of the claim in the escrow contract. */
  chainClaimExpiresAt?: string | null
  /** ISO 8601 UTC. */
  updatedAt: string
  /** Instant of the submission. */
  submittedAt?: string | null
  /** Instant of the approval or of the decision. */
  resolvedAt?: string | null
  /** Instant of the rejection. */
  rejectedAt?: string | null
  /** Instant of the dispute. */
  disputedAt?: string | null
  /** Instant at which the session was closed. */
  closedAt?: string | null
  /** Instant at which the claim lapsed. */
  expiredAt?: string | null
  /** Instant of the time-out on chain. */
  timedOutAt?: string | null
  /** Instant at which record and chain were found to differ. */
  chainStateDivergedAt?: string | null
  /** Instant at which the rejection became final. */
  rejectionFinalizedAt?: string | null
  /** Lifecycle of the listing or of the session. */
  lifecycle: SessionLifecycle
  /** What the caller can do next, best first. */
  nextActions: NextAction[]
  /** Whole units, as a decimal string. */
  claimStake: string
  /** Integer in base units, as digits. */
  claimStakeRaw: bigint
  /** Stake in basis points of the reward. */
  claimStakeBps: number
  /** Whole units, as a decimal string. */
  claimFee: string
  /** Integer in base units, as digits. */
  claimFeeRaw: bigint
  /** Fee in basis points of the reward. */
  claimFeeBps: number
  /** Whole units, as a decimal string. */
  totalClaimLock: string
  /** Integer in base units, as digits. */
  totalClaimLockRaw: bigint
  /** Ordinal among the claimant's claims, which decides the waiver; null until claimed. */
  claimNumber: number
  /** Whether stake and fee are waived. */
  claimEconomicsWaived: boolean
  /** Whether stake and fee were waived at the claim. */
  claimEconomicsWaivedAtClaim: boolean
  /** When the waiver is decided. */
  claimEconomicsWaiverScope: 'claim_time'
  /** Whether the fee is kept after an approval. */
  claimFeeRetainedOnSuccess: boolean
  /** Whether the escrow retains gas from the reward. */
  gasRetentionSupported: boolean
  /** Gas that the escrow retains from the reward. */
  gasRetention: GasRetention
  /** Who holds the stake. */
  claimStakeCustody: 'chain_escrow'
  /** Open work of the wallet and its cap. */
  workerExposure?: Record<string, unknown> | null
  /** Work of the wallet in the last day and its cap. */
  dailyExposure?: Record<string, unknown> | null
  /** Allowance of the wallet: lifetime credit, then a daily budget. */
  dailyAllowance?: Record<string, unknown> | null
  /** Which jobs of the catalogue the wallet may claim. */
  catalogueAccess?: Record<string, unknown> | null
  /** Budget of all wallets for the catalogue. */
  catalogueDailyBudget?: Record<string, unknown> | null
  /** Budget of waived claims of the day. */
  onboardingSubsidy?: Record<string, unknown> | null
  /** How the claimant came to the job. */
  claimantAttribution?: Record<string, unknown> | null
  /** Skill that the tier needs, and what the wallet has. */
  tierGate?: Record<string, unknown> | null
  /** Whether the wallet qualifies in the priority window. */
  priorityQualification?: Record<string, unknown> | null
  /** Terms of the job at the claim. */
  jobSnapshot: Record<string, unknown>
  /** Facts of the badge. */
  badgeSnapshot: Record<string, unknown>
  /** How to submit. */
  submissionContract?: SubmissionContract
  /** Disclosure for the pull request, with wallet and session. */
  disclosureFooter?: string
  /** The work: an object as the schema of the job describes it. */
  submission?: Record<string, unknown> | null
  /** keccak256 of the canonical evidence. */
  evidenceHash?: string | null
  /** Instant at which the last accepted submission was refused; the session stayed claimed. */
  submitFailedAt?: string | null
  /** Code of that refusal. */
  submitFailureCode?: string | null
  /** Whether the schema of the submission is one of the service. */
  outputSchemaBuiltin?: boolean | null
  /** Whether the schema of the submission is registered. */
  outputSchemaRegistered?: boolean | null
  /** Short form of the verdict. */
  verificationSummary?: VerificationSummary | null
  /** Progress of the wallet through the tiers. */
  progression?: Record<string, unknown> | null
  /** Mined payout. */
  payoutTx?: Payout | null
  /** Id of the receipt. */
  workReceiptId?: string | null
  /** Decision of the dispute. */
  disputeResolution?: Record<string, unknown> | null
  /** Reviewer's verdict. */
  humanReview?: Record<string, unknown> | null
  /** Operator's overturn of the rejection. */
  operatorOverturn?: Record<string, unknown> | null
  /** Difference between record and chain. */
  chainStateDivergence?: Record<string, unknown> | null
  /** How the claim was matched with the chain. */
  claimReconciliation?: Record<string, unknown> | null
  /** Operator's close, with the state on chain. */
  operatorClose?: Record<string, unknown> | null
  /** Instant at which the claim was taken out of the count of waived claims. */
  onboardingWaiverConsumptionExemptedAt?: string | null
}

/** Where a session stands. */
export type SessionLifecycle = {
  /** Status of the session. */
  currentStatus:
    | 'claimed'
    | 'submitted'
    | 'disputed'
    | 'rejected'
    | 'resolved'
    | 'closed'
    | 'expired'
    | 'timed_out'
    | 'chain_state_diverged'
  /** Name of the status to show. */
  currentLabel: string
  /** Part of the life cycle. */
  currentPhase: string
  /** True where no change follows. */
  terminal: boolean
  /** Statuses that can follow. */
  allowedTransitions: (
    | 'claimed'
    | 'submitted'
    | 'disputed'
    | 'rejected'
    | 'resolved'
    | 'closed'
    | 'expired'
    | 'timed_out'
    | 'chain_state_diverged'
  )[]
  /** Outcome of the verdict; null without one. */
  verificationOutcome: string | null
  /** Outcome of the session; null while it runs. */
  finalOutcome: string | null
  /** Whether a submission is accepted now. */
  canSubmit: boolean
  /** Whether a verdict is awaited. */
  awaitingVerification: boolean
  /** Whether an operator must act. */
  needsOperatorAttention: boolean
  /** Last instant to dispute the rejection. */
  disputeWindowEndsAt?: string | null
  /** Instants of the session by name. */
  timestamps: Record<string, unknown>
}

/** One entry of the history of a session, with the hash that the log publishes. */
export type SessionLogEntry = {
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Number of the entry in the history of the session, from 1. */
  seq: number
  /** Value or sender before. */
  from: 'claimed' | 'submitted' | 'disputed' | 'rejected' | 'resolved' | 'closed' | 'expired' | 'timed_out' | 'chain_state_diverged' | null
  /** Value or recipient after. */
  to: 'claimed' | 'submitted' | 'disputed' | 'rejected' | 'resolved' | 'closed' | 'expired' | 'timed_out' | 'chain_state_diverged'
  /** Why, as a stable word; null where there is no reason. */
  reason: string
  /** ISO 8601 UTC. */
  at: string
  /** When the service recorded it, by its own clock. */
  recordedAt: string | null
  /** Facts of the change. */
  metadata: Record<string, unknown>
  /** Hash of the entry before in the history of the same session; null for the first. */
  previousHash: string | null
  /** 0x and 64 lower-case hex digits. */
  hash: string
}

/** Signed head of one day of the session log. */
export type SessionLogHead = {
  /** Version of this shape. */
  schemaVersion: 'service.session-log-head.v1'
  /** Day of UTC, YYYY-MM-DD. */
  day: string
  /** Chain id (EIP-155). */
  chainId: number
  /** Number of entries in the list of the day. */
  entryCount: number
  /** 0x and 64 lower-case hex digits. */
  entriesHash: string
  /** SHA-256 of the canonical JSON of the head before; null for the first. */
  previous: string | null
  /** ISO 8601 UTC. */
  sealedAt: string
  /** Signature. */
  signature: DocumentSignature
}

/** Row of a list of sessions: everything but the pinned terms, the work and the history. */
export type SessionRow = {
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Lower-case 0x address. */
  wallet: string
  /** Id of the job. */
  jobId: string
  /** 0x and 64 lower-case hex digits. */
  chainJobId: string
  /** Alias of the header `Idempotency-Key`. */
  idempotencyKey: string | null
  /** Protocols over which requests of the session came. */
  protocolHistory: ('http' | 'mcp')[]
  /** Version of the record or of the document. */
  version: number
  /** Current status. */
  status: 'claimed' | 'submitted' | 'disputed' | 'rejected' | 'resolved' | 'closed' | 'expired' | 'timed_out' | 'chain_state_diverged'
  /** State of the job in the escrow contract. */
  chainState: 'none' | 'open' | 'claimed' | 'submitted' | 'rejected' | 'disputed' | 'closed' | 'cancelled' | null
  /** ISO 8601 UTC. */
  claimedAt?: string
  /** ISO 8601 UTC. */
  since: string
  /** Who or what must act next; null once the session is over. */
  waitingFor?: 'worker' | 'chain' | 'verifier' | 'pull_request' | 'reviewer' | 'arbitrator' | 'operator' | null
  /** Why, as a stable word; null where there is no reason. */
  reason: string | null
  /** ISO 8601 UTC. */
  deadline?: string
  /** Score of the work, from 0 to 100. */
  score?: number
  /** What a pull request waits for after its first reading; otherwise who decides. */
  disposition?: 'awaiting_verdict' | 'human_review' | 'waiting_for_merge' | 'operator_review' | 'awaiting_evidence'
  /** Why the last reading of a waiting pull request settled nothing. */
  heldBecause?: string
  /** Id of the dispute. */
  disputeId?: string
  /** ISO 8601 UTC. */
  disputableUntil?: string
  /** ISO 8601 UTC. */
  claimExpiresAt: string
  /** Seconds from the claim to the last submission. */
  claimTtlSeconds?: number
  /** Deadline of the claim in the escrow contract. */
  chainClaimExpiresAt?: string | null
  /** ISO 8601 UTC. */
  updatedAt: string
  /** Instant of the submission. */
  submittedAt?: string | null
  /** Instant of the approval or of the decision. */
  resolvedAt?: string | null
  /** Instant of the rejection. */
  rejectedAt?: string | null
  /** Instant of the dispute. */
  disputedAt?: string | null
  /** Instant at which the session was closed. */
  closedAt?: string | null
  /** Instant at which the claim lapsed. */
  expiredAt?: string | null
  /** Instant of the time-out on chain. */
  timedOutAt?: string | null
  /** Instant at which record and chain were found to differ. */
  chainStateDivergedAt?: string | null
  /** Instant at which the rejection became final. */
  rejectionFinalizedAt?: string | null
  /** Lifecycle of the listing or of the session. */
  lifecycle: SessionLifecycle
  /** What the caller can do next, best first. */
  nextActions: NextAction[]
  /** Whole units, as a decimal string. */
  claimStake: string
  /** Integer in base units, as digits. */
  claimStakeRaw: bigint
  /** Stake in basis points of the reward. */
  claimStakeBps: number
  /** Whole units, as a decimal string. */
  claimFee: string
  /** Integer in base units, as digits. */
  claimFeeRaw: bigint
  /** Fee in basis points of the reward. */
  claimFeeBps: number
  /** Whole units, as a decimal string. */
  totalClaimLock: string
  /** Integer in base units, as digits. */
  totalClaimLockRaw: bigint
  /** Ordinal among the claimant's claims, which decides the waiver; null until claimed. */
  claimNumber: number
  /** Whether stake and fee are waived. */
  claimEconomicsWaived: boolean
  /** Whether stake and fee were waived at the claim. */
  claimEconomicsWaivedAtClaim: boolean
  /** When the waiver is decided. */
  claimEconomicsWaiverScope: 'claim_time'
  /** Whether the fee is kept after an approval. */
  claimFeeRetainedOnSuccess: boolean
  /** Whether the escrow retains gas from the reward. */
  gasRetentionSupported: boolean
  /** Gas that the escrow retains from the reward. */
  gasRetention: GasRetention
  /** Who holds the stake. */
  claimStakeCustody: 'chain_escrow'
  /** Open work of the wallet and its cap. */
  workerExposure?: Record<string, unknown> | null
  /** Work of the wallet in the last day and its cap. */
  dailyExposure?: Record<string, unknown> | null
  /** Allowance of the wallet: lifetime credit, then a daily budget. */
  dailyAllowance?: Record<string, unknown> | null
  /** Which jobs of the catalogue the wallet may claim. */
  catalogueAccess?: Record<string, unknown> | null
  /** Budget of all wallets for the catalogue. */
  catalogueDailyBudget?: Record<string, unknown> | null
  /** Budget of waived claims of the day. */
  onboardingSubsidy?: Record<string, unknown> | null
  /** How the claimant came to the job. */
  claimantAttribution?: Record<string, unknown> | null
  /** Skill that the tier needs, and what the wallet has. */
  tierGate?: Record<string, unknown> | null
  /** Whether the wallet qualifies in the priority window. */
  priorityQualification?: Record<string, unknown> | null
  /** Facts of the badge. */
  badgeSnapshot: Record<string, unknown>
  /** Disclosure for the pull request, with wallet and session. */
  disclosureFooter?: string
  /** keccak256 of the canonical evidence. */
  evidenceHash?: string | null
  /** Instant at which the last accepted submission was refused; the session stayed claimed. */
  submitFailedAt?: string | null
  /** Code of that refusal. */
  submitFailureCode?: string | null
  /** Whether the schema of the submission is one of the service. */
  outputSchemaBuiltin?: boolean | null
  /** Whether the schema of the submission is registered. */
  outputSchemaRegistered?: boolean | null
  /** Short form of the verdict. */
  verificationSummary?: VerificationSummary | null
  /** Progress of the wallet through the tiers. */
  progression?: Record<string, unknown> | null
  /** Mined payout. */
  payoutTx?: Payout | null
  /** Id of the receipt. */
  workReceiptId?: string | null
  /** Decision of the dispute. */
  disputeResolution?: Record<string, unknown> | null
  /** Reviewer's verdict. */
  humanReview?: Record<string, unknown> | null
  /** Operator's overturn of the rejection. */
  operatorOverturn?: Record<string, unknown> | null
  /** Difference between record and chain. */
  chainStateDivergence?: Record<string, unknown> | null
  /** How the claim was matched with the chain. */
  claimReconciliation?: Record<string, unknown> | null
  /** Operator's close, with the state on chain. */
  operatorClose?: Record<string, unknown> | null
  /** Instant at which the claim was taken out of the count of waived claims. */
  onboardingWaiverConsumptionExemptedAt?: string | null
}

/** State of a session after one entry of its history, rebuilt from the entries up to it. */
export type SessionState = {
  /** Number of the entry in the history of the session, from 1. */
  seq: number
  /** Current status. */
  status: 'claimed' | 'submitted' | 'disputed' | 'rejected' | 'resolved' | 'closed' | 'expired' | 'timed_out' | 'chain_state_diverged'
  /** Why, as a stable word; null where there is no reason. */
  reason: string
  /** ISO 8601 UTC. */
  at: string
  /** Statuses that the session has had, each with the instant at which it last took it. */
  statusTimes: {
    /** Current status. */
    status: 'claimed' | 'submitted' | 'disputed' | 'rejected' | 'resolved' | 'closed' | 'expired' | 'timed_out' | 'chain_state_diverged'
    /** ISO 8601 UTC. */
    at: string
  }[]
}

/** Statuses of a session and the changes between them. */
export type SessionStateMachine = {
  /** Version of the timeline. */
  timelineVersion: 'v2'
  /** Every status. */
  statuses: {
    /** Current status. */
    status: 'claimed' | 'submitted' | 'disputed' | 'rejected' | 'resolved' | 'closed' | 'expired' | 'timed_out' | 'chain_state_diverged'
    /** Name to show. */
    label: string
    /** Part of the life cycle. */
    phase: string
    /** True where no change follows. */
    terminal: boolean
    /** Outcome. */
    outcome: string
    /** Statuses that can follow. */
    allowedTransitions: (
      | 'claimed'
      | 'submitted'
      | 'disputed'
      | 'rejected'
      | 'resolved'
      | 'closed'
      | 'expired'
      | 'timed_out'
      | 'chain_state_diverged'
    )[]
    /** Statuses to which it can reopen. */
    reopensTo?: (
      | 'claimed'
      | 'submitted'
      | 'disputed'
      | 'rejected'
      | 'resolved'
      | 'closed'
      | 'expired'
      | 'timed_out'
      | 'chain_state_diverged'
    )[]
    /** Seconds in which it can reopen. */
    reopenWindowSeconds?: number
  }[]
}

/** Entry of a session timeline. */
export type SessionTimelineEntry = {
  /** Id of the record. */
  id: string
  /** Kind of the record. */
  type: string
  /** ISO 8601 UTC. */
  at: string
  /** ISO 8601 UTC. */
  timestamp?: string
  /** ISO 8601 UTC. */
  recordedAt: string
  /** Time of its block; null for what did not happen on chain. */
  blockTime: string | null
  /** Id that ties entries together. */
  correlationId: string | null
  /** Part of the life cycle. */
  phase: string
  /** Where the value or the record comes from. */
  source: string
  /** Topic of the event. */
  topic: string
  /** How much it matters. */
  severity: 'info' | 'warn' | 'error'
  /** Id of the job. */
  jobId: string | null
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string | null
  /** Wallet address. */
  wallet: string | null
  /** Facts of the entry, or the data of the call. */
  data: Record<string, unknown>
  /** Place in the order of causes, from 1. */
  sequence: number
}

/** The event of the settlement with hash and number of its block; no path was available. */
export type SettlementBlock = {
  /** Chain id (EIP-155). */
  chainId: number
  /** 0x and 64 lower-case hex digits. */
  transactionHash: string
  /** Integer, as digits. */
  blockNumber: string
  /** 0x and 64 lower-case hex digits. */
  blockHash: string
  event: SettlementEvent
  /** What binds the event to its block: a path in the receipt trie, or hash and number only. */
  binding: 'hash_and_number'
}

/** Event of the escrow that ended the work. */
export type SettlementEvent = {
  /** Name to show. */
  name: 'SettlementSplit' | 'JobClosed'
  /** Lower-case 0x address other than the zero address. */
  address: string
  /** Topics of the event. */
  topics: string[]
  /** Bytes as 0x and lower-case hex digits. */
  data: string
  /** Index of the log in its block. */
  logIndex: number
}

/** The event of the settlement with its path from the root of the block. */
export type SettlementPath = {
  /** Chain id (EIP-155). */
  chainId: number
  /** 0x and 64 lower-case hex digits. */
  transactionHash: string
  /** Integer, as digits. */
  blockNumber: string
  /** 0x and 64 lower-case hex digits. */
  blockHash: string
  event: SettlementEvent
  /** What binds the event to its block: a path in the receipt trie, or hash and number only. */
  binding: 'receipt_trie'
  /** Path from the root of the block to the receipt of the transaction. */
  inclusion: ReceiptInclusion
}

/** Blocks whose submissions count, and their number. */
export type SettlementWindow = {
  /** Integer, as digits. */
  fromBlock: string
  /** Integer, as digits. */
  toBlock: string
  /** Number of submissions. */
  submissions: number
}

/** A share, without what it shows. */
export type Share = {
  /** Id of the record. */
  id: string
  /** Kind of the shared record. */
  surface: 'agent' | 'session' | 'dispute' | 'policy'
  /** How the part works. */
  mode: 'read_only'
  /** ISO 8601 UTC. */
  issuedAt: string
  /** ISO 8601 UTC. */
  expiresAt: string
  /** Life in seconds. */
  ttlSeconds: number
  /** ISO 8601 UTC. */
  snapshotAt: string
  /** ISO 8601 UTC. */
  revokedAt?: string
}

/** Value of one whole share, and the assets and shares that it is the quotient of. */
export type SharePrice = {
  /** Rule by which the value is computed. */
  model: 'principal-cost-basis'
  /** Value of one whole share. */
  assetsPerShare: Amount
  /** Assets that the shares are worth together. */
  numeratorAssets: Amount
  /** Number of all shares; zero before the first deposit. */
  denominatorShares: Amount
}

/** The frozen, redacted copy of a record. */
export type SharedResource =
  | {
      /** Kind of the record. */
      kind: 'agent_profile'
      /** Public profile of the wallet. */
      profile: Record<string, unknown>
    }
  | {
      /** Kind of the record. */
      kind: 'session_audit_trail'
      /** The session. */
      session: Record<string, unknown>
      /** Entries, oldest first. */
      timeline: Record<string, unknown>[]
    }
  | {
      /** Kind of the record. */
      kind: 'dispute_snapshot'
      /** The dispute without evidence; a rationale only where it is public content. */
      dispute: Record<string, unknown>
    }
  | {
      /** Kind of the record. */
      kind: 'policy_snapshot'
      /** A rule of the service. */
      policy: Policy
    }

/** Terms of the work, as the claim froze them. */
export type SignedDisputedTerms = {
  /** 0x and 64 lower-case hex digits. */
  specHash: string
  /** Terms whose keccak256 is the hash on chain. */
  specDefinition: Record<string, unknown>
  /** 0x and 64 lower-case hex digits. */
  definitionHash: string
  /** Definition of the job, as the claim froze it. */
  definition: Record<string, unknown>
  /** Symbol of the asset. */
  asset: {
    /** Symbol of the asset. */
    symbol: string
    /** Lower-case 0x address other than the zero address. */
    address: string
    /** Decimal places of the asset. */
    decimals: number
  }
  /** Reward of the job. */
  reward: SignedFileAmount
  /** Stake of the claim, in whole units. */
  claimStake: SignedFileAmount
  /** Fee of the claim. */
  claimFee: SignedFileAmount
  /** Whether it is waived. */
  waived: boolean
  /** Whether the service sends the claim for the worker. */
  brokered: boolean
}

/** Amount with the symbol of its asset. */
export type SignedFileAmount = {
  /** Symbol of the asset. */
  asset: string
  /** Integer in base units, as digits. */
  raw: string
  /** Decimal places of the asset. */
  decimals: number
  /** Whole units, as a decimal string. */
  display: string
}

/** Terms of the work, as the claim pinned them. */
export type SignedReceiptIntent = {
  /** 0x and 64 lower-case hex digits. */
  specHash: string
  /** Whether the terms were compared with the chain at the claim. */
  specSource: 'chain_verified' | 'chain_unavailable_fail_open'
  successPolicy: SuccessPolicy
  valueAtRisk: SignedValueAtRisk
  /** ISO 8601 UTC. */
  deadline: string
  /** Wallet that posted the job. */
  poster: string | null
  /** Who posted the job: the operator or an external poster. */
  posterClass: 'operator' | 'external'
}

/** Amounts of a settlement. */
export type SignedReceiptSettlement = {
  /** Lower-case 0x address other than the zero address. */
  worker: string
  /** Lower-case 0x address other than the zero address. */
  treasuryAccount: string
  /** Lower-case 0x address other than the zero address. */
  asset: string
  /** Symbol of the asset; null, where that is possible, for an asset that the service does not have. */
  assetSymbol: string
  /** Whole units, as a decimal string. */
  workerAmount: string
  /** Integer in base units, as digits. */
  workerAmountRaw: string
  /** Whole units, as a decimal string. */
  protocolFeeAmount: string
  /** Integer in base units, as digits. */
  protocolFeeAmountRaw: string
  /** Protocol fee in basis points. */
  protocolFeeBps: number
  /** Whole units, as a decimal string. */
  rewardAmount: string
  /** Integer in base units, as digits. */
  rewardAmountRaw: string
  /** Whole units, as a decimal string. */
  posterTotalAmount: string
  /** Integer in base units, as digits. */
  posterTotalAmountRaw: string
  /** Whole units, as a decimal string. */
  gasRetentionAmount: string
  /** Integer in base units, as digits. */
  gasRetentionAmountRaw: string
  /** Part of the payment that was kept for gas, in basis points. */
  gasRetentionBps: number
  /** Whether the service sends the claim for the worker. */
  brokered: boolean
  /** Whether it is waived. */
  waived: boolean
  /** 0x and 64 lower-case hex digits. */
  settlementTx: string
}

/** Decision of a round as the chain carried it out. */
export type SignedStatedRound = {
  /** Number of the round, from 1. */
  round: number
  /** Where the value or the record comes from. */
  source: 'arbitrator' | 'reviewer' | 'verifier' | 'timeout' | 'chain'
  /** Verdict. */
  verdict: 'upheld' | 'dismissed' | 'split' | 'timeout' | 'approved' | 'rejected'
  /** Why, as a stable word. */
  reasonCode: string
  /** Who decided: a wallet, or a part of the service. */
  by: string
  /** ISO 8601 UTC. */
  at: string
  /** Payout of the worker: in a request a split only, above zero and at most the remaining reward. */
  workerPayout: SignedFileAmount | null
  /** Why, in the words of the decider. */
  rationale: string | null
  /** SHA-256 of the stored rationale. */
  reasoningHash: string | null
  /** Hash of the transaction. */
  txHash: string | null
}

/** The whole reward of the job. */
export type SignedValueAtRisk = {
  /** Symbol of the asset. */
  asset: string
  /** Whole units, as a decimal string. */
  amount: string
  /** Integer in base units, as digits. */
  amountRaw: string
}

/** How the expected changes were found, or why they are not known. */
export type Simulation =
  | {
      /** Current status. */
      status: 'simulated'
      /** HTTP method, or the name of a method of the contract. */
      method: 'eth_simulateV1'
      /** Integer, as digits. */
      blockNumber: string
    }
  | {
      /** Current status. */
      status: 'unavailable'
      /** Why, as a stable word; null where there is no reason. */
      reason: 'node_cannot_simulate'
    }

/** A loss of scores. */
export type SlashEvent = {
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Why, as a stable word; null where there is no reason. */
  reason: string
  /** ISO 8601 UTC. */
  at: string
}

/** How the submission is bound to the claim. */
export type SourceBinding = {
  /** HTTP method, or the name of a method of the contract. */
  method: 'submission_hash'
  /** Whether the evidence hash is the hash of the stored submission. */
  verified: boolean
}

/** What a wallet keeps whatever it withdraws. */
export type Standing = {
  /** Tier of the wallet. */
  claimTier: 'starter' | 'pro' | 'elite'
  /** Badges, newest first. */
  badges: number
  /** Waived claims that are left. */
  waiverSlotsRemaining: number | null
  /** Whether the wallet can draw credit. */
  creditInterest: CreditInterest
  /** Whether the standing stays after any withdrawal. */
  persists: boolean
  /** Movements of the account, or a statement for people. */
  statement: string
}

/** One step from the first request to the badge. */
export type StarterStep = {
  /** Id of the record. */
  id: string
  /** HTTP method, or the name of a method of the contract. */
  method: string
  /** Path of the request, or of the member that is meant. */
  path: string
  /** Name of the tool that sends the same request. */
  tool?: string
  /** What it is, in plain words. */
  description: string
}

/** How the work was decided, and the verdict that this decision replaced. */
export type StatedResolution = {
  /** Kind of the record. */
  kind: 'verifier' | 'human_review' | 'arbitration' | 'timeout'
  /** Verdict. */
  verdict: 'upheld' | 'dismissed' | 'split' | 'timeout' | 'approved' | 'rejected'
  /** Share of the worker in basis points of the reward. */
  workerShareBps: number
  /** The verifier's verdict that a dispute or an overturn replaced. */
  replacedVerdict?: ReplacedVerdict
}

/** A verdict with its checks. */
export type StatedVerdict = {
  /** Id of the verdict. */
  verificationId: string
  /** Handler of the verification. */
  handler: string
  /** Version of the handler; 0 for a decision without one. */
  version: number
  /** Outcome. */
  outcome: 'approved' | 'rejected' | 'disputed' | 'inconclusive' | 'platform_fault'
  /** Why, as a stable word. */
  reasonCode: string
  /** ISO 8601 UTC. */
  decidedAt: string
  /** Checks of the verdict. An approval has no unmet one. */
  items: VerdictItem[]
}

/** How long a step took, over all work that has done it. */
export type StepTimes = {
  /** Number of rows. */
  count: number
  /** Seconds that half of them took at most. */
  medianSeconds: number | null
  /** Seconds that nine of ten took at most. */
  p90Seconds: number | null
  /** Seconds that the slowest took. */
  maxSeconds: number | null
}

/** Registered adapter of a yield source. */
export type Strategy = {
  /** 0x and 64 lower-case hex digits. */
  strategyId: string
  /** Name to show. */
  label: string
  /** Lower-case 0x address. */
  adapter: string
  /** Symbol of the asset. */
  asset: AssetReference
  /** Kind of the risk. */
  riskLabel: string
  /** Whether it applies now. */
  active: boolean
  /** Whether deposits and withdrawals settle later. */
  async: boolean
  /** What all shares are worth together. */
  totalAssets: Amount
  /** Number of all shares. */
  totalShares: Amount
  /** Instant of the reading. */
  asOf: {
    /** Integer, as digits. */
    block: string
    /** ISO 8601 UTC. */
    at: string
  }
}

/** Position of a wallet in a strategy. */
export type StrategyPosition = {
  /** 0x and 64 lower-case hex digits. */
  strategyId: string
  /** Name to show. */
  label: string
  /** Lower-case 0x address. */
  adapter: string
  /** Symbol of the asset. */
  asset: AssetReference
  /** Kind of the risk. */
  riskLabel: string
  /** Whether it applies now. */
  active: boolean
  /** Shares of the pool or of the strategy. */
  shares: Amount
  /** Assets of the shares or of the request. */
  assets: Amount
  /** Assets on their way into the strategy; null where the contracts do not tell them from those of another strategy. */
  pendingDeposit: Amount | null
  /** Shares on their way out of the strategy. */
  pendingWithdraw: Amount
  /** Whether the position earns anything now. */
  yieldPosture: {
    /** Current status. */
    status: 'not_yet_earning' | 'earning' | 'unknown'
    /** Where the value or the record comes from. */
    source: string
    /** ISO 8601 UTC. */
    asOf: string
  }
}

/** How to submit the work of a job. */
export type SubmissionContract = {
  /** Method and path of the request. */
  endpoint: 'POST /jobs/submit'
  /** Route that checks a submission. */
  validationEndpoint: 'POST /jobs/validate-submission'
  /** How the submission is sent. */
  submissionShape: 'direct_schema_object'
  /** Whether the submission must be an object. */
  structuredSubmissionRequired: boolean
  /** Part of the request that the schema checks. */
  schemaValidates: 'payload.submission'
  /** The object is sent directly, not inside `output`. */
  doNotWrapInOutput: boolean
  /** Other names of `submission`. */
  compatibilityAliases: string[]
  /** Reference of the schema of the submission. */
  outputSchemaRef: string
  /** Address of the schema of the submission. */
  outputSchemaUrl: string
  /** Body of a submission to copy. */
  submitPayloadExample: Record<string, unknown>
  /** What to do about a wrapped submission. */
  invalidWrappedOutputHint: string
}

/** Request that is sent next. */
export type Submit = {
  /** HTTP method, or the name of a method of the contract. */
  method: 'POST'
  /** Path of the request, or of the member that is meant. */
  path: string
}

/** Rules of approval. */
export type SuccessPolicy = {
  /** Profile of the manifest; null without one. */
  profile: string
  /** Version of the record or of the document. */
  version: number
}

/** A value as the claim captured it beside the current one. */
export type TextDrift = {
  /** Value captured at the claim. */
  captured: string
  /** The current value, or that the process answers. */
  live: string
}

/** Skill that a tier needs, and what the wallet has. */
export type TierGate = {
  /** Claim tier of the job or of the wallet. */
  tier: 'starter' | 'pro' | 'elite'
  /** Whether the wallet has what is required. */
  unlocked: boolean
  /** What is required. */
  requires: {
    /** Score of approved work. */
    skill: number
  }
  /** What the wallet has. */
  has: Scores
  /** What the wallet lacks. */
  missing: {
    /** Score of approved work. */
    skill?: number
  }
}

/** Locked deposits of a wallet, and the tier that they give. */
export type TierState = {
  /** Whether new locks are offered. */
  enabledForNewLocks: boolean
  /** Claim tier of the job or of the wallet. */
  tier: 'flex' | 't7' | 't30' | 't90'
  /** Tier of the active lock with the longest term. */
  contractualTier: 'flex' | 't7' | 't30' | 't90'
  /** Rank among the qualifying tiers. */
  priorityRank: number
  /** Whether the perks of the tier apply now. */
  perksActive: boolean
  /** Why they do not. */
  perksSuspendedReason?: 'outstanding_credit_draw' | 'credit_position_unavailable'
  /** Age of the last reading of the debt, where no newer one succeeded. */
  creditReadStaleSeconds?: number
  /** Sum of the active locks. */
  locked: Amount
  /** What active and exiting locks bind. */
  encumbered: Amount
  /** Whether locked capital may be placed, and what stands against it. */
  activationGate: ActivationGate
  /** The same in a sentence. */
  yieldStatusText: string
  /** Locked deposits of the wallet: those that bind its balance, then the newest released ones. */
  entries: LockedDeposit[]
}

/** What a tier gives, and what leaving it early costs. */
export type TierTerms = {
  /** Claim tier of the job or of the wallet. */
  tier: 't7' | 't30' | 't90'
  /** Name of the product. */
  product: 'locked deposit'
  /** Days of the term. */
  termDays: number
  /** Rank among the qualifying tiers. */
  priorityRank: number
  /** What the tier gives, or when its perks end. */
  perks: string[]
  /** What a lock of this tier can earn. */
  yield: string
  /** What leaving early costs, or the route for it. */
  earlyExit: string
}

/** Block of every number of the answer, with its time. */
export type TimedBlock = {
  /** Integer, as digits. */
  number: string
  /** 0x and 64 lower-case hex digits. */
  hash: string
  /** Time of the block in seconds since 1970. */
  timestamp: number
  /** ISO 8601 UTC. */
  timestampIso: string
}

/** Entry of a timeline. */
export type TimelineEntry = {
  /** Id of the record. */
  id: string
  /** Kind of the record. */
  type: string
  /** ISO 8601 UTC. */
  at: string
  /** ISO 8601 UTC. */
  timestamp?: string
  /** ISO 8601 UTC. */
  recordedAt: string
  /** Time of its block; null for what did not happen on chain. */
  blockTime: string | null
  /** Id that ties entries together. */
  correlationId: string | null
  /** Part of the life cycle. */
  phase: string
  /** Where the value or the record comes from. */
  source: string
  /** Topic of the event. */
  topic: string
  /** How much it matters. */
  severity: 'info' | 'warn' | 'error'
  /** Id of the job. */
  jobId: string | null
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string | null
  /** Wallet address. */
  wallet: string | null
  /** Facts of the entry, or the data of the call. */
  data: Record<string, unknown>
}

/** What settlements paid to the worker, base units, with what the sum leaves out. */
export type TotalEarned = {
  /** Symbol of the asset. */
  asset: string
  /** Integer in base units, as digits. */
  amount: string
  /** Decimal places of the asset. */
  decimals: number
  /** Whether the sum leaves out approved sessions. */
  incomplete: boolean
  /** Approved sessions in the sum. */
  includedApprovedCount: number
  /** Approved sessions that the sum leaves out. */
  omittedApprovedCount: number
  /** Why sessions were left out. */
  omissionReason?: 'missing_claim_time_job_snapshot'
}

/** Unsigned transaction without nonce and fee fields. */
export type TransactionTemplate = {
  /** What the transaction does. */
  step: string
  /** The wallet signs and sends it. */
  unsigned: true
  /** Lower-case 0x address. */
  from: string
  /** Lower-case 0x address. */
  to: string
  /** Facts of the entry, or the data of the call. */
  data: string
  /** Value. */
  value: '0'
  /** Chain id (EIP-155). */
  chainId: number
  /** Estimate of the gas. */
  gasEstimate:
    | {
        /** Current status. */
        status: 'estimated'
        /** Integer, as digits. */
        gas: string
        /** Where the value or the record comes from. */
        source: string
      }
    | {
        /** Current status. */
        status: 'requires_prerequisite'
        /** Gas in units; null before its prerequisite. */
        gas: null
        /** Transaction that must be mined first. */
        prerequisite: string
        /** Why, as a stable word; null where there is no reason. */
        reason: string
      }
  /** The call in readable form. */
  decoded: {
    /** Function of the contract. */
    function: string
    /** Arguments of the call. */
    args: unknown
  }
}

/** Submissions without a decision, or approved and not paid: of the window, and of any age for sessions that are not over. */
export type UnpaidWork = {
  /** Number of rows. */
  count: number
  /** The one that waits longest; null if none waits. */
  oldest: OldestUnpaid | null
}

/** A decided verdict with its input and pins. */
export type Verdict = {
  /** How the work was decided. */
  resolution?: Resolution
  /** Who or what must act next; null once the session is over. */
  waitingFor?: 'worker' | 'chain' | 'verifier' | 'pull_request' | 'reviewer' | 'arbitrator' | 'operator' | null
  /** Why, as a stable word; null where there is no reason. */
  reason?: string | null
  /** ISO 8601 UTC. */
  deadline?: string
  /** Score of the work, from 0 to 100. */
  score: number
  /** What a pull request waits for after its first reading; otherwise who decides. */
  disposition?: 'awaiting_verdict' | 'human_review' | 'waiting_for_merge' | 'operator_review' | 'awaiting_evidence'
  /** Why the last reading of a waiting pull request settled nothing. */
  heldBecause?: string
  /** Id of the dispute. */
  disputeId?: string
  /** ISO 8601 UTC. */
  disputableUntil?: string
  /** What the caller can do next, best first. */
  nextActions?: NextAction[]
  /** Checks of the verdict. An approval has no unmet one. */
  items?: VerdictItem[]
  /** Id of the job. */
  jobId: string
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Handler of the verification. */
  handler: string
  /** Version of the handler. */
  handlerVersion: number
  /** Outcome. */
  outcome: 'approved' | 'rejected' | 'disputed' | 'inconclusive' | 'platform_fault'
  /** Why, as a stable word. */
  reasonCode: string
  /** Explanation of this occurrence. */
  detail: string
  /** Address of the metadata of the badge. */
  metadataURI: string | null
  /** Wallet of the verifier that requested it, or `system:auto-verifier`. */
  requestedBy?: string
  /** Where the verdict was computed. */
  environment: VerdictEnvironment
  /** Version of the rules of verification. */
  verifierPolicyVersion: number
  /** Version of the settings. */
  verifierConfigVersion: number
  /** 0x and 64 lower-case hex digits. */
  verifierConfigHash: string
  /** Settings at the claim. */
  verifierConfigSnapshot: Record<string, unknown>
  /** Pinned terms of the verification. */
  verificationContract?: Record<string, unknown>
  /** Reference of the schema of the evidence. */
  evidenceSchemaRef: string
  /** Input of the verdict. */
  verificationInput: Record<string, unknown>
  /** 0x and 64 lower-case hex digits. */
  verificationInputHash: string
  /** Facts of the badge. */
  badgeSnapshot: Record<string, unknown>
  /** The session. */
  session: Record<string, unknown>
  /** Progress of the wallet through the tiers. */
  progression?: Record<string, unknown> | null
  /** Mined payout. */
  payoutTx?: Payout | null
  /** ISO 8601 UTC. */
  evaluatedAt: string
  /** ISO 8601 UTC. */
  decidedAt?: string
  /** True to show the effect and change nothing. */
  preview?: boolean
  /** Current status. */
  status?: 'not_submitted' | 'verifying' | 'with_people' | 'decided'
  /** Instant of the submission. */
  submittedAt?: string | null
  /** Instant since which a verdict is awaited. */
  awaitingSince?: string | null
  /** Instant of the approval or of the decision. */
  resolvedAt?: string | null
  /** The verifier's verdict that a dispute or an overturn replaced. */
  replacedVerdict?: ReplacedVerdict
  /** Evidence of the work or of the dispute. */
  evidence?: Record<string, unknown>
  /** What stands against it, in the order of the gates. */
  blockers?: unknown[]
  /** What a pull request must disclose. */
  disclosure?: Record<string, unknown>
  /** Checks that do not count, each with the reason. */
  ciExclusions?: unknown[]
  /** Rules of the repository and their state. */
  policyGates?: unknown
  /** Checks of the pull request and their state. */
  checks?: unknown
  /** Facts from which the verdict is made. */
  signals?: unknown
  /** Facts for the scores. */
  reputationSignals?: Record<string, unknown>
  /** What the code host answered. */
  codehostLookup?: Record<string, unknown>
  /** Handler that passed the case on. */
  escalatedFrom?: string
  /** Lower-case 0x address. */
  verifier?: string
  /** 0x and 64 lower-case hex digits. */
  txHash?: string
  /** Lower-case 0x address. */
  reviewedBy?: string
  /** 0x and 64 lower-case hex digits. */
  reasoningHash?: string
  /** The verdict before this one. */
  originalVerdict?: Record<string, unknown> | null
}

/** Where a verdict was computed. */
export type VerdictEnvironment = {
  /** Kind of the record. */
  kind: string
  /** Runtime of the handler. */
  runtime: string
  /** Version of the record or of the document. */
  version: string
}

/** One check of a verdict. */
export type VerdictItem = {
  /** What is checked. */
  criterion:
    | 'submission_valid'
    | 'terms_distinguish_work'
    | 'terms_found'
    | 'quotes_in_revision'
    | 'answer_expected'
    | 'pinned_addresses_submitted'
    | 'pinned_addresses_answer'
    | 'pr_url_valid'
    | 'repo_matches'
    | 'issue_referenced'
    | 'test_evidence_submitted'
    | 'checks_not_failing'
    | 'not_closed_unmerged'
    | 'disclosure_present'
    | 'claimant_bound'
    | 'policy_gates_passed'
    | 'score_reached'
    | 'terms_verify'
    | 'reviewer_accepts'
    | 'verifier_accepts'
    | 'arbitrator_accepts'
  /** Result of the check. `not_applicable`: the terms do not ask for it, or it could not be judged. */
  result: 'met' | 'unmet' | 'not_applicable'
  /** JSON pointer to the evidence in the verdict, or in the dispute that decided. Null where not applicable. */
  evidence: string | null
}

/** Payments of a verdict; they add up to the balance of the job in the escrow. */
export type VerdictMoney = {
  /** Symbol of the asset. */
  asset: string
  /** Worker of the session. */
  worker: {
    /** Payout. */
    payout: Amount
    /** Bond that is returned. */
    bondReturned: Amount
  }
  /** Wallet that posted the job. */
  poster: {
    /** Refund. */
    refund: Amount
    /** Slashed stake. */
    slash: Amount
  }
  /** Treasury of the platform. */
  treasury: {
    /** Fee. */
    fee: Amount
    /** Slashed stake. */
    slash: Amount
  }
  /** Address of the verifier. */
  verifier: {
    /** Share of the fee. */
    feeShare: Amount
  }
  /** What the escrow still holds. */
  held: Amount
}

/** Unsigned transaction of a verdict. */
export type VerdictPreparation = {
  /** Id of the preparation, which its replacement must name. */
  preparationId: string
  /** ISO 8601 UTC. */
  preparedAt: string
  /** Unsigned transaction. */
  transaction: {
    /** Lower-case 0x address. */
    to: string
    /** Facts of the entry, or the data of the call. */
    data: string
    /** Value. */
    value: '0'
    /** Chain id (EIP-155). */
    chainId: number
    /** Function of the contract. */
    function: string
    /** Arguments of the call. */
    args: string[]
  }
}

/** Effect of a verdict that is not recorded. */
export type VerdictPreview = {
  /** True to show the effect and change nothing. */
  preview: true
  /** Id of the dispute. */
  disputeId: string
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Verdict. */
  verdict: 'upheld' | 'dismissed' | 'split' | 'timeout' | 'approved' | 'rejected'
  /** Why, as a stable word. */
  reasonCode: string
  /** Payout of the worker: in a request a split only, above zero and at most the remaining reward. */
  workerPayout: Amount
  /** Where the payout of a split comes from. */
  payoutSource: 'default_half_remaining' | 'operator_supplied' | null
  /** Status of the session after the verdict. */
  sessionBecomes:
    | 'claimed'
    | 'submitted'
    | 'disputed'
    | 'rejected'
    | 'resolved'
    | 'closed'
    | 'expired'
    | 'timed_out'
    | 'chain_state_diverged'
  /** Symbol of the asset. */
  asset: string
  /** Payments of the verdict. */
  money: VerdictMoney
}

/** Pinned terms of a verification. */
export type VerificationContract = {
  /** Version of the record or of the document. */
  version: 'verification-contract-v1'
  /** How the work is judged. */
  verifierMode: 'benchmark' | 'deterministic' | 'human_fallback' | 'codehost_pr'
  /** Handler of the verification. */
  handler: string
  /** Version of the rules of verification. */
  verifierPolicyVersion: number
  /** Version of the settings. */
  verifierConfigVersion: number
  /** 0x and 64 lower-case hex digits. */
  verifierConfigHash: string
  /** Reference of the schema of the evidence. */
  evidenceSchemaRef: string
  /** Route that computes a verdict again. */
  replayEndpoint: 'POST /verifier/replay'
  /** Route of the result. */
  resultEndpoint: 'GET /verifier/result'
  /** Members that the claim pins. */
  snapshotFields: string[]
}

/** Whether a verdict on the job can come now. */
export type VerificationReadiness = {
  /** Whether it can be done now. */
  ready: boolean | null
  /** Why, as a stable word; null where there is no reason. */
  reason:
    | 'handler_missing'
    | 'verifier_key_missing'
    | 'verifier_role_missing'
    | 'verifier_gas_missing'
    | 'code_host_token_missing'
    | 'code_host_token_refused'
    | 'code_host_rate_limited'
    | 'code_host_unavailable'
    | 'reviewers_missing'
    | 'source_unavailable'
    | 'check_overdue'
    | 'not_checked'
    | null
  /** Instant of the check; null before the first. */
  checkedAt: string | null
  /** Instant of the last verdict of this mode; null before the first. */
  lastVerdictAt: string | null
}

/** Short form of a verdict. */
export type VerificationSummary = {
  /** Outcome. */
  outcome: string
  /** Why, as a stable word. */
  reasonCode: string
  /** Handler of the verification. */
  handler: string
  /** Handler that passed the case on. */
  escalatedFrom?: string
  /** Version of the handler. */
  handlerVersion: number
  /** Version of the rules of verification. */
  verifierPolicyVersion: number
  /** Version of the settings. */
  verifierConfigVersion: number
}

/** Vesting of the deposits of a wallet. */
export type Vesting =
  | {
      /** Rule by which the value is computed. */
      model: 'linear_per_deposit_tranche'
      /** Hours in which a deposit vests in full. */
      durationHours: 48
      /** Order in which withdrawals take deposits; lifo takes the newest first. */
      withdrawalBurnOrder: 'lifo'
      /** What can be used now, or whether it can be used. */
      available: true
      /** ISO 8601 UTC. */
      evaluatedAt: string
      /** Principal that has not vested yet, less what the pool lost. */
      unvested: Amount
      /** Principal of deposits that have vested in full and are not listed. */
      matured: Amount
      /** Deposits that still vest, oldest first; of many, the newest. */
      tranches: VestingTranche[]
      /** Number of deposits that still vest, listed or not. */
      trancheCount: number
      /** Deposit that vests in full next; null without one, or while a loan delays it. */
      next: {
        /** ISO 8601 UTC. */
        at: string
        /** Principal of the deposit that withdrawals left. */
        remaining: Amount
        /** Integer, as digits. */
        blockNumber: string
        /** Index of the log in its block. */
        logIndex: number
      } | null
    }
  | {
      /** Rule by which the value is computed. */
      model: 'linear_per_deposit_tranche'
      /** Hours in which a deposit vests in full. */
      durationHours: 48
      /** Order in which withdrawals take deposits; lifo takes the newest first. */
      withdrawalBurnOrder: 'lifo'
      /** What can be used now, or whether it can be used. */
      available: false
      /** Why, as a stable word; null where there is no reason. */
      reason: 'chain_events_behind' | 'chain_events_incomplete'
      /** ISO 8601 UTC. */
      evaluatedAt: string
      /** Deposits that still vest, oldest first; of many, the newest. */
      tranches: VestingTranche[]
    }

/** Deposit whose principal still vests. */
export type VestingTranche = {
  /** Amount of the deposit. */
  deposited: Amount
  /** Principal of the deposit that withdrawals left. */
  remaining: Amount
  /** Vested deposit. */
  vested: Amount
  /** ISO 8601 UTC. */
  depositedAt: string
  /** Start of vesting; null while an open loan delays it. */
  vestingStartedAt: string | null
  /** Whether a loan delayed, or still delays, the start of vesting. */
  debtDelayed: boolean
  /** Integer, as digits. */
  blockNumber: string
  /** Index of the log in its block. */
  logIndex: number
  /** 0x and 64 lower-case hex digits. */
  txHash: string
}

/** A way to sign in. */
export type WalletMode = {
  /** Id of the record. */
  id: string
  /** Current status. */
  status: string
  /** Form of an address. */
  addressFormat: string
  /** Kinds of wallets that can sign in. */
  supportedWallets: string[]
  /** Scheme of the sign-in. */
  authScheme: string
  /** Method with which the wallet signs. */
  signMessageMethod: string
  /** How to set up the wallet. */
  setup: {
    /** Which account to use. */
    accountGuidance: string
    /** How to keep the key. */
    secretHandling: string
    /** Where earnings arrive. */
    payoutGuidance: string
  }
  /** Chain of the service. */
  chain: {
    /** Name to show. */
    name: string
    /** Symbol of the native currency. */
    currencySymbol: string
    /** Chain id (EIP-155). */
    chainId: number
    /** Address of a node. */
    rpcUrl: string
    /** Address of a faucet for test currency. */
    faucetUrl?: string
  }
  /** Steps of the first set-up. */
  bootstrap?: string[]
  /** How a native account is mapped. */
  mappingRequirement?: Record<string, unknown>
  /** Checks before the first claim. */
  readinessChecks: string[]
  /** Remarks. */
  notes: string[]
  /** What stands against this way now. */
  currentBlocker?: string
  /** Tools of a later release. */
  plannedTools?: string[]
}

/** How to start without a wallet. */
export type WalletlessArrival = {
  /** First sentence. */
  headline: string
  /** Where to start. */
  start: string
  /** How a managed wallet works here. */
  managedWalletInterop: string
  /** What proves the ownership. */
  proof: string
  /** Limits of a new wallet. */
  limits: {
    /** First claims of a wallet that need no stake and no fee. */
    waiverClaimsPerWallet: number
    /** Jobs for which the waiver applies. */
    waiverAppliesTo: string
    /** How to withdraw earnings. */
    withdrawal: string
  }
}

/** A webhook endpoint with its last 20 deliveries, newest first. */
export type Webhook = {
  /** Id of the record. */
  id: string
  /** Address that gets the events. */
  url: string
  /** Topics to deliver; empty for all. */
  topics: string[]
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string | null
  /** Header `webhook-key-id` of its deliveries. */
  keyId: string
  /** Current state. */
  state: 'active' | 'paused'
  /** Why it is paused; null while it is active. */
  pauseReason: 'paused_by_owner' | 'failed_for_24_hours' | 'signing_key_removed' | null
  /** ISO 8601 UTC. */
  createdAt: string
  /** Id of the last event that was delivered, or that its filter left out. */
  position: string
  /** Failed attempts to deliver the next event. */
  failures: number
  /** Instant of the first of them. */
  failingSince: string | null
  /** When the next attempt is due; null if none waits. */
  nextAttemptAt: string | null
  /** Last deliveries, newest first. */
  deliveries: WebhookDelivery[]
}

/** A new webhook endpoint with its secret, which no other answer shows. */
export type WebhookCreated = {
  /** Id of the record. */
  id: string
  /** Address that gets the events. */
  url: string
  /** Topics to deliver; empty for all. */
  topics: string[]
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string | null
  /** Header `webhook-key-id` of its deliveries. */
  keyId: string
  /** Current state. */
  state: 'active' | 'paused'
  /** Why it is paused; null while it is active. */
  pauseReason: 'paused_by_owner' | 'failed_for_24_hours' | 'signing_key_removed' | null
  /** ISO 8601 UTC. */
  createdAt: string
  /** Id of the last event that was delivered, or that its filter left out. */
  position: string
  /** Failed attempts to deliver the next event. */
  failures: number
  /** Instant of the first of them. */
  failingSince: string | null
  /** When the next attempt is due; null if none waits. */
  nextAttemptAt: string | null
  /** Last deliveries, newest first. */
  deliveries: WebhookDelivery[]
  /** Key of the signatures: the HMAC key is what follows `whsec_`, decoded from base64. */
  secret: string
}

/** One attempt to deliver an event to a webhook endpoint. */
export type WebhookDelivery = {
  /** Number of the delivery, from 1. */
  number: number
  /** Header `webhook-id`: the id of the event. */
  eventId: string
  /** Topic of the event. */
  topic: string
  /** ISO 8601 UTC. */
  sentAt: string
  /** Milliseconds until the answer. */
  durationMs: number
  /** Outcome. */
  outcome: 'delivered' | 'failed'
  /** HTTP status of the answer; null without one. */
  httpStatus: number | null
  /** Why it failed; null for a delivered event. */
  failure: 'status' | 'refused' | 'timeout' | 'network' | 'redirected' | null
  /** Explanation of this occurrence. */
  detail: string | null
  /** First KiB of the answer. */
  answer: string | null
}

/** What the service does and how to start, in short. */
export type Welcome = {
  /** What the service does. */
  what: string
  /** Path of the request, or of the member that is meant. */
  path: string[]
  /** What a buyer of work does. */
  buyerPath: string[]
  /** Escrow that pays for proven work. */
  proofGatedEscrow: string
  /** What to read before a claim. */
  beforeClaim: string[]
  /** What a new wallet can do. */
  freshWallet: string
  /** What the start costs. */
  costToStart: string
  /** Limits of a request. */
  requestLimit: {
    /** Largest body in bytes. */
    maxBodyBytes: number
  }
  /** What to do when the outcome of a claim is unclear. */
  claimRecovery: string
  /** Progress of the wallet through the tiers. */
  progression: string
  /** Tools by name. */
  tools: {
    /** Kind of the shared record. */
    surface: string
    /** Names of the tools. */
    names: string[]
  }
  /** Where everything stands. */
  fullDetail: {
    /** Tool call that answers it. */
    call: string
    /** Address over HTTP. */
    http: string
    /** Address of the manifest. */
    discovery: string
  }
}

/** Signed statement of what was judged, by which checks, and which transaction settled it. */
export type WorkReceipt = {
  /** Version of this shape. */
  schemaVersion: 'service.work-receipt.v1'
  /** Kind of the record. */
  kind: 'run'
  /** Kind of the receipt. */
  receiptType: 'work_outcome'
  /** 0x and 64 lower-case hex digits. */
  receiptId: string
  /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
  sessionId: string
  /** Id of the job. */
  jobId: string
  /** 0x and 64 lower-case hex digits. */
  chainJobId: string
  /** Lower-case 0x address other than the zero address. */
  worker: string
  /** Address of the verifier. */
  verifier: ReceiptVerifier
  intent: SignedReceiptIntent
  /** How a verdict reaches the chain. */
  execution: ReceiptExecution
  /** Verdict. */
  verdict: ReceiptVerdict
  /** How the work was decided. */
  resolution: StatedResolution
  /** How the money moves. */
  settlement?: SignedReceiptSettlement
  /** The event that ended the work on chain, with what binds it to its block. */
  settlementProof: SettlementPath | SettlementBlock
  /** Instants of the session by name. */
  timestamps: ReceiptTimestamps
  /** What the document states and what it does not. */
  attestation: string
  /** Participants with what they signed. */
  signers: BadgeSigner[]
  /** Public address of the badge. */
  canonicalUrl: string
  /** Signature. */
  signature: DocumentSignature
}

/** Every error code of the service. */
export type ErrorCode =
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'header_fields_too_large'
  | 'verifier_module_not_found'
  | 'request_timeout'
  | 'too_many_waits'
  | 'idempotency_key_reused'
  | 'idempotency_key_in_flight'
  | 'rate_limited'
  | 'internal_error'
  | 'upstream_failure'
  | 'state_store_unavailable'
  | 'workflow_engine_unavailable'
  | 'service_starting'
  | 'missing_token'
  | 'malformed_token'
  | 'unsupported_alg'
  | 'unknown_kid'
  | 'bad_signature'
  | 'claims_mismatch'
  | 'role_not_allowed'
  | 'missing_subject'
  | 'invalid_token_kind'
  | 'token_expired'
  | 'token_revoked'
  | 'auth_session_expired'
  | 'token_iat_future'
  | 'token_nbf_future'
  | 'service_token_refresh_unsupported'
  | 'siwe_message_mismatch'
  | 'siwe_domain_mismatch'
  | 'siwe_uri_mismatch'
  | 'siwe_chain_mismatch'
  | 'siwe_expired'
  | 'siwe_not_before'
  | 'siwe_bad_issued_at'
  | 'siwe_iat_future'
  | 'siwe_recover_failed'
  | 'siwe_signature_mismatch'
  | 'invalid_nonce'
  | 'nonce_wallet_mismatch'
  | 'missing_role'
  | 'missing_capability'
  | 'wallet_session_required'
  | 'metrics_auth_unconfigured'
  | 'blockchain_revert'
  | 'blockchain_unavailable'
  | 'chain_state_diverged'
  | 'chain_backend_required'
  | 'asset_not_mintable'
  | 'funding_route_restricted'
  | 'job_not_found'
  | 'schema_not_found'
  | 'catalog_verifier_cannot_reject_bad_work'
  | 'job_exists'
  | 'lane_budget_exhausted'
  | 'lane_backlog_saturated'
  | 'tier_locked'
  | 'role_locked'
  | 'job_session_completed'
  | 'retry_limit_exhausted'
  | 'job_not_claimable'
  | 'designated_claimants_only'
  | 'external_job_delisted'
  | 'reward_funding_pending'
  | 'reward_funding_unverified'
  | 'verifier_not_ready'
  | 'priority_window_active'
  | 'insufficient_liquidity'
  | 'worker_open_exposure_cap_reached'
  | 'worker_open_exposure_unavailable'
  | 'daily_exposure_budget_reached'
  | 'daily_exposure_budget_unavailable'
  | 'lifetime_catalogue_credit_exhausted'
  | 'catalogue_daily_budget_exhausted'
  | 'catalogue_daily_budget_unavailable'
  | 'onboarding_subsidy_exhausted'
  | 'external_reward_exceeds_capital_ceiling'
  | 'source_already_paid'
  | 'source_payment_history_unavailable'
  | 'external_posting_not_open_on_chain'
  | 'external_posting_escrow_unverified'
  | 'legacy_posting_unclaimable'
  | 'native_account_mapping_required'
  | 'native_mapping_unreadable'
  | 'claim_economics_unavailable'
  | 'job_already_claimed'
  | 'claim_in_progress'
  | 'idempotency_key_already_used'
  | 'job_definition_chain_mismatch'
  | 'job_definition_integrity_invalid'
  | 'claim_expired'
  | 'invalid_submission_shape'
  | 'submit_in_progress'
  | 'brokered_submit_expired'
  | 'external_direct_submit_evidence_mismatch'
  | 'session_not_found'
  | 'session_not_owned'
  | 'session_entry_not_found'
  | 'invalid_session_transition'
  | 'session_already_closed'
  | 'session_process_running'
  | 'session_money_unsettled'
  | 'share_not_found'
  | 'invalid_share_token'
  | 'share_forbidden'
  | 'share_token_expired'
  | 'share_revoked'
  | 'policy_not_found'
  | 'maintainer_open_pr_cap_reached'
  | 'dispute_not_found'
  | 'dispute_already_decided'
  | 'dispute_timeout_not_reached'
  | 'dispute_file_not_ready'
  | 'dispute_file_impossible'
  | 'overturn_window_closed'
  | 'content_not_found'
  | 'content_private'
  | 'content_publish_forbidden'
  | 'content_publish_pending'
  | 'agent_not_found'
  | 'feedback_not_found'
  | 'profile_opt_in_required'
  | 'credit_disclosure_mismatch'
  | 'locked_tiers_disabled'
  | 'locked_tier_disabled'
  | 'locked_tier_outstanding_credit_draw'
  | 'locked_tier_insufficient_aac_liquid'
  | 'locked_tier_per_wallet_cap_exceeded'
  | 'locked_tier_cohort_cap_exceeded'
  | 'locked_tier_pool_per_agent_cap_exceeded'
  | 'locked_tier_quote_unknown'
  | 'locked_tier_quote_expired'
  | 'locked_tier_terms_hash_mismatch'
  | 'locked_tier_consent_binding_mismatch'
  | 'locked_tier_consent_signer_mismatch'
  | 'locked_tier_already_released'
  | 'locked_tier_not_found'
  | 'locked_tier_credit_position_unavailable'
  | 'locked_tier_aac_balance_unavailable'
  | 'locked_tier_nav_unavailable'
  | 'locked_tier_consent_pending'
  | 'route_not_live'
  | 'idle_balance_consent_quote_unknown'
  | 'idle_balance_consent_quote_expired'
  | 'idle_balance_consent_terms_hash_mismatch'
  | 'idle_balance_consent_binding_mismatch'
  | 'idle_balance_consent_signer_mismatch'
  | 'idle_balance_consent_revoked'
  | 'idle_balance_consent_expired'
  | 'idle_balance_consent_pending'
  | 'idle_balance_venue_state_unavailable'
  | 'xcm_request_not_found'
  | 'xcm_request_not_owned'
  | 'xcm_wrapper_mismatch'
  | 'xcm_request_not_observed'
  | 'receipt_not_found'
  | 'receipt_wallet_mismatch'
  | 'receipt_key_unavailable'
  | 'log_head_not_found'
  | 'badge_not_ready'
  | 'badge_not_earned'
  | 'webhooks_off'
  | 'webhook_not_found'
  | 'webhook_limit_reached'
  | 'webhook_address_refused'
  | 'webhook_test_pending'

/** Input and answer of every operation. `pending` is the body of a 202, `rows` the name of the array of a list. */
export interface Operations {
  /** What the presented token may do, and until when. */
  getAuthSession: {
    input: Record<string, never>
    answer: {
      /** Lower-case 0x address. */
      wallet: string
      /** Subject of the token. */
      subject: string
      /** Roles of the wallet. */
      roles: ('admin' | 'verifier' | 'arbitrator')[]
      /** Whether a wallet or a service signed in. */
      tokenKind: 'wallet' | 'service'
      /** True for a service token. */
      serviceToken: boolean
      /** What the token may do. */
      capabilities: string[]
      /** Which capability each role and each route needs. */
      capabilityMatrix: {
        /** Version of the record or of the document. */
        version: string
        /** Value or capabilities without any addition. */
        base: string[]
        /** Roles of the wallet. */
        roles: Record<string, string[]>
        /** Capabilities of each route. */
        routes: Record<string, string[]>
        /** Rules of routes that no capability expresses. */
        routeRules: Record<string, unknown>[]
        /** Capabilities of each control of a console. */
        uiControls: Record<string, string[]>
        /** Capabilities of each automated action. */
        automationActions: Record<string, string[]>
      }
      /** ISO 8601 UTC. */
      issuedAt: string
      /** ISO 8601 UTC. */
      expiresAt: string
      /** ISO 8601 UTC. */
      authTime: string
      /** Last instant for a refresh. */
      refreshableUntil: string | null
    }
    pending: never
    rows: never
  }
  /** Public keys of access tokens, badges and receipts. */
  getKeySet: {
    input: Record<string, never>
    answer: {
      /** Public keys (RFC 7517). */
      keys: {
        /** Type of the key. */
        kty: 'EC'
        /** Curve of the key. */
        crv: 'P-256'
        /** X coordinate of the key, base64url. */
        x: string
        /** Y coordinate of the key, base64url. */
        y: string
        /** Algorithm of the signature. */
        alg: 'ES256'
        /** Use of the key. */
        use: 'sig'
        /** Id of the key. */
        kid: string
        /** ISO 8601 UTC. */
        validFrom?: string
        /** Instant after which the key signs nothing; null for the current key. */
        retiredAt?: string | null
      }[]
    }
    pending: never
    rows: never
  }
  /** Get the sign-in message for a wallet. */
  issueNonce: {
    input: {
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      wallet: string
    }
    answer: {
      /** Lower-case 0x address. */
      wallet: string
      /** Nonce of the transaction or of the sign-in message. */
      nonce: string
      /** Domain for which the message is signed. */
      domain: string
      /** Chain id (EIP-155). */
      chainId: number
      /** Movements of the account, or a statement for people. */
      statement: string
      /** ISO 8601 UTC. */
      issuedAt: string
      /** ISO 8601 UTC. */
      expiresAt: string
      /** Sentence for people. */
      message: string
    }
    pending: never
    rows: never
  }
  /** Revoke the presented token. */
  logout: {
    input: Record<string, never>
    answer: {
      /** Current status. */
      status: 'logged_out'
      /** Lower-case 0x address. */
      wallet: string
      /** Id of the token. */
      jti: string
    }
    pending: never
    rows: never
  }
  /** Exchange a token for a new one with the same subject and roles; the old one is revoked. */
  refreshToken: {
    input: Record<string, never>
    answer: {
      /** Bearer token. */
      token: string
      /** Lower-case 0x address. */
      wallet: string
      /** ISO 8601 UTC. */
      expiresAt: string
      /** Roles of the wallet. */
      roles: ('admin' | 'verifier' | 'arbitrator')[]
      /** What the token may do. */
      capabilities: string[]
      /** Scheme of the header `Authorization`. */
      tokenType: 'Bearer'
      /** Id of the token that this one replaces. */
      rotatedFromJti: string
    }
    pending: never
    rows: never
  }
  /** Exchange the signed message for a bearer token. */
  verifySignature: {
    input: {
      /** The sign-in message (EIP-4361), byte for byte as it was issued. */
      message: string
      /** Signature. */
      signature: string
    }
    answer: {
      /** Bearer token. */
      token: string
      /** Lower-case 0x address. */
      wallet: string
      /** ISO 8601 UTC. */
      expiresAt: string
      /** Roles of the wallet. */
      roles: ('admin' | 'verifier' | 'arbitrator')[]
      /** What the token may do. */
      capabilities: string[]
      /** Scheme of the header `Authorization`. */
      tokenType: 'Bearer'
    }
    pending: never
    rows: never
  }
  /** What the gas sponsor can do; without a sponsor, that it is off. */
  getGasCapabilities: {
    input: Record<string, never>
    answer: {
      /** Whether the part is switched on. */
      enabled: boolean
    }
    pending: never
    rows: never
  }
  /** Whether gas is sponsored. This release sponsors none beyond the brokered claims and submissions. */
  getGasHealth: {
    input: Record<string, never>
    answer: {
      /** Whether the part works. */
      ok: boolean
      /** Product behind the part. */
      backend: 'bundler'
      /** Whether the part is switched on. */
      enabled: boolean
      /** How the part works. */
      mode: 'disabled' | 'live'
    }
    pending: never
    rows: never
  }
  /** Whether the service can answer, whether work gets settled, and what each capability does. */
  getHealth: {
    input: Record<string, never>
    answer: Health
    pending: never
    rows: never
  }
  /** Answers while the process can answer at all. */
  getLiveness: {
    input: Record<string, never>
    answer: {
      /** The current value, or that the process answers. */
      live: true
    }
    pending: never
    rows: never
  }
  /** Prometheus metrics, behind a secret of their own outside local development. */
  getMetrics: {
    input: Record<string, never>
    answer: string
    pending: never
    rows: never
  }
  /** Capability manifest at its well-known address. */
  getAgentTools: {
    input: Record<string, never>
    answer: {
      /** Name to show. */
      name: string
      /** Version of the record or of the document. */
      version: string
      /** What it is, in plain words. */
      description: string
      /** Protocols that the service speaks. */
      protocols: string[]
      /** Kind of the list: tools that execute are left out. */
      discoveryMode: 'directory-safe'
      /** Products, each with whether it is available. */
      products: Record<string, unknown>
      /** First steps of an agent. */
      onboarding: {
        /** How to start without a wallet. */
        walletlessArrival: WalletlessArrival
        /** Steps from the first request to the badge. */
        starterFlow: StarterStep[]
        /** Ways to sign in. */
        walletModes: WalletMode[]
        /** What each route needs. */
        actionRequirements: ActionRequirement[]
        /** Checks before the first claim. */
        readinessChecks: ReadinessCheck[]
        /** What an agent can do on its own. */
        selfServeChecklist: string[]
        /** How a deposit raises the limits. */
        buildVestedCapacity: Record<string, unknown>
        /** How to withdraw earnings. */
        withdrawEarnings: Record<string, unknown>
        /** Where workers start. */
        entrypoint: string
        /** Where posters start; null while posting is closed. */
        posterEntrypoint: string | null
      }
      /** Rules of the sign-in. */
      auth: {
        /** Scheme of the sign-in. */
        scheme: string
        /** Id of the scheme. */
        schemeId: 'SIWE_JWT'
        /** Version of the rules. */
        policyVersion: string
        /** Routes of the sign-in. */
        entrypoints: string[]
        /** Ways to sign in that work now. */
        supportedWalletModes: string[]
        /** Ways to sign in of a later release. */
        plannedWalletModes: string[]
        /** Steps of the sign-in. */
        flow: string[]
        /** Route that ends the session. */
        logout: string
        /** Ways to sign in. */
        modes: string[]
      }
      /** Routes without a token. */
      publicEndpoints: EndpointSummary[]
      /** Routes with a token. */
      authenticatedEndpoints: EndpointSummary[]
      /** Tools by name. */
      tools: {
        /** Name to show. */
        name: string
        /** What it is, in plain words. */
        description: string
      }[]
      /** Schemas of documents, each with its address. */
      schemas: {
        /** Address of the schema of badges. */
        agentBadge: string
        /** Address of the schema of profiles; null while there are none. */
        agentProfile: string | null
        /** Address of the schema of receipts; null while there are none. */
        workReceipt: string | null
        /** Route that lists the schemas of jobs. */
        jobSchemasIndex: string
        /** Path of one schema of a job. */
        jobSchemaPathTemplate: string
        /** Start of a reference to a schema of a job. */
        jobSchemaRefPrefix: 'schema://jobs/'
      }
      /** Address of the reference page. */
      docs: string
      /** Where work is executed. */
      executionSurfaces: Record<string, unknown>
      /** Public address of the service. */
      baseUrl: string
      /** Public address of the manifest. */
      discoveryUrl: string
      /** Profile of the manifest; null without one. */
      profile: string | null
      /** Address of each protocol. */
      protocolEndpoints: {
        /** Address over HTTP. */
        http: string
        /** Address over the Model Context Protocol; null while it is not served. */
        mcp: string | null
      }
      /** Route of the state of the service. */
      health: string
    }
    pending: never
    rows: never
  }
  /** Reference page: operations, error codes, rules of the API. */
  getDocs: {
    input: Record<string, never>
    answer: string
    pending: never
    rows: never
  }
  /** The same with the arguments of every tool, the members of every request and every error code. */
  getLlmsFullText: {
    input: Record<string, never>
    answer: string
    pending: never
    rows: never
  }
  /** What the service is, for a language model: the way in, the tools, the routes. */
  getLlmsText: {
    input: Record<string, never>
    answer: string
    pending: never
    rows: never
  }
  /** What the service does and how to start: the flow, wallet modes, requirements, tools. */
  getOnboarding: {
    input: {
      /** How much of it to show. */
      detail?: 'welcome' | 'full' | undefined
    }
    answer:
      | {
          /** Name to show. */
          name: string
          /** Version of the record or of the document. */
          version: string
          /** Public address of the manifest. */
          discoveryUrl: string
          /** Kind of the list: tools that execute are left out. */
          discoveryMode: 'directory-safe'
          /** Protocols that the service speaks. */
          protocols: string[]
          /** Products, each with whether it is available. */
          products: {
            /** Verification as a product. */
            verify: Record<string, unknown>
            /** Escrow that pays for proven work. */
            proofGatedEscrow: Record<string, unknown>
            /** Receipts for work. */
            workReceipts: Record<string, unknown>
          }
          /** First steps of an agent. */
          onboarding: {
            /** How to start without a wallet. */
            walletlessArrival: WalletlessArrival
            /** Steps from the first request to the badge. */
            starterFlow: StarterStep[]
            /** Ways to sign in. */
            walletModes: WalletMode[]
            /** What each route needs. */
            actionRequirements: ActionRequirement[]
            /** Checks before the first claim. */
            readinessChecks: ReadinessCheck[]
            /** What an agent can do on its own. */
            selfServeChecklist: string[]
            /** How a deposit raises the limits. */
            buildVestedCapacity: Record<string, unknown>
            /** How to withdraw earnings. */
            withdrawEarnings: Record<string, unknown>
          }
          /** Rules of the sign-in. */
          auth: {
            /** Scheme of the sign-in. */
            scheme: string
            /** Id of the scheme. */
            schemeId: 'SIWE_JWT'
            /** Version of the rules. */
            policyVersion: string
            /** Routes of the sign-in. */
            entrypoints: string[]
            /** Ways to sign in that work now. */
            supportedWalletModes: string[]
            /** Ways to sign in of a later release. */
            plannedWalletModes: string[]
          }
          /** Where work is executed. */
          executionSurfaces: Record<string, unknown>
          /** Tools by name. */
          tools: string[]
          /** Deposits that are locked for a term. */
          lockedDeposits: LockedDepositProduct
          /** Idle-balance allocation. */
          idleAllocation: IdleAllocationProduct
          /** Rules that a worker meets. */
          workerDoor: {
            /** Bond of a claim: stake and fee. */
            claimBond: Record<string, unknown>
            /** How to check a claim beforehand. */
            preflight: Record<string, unknown>
            /** How to deposit. */
            selfDeposit: Record<string, unknown>
            /** Test funding of the local chain. */
            accountFund: Record<string, unknown>
            /** How to withdraw earnings. */
            withdrawal: Record<string, unknown>
            /** How to check a submission beforehand. */
            submissionValidation: Record<string, unknown>
            /** Time from the claim to the submission. */
            claimTtl: Record<string, unknown>
            /** Time in which a rejection can be disputed. */
            disputeWindow: Record<string, unknown>
            /** Routes that read the chain. */
            liveReads: Record<string, unknown>
          }
          /** Jobs of other posters. */
          externalBounties: Record<string, unknown>
        }
      | Welcome
    pending: never
    rows: never
  }
  /** OpenAPI 3.1 description of every route and every code. */
  getOpenApi: {
    input: {
      /** `none` leaves the examples out, about a third of the document. */
      examples?: 'all' | 'none' | undefined
    }
    answer: Record<string, unknown>
    pending: never
    rows: never
  }
  /** A module of the verifier, as JavaScript. */
  getVerifyModule: {
    input: {
      /** Name to show. */
      name: string
    }
    answer: string
    pending: never
    rows: never
  }
  /** Page that checks a signed record in the browser. */
  getVerifyPage: {
    input: Record<string, never>
    answer: string
    pending: never
    rows: never
  }
  /** Style of the page that checks records. */
  getVerifyStyle: {
    input: Record<string, never>
    answer: string
    pending: never
    rows: never
  }
  /** How to connect a client of the Model Context Protocol. */
  getMcpInfo: {
    input: Record<string, never>
    answer: {
      /** Name to show. */
      name: string
      /** What it is, in plain words. */
      description: string
      /** Kind of the record. */
      type: 'mcp_protocol_endpoint'
      /** Transport of the protocol. */
      transport: 'streamable_http'
      /** Revisions of the protocol that the service speaks, newest first. */
      protocolVersions: string[]
      /** Where a client connects. */
      connect: {
        /** Address. */
        url: string
      }
      /** Entry for the configuration file of a client. */
      install: Record<string, unknown>
      /** Lists of tools, each with the address that shows it. */
      toolsets: {
        /** Name to show. */
        name: 'worker' | 'poster' | 'savings' | 'operator'
        /** Address. */
        url: string
        /** Tools by name. */
        tools: string[]
      }[]
      /** Description of the same functions over HTTP. */
      plainHttpAlternative: string
    }
    pending: never
    rows: never
  }
  /** One message of the Model Context Protocol, in the revisions of 2025 and 2026. */
  sendMcpMessage: {
    input: {
      /** `all`, or names of tool lists, separated by commas. */
      toolset?: string | undefined
      /** Page that sends the message; an unknown one is refused. */
      origin?: string | undefined
      /** Both `application/json` and `text/event-stream`. */
      accept?: string | undefined
      /** Must be `application/json`. */
      'content-type'?: string | undefined
      /** Revision of the protocol that the client speaks. */
      'mcp-protocol-version'?: string | undefined
      /** Method of the message; needed from the revision 2026-07-28 on. */
      'mcp-method'?: string | undefined
      /** Name of the tool or prompt, or address of the resource; needed from the revision 2026-07-28 on. */
      'mcp-name'?: string | undefined
    } & {
      /** Sent as it is. */
      body: string | Uint8Array
    }
    answer: JsonRpcResult | JsonRpcError | ''
    pending: never
    rows: never
  }
  /** How long work waits for its verdict and its payment, and what waits longest. */
  getSettlementClock: {
    input: Record<string, never>
    answer: {
      /** Chain id (EIP-155). */
      chainId: number
      /** Escrow contracts whose events count. */
      escrows: string[]
      /** Wallets of the operator, whose work is left out. */
      excludedWallets: string[]
      window: SettlementWindow
      /** From the submission to its first verdict. */
      submittedToVerdict: StepTimes
      /** From the first verdict to the first payment. */
      verdictToPaid: StepTimes
      /** From the submission to its first payment. */
      submittedToPaid: StepTimes
      /** Submissions that wait. */
      unpaid: UnpaidWork
    }
    pending: never
    rows: never
  }
  /** Canonical definition of one job. */
  getJobDefinition: {
    input: {
      /** Id of the job. */
      jobId: string
      /** Wallet of the answer; without it the wallet of the token. */
      wallet?: string | undefined
      /** True to find archived jobs too; admins only. */
      includeArchived?: boolean | undefined
    }
    answer: Job
    pending: never
    rows: never
  }
  /** One built-in job schema (JSON Schema draft-07). */
  getJobSchema: {
    input: {
      /** Name to show. */
      name: string
    }
    answer: Record<string, unknown>
    pending: never
    rows: never
  }
  /** Skill each claim tier requires; with a token, how far the wallet is. */
  getJobTiers: {
    input: Record<string, never>
    answer: {
      /** Name of the ladder of tiers. */
      ladder: string
      /** Version of the rules of the scores. */
      scoringVersion: number
      /** Tiers from the lowest to the highest. */
      tiers: (
        | TierGate
        | {
            /** Claim tier of the job or of the wallet. */
            tier: 'starter' | 'pro' | 'elite'
            /** What is required. */
            requires: {
              /** Score of approved work. */
              skill: number
            }
          }
      )[]
      /** Lower-case 0x address. */
      wallet?: string
      /** Scores of the wallet. */
      reputation?: Record<string, unknown>
      /** Lowest tier that is still locked. */
      nextLocked?: TierGate | null
    }
    pending: never
    rows: never
  }
  /** Built-in job schemas. */
  listJobSchemas: {
    input: Record<string, never>
    answer: {
      /** Schemas of documents, each with its address. */
      schemas: SchemaRow[]
      /** Number of rows. */
      count: number
      /** Address of the reference page. */
      docs: string
    }
    pending: never
    rows: never
  }
  /** Public job catalogue, newest first. */
  listJobs: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
      /** Wallet of the answer; without it the wallet of the token. */
      wallet?: string | undefined
      /** Rows with every member (`full`) or with the short ones (`compact`). */
      format?: 'full' | 'compact' | undefined
      /** Alias of `format`. */
      shape?: 'full' | 'compact' | undefined
      /** Where the value or the record comes from. */
      source?: string | undefined
      /** Kind of work, such as `docs`. */
      category?: string | undefined
      /** Current state. */
      state?:
        | 'open'
        | 'restricted'
        | 'claimed'
        | 'submitted'
        | 'expired'
        | 'exhausted'
        | 'unclaimable'
        | 'paused'
        | 'archived'
        | 'stale'
        | 'claimable'
        | 'available'
        | undefined
      /** Claim tier of the job or of the wallet. */
      tier?: 'starter' | 'pro' | 'elite' | undefined
      /** How the work is judged. */
      verifierMode?: 'benchmark' | 'deterministic' | 'human_fallback' | 'codehost_pr' | undefined
    }
    answer: {
      /** Jobs of the page. */
      jobs: (Job | CompactJob)[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Number of rows. */
      count: number
      /** Filters that were applied. */
      filters: {
        /** Where the value or the record comes from. */
        source?: string
        /** Kind of work, such as `docs`. */
        category?: string
        /** Current state. */
        state?: string
        /** Claim tier of the job or of the wallet. */
        tier?: string
        /** How the work is judged. */
        verifierMode?: string
      }
      /** True where the rows are compact. */
      compact: boolean
      /** Counts over the whole catalogue. */
      inventory: {
        /** Jobs that can be claimed. */
        claimableJobs: number
        /** Jobs for which the waiver of stake and fee applies. */
        waiverEligibleJobs: number
        /** Jobs with the waiver that can be claimed. */
        waiverEligibleClaimableJobs: number
        /** ISO 8601 UTC. */
        asOf?: string
      }
    }
    pending: never
    rows: 'jobs'
  }
  /** Claim a job: lock the bond and start the claim clock. */
  claimJob: {
    input: {
      /** Id of the job. */
      jobId: string
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: Session
    pending: PendingSession
    rows: never
  }
  /** Submit the work of a claimed session. */
  submitWork: {
    input: {
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** The work: an object as the schema of the job describes it. No text and no member name in it holds the character U+0000, and no whole number in it is beyond 2^53. */
      submission?: unknown
      /** Alias of `submission`; plain text for text jobs, at most 16,384 bytes. No text and no member name in it holds the character U+0000, and no whole number in it is beyond 2^53. */
      evidence?: unknown
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    } & (
      | {
          submission: unknown
          evidence?: never
        }
      | {
          evidence: unknown
          submission?: never
        }
    )
    answer: Session
    pending: PendingSession
    rows: never
  }
  /** Check a submission against the terms of its job; nothing is stored. */
  validateSubmission: {
    input: {
      /** Id of the job. */
      jobId: string
      /** The work: an object as the schema of the job describes it. No text and no member name in it holds the character U+0000, and no whole number in it is beyond 2^53. */
      submission?: unknown
      /** Alias of `submission`. No text and no member name in it holds the character U+0000, and no whole number in it is beyond 2^53. */
      output?: unknown
      /** Alias of `submission`. No text and no member name in it holds the character U+0000, and no whole number in it is beyond 2^53. */
      evidence?: unknown
    } & (
      | {
          submission: unknown
          output?: never
          evidence?: never
        }
      | {
          output: unknown
          submission?: never
          evidence?: never
        }
      | {
          evidence: unknown
          submission?: never
          output?: never
        }
    )
    answer: {
      /** Id of the job. */
      jobId: string
      /** Whether submit accepts it: it matches the schema, and its pull request is one of the job. */
      valid: boolean
      /** Whether submit accepts it and its terms alone do not decide that the verifier rejects it. */
      submitSafe: boolean
      /** Route that checks a submission. */
      validationEndpoint: string
      /** Route that takes the submission. */
      submitEndpoint: string
      /** How the submission is sent. */
      submissionShape: string
      /** Part of the request that the schema checks. */
      schemaValidates: string
      /** The object is sent directly, not inside `output`. */
      doNotWrapInOutput: boolean
      /** Members that the schema requires. */
      requiredTopLevelKeys: string[]
      /** Reference of the schema. */
      schemaRef: string
      /** Whether the submission is an object or a text. */
      submissionKind?: 'structured' | 'text'
      /** The submission as it would be stored. */
      normalizedSubmission?: unknown
      /** Wrapper that was removed. */
      normalizedFrom?: string
      /** keccak256 of the canonical submission, as a submit would record it. */
      evidenceHash?: string
      /** Remarks that stop nothing. */
      warnings?: {
        /** Stable code, for programs. */
        code: string
        /** Sentence for people. */
        message: string
      }[]
      /** What a pull request must disclose. */
      disclosure?: {
        /** Current status. */
        status: string
        /** What to do. */
        hint: string
        /** Text for the body of the pull request. */
        footer?: string
      }
      /** Stable code, for programs. */
      code?: string
      /** Sentence for people. */
      message?: string
      /** Path of the request, or of the member that is meant. */
      path?: string
      /** Paths of the failed members. */
      errorPaths?: string[]
      /** Failed rules of the input. */
      errors?: FieldError[]
      /** Facts of this occurrence. */
      details?: Record<string, unknown>
    }
    pending: never
    rows: never
  }
  /** Net reward of a job for this wallet, by path. */
  estimateJobReward: {
    input: {
      /** Id of the record. */
      id: string
    }
    answer: RewardEstimate
    pending: never
    rows: never
  }
  /** Net reward of a job for this wallet. */
  estimateReward: {
    input: {
      /** Id of the job. */
      jobId: string
    }
    answer: RewardEstimate
    pending: never
    rows: never
  }
  /** Why a job is open or blocked for this wallet. */
  explainEligibility: {
    input: {
      /** Id of the job. */
      jobId: string
    }
    answer: {
      /** Id of the job. */
      jobId: string
      /** Lower-case 0x address. */
      wallet: string
      /** Whether the wallet can claim the job now. */
      eligible: boolean
      /** Why, as a stable word; null where there is no reason. */
      reason: string
      /** The reason in one sentence. */
      reasonMessage?: string
      /** What stands against it, in the order of the gates. */
      blockers: Blocker[]
      /** Claim tier of the job or of the wallet. */
      tier: 'starter' | 'pro' | 'elite'
      /** Skill that the tier needs, and what the wallet has. */
      tierGate: TierGate
      /** Kind of the job. */
      jobType: 'work' | 'curation' | 'review' | 'publish' | 'verification'
      /** Role that is needed. */
      requiredRole: 'worker' | 'curator' | 'reviewer' | 'publisher' | 'verifier' | 'arbitrator'
      /** Role that the job needs, and what the wallet has. */
      roleGate: RoleGate
      /** Whether the wallet has done work of this category. */
      preferredCategory: boolean
      /** Lifecycle of the listing or of the session. */
      lifecycle: JobLifecycle
      /** Name of the tier. */
      tierLabel: string
      /** Whether a handler exists for the mode. */
      supportsVerifier: boolean
      /** Handler of the verification. */
      verifierHandler: string
      /** Whether the job can be claimed now. */
      claimable: boolean
      /** Whether this wallet can claim it; null without a wallet. */
      currentWalletCanClaim: boolean | null
      /** Stake and fee together, which the claim locks. */
      totalClaimLock: string | null
      /** Stake and fee together in base units, as digits. */
      totalClaimLockRaw: bigint | null
      /** Balance that a claim can use. */
      availableLiquidity: string | null
      /** Balance that a claim can use in base units, as digits. */
      availableLiquidityRaw: bigint | null
      /** Whether stake and fee are waived. */
      claimEconomicsWaived: boolean | null
      /** Gas that the escrow retains from the reward. */
      gasRetention: GasRetention | null
      /** Asset that the claim locks. */
      claimFundingAsset: string
      /** Whether the balance covers the lock. */
      claimFundingSufficient: boolean | null
      /** What the balance lacks, in whole units. */
      claimFundingShortfall: string | null
      /** What the balance lacks in base units, as digits. */
      claimFundingShortfallRaw: bigint | null
      /** Budget of waived claims of the day. */
      onboardingSubsidy: OnboardingSubsidy | null
      /** Whether the definition is unchanged. */
      jobDefinitionIntegrity: JobIntegrity
      /** Open work of the wallet and its cap. */
      workerExposure: Record<string, unknown>
      /** Work of the wallet in the last day and its cap. */
      dailyExposure: Record<string, unknown>
      /** What is left of the daily budget. */
      dailyExposureRemaining: string | null
      /** What is left of the daily budget in base units, as digits. */
      dailyExposureRemainingRaw: bigint | null
      /** Cap that applies; null where it could not be read. */
      currentCap: {
        /** Symbol of the asset. */
        asset: string
        /** Integer in base units, as digits. */
        raw: bigint
        /** Decimal places of the asset. */
        decimals: number
        /** Whole units, as a decimal string. */
        display: string
        /** Where the value or the record comes from. */
        source: string
      } | null
      /** What the cap comes from. */
      capSource: {
        /** Gate that refuses. */
        gate: string
        /** Claim tier of the job or of the wallet. */
        tier: string
        /** Name of the tier. */
        tierLabel: string
        /** Part that a deposit adds. */
        deposit: {
          /** Vested deposit. */
          vested: AssetAmount
          /** Raise of the cap of one job. */
          perJobRaise: AssetAmount
          /** Raise of the cap of open work. */
          concurrentRaise: AssetAmount
        }
      }
      /** What raises the cap next. */
      nextRaise: {
        /** What to do, or what was done. */
        action: string
        /** What the action changes. */
        effect: string
      } | null
    }
    pending: never
    rows: never
  }
  /** What a claim by this wallet would meet: gates, stake, fee, blockers. */
  preflightJob: {
    input: {
      /** Id of the job. */
      jobId: string
    }
    answer: {
      /** Id of the job. */
      jobId: string
      /** Lower-case 0x address. */
      wallet: string
      /** Whether the wallet can claim the job now. */
      eligible: boolean
      /** Why, as a stable word; null where there is no reason. */
      reason: string
      /** The reason in one sentence. */
      reasonMessage?: string
      /** What stands against it, in the order of the gates. */
      blockers: Blocker[]
      /** Whether the catalogue offers the job. */
      catalogEligible: boolean
      /** Codes of all blockers. */
      failureStates: string[]
      /** Reward after deductions. */
      netReward: string | null
      /** Reward after deductions in base units, as digits. */
      netRewardRaw: bigint | null
      /** Stake of the claim, in whole units. */
      claimStake: string | null
      /** Stake of the claim in base units, as digits. */
      claimStakeRaw: bigint | null
      /** Stake in basis points of the reward. */
      claimStakeBps: number | null
      /** Fee of the claim. */
      claimFee: string | null
      /** Fee of the claim in base units, as digits. */
      claimFeeRaw: bigint | null
      /** Fee in basis points of the reward. */
      claimFeeBps: number | null
      /** Stake and fee together, which the claim locks. */
      totalClaimLock: string | null
      /** Stake and fee together in base units, as digits. */
      totalClaimLockRaw: bigint | null
      /** Balance that a claim can use. */
      availableLiquidity: string | null
      /** Balance that a claim can use in base units, as digits. */
      availableLiquidityRaw: bigint | null
      /** Whether stake and fee are waived. */
      claimEconomicsWaived: boolean | null
      /** Gas that the escrow retains from the reward. */
      gasRetention: GasRetention | null
      /** Asset that the claim locks. */
      claimFundingAsset: string
      /** Whether the balance covers the lock. */
      claimFundingSufficient: boolean | null
      /** What the balance lacks, in whole units. */
      claimFundingShortfall: string | null
      /** What the balance lacks in base units, as digits. */
      claimFundingShortfallRaw: bigint | null
      /** Budget of waived claims of the day. */
      onboardingSubsidy: OnboardingSubsidy | null
      /** When the waiver is decided. */
      claimEconomicsWaiverScope: string
      /** Where stake and fee were read. */
      claimEconomicsSource: string | null
      /** Whether the fee is kept after an approval. */
      claimFeeRetainedOnSuccess: boolean | null
      /** Whether the escrow retains gas from the reward. */
      gasRetentionSupported: boolean | null
      /** Ordinal among the claimant's claims, which decides the waiver; null until claimed. */
      claimNumber: number | null
      /** First claims of a wallet that need no stake and no fee. */
      waiverClaimsPerWallet: number | null
      /** Waived claims that are left. */
      waiverSlotsRemaining: number | null
      /** Whether money must come back from a strategy first. */
      strategyUnwindNeeded: boolean
      /** Reference of the schema of the submission. */
      requiredOutputSchema: string
      /** How to submit. */
      submissionContract: SubmissionContract
      /** Rules of the submission deadline, as sentences. */
      deadlineRules: string[]
      /** Pinned terms of the verification. */
      verificationContract: VerificationContract
      /** How the work is judged. */
      verifierMode: string
      /** Settings of the verifier. */
      verifierConfig: Record<string, unknown>
      /** Handler of the verification. */
      verifierHandler: string
      /** Whether a handler exists for the mode. */
      supportsVerifier: boolean
      /** What a pull request must disclose. */
      disclosure?: Disclosure
      /** Open pull requests of the job's repository and its cap; a submission at the cap is refused. */
      openPullRequests?: {
        /** Repository as `owner/name`. */
        repo: string
        /** Open pull requests. */
        openCount: number
        /** Highest number of open pull requests. */
        openPrCap: number
      }
      /** Claim tier of the job or of the wallet. */
      tier: 'starter' | 'pro' | 'elite'
      /** Skill that the tier needs, and what the wallet has. */
      tierGate: TierGate
      /** Kind of the job. */
      jobType: 'work' | 'curation' | 'review' | 'publish' | 'verification'
      /** Role that is needed. */
      requiredRole: 'worker' | 'curator' | 'reviewer' | 'publisher' | 'verifier' | 'arbitrator'
      /** Role that the job needs, and what the wallet has. */
      roleGate: RoleGate
      /** Whether the wallet has done work of this category. */
      preferredCategory: boolean
      /** Lifecycle of the listing or of the session. */
      lifecycle: JobLifecycle
      /** True where the caps do not apply. */
      progressionValvesBypassed?: boolean
      /** Tier of the wallet. */
      reputationTier?: 'starter' | 'pro' | 'elite'
      /** Whether the job can be claimed now. */
      claimStatus: ClaimStatus
      /** State of the job for claims. */
      claimState:
        | 'open'
        | 'restricted'
        | 'claimed'
        | 'submitted'
        | 'expired'
        | 'exhausted'
        | 'unclaimable'
        | 'paused'
        | 'archived'
        | 'stale'
      /** Current state. */
      state: 'open' | 'restricted' | 'claimed' | 'submitted' | 'expired' | 'exhausted' | 'unclaimable' | 'paused' | 'archived' | 'stale'
      /** `claimable` where the job can be claimed, otherwise the claim state. */
      effectiveState:
        | 'open'
        | 'restricted'
        | 'claimed'
        | 'submitted'
        | 'expired'
        | 'exhausted'
        | 'unclaimable'
        | 'paused'
        | 'archived'
        | 'stale'
        | 'claimable'
      /** Whether the job can be claimed now. */
      claimable: boolean
      /** Whether this wallet can claim it; null without a wallet. */
      currentWalletCanClaim: boolean | null
      /** Attempts that reached a submission. */
      claimAttemptCount: number
      /** Member that decides. */
      claimabilitySource: string
      /** What the lifecycle status says, and what it does not. */
      lifecycleStatusMeaning: string
      /** Wallet that holds the job; null while unclaimed. */
      claimedBy: string | null
      /** Instant of the claim. */
      claimedAt: string | null
      /** Last instant at which a submission is accepted. */
      claimExpiresAt: string | null
      /** Attempts that may reach a submission; 0 means unlimited. */
      retryLimit: number
      /** Attempts that are left; null where they are unlimited. */
      remainingClaimAttempts: number | null
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string | null
      /** ISO 8601 UTC. */
      listedAt: string
      /** Whether the reward is funded; null where nothing is to be funded. */
      fundingState?: 'funded' | 'pending' | 'available' | 'unverified' | null
      /** Time in which only qualifying wallets may claim. */
      priorityWindow?: PriorityWindow
      /** Whether the wallet qualifies in the priority window. */
      priorityQualification?: {
        /** Current status. */
        status: 'not_windowed' | 'open_to_everyone' | 'priority_qualified' | 'priority_window_active'
        /** Whether the wallet qualifies. */
        qualifies: boolean
        /** Claim tier of the job or of the wallet. */
        tier?: string | null
        /** Tier of the locked deposit. */
        lockTier: string
        /** Rank among the qualifying tiers. */
        priorityRank?: number | null
        /** Vested deposit. */
        vestedDeposit?: string | null
        /** Vested deposit in base units, as digits. */
        vestedDepositRaw?: bigint | null
        /** Whole units, as a decimal string. */
        threshold?: string
        /** Integer in base units, as digits. */
        thresholdRaw?: bigint
        /** Whether the vested deposit could be read. */
        vestingAvailable?: boolean
        /** Credit that is not repaid. */
        outstandingCredit?: string | null
        /** Credit that is not repaid in base units, as digits. */
        outstandingCreditRaw?: bigint | null
        /** Whether the credit could be read. */
        creditPositionAvailable?: boolean
        /** True where no credit is outstanding. */
        noOutstandingCreditDraw: boolean
        /** Whether the deposit qualifies. */
        depositQualified: boolean
        /** Whether the wallet is listed in the directory. */
        directoryListed: boolean
      }
      /** ISO 8601 UTC. */
      openAt?: string
      /** Whether the definition is unchanged. */
      jobDefinitionIntegrity: JobIntegrity
      /** Open work of the wallet and its cap. */
      workerExposure: Record<string, unknown>
      /** Work of the wallet in the last day and its cap. */
      dailyExposure: Record<string, unknown>
      /** What is left of the daily budget. */
      dailyExposureRemaining: string | null
      /** What is left of the daily budget in base units, as digits. */
      dailyExposureRemainingRaw: bigint | null
      /** Allowance of the wallet: lifetime credit, then a daily budget. */
      dailyAllowance?: Record<string, unknown>
      /** Which jobs of the catalogue the wallet may claim. */
      catalogueAccess: Record<string, unknown>
      /** Budget of all wallets for the catalogue. */
      catalogueDailyBudget: Record<string, unknown>
      /** True where the job was removed from the catalogue. */
      delisted?: boolean
      /** Instant of the removal. */
      delistedAt?: string | null
      /** Why the job was removed. */
      delistReason?: string | null
    }
    pending: never
    rows: never
  }
  /** Jobs that the wallet can claim, ranked by how well they fit, then a few of the next tier. */
  recommendJobs: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
    }
    answer: {
      /** Jobs, the best fit first. */
      recommendations: {
        /** Id of the job. */
        jobId: string
        /** How well the job fits, from 0 to 100. */
        fitScore: number
        /** Whole units, as a decimal string. */
        netReward: string
        /** Integer in base units, as digits. */
        netRewardRaw: bigint
        /** Whether the escrow retains gas from the reward. */
        gasRetentionSupported: boolean
        /** Gas that the escrow retains from the reward. */
        gasRetention: GasRetention
        /** Whether the wallet can claim the job now. */
        eligible: boolean
        /** What stands against it, in the order of the gates. */
        blockers?: Blocker[]
        /** Claim tier of the job or of the wallet. */
        tier: 'starter' | 'pro' | 'elite'
        /** Skill that the tier needs, and what the wallet has. */
        tierGate: TierGate
        /** Kind of the job. */
        jobType: 'work' | 'curation' | 'review' | 'publish' | 'verification'
        /** Role that is needed. */
        requiredRole: 'worker' | 'curator' | 'reviewer' | 'publisher' | 'verifier' | 'arbitrator'
        /** Role that the job needs, and what the wallet has. */
        roleGate: RoleGate
        /** Why it fits. */
        explanation: string
        /** What would unlock the job. */
        unlockHints: string[]
        /** ISO 8601 UTC. */
        listedAt: string
        /** Time in which only qualifying wallets may claim. */
        priorityWindow?: PriorityWindow
      }[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Which jobs were ranked. */
      ranked?: string
    }
    pending: never
    rows: 'recommendations'
  }
  /** End a session that can no longer progress. */
  closeSession: {
    input: {
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** Outcome. */
      outcome: 'timed_out' | 'closed'
      /** Why, for the record. */
      note: string
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: Session
    pending: never
    rows: never
  }
  /** One own session by id. */
  getSession: {
    input: {
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** Alias of `sessionId`. */
      id?: string | undefined
      /** Seconds to hold the answer until the state changes. */
      waitSeconds?: number | undefined
    }
    answer: Session | PendingSession
    pending: never
    rows: never
  }
  /** Session lifecycle graph. */
  getSessionStateMachine: {
    input: Record<string, never>
    answer: SessionStateMachine
    pending: never
    rows: never
  }
  /** Timeline of a session, for its owner, verifiers and admins. */
  getSessionTimeline: {
    input: {
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** Number of the last entry of the history to show. */
      at?: number | undefined
    }
    answer: {
      /** Version of the timeline. */
      timelineVersion: 'v2'
      /** The session. */
      session: Session
      /** Lifecycle of the listing or of the session. */
      lifecycle: SessionLifecycle
      /** How the work is verified. */
      verification?: Record<string, unknown> | null
      /** Jobs that followed from this one. */
      childJobs: Record<string, unknown>[]
      /** Earlier and later records of the same work. */
      lineage: Record<string, unknown> | null
      /** Statuses and the changes between them. */
      stateMachine: SessionStateMachine
      /** Entries, oldest first. */
      timeline: SessionTimelineEntry[]
      /** Current state. */
      state: SessionState
      /** Entries of the history as the session log publishes them. */
      log: SessionLogEntry[]
    }
    pending: never
    rows: never
  }
  /** Sessions of every wallet, last updated first. */
  listAdminSessions: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
      /** Id of the job. */
      jobId?: string | undefined
      /** Current status. */
      status?:
        | 'claimed'
        | 'submitted'
        | 'disputed'
        | 'rejected'
        | 'resolved'
        | 'closed'
        | 'expired'
        | 'timed_out'
        | 'chain_state_diverged'
        | undefined
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      wallet?: string | undefined
    }
    answer: {
      /** Sessions of the page. */
      sessions: SessionRow[]
      /** Number of rows. */
      count: number
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Range to which the record applies. */
      scope: 'operator'
    }
    pending: never
    rows: 'sessions'
  }
  /** Own sessions, last updated first. */
  listSessions: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
      /** Id of the job. */
      jobId?: string | undefined
      /** A status, or `active` for claimed, submitted and disputed. */
      state?:
        | 'claimed'
        | 'submitted'
        | 'disputed'
        | 'rejected'
        | 'resolved'
        | 'closed'
        | 'expired'
        | 'timed_out'
        | 'chain_state_diverged'
        | 'active'
        | undefined
    }
    answer: {
      /** Sessions of the page. */
      sessions: SessionRow[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'sessions'
  }
  /** The list that the head of a day signs, in its order. */
  listLogEntries: {
    input: {
      /** Day of UTC, YYYY-MM-DD. */
      day: string
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
    }
    answer: {
      /** Day of UTC, YYYY-MM-DD. */
      day: string
      /** Entries of the list, in its order. */
      entries: PublishedLogEntry[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'entries'
  }
  /** Signed heads of the session log, one a day, newest first. */
  listLogHeads: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
    }
    answer: {
      /** Heads, newest first. */
      heads: SessionLogHead[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'heads'
  }
  /** The next events of the wallet, for readers that cannot keep a stream open. */
  pollEvents: {
    input: {
      /** Comma list of topics; entries with another one are left out. */
      topics?: string | undefined
      /** Comma list of sources; entries with another one are left out. */
      sources?: string | undefined
      /** Comma list of phases; entries with another one are left out. */
      phases?: string | undefined
      /** Comma list of severities; entries with another one are left out. */
      severities?: string | undefined
      /** Id that ties entries together. */
      correlationId?: string | undefined
      /** Id of the job. */
      jobId?: string | undefined
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId?: string | undefined
      /** `own`: events of the wallet. `all`: of every wallet, for operators with the capability `ops:view`. */
      scope?: 'own' | 'all' | undefined
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Id of the last event that the reader has. */
      after?: string | bigint | undefined
      /** Seconds to hold the answer until the state changes. */
      waitSeconds?: number | undefined
    }
    answer: {
      /** Events that changed the scores. */
      events: Event[]
      /** Integer, as digits. */
      lastEventId: string
      /** Whether events after `after` are no longer kept. */
      gap: boolean
    }
    pending: never
    rows: never
  }
  /** Events of the wallet as they happen, as server-sent events. */
  streamEvents: {
    input: {
      /** Comma list of topics; entries with another one are left out. */
      topics?: string | undefined
      /** Comma list of sources; entries with another one are left out. */
      sources?: string | undefined
      /** Comma list of phases; entries with another one are left out. */
      phases?: string | undefined
      /** Comma list of severities; entries with another one are left out. */
      severities?: string | undefined
      /** Id that ties entries together. */
      correlationId?: string | undefined
      /** Id of the job. */
      jobId?: string | undefined
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId?: string | undefined
      /** `own`: events of the wallet. `all`: of every wallet, for operators with the capability `ops:view`. */
      scope?: 'own' | 'all' | undefined
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Id of the last event that the reader has; the header `Last-Event-ID` comes first. */
      lastEventId?: string | bigint | undefined
    }
    answer: AsyncGenerator<StreamItem, void, undefined>
    pending: never
    rows: never
  }
  /** Register an https endpoint that gets the events of the wallet. */
  createWebhook: {
    input: {
      /** Public https address that gets the events. */
      url: string
      /** Topics to deliver; without any, all of them. */
      topics?: string[] | undefined
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId?: string | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: WebhookCreated
    pending: never
    rows: never
  }
  /** Delete a webhook endpoint with its deliveries. */
  deleteWebhook: {
    input: {
      /** Id of the record. */
      id: string
    } & {
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: {
      /** Id of the record. */
      id: string
      /** Whether it was deleted. */
      deleted: true
    }
    pending: never
    rows: never
  }
  /** One webhook endpoint of the wallet. */
  getWebhook: {
    input: {
      /** Id of the record. */
      id: string
    }
    answer: Webhook
    pending: never
    rows: never
  }
  /** Webhook endpoints of the wallet with their state and last deliveries. */
  listWebhooks: {
    input: Record<string, never>
    answer: {
      /** Webhook endpoints of the wallet. */
      webhooks: Webhook[]
    }
    pending: never
    rows: never
  }
  /** Stop the deliveries to a webhook endpoint; its position stays. */
  pauseWebhook: {
    input: {
      /** Id of the record. */
      id: string
    } & {
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: Webhook
    pending: never
    rows: never
  }
  /** Deliver every event after the position of a webhook endpoint, beginning now. */
  resumeWebhook: {
    input: {
      /** Id of the record. */
      id: string
    } & {
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: Webhook
    pending: never
    rows: never
  }
  /** Send a signed test event to a webhook endpoint now. */
  testWebhook: {
    input: {
      /** Id of the record. */
      id: string
    } & {
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: {
      /** The delivery of the test event. */
      delivery: WebhookDelivery
    }
    pending: never
    rows: never
  }
  /** State of the verification of a session. */
  getVerificationResult: {
    input: {
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** Seconds to hold the answer until the state changes. */
      waitSeconds?: number | undefined
    }
    answer:
      | Verdict
      | {
          /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
          sessionId: string
          /** Id of the job. */
          jobId: string
          /** Current status. */
          status: 'not_submitted' | 'verifying' | 'with_people' | 'decided'
          /** Outcome. */
          outcome?: 'approved' | 'rejected' | 'disputed' | 'inconclusive' | 'platform_fault'
          /** Why, as a stable word. */
          reasonCode?: string
          /** Instant of the submission. */
          submittedAt?: string | null
          /** Instant since which a verdict is awaited. */
          awaitingSince?: string | null
          /** Instant of the approval or of the decision. */
          resolvedAt?: string | null
          /** The verifier's verdict that a dispute or an overturn replaced. */
          replacedVerdict?: ReplacedVerdict
          /** How the work was decided. */
          resolution?: Resolution
          /** Who or what must act next; null once the session is over. */
          waitingFor?: 'worker' | 'chain' | 'verifier' | 'pull_request' | 'reviewer' | 'arbitrator' | 'operator' | null
          /** Why, as a stable word; null where there is no reason. */
          reason?: string | null
          /** ISO 8601 UTC. */
          deadline?: string
          /** Score of the work, from 0 to 100. */
          score?: number
          /** What a pull request waits for after its first reading; otherwise who decides. */
          disposition?: 'awaiting_verdict' | 'human_review' | 'waiting_for_merge' | 'operator_review' | 'awaiting_evidence'
          /** Why the last reading of a waiting pull request settled nothing. */
          heldBecause?: string
          /** Id of the dispute. */
          disputeId?: string
          /** ISO 8601 UTC. */
          disputableUntil?: string
          /** What the caller can do next, best first. */
          nextActions?: NextAction[]
          /** Checks of the verdict. An approval has no unmet one. */
          items?: VerdictItem[]
        }
    pending: never
    rows: never
  }
  /** Supported verifier modes. */
  listVerifierHandlers: {
    input: Record<string, never>
    answer: {
      /** Modes that the service can judge. */
      handlers: string[]
      /** Facts of this occurrence. */
      details: {
        /** Handler of the verification. */
        handler: string
        /** Version of the handler. */
        handlerVersion: number
        /** Who settles: the verifier or people. */
        settlementPath: string
        /** Whether people may have to decide. */
        humanReviewPossible: boolean
        /** Number of cases with which the handler is checked. */
        fixtures: {
          /** Cases that must be approved. */
          positive: number
          /** Honest cases that fall short. */
          negative: number
          /** Cases that try to get paid for nothing. */
          adversarial: number
        }
      }[]
    }
    pending: never
    rows: never
  }
  /** Re-compute a verdict from the stored input and the captured configuration; changes nothing. */
  replayVerifier: {
    input: {
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
    }
    answer: {
      /** How the work was decided. */
      resolution?: Resolution
      /** Who or what must act next; null once the session is over. */
      waitingFor?: 'worker' | 'chain' | 'verifier' | 'pull_request' | 'reviewer' | 'arbitrator' | 'operator' | null
      /** Why, as a stable word; null where there is no reason. */
      reason?: string | null
      /** ISO 8601 UTC. */
      deadline?: string
      /** Score of the work, from 0 to 100. */
      score: number
      /** What a pull request waits for after its first reading; otherwise who decides. */
      disposition?: 'awaiting_verdict' | 'human_review' | 'waiting_for_merge' | 'operator_review' | 'awaiting_evidence'
      /** Why the last reading of a waiting pull request settled nothing. */
      heldBecause?: string
      /** Id of the dispute. */
      disputeId?: string
      /** ISO 8601 UTC. */
      disputableUntil?: string
      /** What the caller can do next, best first. */
      nextActions?: NextAction[]
      /** Checks of the verdict. An approval has no unmet one. */
      items?: VerdictItem[]
      /** Id of the job. */
      jobId: string
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** Handler of the verification. */
      handler: string
      /** Version of the handler. */
      handlerVersion: number
      /** Outcome. */
      outcome: 'approved' | 'rejected' | 'disputed' | 'inconclusive' | 'platform_fault'
      /** Why, as a stable word. */
      reasonCode: string
      /** Explanation of this occurrence. */
      detail: string
      /** Address of the metadata of the badge. */
      metadataURI: string | null
      /** Wallet of the verifier that requested it, or `system:auto-verifier`. */
      requestedBy?: string
      /** Where the verdict was computed. */
      environment: VerdictEnvironment
      /** Version of the rules of verification. */
      verifierPolicyVersion: number
      /** Version of the settings. */
      verifierConfigVersion: number
      /** 0x and 64 lower-case hex digits. */
      verifierConfigHash: string
      /** Settings at the claim. */
      verifierConfigSnapshot: Record<string, unknown>
      /** Pinned terms of the verification. */
      verificationContract?: Record<string, unknown>
      /** Reference of the schema of the evidence. */
      evidenceSchemaRef: string
      /** Input of the verdict. */
      verificationInput: Record<string, unknown>
      /** 0x and 64 lower-case hex digits. */
      verificationInputHash: string
      /** Facts of the badge. */
      badgeSnapshot: Record<string, unknown>
      /** The session. */
      session: Record<string, unknown>
      /** Progress of the wallet through the tiers. */
      progression?: Record<string, unknown> | null
      /** Mined payout. */
      payoutTx?: Payout | null
      /** ISO 8601 UTC. */
      evaluatedAt: string
      /** ISO 8601 UTC. */
      decidedAt?: string
      /** True to show the effect and change nothing. */
      preview?: boolean
      /** Current status. */
      status?: 'not_submitted' | 'verifying' | 'with_people' | 'decided'
      /** Instant of the submission. */
      submittedAt?: string | null
      /** Instant since which a verdict is awaited. */
      awaitingSince?: string | null
      /** Instant of the approval or of the decision. */
      resolvedAt?: string | null
      /** The verifier's verdict that a dispute or an overturn replaced. */
      replacedVerdict?: ReplacedVerdict
      /** Evidence of the work or of the dispute. */
      evidence?: Record<string, unknown>
      /** What stands against it, in the order of the gates. */
      blockers?: unknown[]
      /** What a pull request must disclose. */
      disclosure?: Record<string, unknown>
      /** Checks that do not count, each with the reason. */
      ciExclusions?: unknown[]
      /** Rules of the repository and their state. */
      policyGates?: unknown
      /** Checks of the pull request and their state. */
      checks?: unknown
      /** Facts from which the verdict is made. */
      signals?: unknown
      /** Facts for the scores. */
      reputationSignals?: Record<string, unknown>
      /** What the code host answered. */
      codehostLookup?: Record<string, unknown>
      /** Handler that passed the case on. */
      escalatedFrom?: string
      /** Lower-case 0x address. */
      verifier?: string
      /** 0x and 64 lower-case hex digits. */
      txHash?: string
      /** Lower-case 0x address. */
      reviewedBy?: string
      /** 0x and 64 lower-case hex digits. */
      reasoningHash?: string
      /** The verdict before this one. */
      originalVerdict?: Record<string, unknown> | null
      /** True for a verdict that was computed again. */
      replay: true
      /** Outcome of the stored verdict. */
      originalOutcome: string
      /** Terms of the claim beside those of now. */
      replayDrift: {
        /** Handler of the verification. */
        handler: TextDrift
        /** Version of the handler. */
        handlerVersion: NumberDrift
        /** Reference of the schema of the evidence. */
        evidenceSchemaRef: TextDrift
        /** Version of the rules of verification. */
        verifierPolicyVersion: NumberDrift
        /** Hash of the settings. */
        verifierConfigHash: HashDrift
      }
    }
    pending: never
    rows: never
  }
  /** Verify a submitted session now; settles unless it is a preview. */
  runVerifier: {
    input: {
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** Evidence of the work or of the dispute. No text and no member name in it holds the character U+0000, and no whole number in it is beyond 2^53. */
      evidence?: unknown
      /** Address of the metadata of the badge. */
      metadataURI?: string | undefined
      /** True to show the effect and change nothing. */
      preview?: boolean | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: Verdict
    pending: never
    rows: never
  }
  /** Webhook of the code host: a pull request may have changed. */
  receiveCodehostEvent: {
    input: {
      /** Kind of the event. */
      'x-github-event': string
      /** Id of the delivery. */
      'x-github-delivery': string
      /** HMAC of the raw body with the shared secret: `sha256=` and hex digits. */
      'x-hub-signature-256': string
    } & {
      /** Sent as it is. */
      body: string | Uint8Array
    }
    answer:
      | {
          /** True for a delivery that was processed before. */
          duplicate: true
        }
      | {
          /** Number of workflows that got the signal. */
          accepted: number
        }
    pending: never
    rows: never
  }
  /** Approve or reject a session in human review; a preview shows who would get what. */
  decideReview: {
    input: {
      /** Id of the record. */
      id: string
    } & {
      /** Verdict. */
      verdict: 'approve' | 'reject'
      /** Why, in the words of the decider. */
      rationale: string
      /** True to show the effect and change nothing. */
      preview?: boolean | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: {
      /** How the work was decided. */
      resolution?: Resolution
      /** Who or what must act next; null once the session is over. */
      waitingFor?: 'worker' | 'chain' | 'verifier' | 'pull_request' | 'reviewer' | 'arbitrator' | 'operator' | null
      /** Why, as a stable word; null where there is no reason. */
      reason?: string | null
      /** ISO 8601 UTC. */
      deadline?: string
      /** Score of the work, from 0 to 100. */
      score: number
      /** What a pull request waits for after its first reading; otherwise who decides. */
      disposition?: 'awaiting_verdict' | 'human_review' | 'waiting_for_merge' | 'operator_review' | 'awaiting_evidence'
      /** Why the last reading of a waiting pull request settled nothing. */
      heldBecause?: string
      /** Id of the dispute. */
      disputeId?: string
      /** ISO 8601 UTC. */
      disputableUntil?: string
      /** What the caller can do next, best first. */
      nextActions?: NextAction[]
      /** Checks of the verdict. An approval has no unmet one. */
      items?: VerdictItem[]
      /** Id of the job. */
      jobId: string
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** Handler of the verification. */
      handler: string
      /** Version of the handler. */
      handlerVersion: number
      /** Outcome. */
      outcome: 'approved' | 'rejected' | 'disputed' | 'inconclusive' | 'platform_fault'
      /** Why, as a stable word. */
      reasonCode: string
      /** Explanation of this occurrence. */
      detail: string
      /** Address of the metadata of the badge. */
      metadataURI: string | null
      /** Wallet of the verifier that requested it, or `system:auto-verifier`. */
      requestedBy?: string
      /** Where the verdict was computed. */
      environment: VerdictEnvironment
      /** Version of the rules of verification. */
      verifierPolicyVersion: number
      /** Version of the settings. */
      verifierConfigVersion: number
      /** 0x and 64 lower-case hex digits. */
      verifierConfigHash: string
      /** Settings at the claim. */
      verifierConfigSnapshot: Record<string, unknown>
      /** Pinned terms of the verification. */
      verificationContract?: Record<string, unknown>
      /** Reference of the schema of the evidence. */
      evidenceSchemaRef: string
      /** Input of the verdict. */
      verificationInput: Record<string, unknown>
      /** 0x and 64 lower-case hex digits. */
      verificationInputHash: string
      /** Facts of the badge. */
      badgeSnapshot: Record<string, unknown>
      /** The session. */
      session: Record<string, unknown>
      /** Progress of the wallet through the tiers. */
      progression?: Record<string, unknown> | null
      /** Mined payout. */
      payoutTx?: Payout | null
      /** ISO 8601 UTC. */
      evaluatedAt: string
      /** ISO 8601 UTC. */
      decidedAt?: string
      /** True to show the effect and change nothing. */
      preview?: boolean
      /** Current status. */
      status?: 'not_submitted' | 'verifying' | 'with_people' | 'decided'
      /** Instant of the submission. */
      submittedAt?: string | null
      /** Instant since which a verdict is awaited. */
      awaitingSince?: string | null
      /** Instant of the approval or of the decision. */
      resolvedAt?: string | null
      /** The verifier's verdict that a dispute or an overturn replaced. */
      replacedVerdict?: ReplacedVerdict
      /** Evidence of the work or of the dispute. */
      evidence?: Record<string, unknown>
      /** What stands against it, in the order of the gates. */
      blockers?: unknown[]
      /** What a pull request must disclose. */
      disclosure?: Record<string, unknown>
      /** Checks that do not count, each with the reason. */
      ciExclusions?: unknown[]
      /** Rules of the repository and their state. */
      policyGates?: unknown
      /** Checks of the pull request and their state. */
      checks?: unknown
      /** Facts from which the verdict is made. */
      signals?: unknown
      /** Facts for the scores. */
      reputationSignals?: Record<string, unknown>
      /** What the code host answered. */
      codehostLookup?: Record<string, unknown>
      /** Handler that passed the case on. */
      escalatedFrom?: string
      /** Lower-case 0x address. */
      verifier?: string
      /** 0x and 64 lower-case hex digits. */
      txHash?: string
      /** Lower-case 0x address. */
      reviewedBy: string
      /** SHA-256 of the stored rationale. */
      reasoningHash?: string
      /** The verdict before this one. */
      originalVerdict: Record<string, unknown> | null
      /** Payments of the verdict. */
      money?: VerdictMoney
    }
    pending: never
    rows: never
  }
  /** Submissions that wait for a verdict or a review, oldest first. */
  listPendingVerifications: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
    }
    answer: {
      /** Submissions that wait, oldest first. */
      pending: {
        /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
        sessionId: string
        /** Id of the job. */
        jobId: string
        /** Title of the job. */
        jobTitle: string
        /** Lower-case 0x address. */
        wallet: string
        /** Reward of the job. */
        reward: AssetAmount
        /** How the work is judged. */
        verifierMode: string
        /** ISO 8601 UTC. */
        submittedAt: string
        /** Milliseconds since the submission. */
        ageMs: number
        /** Hours since the submission. */
        ageHours: number
        /** ISO 8601 UTC. */
        slaDeadline: string
        /** What a pull request waits for after its first reading; otherwise who decides. */
        disposition: 'awaiting_verdict' | 'human_review' | 'waiting_for_merge' | 'operator_review' | 'awaiting_evidence'
        /** Pull request of the submission. */
        prUrl?: string
        /** Why the last reading of a waiting pull request settled nothing. */
        heldBecause?: string
        /** Why, as a stable word; null where there is no reason. */
        reason: string
        /** Id of the dispute. */
        disputeId?: string
      }[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'pending'
  }
  /** Open the dispute of a rejection for its worker, inside the dispute window. */
  overturnSession: {
    input: {
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** Why, for the record. */
      note: string
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: {
      /** The session. */
      session: Session
      /** The dispute without evidence; a rationale only where it is public content. */
      dispute: Dispute
    }
    pending: never
    rows: never
  }
  /** Decide a dispute; a preview shows who would get what. */
  decideDispute: {
    input: {
      /** Id of the record. */
      id: string
    } & ({
      /** Verdict. */
      verdict?: 'upheld' | 'uphold' | 'dismissed' | 'dismiss' | 'split' | 'partial' | 'timeout' | 'arb_timeout' | undefined
      /** Outcome. */
      outcome?: 'upheld' | 'uphold' | 'dismissed' | 'dismiss' | 'split' | 'partial' | 'timeout' | 'arb_timeout' | undefined
      /** Integer in base units, as digits, greater than zero. */
      workerPayout?: string | bigint | undefined
      /** Why, in the words of the decider. */
      rationale: string
      /** True to show the effect and change nothing. */
      preview?: boolean | undefined
      /** Id of the unsigned preparation that this verdict replaces. */
      supersedes?: string | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    } & (
      | {
          verdict: 'upheld' | 'uphold' | 'dismissed' | 'dismiss' | 'split' | 'partial' | 'timeout' | 'arb_timeout'
          outcome?: never
        }
      | {
          outcome: 'upheld' | 'uphold' | 'dismissed' | 'dismiss' | 'split' | 'partial' | 'timeout' | 'arb_timeout'
          verdict?: never
        }
    ))
    answer: Dispute | VerdictPreview
    pending: never
    rows: never
  }
  /** A dispute: deadline, evidence, verdict and the state of the bond. */
  getDispute: {
    input: {
      /** Id of the record. */
      id: string
    }
    answer: Dispute
    pending: never
    rows: never
  }
  /** The signed file of an ended dispute, byte for byte as it was signed. */
  getDisputeFile: {
    input: {
      /** Id of the record. */
      id: string
    }
    answer: DisputeFile
    pending: never
    rows: never
  }
  /** Disputes you may see, last opened first. */
  listDisputes: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
      /** Current status. */
      status?: 'open' | 'resolved' | undefined
    }
    answer: {
      /** Disputes of the page. */
      disputes: DisputeRow[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'disputes'
  }
  /** A stored document by the SHA-256 of its canonical JSON. */
  getContent: {
    input: {
      /** 0x and 64 lower-case hex digits. */
      hash: string
    }
    answer: Content
    pending: never
    rows: never
  }
  /** Makes own content public, for good. */
  publishContent: {
    input: {
      /** 0x and 64 lower-case hex digits. */
      hash: string
    } & {
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: PublishedContent
    pending: never
    rows: never
  }
  /** Agent card of a listed worker by A2A. */
  getAgentCard: {
    input: {
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      wallet: string
    }
    answer: A2aAgentCard
    pending: never
    rows: never
  }
  /** Feedback file by ERC-8004 for work of a listed worker that was paid. */
  getAgentFeedback: {
    input: {
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      wallet: string
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
      /** Identity registry, as `eip155:<chain id>:<address>`. */
      agentRegistry: string
      /** Number of the worker in that registry. */
      agentId: string | bigint
    }
    answer: Erc8004FeedbackFile
    pending: never
    rows: never
  }
  /** Agent Profile v1 of a worker. */
  getAgentProfile: {
    input: {
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      wallet: string
    }
    answer: AgentProfile
    pending: never
    rows: never
  }
  /** Registration file of a listed worker by ERC-8004. */
  getAgentRegistration: {
    input: {
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      wallet: string
    }
    answer: Erc8004RegistrationFile
    pending: never
    rows: never
  }
  /** Domain proof by ERC-8004: the registrations that this domain confirms. */
  getDomainProof: {
    input: Record<string, never>
    answer: Erc8004DomainProof
    pending: never
    rows: never
  }
  /** Workers with a public profile, highest score first. */
  listAgents: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
      /** True to list the operator’s own wallets too. */
      includeSynthetic?: boolean | undefined
    }
    answer: {
      /** Workers with a public profile, highest score first. */
      agents: AgentRow[]
      aggregate: DirectoryAggregate
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'agents'
  }
  /** Lists the wallet in the directory, or removes it. */
  setAgentConsent: {
    input: {
      /** Whether the profile is public. */
      publicProfileOptIn?: boolean | undefined
      /** Whether current work is public. */
      currentActivityOptIn?: boolean | undefined
    }
    answer: {
      /** Lower-case 0x address. */
      wallet: string
      /** Whether the profile is public. */
      publicProfileOptIn: boolean
      /** Whether current work is public. */
      currentActivityOptIn: boolean
      /** ISO 8601 UTC. */
      updatedAt: string
      /** Version of the rules. */
      policyVersion: number
      /** Movements of the account, or a statement for people. */
      statement: string
    }
    pending: never
    rows: never
  }
  /** Shares a frozen, redacted copy of a record under an address that expires. */
  createShare: {
    input: {
      /** Kind of the shared record. */
      surface: 'agent' | 'session' | 'dispute' | 'policy'
      /** Id of the record. */
      id?: string | undefined
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      wallet?: string | undefined
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId?: string | undefined
      /** Id of the dispute. */
      disputeId?: string | undefined
      /** Tag of the policy. */
      tag?: string | undefined
      /** Life in seconds. */
      ttlSeconds?: number | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: {
      /** Current status. */
      status: 'created'
      /** The share, without what it shows. */
      share: Share
      /** Token of the share; who has it reads the copy. */
      token: string
      /** Path of the share in the web app. */
      appPath: string
      /** Path of the share in this API. */
      apiPath: string
      /** Address of the share. */
      apiUrl: string
    }
    pending: never
    rows: never
  }
  /** The frozen copy of a shared record, as JSON or as a page. */
  getShare: {
    input: {
      /** Token of the share. */
      token: string
    }
    answer: {
      /** Current status. */
      status: 'ok'
      /** The share, without what it shows. */
      share: Share
      /** The frozen, redacted copy. */
      resource: SharedResource
    }
    pending: never
    rows: never
  }
  /** Ends a share at once; its creator or an admin does. */
  revokeShare: {
    input: {
      /** Id of the record. */
      id: string
    } & {
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: {
      /** Current status. */
      status: 'revoked'
      /** The share, without what it shows. */
      share: Share
    }
    pending: never
    rows: never
  }
  /** Agent Badge v1 of a session, signed. */
  getBadge: {
    input: {
      /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
      sessionId: string
    }
    answer: AgentBadge
    pending: never
    rows: never
  }
  /** Own worker summary: tier, progress, caps, account position. */
  getMe: {
    input: Record<string, never>
    answer: {
      /** Lower-case 0x address. */
      wallet: string
      /** Subject of the token. */
      subject: string
      /** Tier of the wallet. */
      claimTier: 'starter' | 'pro' | 'elite'
      /** Version of the rules of the scores. */
      scoringVersion: number
      /** Progress of the wallet through the tiers. */
      progression: {
        /** Claim tier of the job or of the wallet. */
        tier: 'starter' | 'pro' | 'elite'
        /** Badges, newest first. */
        badges: {
          /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
          sessionId: string
          /** Id of the job. */
          jobId: string
          /** Kind of work, such as `docs`. */
          category: string
          /** Level of the badge. */
          level: number
          /** Path of the badge. */
          badgeUrl: string
        }[]
        /** Caps of the wallet. */
        effectiveCaps: {
          /** Cap of the reward of one job. */
          perJobMax: CapState
          /** Cap of the work of 24 hours. */
          rolling24h: CapState
          /** Cap of open work. */
          concurrent: CapState
        }
        /** Last change of a cap; null without one. */
        justChanged: {
          /** Member that changed or that is read. */
          field: string
          /** Value or sender before. */
          from: unknown
          /** Value or recipient after. */
          to: unknown
        } | null
        /** What raises the caps. */
        raises: {
          /** What to do, or what was done. */
          action: 'keep_completing' | 'deposit'
          /** What the action changes. */
          effect: string
        }[]
        /** Whether the wallet can draw credit. */
        creditInterest: CreditInterest
      }
      /** Balances of the wallet. */
      accountPosition: {
        /** Balance that can be used now. */
        liquid: AssetAmount | null
        /** Balance locked as stake of open work. */
        jobStakeLocked: AssetAmount | null
        /** What can be used now, or whether it can be used. */
        available?: boolean
        /** Why, as a stable word; null where there is no reason. */
        reason?: string
      }
      /** Deposits that are locked for a term. */
      lockedDeposits: TierState
      /** What the wallet shows in the directory. */
      directory: {
        /** Whether the profile is public. */
        publicProfileOptIn: boolean
        /** Whether current work is public. */
        currentActivityOptIn: boolean
      }
      /** Standing of the wallet. */
      standing: Standing
    }
    pending: never
    rows: never
  }
  /** Current scores and tier of the wallet. */
  getReputation: {
    input: Record<string, never>
    answer: {
      /** Lower-case 0x address. */
      wallet: string
      /** Score of approved work. */
      skill: number
      /** Score of kept claims. */
      reliability: number
      /** Score of earnings. */
      economic: number | string
      /** Claim tier of the job or of the wallet. */
      tier: 'starter' | 'pro' | 'elite'
      /** Version of the rules of the scores. */
      scoringVersion: number
      /** Events that changed the scores. */
      events: {
        /** Number of rows. */
        count: number
        /** Instant of the last event; null without one. */
        lastAt: string | null
      }
    }
    pending: never
    rows: never
  }
  /** Badges earned by approved work, newest first. */
  listBadges: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
    }
    answer: {
      /** Badges, newest first. */
      badges: {
        /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
        sessionId: string
        /** Id of the job. */
        jobId: string
        /** Lower-case 0x address. */
        worker: string
        /** Kind of the record. */
        kind: 'badge'
        /** ISO 8601 UTC. */
        issuedAt: string
        /** Level of the badge. */
        level: number
        /** Kind of work, such as `docs`. */
        category: string
        /** Participants with what they signed. */
        signers: BadgeSigner[]
        /** 0x and 64 lower-case hex digits. */
        evidenceHash: string
        /** 0x and 64 lower-case hex digits. */
        blockRef: string
        /** Public address of the badge. */
        canonicalUrl: string
        /** The badge itself. */
        badge: AgentBadge
      }[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'badges'
  }
  /** A work receipt by its id, byte for byte as it was signed. */
  getReceipt: {
    input: {
      /** 0x and 64 lower-case hex digits. */
      receiptId: string
    }
    answer: WorkReceipt
    pending: never
    rows: never
  }
  /** Schema of one kind of signed document (JSON Schema draft 2020-12). */
  getRecordSchema: {
    input: {
      /** Name to show. */
      name: string
    }
    answer: Record<string, unknown>
    pending: never
    rows: never
  }
  /** Own work receipts, newest first. */
  listReceipts: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
      /** The own wallet; another one is refused. */
      wallet?: string | undefined
    }
    answer: {
      /** Receipts, newest first. */
      receipts: {
        /** 0x and 64 lower-case hex digits. */
        receiptId: string
        /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
        sessionId: string
        /** Id of the job. */
        jobId: string
        /** Outcome. */
        outcome: 'approved' | 'rejected' | 'inconclusive' | 'platform_fault'
        /** Amounts of the settlement; null when the worker was paid nothing. */
        amounts: ReceiptAmounts | null
        /** Instants of the session by name. */
        timestamps: ReceiptTimestamps
        /** Public address of the badge. */
        canonicalUrl: string
      }[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'receipts'
  }
  /** Schemas of signed documents. */
  listRecordSchemas: {
    input: Record<string, never>
    answer: {
      /** Schemas of documents, each with its address. */
      schemas: SchemaRow[]
      /** Number of rows. */
      count: number
    }
    pending: never
    rows: never
  }
  /** Unsigned approve and deposit transactions that credit the sender. */
  buildAccountDepositTransactions: {
    input: {
      /** Integer in base units, as digits, greater than zero. */
      amount: string | bigint
      /** Symbol of the asset. */
      asset?: AssetSymbol | undefined
    }
    answer: {
      /** Version of this shape. */
      schemaVersion: 1
      /** What can be used now, or whether it can be used. */
      available: true
      /** Lower-case 0x address. */
      wallet: string
      /** Chain of the service. */
      chain: {
        /** Chain id (EIP-155). */
        chainId: number
        /** Chain id in the form of CAIP-2. */
        caip2: string
      }
      /** Block of the reading. */
      block: BlockReference
      /** Symbol of the asset. */
      asset: {
        /** Symbol of the asset. */
        symbol: string
        /** Name to show. */
        name: string
        /** Lower-case 0x address. */
        address: string
        /** Id of the asset on the chain. */
        assetId?: number
        /** Decimal places of the asset. */
        decimals: number
        /** Whether the asset can pay for requests. */
        x402Payable: false
      }
      /** The account in the contract. */
      account: {
        /** Liquid balance on chain. */
        chainLiquid: Amount
      }
      /** Who approves; or how an allowance is set. */
      approval: Approval
      /** Unsigned transactions in their order. */
      templates: TransactionTemplate[]
      /** All templates, run in their order on the state of `block` and not sent. */
      simulation: Simulation
      /** Every balance of the wallet and of the destination that the templates change. */
      expected: BalanceChange[]
      /** What to do with them. */
      instructions: string[]
      /** How to send them. */
      broadcast: Record<string, unknown>
      /** What the service does not do. */
      boundary: Record<string, unknown>
      /** Request that shows the result. */
      positionRead: {
        /** HTTP method, or the name of a method of the contract. */
        method: 'GET'
        /** Path of the request, or of the member that is meant. */
        path: string
        /** Members to read. */
        fields: string[]
      }
    }
    pending: never
    rows: never
  }
  /** Unsigned withdrawal to the own wallet, and on to another address. */
  buildAccountWithdrawTransactions: {
    input: {
      /** Integer in base units, as digits, greater than zero. */
      amount: string | bigint
      /** Symbol of the asset. */
      asset?: AssetSymbol | undefined
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      destination?: string | undefined
      /** True to ask for the gas of the first withdrawal. */
      requestGasGrant?: boolean | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: {
      /** Version of this shape. */
      schemaVersion: 1
      /** What can be used now, or whether it can be used. */
      available: true
      /** Lower-case 0x address. */
      wallet: string
      /** Chain id (EIP-155). */
      chainId: number
      /** Block of the reading. */
      block: BlockReference
      /** Symbol of the asset. */
      asset: AssetReference
      /** The account in the contract. */
      account: {
        /** Liquid balance on chain. */
        chainLiquid: Amount
        /** Debt that is not repaid. */
        debtOutstanding: Amount
        /** Balance bound by locked deposits. */
        lockedDepositEncumbered: Amount
        /** What can be used now, or whether it can be used. */
        available: Amount
        /** Balance that can be withdrawn after this withdrawal. */
        availableAfter: Amount
      }
      /** How to withdraw earnings. */
      withdrawal: {
        /** Amount. */
        amount: Amount
        /** Lower-case 0x address. */
        destination: string
        /** Whether the destination is a contract. */
        destinationIsContract: boolean
        /** Lower-case 0x address. */
        firstLandingAddress: string
      }
      /** Whether the operator sends the gas of the first withdrawal. */
      firstWithdrawalGasGrant: GasGrant
      /** Standing of the wallet. */
      standing: Standing
      /** Gas in units; null before its prerequisite. */
      gas:
        | {
            /** Current status. */
            status: 'measured'
            /** Where the value or the record comes from. */
            source: string
            /** Integer, as digits. */
            quoteBlockNumber: string
            /** Symbol of the asset. */
            asset: NativeAsset
            /** Integer, as digits. */
            gasUnits: string
            /** Fee of one unit of gas that the estimate assumes. */
            maxFeePerGas: Amount
            /** Fee of all transactions together. */
            estimatedFee: Amount
            /** Balance of the wallet outside the account. */
            walletBalance: Amount
            /** Whether that balance pays the fee. */
            sufficient: boolean
            /** Movements of the account, or a statement for people. */
            statement: string
            /** Where the wallet gets gas. */
            acquisition: string
          }
        | {
            /** Current status. */
            status: 'unavailable'
            /** Why, as a stable word; null where there is no reason. */
            reason: 'fee_unreadable' | 'gas_unknown'
            /** Symbol of the asset. */
            asset: NativeAsset
          }
      /** What the balance allows. */
      whatYourBalanceCanDo: string[]
      /** Unsigned transactions in their order. */
      templates: TransactionTemplate[]
      /** All templates, run in their order on the state of `block` and not sent. */
      simulation: Simulation
      /** Every balance of the wallet and of the destination that the templates change. */
      expected: BalanceChange[]
      /** What to do with them. */
      instructions: string[]
      /** How to send them. */
      broadcast: Record<string, unknown>
      /** What the service does not do. */
      boundary: Record<string, unknown>
    }
    pending: never
    rows: never
  }
  /** Mint and deposit test funds; local chain and the backend signer only. */
  fundAccount: {
    input: {
      /** Integer in base units, as digits, greater than zero. */
      amount: string | bigint
      /** Symbol of the asset. */
      asset?: AssetSymbol | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: Account
    pending: never
    rows: never
  }
  /** Balance sheet of the wallet, read from the chain. */
  getAccount: {
    input: Record<string, never>
    answer: Account
    pending: never
    rows: never
  }
  /** The account contract’s own record of one asset, with its settlement statement and an ownership proof. */
  getAccountPosition: {
    input: {
      /** Symbol of the asset. */
      asset?: AssetSymbol | undefined
    }
    answer:
      | {
          /** Version of this shape. */
          schemaVersion: 1
          /** What can be used now, or whether it can be used. */
          available: true
          /** What the balances are, in one sentence. */
          framing: string
          /** Balance that can be used now. */
          liquid: Amount
          /** Balance that is reserved. */
          reserved: Amount
          /** Balance in strategies. */
          strategyAllocated: Amount
          /** Balance locked as collateral. */
          collateralLocked: Amount
          /** Balance locked as stake of open work. */
          jobStakeLocked: Amount
          /** Debt that is not repaid. */
          debtOutstanding: Amount
          /** The account in the contract. */
          account: {
            /** Lower-case 0x address. */
            owner: string
            /** Symbol of the asset. */
            asset: AssetReference
            /** What can be used now, or whether it can be used. */
            available: Amount
            /** Liquid balance on chain. */
            chainLiquid: Amount
            /** Balance bound by locked deposits. */
            lockedDepositEncumbered: Amount
            /** Stake of open work. */
            stakedOnOpenWork: Amount
            /** Movements of the account, or a statement for people. */
            statement: {
              /** Kind of the record. */
              type: 'earnings_in' | 'stake_locked' | 'stake_released'
              /** Whether the amount came in or went out. */
              direction: string
              /** Amount. */
              amount: Amount
              /** Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`. */
              sessionId: string | null
              /** Id of the job. */
              jobId: string | null
              /** Hash of the transaction. */
              txHash: string | null
              /** Number of the block. */
              blockNumber: string | null
              /** Instant of the movement. */
              occurredAt: string | null
              /** Receipt of the transaction. */
              receipt: {
                /** Current status. */
                status: 1
                protocolFee: Amount
              }
            }[]
          }
          /** How to check the balance on chain. */
          ownershipProof: {
            /** Movements of the account, or a statement for people. */
            statement: string
            /** Chain id (EIP-155). */
            chainId: number
            /** Name of the contract. */
            contract: 'AgentAccountCore'
            /** Lower-case 0x address. */
            address: string
            /** HTTP method, or the name of a method of the contract. */
            method: 'positions(address,address)'
            /** Arguments of the call. */
            args: {
              /** Lower-case 0x address. */
              account: string
              /** Lower-case 0x address. */
              asset: string
            }
            /** Member that changed or that is read. */
            field: 'liquid'
            /** Integer, as digits. */
            blockNumber: string
          }
          /** How to withdraw earnings. */
          withdrawal: Record<string, unknown>
          /** What the balance allows. */
          whatYourBalanceCanDo: string[]
          /** What the service does not do. */
          boundary: Record<string, unknown>
        }
      | {
          /** Version of this shape. */
          schemaVersion: 1
          /** What can be used now, or whether it can be used. */
          available: false
          /** Why, as a stable word; null where there is no reason. */
          reason: string
        }
    pending: never
    rows: never
  }
  /** Live borrow headroom. */
  getBorrowCapacity: {
    input: {
      /** Symbol of the asset. */
      asset?: AssetSymbol | undefined
    }
    answer: {
      /** Lower-case 0x address. */
      wallet: string
      /** Symbol of the asset. */
      asset: string
      /** What can still be borrowed. */
      borrowCapacity: Amount
      /** Where the value or the record comes from. */
      source: string
      /** ISO 8601 UTC. */
      asOf: string
    }
    pending: never
    rows: never
  }
  /** Positions of the wallet in strategies, valued at one block. */
  getStrategyPositions: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
    }
    answer: {
      /** Lower-case 0x address. */
      wallet: string
      /** What can be used now, or whether it can be used. */
      available: boolean
      /** Why, as a stable word; null where there is no reason. */
      reason?: 'blockchain_unavailable' | 'strategies_unreadable'
      /** Positions of the wallet. */
      positions: StrategyPosition[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'positions'
  }
  /** Registered strategies with what their contracts hold, at one block. */
  listStrategies: {
    input: Record<string, never>
    answer: {
      /** What can be used now, or whether it can be used. */
      available: boolean
      /** Why, as a stable word; null where there is no reason. */
      reason?: 'blockchain_unavailable' | 'strategies_unreadable'
      /** Registered strategies. */
      strategies: Strategy[]
    }
    pending: never
    rows: never
  }
  /** Unsigned deposit into the pool, or withdrawal from it, for the wallet itself. */
  buildPoolTransactions: {
    input: {
      /** Whether the amount came in or went out. */
      direction: 'deposit' | 'withdraw'
      /** Integer in base units, as digits, greater than zero. */
      assets?: string | bigint | undefined
      /** Integer in base units, as digits, greater than zero. */
      shares?: string | bigint | undefined
    } & (
      | {
          direction: 'deposit'
          assets: string | bigint
          shares?: never
        }
      | {
          direction: 'withdraw'
          assets: string | bigint
          shares?: never
        }
      | {
          direction: 'withdraw'
          shares: string | bigint
          assets?: never
        }
    )
    answer:
      | {
          /** Version of this shape. */
          schemaVersion: 1
          /** What can be used now, or whether it can be used. */
          available: true
          /** Lower-case 0x address. */
          wallet: string
          /** Lower-case 0x address. */
          pool: string
          /** Symbol of the asset. */
          asset: AssetReference
          /** Chain id (EIP-155). */
          chainId: number
          /** Block of the reading. */
          block: BlockReference
          /** Who approves; or how an allowance is set. */
          approval: Approval
          /** Whether the amount came in or went out. */
          direction: 'deposit'
          /** True to show the effect and change nothing. */
          preview: {
            /** Assets of the shares or of the request. */
            assets: Amount
            /** Shares for the deposit at the price of the block. */
            expectedShares: Amount
            /** Headroom of the pool now. */
            poolHeadroomBefore: Amount
            /** Headroom of the pool that the deposit takes. */
            poolHeadroomConsumed: Amount
            /** Headroom of the wallet now. */
            perAgentHeadroomBefore: Amount
            /** Headroom of the wallet that the deposit takes. */
            perAgentHeadroomConsumed: Amount
            /** Price of a share at the block. */
            sharePrice: SharePrice
            /** Integer, as digits. */
            quoteBlockNumber: string
          }
          /** Unsigned transactions in their order. */
          templates: TransactionTemplate[]
          /** All templates, run in their order on the state of `block` and not sent. */
          simulation: Simulation
          /** Every balance of the wallet and of the destination that the templates change. */
          expected: BalanceChange[]
          /** What to do with them. */
          instructions: string[]
          /** How to send them. */
          broadcast: Record<string, unknown>
          /** What the service does not do. */
          boundary: Record<string, unknown>
        }
      | {
          /** Version of this shape. */
          schemaVersion: 1
          /** What can be used now, or whether it can be used. */
          available: true
          /** Lower-case 0x address. */
          wallet: string
          /** Lower-case 0x address. */
          pool: string
          /** Symbol of the asset. */
          asset: AssetReference
          /** Chain id (EIP-155). */
          chainId: number
          /** Block of the reading. */
          block: BlockReference
          /** Who approves; or how an allowance is set. */
          approval: Approval
          /** Whether the amount came in or went out. */
          direction: 'withdraw'
          /** True to show the effect and change nothing. */
          preview: {
            /** What the request asks for. */
            requested:
              | {
                  /** Assets of the shares or of the request. */
                  assets: Amount
                }
              | {
                  /** Shares of the pool or of the strategy. */
                  shares: Amount
                }
            /** Shares that the transaction redeems. */
            sharesToRedeem: Amount
            /** Assets for them at the price of the block. */
            expectedAssets: Amount
            /** Available shares now. */
            availableSharesBefore: Amount
            /** Tokens in the pool now. */
            bufferAssetsBefore: Amount
            /** Price of a share at the block. */
            sharePrice: SharePrice
            /** Integer, as digits. */
            quoteBlockNumber: string
          }
          /** Unsigned transactions in their order. */
          templates: TransactionTemplate[]
          /** All templates, run in their order on the state of `block` and not sent. */
          simulation: Simulation
          /** Every balance of the wallet and of the destination that the templates change. */
          expected: BalanceChange[]
          /** What to do with them. */
          instructions: string[]
          /** How to send them. */
          broadcast: Record<string, unknown>
          /** What the service does not do. */
          boundary: Record<string, unknown>
        }
      | PoolUnavailable
    pending: never
    rows: never
  }
  /** The deposit pool; with a token also the wallet’s shares and how its deposits vest. */
  getPool: {
    input: Record<string, never>
    answer: Pool | PoolUnavailable
    pending: never
    rows: never
  }
  /** Unsigned deposit of a lender, withdrawal, loan or repayment, for the wallet itself. */
  buildCreditTransactions: {
    input: {
      /** Whether the amount came in or went out. */
      direction: 'deposit' | 'withdraw' | 'borrow' | 'repay'
      /** Integer in base units, as digits, greater than zero. */
      assets?: string | bigint | undefined
      /** Integer in base units, as digits, greater than zero. */
      shares?: string | bigint | undefined
      /** Integer in base units, as digits, greater than zero. */
      pledgeShares?: string | bigint | undefined
      /** Integer in base units, as digits, greater than zero. */
      amount?: string | bigint | undefined
      /** 0x and 64 lower-case hex digits. */
      loanId?: string | undefined
    } & (
      | {
          direction: 'deposit'
          assets: string | bigint
          shares?: never
          pledgeShares?: never
          amount?: never
          loanId?: never
        }
      | {
          direction: 'withdraw'
          shares: string | bigint
          assets?: never
          pledgeShares?: never
          amount?: never
          loanId?: never
        }
      | {
          direction: 'borrow'
          pledgeShares: string | bigint
          amount: string | bigint
          assets?: never
          shares?: never
          loanId?: never
        }
      | {
          direction: 'repay'
          loanId: string
          amount: string | bigint
          assets?: never
          shares?: never
          pledgeShares?: never
        }
    )
    answer:
      | {
          /** Version of this shape. */
          schemaVersion: 1
          /** What can be used now, or whether it can be used. */
          available: true
          /** Lower-case 0x address. */
          wallet: string
          /** Lower-case 0x address. */
          creditPool: string
          /** Symbol of the asset. */
          asset: AssetReference
          /** Chain id (EIP-155). */
          chainId: number
          /** Block of the reading. */
          block: BlockReference
          /** Whether the amount came in or went out. */
          direction: 'deposit'
          /** Who approves; or how an allowance is set. */
          approval: Approval
          /** True to show the effect and change nothing. */
          preview: {
            /** Assets of the shares or of the request. */
            assets: Amount
            /** Shares for the deposit at the price of the block. */
            expectedShares: Amount
            /** Price of a share at the block. */
            sharePrice: SharePrice
            /** Integer, as digits. */
            quoteBlockNumber: string
          }
          /** Unsigned transactions in their order. */
          templates: TransactionTemplate[]
          /** All templates, run in their order on the state of `block` and not sent. */
          simulation: Simulation
          /** Every balance of the wallet and of the destination that the templates change. */
          expected: BalanceChange[]
          /** What to do with them. */
          instructions: string[]
          /** How to send them. */
          broadcast: Record<string, unknown>
          /** What the service does not do. */
          boundary: Record<string, unknown>
        }
      | {
          /** Version of this shape. */
          schemaVersion: 1
          /** What can be used now, or whether it can be used. */
          available: true
          /** Lower-case 0x address. */
          wallet: string
          /** Lower-case 0x address. */
          creditPool: string
          /** Symbol of the asset. */
          asset: AssetReference
          /** Chain id (EIP-155). */
          chainId: number
          /** Block of the reading. */
          block: BlockReference
          /** Whether the amount came in or went out. */
          direction: 'withdraw'
          /** True to show the effect and change nothing. */
          preview: {
            /** Shares that the transaction redeems. */
            sharesToRedeem: Amount
            /** Assets for them at the price of the block. */
            expectedAssets: Amount
            /** Price of a share at the block. */
            sharePrice: SharePrice
            /** Integer, as digits. */
            quoteBlockNumber: string
          }
          /** Unsigned transactions in their order. */
          templates: TransactionTemplate[]
          /** All templates, run in their order on the state of `block` and not sent. */
          simulation: Simulation
          /** Every balance of the wallet and of the destination that the templates change. */
          expected: BalanceChange[]
          /** What to do with them. */
          instructions: string[]
          /** How to send them. */
          broadcast: Record<string, unknown>
          /** What the service does not do. */
          boundary: Record<string, unknown>
        }
      | {
          /** Version of this shape. */
          schemaVersion: 1
          /** What can be used now, or whether it can be used. */
          available: true
          /** Lower-case 0x address. */
          wallet: string
          /** Lower-case 0x address. */
          creditPool: string
          /** Symbol of the asset. */
          asset: AssetReference
          /** Chain id (EIP-155). */
          chainId: number
          /** Block of the reading. */
          block: BlockReference
          /** Whether the amount came in or went out. */
          direction: 'borrow'
          /** True to show the effect and change nothing. */
          preview: {
            /** 0x and 64 lower-case hex digits. */
            loanId: string
            /** Pool shares that secure this loan. */
            pledgeShares: Amount
            /** Value of the pledged shares. */
            pledgedAssetValue: Amount
            /** Value of all pledges of the wallet, with this one. */
            aggregatePledgedAssetValue: Amount
            /** Vested principal, at most the value of the shares. */
            vestedAssets: Amount
            /** Principal and interest that the wallet owes before this loan. */
            existingDebt: Amount
            /** What all loans of the wallet may be together. */
            grossWalletLimit: Amount
            /** Largest loan now. */
            maximumLoan: Amount
            /** Amount of the loan. */
            requestedAmount: Amount
            /** Interest of a new loan in basis points, fixed when it begins. */
            interestBps: number
            /** Amount with interest. */
            repaymentAmount: Amount
            /** Value below which any caller can seize the pledge of this loan. */
            impairmentThreshold: Amount
            /** Whether the pledge of this loan alone is below that value from the start. */
            seizableAtOnce: boolean
            /** ISO 8601 UTC. */
            attestationExpiresAt: string
          }
          /** Signed statement of vested principal for this loan. */
          eligibilityAttestation: EligibilityAttestation
          /** ISO 8601 UTC. */
          attestationExpiresAt: string
          /** Unsigned transactions in their order. */
          templates: TransactionTemplate[]
          /** All templates, run in their order on the state of `block` and not sent. */
          simulation: Simulation
          /** Every balance of the wallet and of the destination that the templates change. */
          expected: BalanceChange[]
          /** What to do with them. */
          instructions: string[]
          /** How to send them. */
          broadcast: Record<string, unknown>
          /** What the service does not do. */
          boundary: Record<string, unknown>
        }
      | {
          /** Version of this shape. */
          schemaVersion: 1
          /** What can be used now, or whether it can be used. */
          available: true
          /** Lower-case 0x address. */
          wallet: string
          /** Lower-case 0x address. */
          creditPool: string
          /** Symbol of the asset. */
          asset: AssetReference
          /** Chain id (EIP-155). */
          chainId: number
          /** Block of the reading. */
          block: BlockReference
          /** Whether the amount came in or went out. */
          direction: 'repay'
          /** Who approves; or how an allowance is set. */
          approval: Approval
          /** True to show the effect and change nothing. */
          preview: {
            /** 0x and 64 lower-case hex digits. */
            loanId: string
            /** What is owed on the loan now. */
            outstandingBefore: Amount
            /** What is owed after the repayment. */
            outstandingAfter: Amount
            /** Whether the repayment releases the pledge. */
            pledgeReleased: boolean
          }
          /** Unsigned transactions in their order. */
          templates: TransactionTemplate[]
          /** All templates, run in their order on the state of `block` and not sent. */
          simulation: Simulation
          /** Every balance of the wallet and of the destination that the templates change. */
          expected: BalanceChange[]
          /** What to do with them. */
          instructions: string[]
          /** How to send them. */
          broadcast: Record<string, unknown>
          /** What the service does not do. */
          boundary: Record<string, unknown>
        }
      | CreditUnavailable
    pending: never
    rows: never
  }
  /** The credit pool, its terms, and what the wallet lends, has pledged and may borrow. */
  getCredit: {
    input: Record<string, never>
    answer: Credit | CreditUnavailable
    pending: never
    rows: never
  }
  /** Locks a deposit by the signed consent to a quote; funds do not move. */
  createLockedDeposit: {
    input: ConsentBodyInput
    answer: LockConsent
    pending: never
    rows: never
  }
  /** Leaves a locked deposit early: perks end at once, the amount is free after 48 hours. */
  exitLockedDeposit: {
    input: {
      /** 0x and 64 lower-case hex digits. */
      id: string
    } & {
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: LockExit
    pending: never
    rows: never
  }
  /** Terms of a locked deposit with the exact message that the wallet signs. */
  quoteLockedDeposit: {
    input:
      | {
          /** Claim tier of the job or of the wallet. */
          tier: 't7' | 't30'
          /** Integer in base units, as digits, greater than zero. */
          amountRaw: string | bigint
          /** Nonce of the message: letters and digits. */
          consentNonce: string
        }
      | {
          /** Claim tier of the job or of the wallet. */
          tier: 't90'
          /** Integer in base units, as digits, greater than zero. */
          amountRaw: string | bigint
          /** Nonce of the message: letters and digits. */
          consentNonce: string
          /** Whether the profile is public. */
          publicProfileOptIn?: boolean | undefined
        }
    answer: LockQuote
    pending: never
    rows: never
  }
  /** Lets the operator lend idle balance of the wallet to the pool for 90 days. */
  consentToIdleAllocation: {
    input: ConsentBodyInput
    answer: IdleConsented
    pending: never
    rows: never
  }
  /** Whether idle balance of the wallet is lent to the pool, and by which consent. */
  getIdleAllocation: {
    input: Record<string, never>
    answer: IdleAllocation | IdleAllocationUnavailable
    pending: never
    rows: never
  }
  /** Terms of idle-balance allocation with the exact message that the wallet signs. */
  quoteIdleAllocation: {
    input: {
      /** Nonce of the message: letters and digits. */
      consentNonce: string
    }
    answer: IdleQuote | IdleAllocationUnavailable
    pending: never
    rows: never
  }
  /** Ends the consent at once; what is allocated stays until the wallet takes it back. */
  revokeIdleAllocation: {
    input: {
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: IdleRevoked | IdleAllocationUnavailable
    pending: never
    rows: never
  }
  /** Settle an observed request now, also after the tries of the service are used up. */
  finalizeXcmRequest: {
    input: {
      /** Id of the request, 0x and 64 hex digits. */
      requestId: string
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: {
      /** What became of the try. */
      settlement: 'settled' | 'adapter_managed' | 'refused'
      /** Why, as a stable word; null where there is no reason. */
      reason: string | null
      /** The outcome that stands. */
      outcome: CrossChainOutcome
    }
    pending: never
    rows: never
  }
  /** One request to a yield source on another chain, for its account, its recipient and admins. */
  getXcmRequest: {
    input: {
      /** Id of the request, 0x and 64 hex digits. */
      requestId: string
    }
    answer: CrossChainRequest
    pending: never
    rows: never
  }
  /** Requests whose tries to settle are used up, longest waiting first. */
  listExhaustedXcmRequests: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
    }
    answer: CrossChainOutcomes
    pending: never
    rows: 'items'
  }
  /** Outcomes of requests in the order in which they were recorded. */
  listXcmOutcomes: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
    }
    answer: CrossChainOutcomes
    pending: never
    rows: 'items'
  }
  /** Record what is known about the end of a request; the service settles it. */
  observeXcmRequest: {
    input: {
      /** Id of the request, 0x and 64 hex digits. */
      requestId: string
      /** Current status. */
      status: 'succeeded' | 'failed' | 'cancelled'
      /** Integer in base units, as digits. */
      settledAssets?: string | undefined
      /** Integer in base units, as digits. */
      settledShares?: string | undefined
      /** Reference to the other chain: the block at which the balance was read, or what the operator gave. */
      remoteRef?: string | undefined
      /** Why the request failed; zero where it did not. */
      failureCode?: string | undefined
      /** Where the value or the record comes from. */
      source?: string | undefined
      /** Instant of the observation. */
      observedAt?: string | undefined
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      wrapper?: string | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: {
      /** Whether the observation changed the outcome. */
      recorded: boolean
      /** The outcome that stands. */
      outcome: CrossChainOutcome
    }
    pending: never
    rows: never
  }
  /** List a curated job. */
  createJob: {
    input: {
      /** Id of the record. */
      id: string
      /** Short title. */
      title: string
      /** What it is, in plain words. */
      description: string
      /** Kind of work, such as `docs`. */
      category: string
      /** Claim tier of the job or of the wallet. */
      tier?: 'starter' | 'pro' | 'elite' | undefined
      /** Kind of the job. */
      jobType?: 'work' | 'curation' | 'review' | 'publish' | 'verification' | undefined
      /** Role that is needed. */
      requiredRole?: 'worker' | 'curator' | 'reviewer' | 'publisher' | 'verifier' | 'arbitrator' | undefined
      /** Symbol of the asset of the reward. */
      rewardAsset?: string | undefined
      /** Reward in whole units. */
      rewardAmount: number
      /** Budget from which the reward is paid. */
      lane: 'liveness' | 'oss-anchored' | 'benchmark-showcase'
      /** How the work is judged. */
      verifierMode: 'benchmark' | 'deterministic' | 'human_fallback' | 'codehost_pr'
      /** Keywords (benchmark) or expected outputs (deterministic): a short form of `verifierConfig`. */
      verifierTerms?: string[] | undefined
      /** Number of terms that a submission must contain. */
      verifierMinimumMatches?: number | undefined
      /** Settings of the verifier. */
      verifierConfig?:
        | {
            /** Handler of the verification. */
            handler?: 'benchmark' | 'deterministic' | 'human_fallback' | 'codehost_pr' | undefined
            /** Version of the record or of the document. */
            version?: number | undefined
            /** Keywords that a submission must contain. */
            requiredKeywords?: string[] | undefined
            /** Number of keywords that a submission must contain. */
            minimumMatches?: number | undefined
            /** Revision in which every quote must occur. */
            anchorEvidence?:
              | {
                  /** Kind of the record. */
                  kind: 'wikipedia_revision_wikitext'
                  /** Language of the encyclopedia, as in its host name. */
                  language: string
                  /** Id of the revision. */
                  revisionId: string | bigint
                  /** How texts are compared. */
                  normalization?: 'whitespace' | undefined
                }
              | undefined
            /** Outputs that a submission must match. */
            expectedOutputs?: string[] | undefined
            /** How outputs are compared. */
            matchMode?: 'exact' | 'contains_all' | undefined
            /** Text for the people who judge. */
            escalationMessage?: string | undefined
            /** True to approve without a person. */
            autoApprove?: boolean | undefined
            /** Score that an approval needs. */
            minimumScore?: number | undefined
            /** Whether the pull request must name its issue. */
            requireIssueReference?: boolean | undefined
            /** Whether the submission must show tests. */
            requireTestEvidence?: boolean | undefined
            /** Whether a merge counts as an approval. */
            acceptMergedAsApproved?: boolean | undefined
            /** Whether the pull request must name wallet and session. */
            requireClaimantBinding?: boolean | undefined
          }
        | undefined
      /** Reference of the schema of the task. */
      inputSchemaRef?: string | undefined
      /** Reference of the schema of the submission. */
      outputSchemaRef?: string | undefined
      /** Seconds from the claim to the last submission. */
      claimTtlSeconds?: number | undefined
      /** Attempts that may reach a submission; 0 means unlimited. */
      retryLimit?: number | undefined
      /** Whether the service pays the gas of the claim. */
      requiresSponsoredGas?: boolean | undefined
      /** True where a wallet's first claims need no stake and no fee. */
      onboardingWaiverEligible?: boolean | undefined
      /** What the work must fulfil. */
      acceptanceCriteria?: string[] | undefined
      /** Hints for the worker. */
      agentInstructions?: string[] | undefined
      /** Difficulty in the words of the author. */
      estimatedDifficulty?: string | undefined
      /** Where the value or the record comes from. No text and no member name in it holds the character U+0000, and no whole number in it is beyond 2^53. */
      source?:
        | {
            /** Kind of the record. */
            type: string
          }
        | undefined
      /** How the work is verified. */
      verification?:
        | {
            /** HTTP method, or the name of a method of the contract. */
            method: string
            /** Facts from which the verdict is made. */
            signals?: string[] | undefined
            /** Reference of the schema of the evidence. */
            evidenceSchemaRef?: string | undefined
          }
        | undefined
      /** True for a template that is listed again and again. */
      recurring?: boolean | undefined
      /** When a recurring template is listed. */
      schedule?:
        | {
            /** Five fields of cron. */
            cron: string
            /** Time zone of the schedule. */
            timezone?: 'UTC' | undefined
          }
        | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    }
    answer: Job
    pending: never
    rows: never
  }
  /** Every job, paused, archived and stale ones included. */
  listAdminJobs: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
      /** Current state. */
      state?: string | undefined
    }
    answer: {
      /** Jobs of the page. */
      jobs: Job[]
      /** Counts by lifecycle. */
      jobLifecycle: {
        /** Number of all. */
        total: number
        /** Number of open jobs. */
        open: number
        /** Whether the job can be claimed now. */
        claimable: number
        /** True where the reading or the listing is old. */
        stale: number
        /** Number of paused jobs. */
        paused: number
        /** Number of archived jobs. */
        archived: number
        /** ISO 8601 UTC. */
        asOf: string
      }
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'jobs'
  }
  /** Pause, archive, reopen a job or mark it stale. */
  setJobLifecycle: {
    input: {
      /** Id of the job. */
      jobId: string
      /** What to do, or what was done. */
      action?: 'pause' | 'archive' | 'reopen' | 'mark_stale' | undefined
      /** Current status. */
      status?: 'open' | 'paused' | 'archived' | undefined
      /** Instant from which the listing is stale; null without one. */
      staleAt?: string | undefined
      /** Why, as a stable word; null where there is no reason. */
      reason?: string | undefined
      /** Alias of the header `Idempotency-Key`. */
      idempotencyKey?: string | undefined
    } & (
      | {
          action: 'pause' | 'archive' | 'reopen' | 'mark_stale'
          status?: never
        }
      | {
          status: 'open' | 'paused' | 'archived'
          action?: never
        }
    )
    answer: {
      job: Job
    }
    pending: never
    rows: never
  }
  /** What an operator looks at first: work, money at work, parts, budgets and anomalies. */
  getAdminStatus: {
    input: Record<string, never>
    answer: AdminStatus
    pending: never
    rows: never
  }
  /** Everything that was recorded about one job and its sessions, in order of recording. */
  getJobTimeline: {
    input: {
      /** Maximum number of rows of the answer. */
      limit?: number | undefined
      /** Opaque `nextCursor` of the page before, with the same filters. */
      cursor?: string | undefined
      /** Id of the job. */
      jobId: string
      /** Comma list of topics; entries with another one are left out. */
      topics?: string | undefined
      /** Comma list of sources; entries with another one are left out. */
      sources?: string | undefined
      /** Comma list of phases; entries with another one are left out. */
      phases?: string | undefined
      /** Comma list of severities; entries with another one are left out. */
      severities?: string | undefined
      /** Id that ties entries together. */
      correlationId?: string | undefined
      /** 0x address in one case, or in mixed case with a valid checksum (EIP-55). */
      wallet?: string | undefined
    }
    answer: {
      /** Version of the timeline. */
      timelineVersion: 'v2'
      job: Job
      /** Jobs and sessions that belong to the job; of its sessions the newest 250. */
      lineage: {
        /** Recurring job from which the job was made; null without one. */
        templateId: string | null
        /** Whether the job is a recurring template. */
        recurringTemplate: boolean
        /** Jobs that were made from it. */
        derivativeJobIds: string[]
        /** Session that caused the job; null without one. */
        parentSessionId: string | null
        /** Session that caused the job; null without one. */
        parentSession: SessionRow | null
        /** Sessions of the job, newest first. */
        sessionIds: string[]
        /** Jobs that its sessions caused. */
        childJobIds: string[]
        /** Sessions of those jobs. */
        childSessionIds: string[]
      }
      /** Counts of sessions and of the entries that pass the filters. */
      summary: {
        /** Number of sessions. */
        sessionCount: number
        /** Sessions that can still change. */
        activeSessionIds: string[]
        /** Sessions that have ended. */
        terminalSessionIds: string[]
        /** Number of jobs that its sessions caused. */
        childJobCount: number
        /** Number of jobs that were made from it. */
        derivativeJobCount: number
        /** Number of events that pass the filters. */
        eventCount: number
        /** Number of its events without a public sequence number yet. */
        eventBusGap: number
        /** Filters of the entries. */
        eventFilters: {
          /** Applied topics; empty where all are shown. */
          topics: string[]
          /** Applied sources; empty where all are shown. */
          sources: string[]
          /** Applied phases; empty where all are shown. */
          phases: string[]
          /** Applied severities; empty where all are shown. */
          severities: string[]
          /** Id that ties entries together. */
          correlationId: string | null
          /** Wallet address. */
          wallet: string | null
        }
        /** Status of the newest session; null without one. */
        latestSessionStatus:
          | 'claimed'
          | 'submitted'
          | 'disputed'
          | 'rejected'
          | 'resolved'
          | 'closed'
          | 'expired'
          | 'timed_out'
          | 'chain_state_diverged'
          | null
      }
      /** Entries, oldest first. */
      timeline: TimelineEntry[]
      /** Limit that was applied. */
      limit: number
      /** Cursor of the next page; null on the last page. */
      nextCursor: string | null
    }
    pending: never
    rows: 'timeline'
  }
}

export type OperationId = keyof Operations

/** What the client has to know of every operation at run time. */
export const OPERATIONS: { readonly [Id in OperationId]: OperationRow } = {
  getAuthSession: { method: 'GET', path: '/auth/session', auth: 'wallet', statuses: [200] },
  getKeySet: { method: 'GET', path: '/.well-known/jwks.json', auth: 'none', statuses: [200] },
  issueNonce: { method: 'POST', path: '/auth/nonce', auth: 'none', statuses: [200], bodyMembers: ['wallet'] },
  logout: { method: 'POST', path: '/auth/logout', auth: 'wallet', statuses: [200] },
  refreshToken: { method: 'POST', path: '/auth/refresh', auth: 'wallet_only', statuses: [200] },
  verifySignature: { method: 'POST', path: '/auth/verify', auth: 'none', statuses: [200], bodyMembers: ['message', 'signature'] },
  getGasCapabilities: { method: 'GET', path: '/gas/capabilities', auth: 'none', statuses: [200] },
  getGasHealth: { method: 'GET', path: '/gas/health', auth: 'none', statuses: [200] },
  getHealth: {
    method: 'GET',
    path: '/health',
    auth: 'none',
    statuses: [200, 503],
    amounts: [
      '/rewardBank/liquid/raw',
      '/onboarding/subsidy/dailyBudget/raw',
      '/onboarding/subsidy/allocated/raw',
      '/onboarding/subsidy/headroom/raw',
    ],
  },
  getLiveness: { method: 'GET', path: '/health/live', auth: 'none', statuses: [200] },
  getMetrics: { method: 'GET', path: '/metrics', auth: 'metrics', answers: 'text', media: 'text/plain', statuses: [200] },
  getAgentTools: { method: 'GET', path: '/.well-known/agent-tools.json', auth: 'none', statuses: [200] },
  getDocs: { method: 'GET', path: '/docs', auth: 'none', answers: 'text', media: 'text/html', statuses: [200] },
  getLlmsFullText: { method: 'GET', path: '/llms-full.txt', auth: 'none', answers: 'text', media: 'text/plain', statuses: [200] },
  getLlmsText: { method: 'GET', path: '/llms.txt', auth: 'none', answers: 'text', media: 'text/plain', statuses: [200] },
  getOnboarding: {
    method: 'GET',
    path: '/onboarding',
    auth: 'none',
    statuses: [200],
    queryMembers: ['detail'],
    amounts: [
      '/lockedDeposits/activationGate/totalLocked/raw',
      '/lockedDeposits/activationGate/minimumLocked/raw',
      '/lockedDeposits/activationGate/projection/projectedCycleYield/raw',
      '/lockedDeposits/activationGate/projection/basis/observedPrincipal/raw',
      '/lockedDeposits/activationGate/projection/basis/observedYield/raw',
      '/lockedDeposits/activationGate/friction/cycleFriction/raw',
      '/lockedDeposits/activationGate/friction/requiredProjectedYield/raw',
    ],
  },
  getOpenApi: { method: 'GET', path: '/openapi.json', auth: 'none', statuses: [200], queryMembers: ['examples'] },
  getVerifyModule: {
    method: 'GET',
    path: '/verify/:name.ts',
    auth: 'none',
    answers: 'text',
    media: 'text/javascript',
    statuses: [200],
    pathMembers: ['name'],
  },
  getVerifyPage: { method: 'GET', path: '/verify', auth: 'none', answers: 'text', media: 'text/html', statuses: [200] },
  getVerifyStyle: { method: 'GET', path: '/verify/style.css', auth: 'none', answers: 'text', media: 'text/css', statuses: [200] },
  getMcpInfo: { method: 'GET', path: '/mcp', auth: 'none', statuses: [200] },
  sendMcpMessage: {
    method: 'POST',
    path: '/mcp',
    auth: 'none',
    statuses: [200, 202, 400, 403, 404, 406, 415, 500],
    queryMembers: ['toolset'],
    headerMembers: ['origin', 'accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
    rawBody: true,
  },
  getSettlementClock: { method: 'GET', path: '/stats/settlement', auth: 'none', statuses: [200] },
  getJobDefinition: {
    method: 'GET',
    path: '/jobs/definition',
    auth: 'optional',
    statuses: [200],
    queryMembers: ['jobId', 'wallet', 'includeArchived'],
    amounts: ['/rewardAmountRaw'],
  },
  getJobSchema: { method: 'GET', path: '/schemas/jobs/:name.json', auth: 'none', statuses: [200], pathMembers: ['name'] },
  getJobTiers: { method: 'GET', path: '/jobs/tiers', auth: 'optional', statuses: [200] },
  listJobSchemas: { method: 'GET', path: '/schemas/jobs', auth: 'none', statuses: [200] },
  listJobs: {
    method: 'GET',
    path: '/jobs',
    auth: 'optional',
    statuses: [200],
    queryMembers: ['limit', 'cursor', 'wallet', 'format', 'shape', 'source', 'category', 'state', 'tier', 'verifierMode'],
    amounts: [
      '/jobs/*/rewardAmountRaw',
      '/jobs/*/stake/raw',
      '/jobs/*/reward/raw',
      '/jobs/*/claimBond/stake/raw',
      '/jobs/*/claimBond/fee/raw',
      '/jobs/*/claimBond/totalClaimLock/raw',
    ],
    rows: 'jobs',
  },
  claimJob: {
    method: 'POST',
    path: '/jobs/claim',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['jobId', 'idempotencyKey'],
    amounts: [
      '/nextActions/*/gasRequired/cost/raw',
      '/nextActions/*/gasRequired/nativeBalance/raw',
      '/claimStakeRaw',
      '/claimFeeRaw',
      '/totalClaimLockRaw',
      '/gasRetention/retainedRaw',
      '/gasRetention/netRewardRaw',
    ],
  },
  submitWork: {
    method: 'POST',
    path: '/jobs/submit',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['sessionId', 'submission', 'evidence', 'idempotencyKey'],
    amounts: [
      '/nextActions/*/gasRequired/cost/raw',
      '/nextActions/*/gasRequired/nativeBalance/raw',
      '/claimStakeRaw',
      '/claimFeeRaw',
      '/totalClaimLockRaw',
      '/gasRetention/retainedRaw',
      '/gasRetention/netRewardRaw',
    ],
  },
  validateSubmission: {
    method: 'POST',
    path: '/jobs/validate-submission',
    auth: 'none',
    statuses: [200],
    bodyMembers: ['jobId', 'submission', 'output', 'evidence'],
  },
  estimateJobReward: {
    method: 'GET',
    path: '/jobs/:id/estimate',
    auth: 'wallet',
    statuses: [200],
    pathMembers: ['id'],
    amounts: [
      '/grossRewardRaw',
      '/netRewardRaw',
      '/gasRetention/retainedRaw',
      '/gasRetention/netRewardRaw',
      '/stakeReturnedRaw',
      '/feeReturnedRaw',
      '/onRejection/lostRaw',
    ],
  },
  estimateReward: {
    method: 'GET',
    path: '/jobs/estimate-reward',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['jobId'],
    amounts: [
      '/grossRewardRaw',
      '/netRewardRaw',
      '/gasRetention/retainedRaw',
      '/gasRetention/netRewardRaw',
      '/stakeReturnedRaw',
      '/feeReturnedRaw',
      '/onRejection/lostRaw',
    ],
  },
  explainEligibility: {
    method: 'GET',
    path: '/jobs/explain-eligibility',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['jobId'],
    amounts: [
      '/blockers/*/nextActions/*/gasRequired/cost/raw',
      '/blockers/*/nextActions/*/gasRequired/nativeBalance/raw',
      '/totalClaimLockRaw',
      '/availableLiquidityRaw',
      '/gasRetention/retainedRaw',
      '/gasRetention/netRewardRaw',
      '/claimFundingShortfallRaw',
      '/onboardingSubsidy/dailyBudget/raw',
      '/onboardingSubsidy/allocated/raw',
      '/onboardingSubsidy/headroom/raw',
      '/onboardingSubsidy/estimatedClaimSubsidy/raw',
      '/onboardingSubsidy/waivedClaimStake/raw',
      '/onboardingSubsidy/brokeredGasEstimate/raw',
      '/dailyExposureRemainingRaw',
      '/currentCap/raw',
      '/capSource/deposit/vested/raw',
      '/capSource/deposit/perJobRaise/raw',
      '/capSource/deposit/concurrentRaise/raw',
    ],
  },
  preflightJob: {
    method: 'GET',
    path: '/jobs/preflight',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['jobId'],
    amounts: [
      '/blockers/*/nextActions/*/gasRequired/cost/raw',
      '/blockers/*/nextActions/*/gasRequired/nativeBalance/raw',
      '/netRewardRaw',
      '/claimStakeRaw',
      '/claimFeeRaw',
      '/totalClaimLockRaw',
      '/availableLiquidityRaw',
      '/gasRetention/retainedRaw',
      '/gasRetention/netRewardRaw',
      '/claimFundingShortfallRaw',
      '/onboardingSubsidy/dailyBudget/raw',
      '/onboardingSubsidy/allocated/raw',
      '/onboardingSubsidy/headroom/raw',
      '/onboardingSubsidy/estimatedClaimSubsidy/raw',
      '/onboardingSubsidy/waivedClaimStake/raw',
      '/onboardingSubsidy/brokeredGasEstimate/raw',
      '/priorityQualification/vestedDepositRaw',
      '/priorityQualification/thresholdRaw',
      '/priorityQualification/outstandingCreditRaw',
      '/dailyExposureRemainingRaw',
    ],
  },
  recommendJobs: {
    method: 'GET',
    path: '/jobs/recommendations',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor'],
    amounts: [
      '/recommendations/*/netRewardRaw',
      '/recommendations/*/gasRetention/retainedRaw',
      '/recommendations/*/gasRetention/netRewardRaw',
      '/recommendations/*/blockers/*/nextActions/*/gasRequired/cost/raw',
      '/recommendations/*/blockers/*/nextActions/*/gasRequired/nativeBalance/raw',
    ],
    rows: 'recommendations',
  },
  closeSession: {
    method: 'POST',
    path: '/admin/sessions/close',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['sessionId', 'outcome', 'note', 'idempotencyKey'],
    amounts: [
      '/nextActions/*/gasRequired/cost/raw',
      '/nextActions/*/gasRequired/nativeBalance/raw',
      '/claimStakeRaw',
      '/claimFeeRaw',
      '/totalClaimLockRaw',
      '/gasRetention/retainedRaw',
      '/gasRetention/netRewardRaw',
    ],
  },
  getSession: {
    method: 'GET',
    path: '/session',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['sessionId', 'id', 'waitSeconds'],
    amounts: [
      '/nextActions/*/gasRequired/cost/raw',
      '/nextActions/*/gasRequired/nativeBalance/raw',
      '/claimStakeRaw',
      '/claimFeeRaw',
      '/totalClaimLockRaw',
      '/gasRetention/retainedRaw',
      '/gasRetention/netRewardRaw',
    ],
  },
  getSessionStateMachine: { method: 'GET', path: '/session/state-machine', auth: 'none', statuses: [200] },
  getSessionTimeline: {
    method: 'GET',
    path: '/session/timeline',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['sessionId', 'at'],
    amounts: [
      '/session/nextActions/*/gasRequired/cost/raw',
      '/session/nextActions/*/gasRequired/nativeBalance/raw',
      '/session/claimStakeRaw',
      '/session/claimFeeRaw',
      '/session/totalClaimLockRaw',
      '/session/gasRetention/retainedRaw',
      '/session/gasRetention/netRewardRaw',
    ],
  },
  listAdminSessions: {
    method: 'GET',
    path: '/admin/sessions',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor', 'jobId', 'status', 'wallet'],
    amounts: [
      '/sessions/*/nextActions/*/gasRequired/cost/raw',
      '/sessions/*/nextActions/*/gasRequired/nativeBalance/raw',
      '/sessions/*/claimStakeRaw',
      '/sessions/*/claimFeeRaw',
      '/sessions/*/totalClaimLockRaw',
      '/sessions/*/gasRetention/retainedRaw',
      '/sessions/*/gasRetention/netRewardRaw',
    ],
    rows: 'sessions',
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor', 'jobId', 'state'],
    amounts: [
      '/sessions/*/nextActions/*/gasRequired/cost/raw',
      '/sessions/*/nextActions/*/gasRequired/nativeBalance/raw',
      '/sessions/*/claimStakeRaw',
      '/sessions/*/claimFeeRaw',
      '/sessions/*/totalClaimLockRaw',
      '/sessions/*/gasRetention/retainedRaw',
      '/sessions/*/gasRetention/netRewardRaw',
    ],
    rows: 'sessions',
  },
  listLogEntries: {
    method: 'GET',
    path: '/log/heads/:day/entries',
    auth: 'none',
    statuses: [200],
    pathMembers: ['day'],
    queryMembers: ['limit', 'cursor'],
    rows: 'entries',
  },
  listLogHeads: { method: 'GET', path: '/log/heads', auth: 'none', statuses: [200], queryMembers: ['limit', 'cursor'], rows: 'heads' },
  pollEvents: {
    method: 'GET',
    path: '/events/poll',
    auth: 'wallet',
    statuses: [200],
    queryMembers: [
      'topics',
      'sources',
      'phases',
      'severities',
      'correlationId',
      'jobId',
      'sessionId',
      'scope',
      'limit',
      'after',
      'waitSeconds',
    ],
  },
  streamEvents: {
    method: 'GET',
    path: '/events',
    auth: 'wallet',
    answers: 'stream',
    statuses: [200],
    queryMembers: ['topics', 'sources', 'phases', 'severities', 'correlationId', 'jobId', 'sessionId', 'scope', 'limit', 'lastEventId'],
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [201],
    bodyMembers: ['url', 'topics', 'sessionId', 'idempotencyKey'],
  },
  deleteWebhook: {
    method: 'POST',
    path: '/webhooks/:id/delete',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [200],
    pathMembers: ['id'],
    bodyMembers: ['idempotencyKey'],
  },
  getWebhook: { method: 'GET', path: '/webhooks/:id', auth: 'wallet', statuses: [200], pathMembers: ['id'] },
  listWebhooks: { method: 'GET', path: '/webhooks', auth: 'wallet', statuses: [200] },
  pauseWebhook: {
    method: 'POST',
    path: '/webhooks/:id/pause',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [200],
    pathMembers: ['id'],
    bodyMembers: ['idempotencyKey'],
  },
  resumeWebhook: {
    method: 'POST',
    path: '/webhooks/:id/resume',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [200],
    pathMembers: ['id'],
    bodyMembers: ['idempotencyKey'],
  },
  testWebhook: {
    method: 'POST',
    path: '/webhooks/:id/test',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [200],
    pathMembers: ['id'],
    bodyMembers: ['idempotencyKey'],
  },
  getVerificationResult: {
    method: 'GET',
    path: '/verifier/result',
    auth: 'optional',
    statuses: [200],
    queryMembers: ['sessionId', 'waitSeconds'],
    amounts: ['/nextActions/*/gasRequired/cost/raw', '/nextActions/*/gasRequired/nativeBalance/raw'],
  },
  listVerifierHandlers: { method: 'GET', path: '/verifier/handlers', auth: 'none', statuses: [200] },
  replayVerifier: {
    method: 'POST',
    path: '/verifier/replay',
    auth: 'wallet',
    statuses: [200],
    bodyMembers: ['sessionId'],
    amounts: ['/nextActions/*/gasRequired/cost/raw', '/nextActions/*/gasRequired/nativeBalance/raw'],
  },
  runVerifier: {
    method: 'POST',
    path: '/verifier/run',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['sessionId', 'evidence', 'metadataURI', 'preview', 'idempotencyKey'],
    amounts: ['/nextActions/*/gasRequired/cost/raw', '/nextActions/*/gasRequired/nativeBalance/raw'],
  },
  receiveCodehostEvent: {
    method: 'POST',
    path: '/codehost/events',
    auth: 'none',
    statuses: [200, 202],
    headerMembers: ['x-github-event', 'x-github-delivery', 'x-hub-signature-256'],
    rawBody: true,
  },
  decideReview: {
    method: 'POST',
    path: '/verifier/sessions/:id/verdict',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    pathMembers: ['id'],
    bodyMembers: ['verdict', 'rationale', 'preview', 'idempotencyKey'],
    amounts: [
      '/nextActions/*/gasRequired/cost/raw',
      '/nextActions/*/gasRequired/nativeBalance/raw',
      '/money/worker/payout/raw',
      '/money/worker/bondReturned/raw',
      '/money/poster/refund/raw',
      '/money/poster/slash/raw',
      '/money/treasury/fee/raw',
      '/money/treasury/slash/raw',
      '/money/verifier/feeShare/raw',
      '/money/held/raw',
    ],
  },
  listPendingVerifications: {
    method: 'GET',
    path: '/verifier/pending',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor'],
    amounts: ['/pending/*/reward/raw'],
    rows: 'pending',
  },
  overturnSession: {
    method: 'POST',
    path: '/admin/sessions/overturn',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['sessionId', 'note', 'idempotencyKey'],
    amounts: [
      '/session/nextActions/*/gasRequired/cost/raw',
      '/session/nextActions/*/gasRequired/nativeBalance/raw',
      '/session/claimStakeRaw',
      '/session/claimFeeRaw',
      '/session/totalClaimLockRaw',
      '/session/gasRetention/retainedRaw',
      '/session/gasRetention/netRewardRaw',
      '/dispute/remainingPayout/raw',
      '/dispute/stakedAmount/raw',
      '/dispute/claimFee/raw',
      '/dispute/totalClaimLock/raw',
      '/dispute/workerPayout/raw',
      '/dispute/preparedPayout/raw',
      '/dispute/release/amount/raw',
      '/dispute/remedy/gasRequired/cost/raw',
      '/dispute/remedy/gasRequired/nativeBalance/raw',
      '/dispute/nextActions/*/gasRequired/cost/raw',
      '/dispute/nextActions/*/gasRequired/nativeBalance/raw',
    ],
  },
  decideDispute: {
    method: 'POST',
    path: '/disputes/:id/verdict',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    pathMembers: ['id'],
    bodyMembers: ['verdict', 'outcome', 'workerPayout', 'rationale', 'preview', 'supersedes', 'idempotencyKey'],
    amounts: [
      '/remainingPayout/raw',
      '/stakedAmount/raw',
      '/claimFee/raw',
      '/totalClaimLock/raw',
      '/workerPayout/raw',
      '/preparedPayout/raw',
      '/release/amount/raw',
      '/remedy/gasRequired/cost/raw',
      '/remedy/gasRequired/nativeBalance/raw',
      '/nextActions/*/gasRequired/cost/raw',
      '/nextActions/*/gasRequired/nativeBalance/raw',
      '/money/worker/payout/raw',
      '/money/worker/bondReturned/raw',
      '/money/poster/refund/raw',
      '/money/poster/slash/raw',
      '/money/treasury/fee/raw',
      '/money/treasury/slash/raw',
      '/money/verifier/feeShare/raw',
      '/money/held/raw',
    ],
  },
  getDispute: {
    method: 'GET',
    path: '/disputes/:id',
    auth: 'wallet',
    statuses: [200],
    pathMembers: ['id'],
    amounts: [
      '/remainingPayout/raw',
      '/stakedAmount/raw',
      '/claimFee/raw',
      '/totalClaimLock/raw',
      '/workerPayout/raw',
      '/preparedPayout/raw',
      '/release/amount/raw',
      '/remedy/gasRequired/cost/raw',
      '/remedy/gasRequired/nativeBalance/raw',
      '/nextActions/*/gasRequired/cost/raw',
      '/nextActions/*/gasRequired/nativeBalance/raw',
    ],
  },
  getDisputeFile: { method: 'GET', path: '/disputes/:id/file', auth: 'wallet', statuses: [200], pathMembers: ['id'] },
  listDisputes: {
    method: 'GET',
    path: '/disputes',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor', 'status'],
    amounts: [
      '/disputes/*/remainingPayout/raw',
      '/disputes/*/stakedAmount/raw',
      '/disputes/*/claimFee/raw',
      '/disputes/*/totalClaimLock/raw',
      '/disputes/*/workerPayout/raw',
      '/disputes/*/preparedPayout/raw',
      '/disputes/*/release/amount/raw',
      '/disputes/*/remedy/gasRequired/cost/raw',
      '/disputes/*/remedy/gasRequired/nativeBalance/raw',
      '/disputes/*/nextActions/*/gasRequired/cost/raw',
      '/disputes/*/nextActions/*/gasRequired/nativeBalance/raw',
    ],
    rows: 'disputes',
  },
  getContent: { method: 'GET', path: '/content/:hash', auth: 'wallet', statuses: [200], pathMembers: ['hash'] },
  publishContent: {
    method: 'POST',
    path: '/content/:hash/publish',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    pathMembers: ['hash'],
    bodyMembers: ['idempotencyKey'],
  },
  getAgentCard: { method: 'GET', path: '/agents/:wallet/agent-card.json', auth: 'none', statuses: [200], pathMembers: ['wallet'] },
  getAgentFeedback: {
    method: 'GET',
    path: '/agents/:wallet/feedback/:sessionId',
    auth: 'none',
    statuses: [200],
    pathMembers: ['wallet', 'sessionId'],
    queryMembers: ['agentRegistry', 'agentId'],
  },
  getAgentProfile: { method: 'GET', path: '/agents/:wallet', auth: 'optional', statuses: [200], pathMembers: ['wallet'] },
  getAgentRegistration: {
    method: 'GET',
    path: '/agents/:wallet/registration.json',
    auth: 'none',
    statuses: [200],
    pathMembers: ['wallet'],
  },
  getDomainProof: { method: 'GET', path: '/.well-known/agent-registration.json', auth: 'none', statuses: [200] },
  listAgents: {
    method: 'GET',
    path: '/agents',
    auth: 'none',
    statuses: [200],
    queryMembers: ['limit', 'cursor', 'includeSynthetic'],
    amounts: ['/agents/*/activeStake/raw'],
    rows: 'agents',
  },
  setAgentConsent: {
    method: 'POST',
    path: '/agents/consent',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['publicProfileOptIn', 'currentActivityOptIn'],
  },
  createShare: {
    method: 'POST',
    path: '/shares',
    auth: 'wallet',
    idempotent: true,
    statuses: [201],
    bodyMembers: ['surface', 'id', 'wallet', 'sessionId', 'disputeId', 'tag', 'ttlSeconds', 'idempotencyKey'],
  },
  getShare: { method: 'GET', path: '/shares/:token', auth: 'none', statuses: [200], pathMembers: ['token'] },
  revokeShare: {
    method: 'POST',
    path: '/shares/:id/revoke',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    pathMembers: ['id'],
    bodyMembers: ['idempotencyKey'],
  },
  getBadge: { method: 'GET', path: '/badges/:sessionId', auth: 'none', statuses: [200], pathMembers: ['sessionId'] },
  getMe: {
    method: 'GET',
    path: '/me',
    auth: 'wallet',
    statuses: [200],
    amounts: [
      '/progression/effectiveCaps/perJobMax/raw',
      '/progression/effectiveCaps/perJobMax/components/base/raw',
      '/progression/effectiveCaps/perJobMax/components/deposit/raw',
      '/progression/effectiveCaps/rolling24h/raw',
      '/progression/effectiveCaps/rolling24h/components/base/raw',
      '/progression/effectiveCaps/rolling24h/components/deposit/raw',
      '/progression/effectiveCaps/concurrent/raw',
      '/progression/effectiveCaps/concurrent/components/base/raw',
      '/progression/effectiveCaps/concurrent/components/deposit/raw',
      '/accountPosition/liquid/raw',
      '/accountPosition/jobStakeLocked/raw',
      '/lockedDeposits/locked/raw',
      '/lockedDeposits/encumbered/raw',
      '/lockedDeposits/activationGate/totalLocked/raw',
      '/lockedDeposits/activationGate/minimumLocked/raw',
      '/lockedDeposits/activationGate/projection/projectedCycleYield/raw',
      '/lockedDeposits/activationGate/projection/basis/observedPrincipal/raw',
      '/lockedDeposits/activationGate/projection/basis/observedYield/raw',
      '/lockedDeposits/activationGate/friction/cycleFriction/raw',
      '/lockedDeposits/activationGate/friction/requiredProjectedYield/raw',
      '/lockedDeposits/entries/*/amount/raw',
      '/lockedDeposits/entries/*/forfeiture/principalHaircut/raw',
      '/lockedDeposits/entries/*/forfeiture/penaltyFee/raw',
    ],
  },
  getReputation: { method: 'GET', path: '/reputation', auth: 'wallet', statuses: [200] },
  listBadges: { method: 'GET', path: '/badges', auth: 'none', statuses: [200], queryMembers: ['limit', 'cursor'], rows: 'badges' },
  getReceipt: { method: 'GET', path: '/receipts/:receiptId', auth: 'none', statuses: [200], pathMembers: ['receiptId'] },
  getRecordSchema: { method: 'GET', path: '/schemas/records/:name.json', auth: 'none', statuses: [200], pathMembers: ['name'] },
  listReceipts: {
    method: 'GET',
    path: '/receipts',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor', 'wallet'],
    amounts: [
      '/receipts/*/amounts/worker/raw',
      '/receipts/*/amounts/protocolFee/raw',
      '/receipts/*/amounts/gasRetention/raw',
      '/receipts/*/amounts/reward/raw',
    ],
    rows: 'receipts',
  },
  listRecordSchemas: { method: 'GET', path: '/schemas/records', auth: 'none', statuses: [200] },
  buildAccountDepositTransactions: {
    method: 'POST',
    path: '/account/deposit/transactions',
    auth: 'wallet',
    statuses: [200],
    bodyMembers: ['amount', 'asset'],
    amounts: [
      '/account/chainLiquid/raw',
      '/approval/allowanceBefore/raw',
      '/approval/allowanceAfter/raw',
      '/expected/*/change/raw',
      '/expected/*/before/raw',
      '/expected/*/after/raw',
    ],
  },
  buildAccountWithdrawTransactions: {
    method: 'POST',
    path: '/account/withdraw/transactions',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['amount', 'asset', 'destination', 'requestGasGrant', 'idempotencyKey'],
    amounts: [
      '/account/chainLiquid/raw',
      '/account/debtOutstanding/raw',
      '/account/lockedDepositEncumbered/raw',
      '/account/available/raw',
      '/account/availableAfter/raw',
      '/withdrawal/amount/raw',
      '/firstWithdrawalGasGrant/amount/raw',
      '/firstWithdrawalGasGrant/minimumAccountLiquid/raw',
      '/firstWithdrawalGasGrant/balance/raw',
      '/gas/maxFeePerGas/raw',
      '/gas/estimatedFee/raw',
      '/gas/walletBalance/raw',
      '/expected/*/change/raw',
      '/expected/*/before/raw',
      '/expected/*/after/raw',
    ],
  },
  fundAccount: {
    method: 'POST',
    path: '/account/fund',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['amount', 'asset', 'idempotencyKey'],
    amounts: [
      '/liquid/*/raw',
      '/reserved/*/raw',
      '/strategyAllocated/*/raw',
      '/collateralLocked/*/raw',
      '/jobStakeLocked/*/raw',
      '/debtOutstanding/*/raw',
      '/lockedDepositEncumbered/*/raw',
      '/withdrawable/*/raw',
      '/walletBalance/*/raw',
      '/treasuryTimeline/*/amount/raw',
    ],
  },
  getAccount: {
    method: 'GET',
    path: '/account',
    auth: 'wallet',
    statuses: [200],
    amounts: [
      '/liquid/*/raw',
      '/reserved/*/raw',
      '/strategyAllocated/*/raw',
      '/collateralLocked/*/raw',
      '/jobStakeLocked/*/raw',
      '/debtOutstanding/*/raw',
      '/lockedDepositEncumbered/*/raw',
      '/withdrawable/*/raw',
      '/walletBalance/*/raw',
      '/treasuryTimeline/*/amount/raw',
    ],
  },
  getAccountPosition: {
    method: 'GET',
    path: '/account/position',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['asset'],
    amounts: [
      '/liquid/raw',
      '/reserved/raw',
      '/strategyAllocated/raw',
      '/collateralLocked/raw',
      '/jobStakeLocked/raw',
      '/debtOutstanding/raw',
      '/account/available/raw',
      '/account/chainLiquid/raw',
      '/account/lockedDepositEncumbered/raw',
      '/account/stakedOnOpenWork/raw',
      '/account/statement/*/amount/raw',
      '/account/statement/*/receipt/protocolFee/raw',
    ],
  },
  getBorrowCapacity: {
    method: 'GET',
    path: '/account/borrow-capacity',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['asset'],
    amounts: ['/borrowCapacity/raw'],
  },
  getStrategyPositions: {
    method: 'GET',
    path: '/account/strategies',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor'],
    amounts: ['/positions/*/shares/raw', '/positions/*/assets/raw', '/positions/*/pendingDeposit/raw', '/positions/*/pendingWithdraw/raw'],
    rows: 'positions',
  },
  listStrategies: {
    method: 'GET',
    path: '/strategies',
    auth: 'none',
    statuses: [200],
    amounts: ['/strategies/*/totalAssets/raw', '/strategies/*/totalShares/raw'],
  },
  buildPoolTransactions: {
    method: 'POST',
    path: '/pool/transactions',
    auth: 'wallet',
    statuses: [200],
    bodyMembers: ['direction', 'assets', 'shares'],
    amounts: [
      '/approval/allowanceBefore/raw',
      '/approval/allowanceAfter/raw',
      '/preview/assets/raw',
      '/preview/expectedShares/raw',
      '/preview/poolHeadroomBefore/raw',
      '/preview/poolHeadroomConsumed/raw',
      '/preview/perAgentHeadroomBefore/raw',
      '/preview/perAgentHeadroomConsumed/raw',
      '/preview/sharePrice/assetsPerShare/raw',
      '/preview/sharePrice/numeratorAssets/raw',
      '/preview/sharePrice/denominatorShares/raw',
      '/expected/*/change/raw',
      '/expected/*/before/raw',
      '/expected/*/after/raw',
      '/preview/requested/assets/raw',
      '/preview/requested/shares/raw',
      '/preview/sharesToRedeem/raw',
      '/preview/expectedAssets/raw',
      '/preview/availableSharesBefore/raw',
      '/preview/bufferAssetsBefore/raw',
    ],
  },
  getPool: {
    method: 'GET',
    path: '/pool',
    auth: 'optional',
    statuses: [200],
    amounts: [
      '/totalAssets/raw',
      '/totalShares/raw',
      '/bufferAssets/raw',
      '/caps/totalAssetCap/raw',
      '/caps/perAgentAssetCap/raw',
      '/caps/poolHeadroom/raw',
      '/sharePrice/assetsPerShare/raw',
      '/sharePrice/numeratorAssets/raw',
      '/sharePrice/denominatorShares/raw',
      '/wallet/assetBalance/raw',
      '/wallet/depositedAssets/raw',
      '/wallet/shares/raw',
      '/wallet/availableShares/raw',
      '/wallet/allowanceToPool/raw',
      '/wallet/perAgentHeadroom/raw',
      '/wallet/vestedAssets/raw',
      '/wallet/vesting/unvested/raw',
      '/wallet/vesting/matured/raw',
      '/wallet/vesting/tranches/*/deposited/raw',
      '/wallet/vesting/tranches/*/remaining/raw',
      '/wallet/vesting/tranches/*/vested/raw',
      '/wallet/vesting/next/remaining/raw',
      '/wallet/openExposureRaise/raw',
      '/wallet/openExposureCap/raw',
      '/wallet/externalRewardCeiling/raw',
    ],
  },
  buildCreditTransactions: {
    method: 'POST',
    path: '/credit/transactions',
    auth: 'wallet',
    statuses: [200],
    bodyMembers: ['direction', 'assets', 'shares', 'pledgeShares', 'amount', 'loanId'],
    amounts: [
      '/approval/allowanceBefore/raw',
      '/approval/allowanceAfter/raw',
      '/preview/assets/raw',
      '/preview/expectedShares/raw',
      '/preview/sharePrice/assetsPerShare/raw',
      '/preview/sharePrice/numeratorAssets/raw',
      '/preview/sharePrice/denominatorShares/raw',
      '/expected/*/change/raw',
      '/expected/*/before/raw',
      '/expected/*/after/raw',
      '/preview/sharesToRedeem/raw',
      '/preview/expectedAssets/raw',
      '/preview/pledgeShares/raw',
      '/preview/pledgedAssetValue/raw',
      '/preview/aggregatePledgedAssetValue/raw',
      '/preview/vestedAssets/raw',
      '/preview/existingDebt/raw',
      '/preview/grossWalletLimit/raw',
      '/preview/maximumLoan/raw',
      '/preview/requestedAmount/raw',
      '/preview/repaymentAmount/raw',
      '/preview/impairmentThreshold/raw',
      '/eligibilityAttestation/vestedAssets/raw',
      '/preview/outstandingBefore/raw',
      '/preview/outstandingAfter/raw',
    ],
  },
  getCredit: {
    method: 'GET',
    path: '/credit',
    auth: 'wallet',
    statuses: [200],
    amounts: [
      '/supply/totalAssets/raw',
      '/supply/totalShares/raw',
      '/supply/buffer/raw',
      '/supply/principalOutstanding/raw',
      '/supply/cap/raw',
      '/supply/headroom/raw',
      '/supply/perLenderCap/raw',
      '/lifecycle/totalPledgedShares/raw',
      '/wallet/assetBalance/raw',
      '/wallet/allowanceToCreditPool/raw',
      '/wallet/lenderAssets/raw',
      '/wallet/lenderShares/raw',
      '/wallet/availableLenderShares/raw',
      '/wallet/depositPoolShares/raw',
      '/wallet/availableDepositPoolShares/raw',
      '/wallet/pledgedShares/raw',
      '/wallet/pledgedAssetValue/raw',
      '/wallet/vestedAssets/raw',
      '/wallet/grossWalletLimit/raw',
      '/wallet/loanable/raw',
      '/wallet/outstanding/raw',
    ],
  },
  createLockedDeposit: {
    method: 'POST',
    path: '/locked-deposits/consent',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [200, 201],
    bodyMembers: ['terms', 'termsHash', 'consentSignature', 'idempotencyKey'],
    amounts: [
      '/entry/amount/raw',
      '/entry/forfeiture/principalHaircut/raw',
      '/entry/forfeiture/penaltyFee/raw',
      '/tierState/locked/raw',
      '/tierState/encumbered/raw',
      '/tierState/activationGate/totalLocked/raw',
      '/tierState/activationGate/minimumLocked/raw',
      '/tierState/activationGate/projection/projectedCycleYield/raw',
      '/tierState/activationGate/projection/basis/observedPrincipal/raw',
      '/tierState/activationGate/projection/basis/observedYield/raw',
      '/tierState/activationGate/friction/cycleFriction/raw',
      '/tierState/activationGate/friction/requiredProjectedYield/raw',
      '/tierState/entries/*/amount/raw',
      '/tierState/entries/*/forfeiture/principalHaircut/raw',
      '/tierState/entries/*/forfeiture/penaltyFee/raw',
    ],
  },
  exitLockedDeposit: {
    method: 'POST',
    path: '/locked-deposits/:id/exit',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [200],
    pathMembers: ['id'],
    bodyMembers: ['idempotencyKey'],
    amounts: [
      '/entry/amount/raw',
      '/entry/forfeiture/principalHaircut/raw',
      '/entry/forfeiture/penaltyFee/raw',
      '/consequence/principal/raw',
      '/consequence/principalHaircut/raw',
      '/consequence/penaltyFee/raw',
    ],
  },
  quoteLockedDeposit: {
    method: 'POST',
    path: '/locked-deposits/quote',
    auth: 'wallet',
    statuses: [200],
    bodyMembers: ['tier', 'amountRaw', 'consentNonce', 'publicProfileOptIn'],
    amounts: [
      '/terms/amountRaw',
      '/terms/activationGate/totalLocked/raw',
      '/terms/activationGate/minimumLocked/raw',
      '/terms/activationGate/projection/projectedCycleYield/raw',
      '/terms/activationGate/projection/basis/observedPrincipal/raw',
      '/terms/activationGate/projection/basis/observedYield/raw',
      '/terms/activationGate/friction/cycleFriction/raw',
      '/terms/activationGate/friction/requiredProjectedYield/raw',
      '/terms/nav/totalAssets/raw',
      '/terms/nav/totalShares/raw',
      '/terms/nav/sharePrice/raw',
      '/activationGate/totalLocked/raw',
      '/activationGate/minimumLocked/raw',
      '/activationGate/projection/projectedCycleYield/raw',
      '/activationGate/projection/basis/observedPrincipal/raw',
      '/activationGate/projection/basis/observedYield/raw',
      '/activationGate/friction/cycleFriction/raw',
      '/activationGate/friction/requiredProjectedYield/raw',
      '/nav/totalAssets/raw',
      '/nav/totalShares/raw',
      '/nav/sharePrice/raw',
      '/balance/liquid/raw',
      '/balance/alreadyEncumbered/raw',
      '/balance/availableToLock/raw',
      '/caps/perWallet/raw',
      '/caps/lockedCohort/raw',
      '/caps/existingPoolHeadroom/raw',
      '/caps/existingPoolPerAgentHeadroom/raw',
    ],
  },
  consentToIdleAllocation: {
    method: 'POST',
    path: '/account/idle-allocation/consent',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [200, 201],
    bodyMembers: ['terms', 'termsHash', 'consentSignature', 'idempotencyKey'],
  },
  getIdleAllocation: {
    method: 'GET',
    path: '/account/idle-allocation',
    auth: 'wallet',
    statuses: [200],
    amounts: ['/movements/allocated/raw', '/movements/recalled/raw'],
  },
  quoteIdleAllocation: {
    method: 'POST',
    path: '/account/idle-allocation/quote',
    auth: 'wallet',
    statuses: [200],
    bodyMembers: ['consentNonce'],
  },
  revokeIdleAllocation: {
    method: 'POST',
    path: '/account/idle-allocation/revoke',
    auth: 'wallet_only',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['idempotencyKey'],
  },
  finalizeXcmRequest: {
    method: 'POST',
    path: '/admin/xcm/finalize',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['requestId', 'idempotencyKey'],
    amounts: ['/outcome/settledAssetsRaw', '/outcome/settledSharesRaw'],
  },
  getXcmRequest: {
    method: 'GET',
    path: '/xcm/request',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['requestId'],
    amounts: [
      '/requestedAssetsRaw',
      '/requestedSharesRaw',
      '/nonceRaw',
      '/settledAssetsRaw',
      '/settledSharesRaw',
      '/createdAtRaw',
      '/updatedAtRaw',
    ],
  },
  listExhaustedXcmRequests: {
    method: 'GET',
    path: '/admin/xcm/finalize-exhausted',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor'],
    amounts: ['/items/*/settledAssetsRaw', '/items/*/settledSharesRaw'],
    rows: 'items',
  },
  listXcmOutcomes: {
    method: 'GET',
    path: '/admin/xcm/outcomes',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor'],
    amounts: ['/items/*/settledAssetsRaw', '/items/*/settledSharesRaw'],
    rows: 'items',
  },
  observeXcmRequest: {
    method: 'POST',
    path: '/admin/xcm/observe',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: [
      'requestId',
      'status',
      'settledAssets',
      'settledShares',
      'remoteRef',
      'failureCode',
      'source',
      'observedAt',
      'wrapper',
      'idempotencyKey',
    ],
    amounts: ['/outcome/settledAssetsRaw', '/outcome/settledSharesRaw'],
  },
  createJob: {
    method: 'POST',
    path: '/admin/jobs',
    auth: 'wallet',
    idempotent: true,
    statuses: [201],
    bodyMembers: [
      'id',
      'title',
      'description',
      'category',
      'tier',
      'jobType',
      'requiredRole',
      'rewardAsset',
      'rewardAmount',
      'lane',
      'verifierMode',
      'verifierTerms',
      'verifierMinimumMatches',
      'verifierConfig',
      'inputSchemaRef',
      'outputSchemaRef',
      'claimTtlSeconds',
      'retryLimit',
      'requiresSponsoredGas',
      'onboardingWaiverEligible',
      'acceptanceCriteria',
      'agentInstructions',
      'estimatedDifficulty',
      'source',
      'verification',
      'recurring',
      'schedule',
      'idempotencyKey',
    ],
    amounts: ['/rewardAmountRaw'],
  },
  listAdminJobs: {
    method: 'GET',
    path: '/admin/jobs',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor', 'state'],
    amounts: ['/jobs/*/rewardAmountRaw'],
    rows: 'jobs',
  },
  setJobLifecycle: {
    method: 'POST',
    path: '/admin/jobs/lifecycle',
    auth: 'wallet',
    idempotent: true,
    statuses: [200],
    bodyMembers: ['jobId', 'action', 'status', 'staleAt', 'reason', 'idempotencyKey'],
    amounts: ['/job/rewardAmountRaw'],
  },
  getAdminStatus: {
    method: 'GET',
    path: '/admin/status',
    auth: 'wallet',
    statuses: [200],
    amounts: [
      '/ops/recentSessions/*/nextActions/*/gasRequired/cost/raw',
      '/ops/recentSessions/*/nextActions/*/gasRequired/nativeBalance/raw',
      '/ops/recentSessions/*/claimStakeRaw',
      '/ops/recentSessions/*/claimFeeRaw',
      '/ops/recentSessions/*/totalClaimLockRaw',
      '/ops/recentSessions/*/gasRetention/retainedRaw',
      '/ops/recentSessions/*/gasRetention/netRewardRaw',
      '/ops/totalCapitalAtWork/raw',
      '/catalogueLanes/*/dailyBudget/raw',
      '/catalogueLanes/*/usedToday/raw',
    ],
  },
  getJobTimeline: {
    method: 'GET',
    path: '/admin/jobs/timeline',
    auth: 'wallet',
    statuses: [200],
    queryMembers: ['limit', 'cursor', 'jobId', 'topics', 'sources', 'phases', 'severities', 'correlationId', 'wallet'],
    amounts: [
      '/job/rewardAmountRaw',
      '/lineage/parentSession/nextActions/*/gasRequired/cost/raw',
      '/lineage/parentSession/nextActions/*/gasRequired/nativeBalance/raw',
      '/lineage/parentSession/claimStakeRaw',
      '/lineage/parentSession/claimFeeRaw',
      '/lineage/parentSession/totalClaimLockRaw',
      '/lineage/parentSession/gasRetention/retainedRaw',
      '/lineage/parentSession/gasRetention/netRewardRaw',
    ],
    rows: 'timeline',
  },
}
