/** Version of the authorisation rules in `/auth/session` and the manifest. */
export const AUTH_POLICY_VERSION = 'auth-policy-v1'

/** Roles of a token. Every wallet is a worker, so `worker` is no role. */
export const ROLES = ['admin', 'verifier', 'arbitrator'] as const
export type Role = (typeof ROLES)[number]

/** Capabilities of every wallet token. Source: identity, "Authorisation". */
export const BASE_CAPABILITIES = [
  'account:read',
  'account:fund',
  'account:allocate',
  'agents:list',
  'agents:consent',
  'badges:list',
  'content:read',
  'content:write',
  'disputes:list',
  'disputes:read',
  'events:read',
  'jobs:list',
  'jobs:claim',
  'jobs:preflight',
  'jobs:recommend',
  'jobs:submit',
  'posting:draft',
  'posting:read',
  'reputation:read',
  'session:read',
  'session:timeline',
  'shares:create',
  'strategies:list',
  'xcm:read',
] as const

/** Capabilities that each role adds, while the wallet is configured for it. */
export const ROLE_CAPABILITIES = {
  admin: [
    'admin:capabilities:read',
    'admin:capabilities:grant',
    'admin:capabilities:revoke',
    'admin:status',
    'disputes:verdict',
    'disputes:overturn',
    'jobs:create',
    'jobs:ingest',
    'jobs:fire-recurring',
    'jobs:lifecycle',
    'jobs:pause-recurring',
    'jobs:resume-recurring',
    'jobs:timeline',
    'ops:view',
    'verifier:result:read',
    'xcm:observe',
    'xcm:finalize',
  ],
  verifier: ['disputes:verdict', 'verifier:handlers:read', 'verifier:result:read', 'verifier:replay', 'verifier:run'],
  arbitrator: ['disputes:verdict'],
} as const satisfies Record<Role, readonly string[]>

export type Capability = (typeof BASE_CAPABILITIES)[number] | (typeof ROLE_CAPABILITIES)[Role][number]

/** Distinct capabilities of a wallet with these roles, in a stable order. */
export const capabilitiesOf = (roles: readonly Role[]): Capability[] => [
  ...new Set<Capability>([...BASE_CAPABILITIES, ...roles.flatMap((role) => ROLE_CAPABILITIES[role])]),
]

/** Every capability, in a stable order. */
export const CAPABILITIES = capabilitiesOf(ROLES)

/** Capabilities that no grant carries: those over grants themselves, and those that need the sign-in of the wallet itself. */
export const NEVER_GRANTED = [
  'admin:capabilities:read',
  'admin:capabilities:grant',
  'admin:capabilities:revoke',
  'account:allocate',
  'agents:consent',
  'posting:draft',
  'posting:read',
  'shares:create',
] as const satisfies readonly Capability[]

/** Capabilities that an operator can grant, in alphabetical order. */
export const GRANTABLE_CAPABILITIES: readonly Capability[] = CAPABILITIES.filter(
  (capability) => !NEVER_GRANTED.some((never) => never === capability),
).sort()

/** Served action ids of the specification's authorisation table. */
export const ACTIONS = [
  'read_onboarding',
  'request_siwe_nonce',
  'verify_siwe_signature',
  'refresh_wallet_token',
  'wallet_sign_in',
  'read_own_earnings_account',
  'build_unsigned_account_deposit',
  'build_unsigned_account_withdrawal',
  'read_deposit_pool',
  'build_unsigned_deposit_pool_transactions',
  'quote_locked_deposit_before_consent',
  'create_signed_locked_deposit',
  'request_locked_deposit_early_exit',
  'read_credit_pool',
  'build_unsigned_credit_pool_transactions',
  'read_own_worker_summary',
  'read_own_work_receipts',
  'estimate_own_net_reward',
  'admin_wallet_sign_in',
  'verifier_wallet_sign_in',
] as const
export type ActionId = (typeof ACTIONS)[number]

/** Who sent a request. Idempotency keys, rate limits and every record name its wallet. */
export interface Principal {
  /** Lower-case 0x address; SS58 address (prefix 0) with the token of a native account or of a delegate of it. */
  subject: string
  kind: 'wallet' | 'native_account' | 'service_token' | 'delegate' | 'payer'
  /** Payout address in lower case, as in every record; null for a payer, who has not signed in. */
  wallet: `0x${string}` | null
  /** Roles in the token that are still configured. */
  roles: readonly Role[]
  capabilities: readonly Capability[]
  /** Null in permissive mode, where callers have no token. `sid` is the sign-in of a wallet's token. Times are epoch seconds. */
  token: { jti: string; sid: string | null; roles: readonly Role[]; issuedAt: number; expiresAt: number; authTime: number } | null
  /** Grant of a service token or delegate, with why it gives nothing any more; absent for every other caller. */
  grant?: { id: string; scope: string | null; ended: GrantEnd | null }
}

/** Why a grant gives no capability. */
export type GrantEnd = 'capability_grant_revoked' | 'capability_grant_expired' | 'capability_grant_unknown'

/** A principal with a wallet. */
export interface WalletPrincipal extends Principal {
  wallet: `0x${string}`
}

/** Caller by the credential that a request presents. */
export interface CallerBy {
  /** Token of a wallet's own sign-in. */
  wallet_token: WalletPrincipal
  service_token: WalletPrincipal
  /** Token for a part of what a wallet may do, granted by the wallet. */
  delegate_token: WalletPrincipal
  /** A wallet named in the query, in permissive mode. */
  named_wallet: WalletPrincipal
  metrics_secret: null
  /** None; a token is not read. */
  anonymous: null
}
export type Credential = keyof CallerBy
