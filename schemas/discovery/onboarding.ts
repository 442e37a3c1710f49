import { z } from 'zod'
import { ACTIONS, ROLES } from '../identity/authorisation.ts'
import { IdleProductShape } from '../idle-allocation/shapes.ts'
import { LockProductShape } from '../locked-deposits/shapes.ts'
import { closedShape, literal, OpenObject, part, shape } from '../operations/values.ts'

const step = shape('StarterStep', 'One step from the first request to the badge.', {
  id: z.string(),
  method: z.string(),
  path: z.string(),
  tool: z.string().optional().describe('Name of the tool that sends the same request.'),
  description: z.string(),
})

/** A sign-in mode. Source: identity, "Onboarding: wallet modes and readiness". */
const WalletModeShape = shape('WalletMode', 'A way to sign in.', {
  id: z.string(),
  status: z.string(),
  addressFormat: z.string(),
  supportedWallets: z.array(z.string()),
  authScheme: z.string(),
  signMessageMethod: z.string(),
  setup: z.object({ accountGuidance: z.string(), secretHandling: z.string(), payoutGuidance: z.string() }),
  chain: z.object({
    name: z.string(),
    currencySymbol: z.string(),
    chainId: z.int(),
    rpcUrl: z.string(),
    faucetUrl: z.string().optional(),
  }),
  bootstrap: z.array(z.string()).optional(),
  mappingRequirement: OpenObject.optional(),
  readinessChecks: z.array(z.string()).describe('Ids of `readinessChecks`.'),
  notes: z.array(z.string()),
  currentBlocker: z.string().optional().describe('Why it does not work now.'),
  plannedTools: z.array(z.string()).optional().describe('Tools of a later release.'),
})

const RequirementShape = shape('ActionRequirement', 'What a route needs.', {
  method: z.string(),
  path: z.string(),
  requiresAuth: z.boolean(),
  requiredAction: z.enum(ACTIONS),
  requiredRole: z.enum(ROLES).optional(),
  authScheme: z.string().optional(),
  walletModes: z.array(z.string()).optional(),
  notes: z.string().optional(),
})

const ReadinessCheckShape = shape('ReadinessCheck', 'A check before the first claim.', {
  id: z.string(),
  description: z.string(),
  authScheme: z.string().optional(),
  walletModes: z.array(z.string()).optional(),
  blockingFor: z.array(z.string()).describe('Ids of the steps of `starterFlow` that need it.'),
})

const WalletlessArrivalShape = shape('WalletlessArrival', 'How to start without a wallet.', {
  headline: z.string(),
  start: z.string(),
  managedWalletInterop: z.string(),
  proof: z.string().describe('How a wallet proves that a balance is its own.'),
  limits: z.object({
    waiverClaimsPerWallet: z.int().describe('First claims of a wallet that need no stake and no fee.'),
    waiverAppliesTo: z.string(),
    withdrawal: z.string(),
  }),
})

const StartShape = z.object({
  walletlessArrival: WalletlessArrivalShape,
  starterFlow: z.array(step).length(9),
  walletModes: z.array(WalletModeShape),
  actionRequirements: z.array(RequirementShape),
  readinessChecks: z.array(ReadinessCheckShape),
  selfServeChecklist: z.array(z.string()),
  buildVestedCapacity: OpenObject.describe('How a deposit raises the limits of claims.'),
  withdrawEarnings: OpenObject,
})

const AuthShape = z.object({
  scheme: z.string(),
  schemeId: literal('SIWE_JWT'),
  policyVersion: z.string(),
  entrypoints: z.array(z.string()).length(4),
  supportedWalletModes: z.array(z.string()).describe('Ids of wallet modes that work now.'),
  plannedWalletModes: z.array(z.string()).describe('Ids of wallet modes of a later release.'),
})

/** Source: http, "GET /onboarding". A product outside this release has `available: false` with the reason. */
export const OnboardingShape = z.object({
  name: z.string(),
  version: z.string(),
  discoveryUrl: z.url(),
  discoveryMode: literal('directory-safe').describe('Sign-in exchanges and tools that execute are left out of the list.'),
  protocols: z.array(z.string()),
  products: part('Each with whether it is available, and otherwise why not.', {
    verify: OpenObject.describe('Verification of work as a product.'),
    proofGatedEscrow: OpenObject.describe('Escrow that pays for verified work.'),
    workReceipts: OpenObject,
  }),
  onboarding: StartShape,
  auth: AuthShape,
  executionSurfaces: OpenObject.describe('Web app of the operator (null without one) and the routes of the sign-in.'),
  tools: z.array(z.string()),
  lockedDeposits: LockProductShape,
  idleAllocation: IdleProductShape,
  workerDoor: part('Rules that a worker meets.', {
    claimBond: OpenObject,
    preflight: OpenObject,
    selfDeposit: OpenObject.describe('How to deposit from the own wallet.'),
    accountFund: OpenObject.describe('Test funding on the local chain.'),
    withdrawal: OpenObject,
    submissionValidation: OpenObject,
    claimTtl: OpenObject.describe('Time from the claim to the submission.'),
    disputeWindow: OpenObject,
    liveReads: OpenObject,
  }),
  externalBounties: OpenObject.describe('Jobs of other posters.'),
})
/** Short form of the same. Source: http, "Tools". */
export const WelcomeShape = closedShape('Welcome', 'What the service does and how to start, in short.', {
  what: z.string(),
  path: z.array(z.string()).describe('Steps of a worker, from the sign-in to the badge.'),
  buyerPath: z.array(z.string()).describe('Steps of a buyer of work.'),
  proofGatedEscrow: z.string(),
  beforeClaim: z.array(z.string()),
  freshWallet: z.string(),
  costToStart: z.string(),
  requestLimit: z.strictObject({ maxBodyBytes: z.int() }),
  claimRecovery: z.string().describe('What to do when the outcome of a claim is unclear.'),
  progression: z.string(),
  tools: z.strictObject({ surface: z.string().describe('Address that serves the tools.'), names: z.array(z.string()) }),
  fullDetail: z
    .strictObject({
      call: z.string().describe('Tool call that answers it.'),
      http: z.string().describe('Route that answers it.'),
      discovery: z.string().describe('Address of the manifest.'),
    })
    .describe('Where the full form of this answer stands.'),
})
export type Welcome = z.input<typeof WelcomeShape>

export type Onboarding = z.input<typeof OnboardingShape>

const endpoint = shape('EndpointSummary', 'A route with its purpose.', { method: z.string(), path: z.string(), description: z.string() })

/** Source: http, "GET /.well-known/agent-tools.json". */
export const AgentToolsShape = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  protocols: z.array(z.string()),
  discoveryMode: literal('directory-safe').describe('Sign-in exchanges and tools that execute are left out of the list.'),
  products: OpenObject.describe('Each with whether it is available, and otherwise why not.'),
  onboarding: StartShape.extend({
    entrypoint: z.string().describe('Where workers start.'),
    posterEntrypoint: z.string().nullable().describe('Where posters start; null while posting is closed.'),
  }),
  auth: AuthShape.extend({
    flow: z.array(z.string()),
    logout: z.string(),
    modes: z.array(z.string()).describe('`strict` asks for a token; `permissive`, on a local stack only, does not.'),
  }),
  publicEndpoints: z.array(endpoint).describe('Routes without a token.'),
  authenticatedEndpoints: z.array(endpoint).describe('Routes that need a token.'),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  schemas: z.object({
    agentBadge: z.string().describe('Address of the schema of badges.'),
    agentProfile: z.string().describe('Address of the schema of profiles.'),
    workReceipt: z.string().describe('Address of the schema of receipts.'),
    jobSchemasIndex: z.string(),
    jobSchemaPathTemplate: z.string(),
    jobSchemaRefPrefix: literal('schema://jobs/').describe('Start of a reference to a schema of a job.'),
  }),
  docs: z.string(),
  executionSurfaces: OpenObject.describe('Web app of the operator (null without one) and the routes of the sign-in.'),
  baseUrl: z.url(),
  discoveryUrl: z.url(),
  profile: z.string().describe('Address of a profile, with {wallet} in place of the wallet.'),
  protocolEndpoints: z.object({ http: z.string(), mcp: z.string().nullable().describe('Null while it is not served.') }),
  health: z.string(),
})
export type AgentTools = z.input<typeof AgentToolsShape>
