import { z } from 'zod'
import { ACTIONS, ROLES } from '../identity/authorisation.ts'
import { IdleProductShape } from '../idle-allocation/shapes.ts'
import { LockProductShape } from '../locked-deposits/shapes.ts'
import { literal, OpenObject } from '../operations/values.ts'

const step = z
  .object({ id: z.string(), method: z.string(), path: z.string(), tool: z.string().optional(), description: z.string() })
  .meta({ id: 'StarterStep', description: 'One step from the first request to the badge.' })

/** A sign-in mode. Source: identity, "Onboarding: wallet modes and readiness". */
const WalletModeShape = z
  .object({
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
    readinessChecks: z.array(z.string()),
    notes: z.array(z.string()),
    currentBlocker: z.string().optional(),
    plannedTools: z.array(z.string()).optional(),
  })
  .meta({ id: 'WalletMode', description: 'A way to sign in.' })

const RequirementShape = z
  .object({
    method: z.string(),
    path: z.string(),
    requiresAuth: z.boolean(),
    requiredAction: z.enum(ACTIONS),
    requiredRole: z.enum(ROLES).optional(),
    authScheme: z.string().optional(),
    walletModes: z.array(z.string()).optional(),
    notes: z.string().optional(),
  })
  .meta({ id: 'ActionRequirement', description: 'What a route needs.' })

const ReadinessCheckShape = z
  .object({
    id: z.string(),
    description: z.string(),
    authScheme: z.string().optional(),
    walletModes: z.array(z.string()).optional(),
    blockingFor: z.array(z.string()),
  })
  .meta({ id: 'ReadinessCheck', description: 'A check before the first claim.' })

const WalletlessArrivalShape = z
  .object({
    headline: z.string(),
    start: z.string(),
    managedWalletInterop: z.string(),
    proof: z.string(),
    limits: z.object({ waiverClaimsPerWallet: z.int(), waiverAppliesTo: z.string(), withdrawal: z.string() }),
  })
  .meta({ id: 'WalletlessArrival', description: 'How to start without a wallet.' })

const StartShape = z.object({
  walletlessArrival: WalletlessArrivalShape,
  starterFlow: z.array(step).length(9),
  walletModes: z.array(WalletModeShape),
  actionRequirements: z.array(RequirementShape),
  readinessChecks: z.array(ReadinessCheckShape),
  selfServeChecklist: z.array(z.string()),
  buildVestedCapacity: OpenObject,
  withdrawEarnings: OpenObject,
})

const AuthShape = z.object({
  scheme: z.string(),
  schemeId: literal('SIWE_JWT'),
  policyVersion: z.string(),
  entrypoints: z.array(z.string()).length(4),
  supportedWalletModes: z.array(z.string()),
  plannedWalletModes: z.array(z.string()),
})

/** Source: http, "GET /onboarding". A product outside this release has `available: false` with the reason. */
export const OnboardingShape = z.object({
  name: z.string(),
  version: z.string(),
  discoveryUrl: z.url(),
  discoveryMode: literal('directory-safe'),
  protocols: z.array(z.string()),
  products: z.object({ verify: OpenObject, proofGatedEscrow: OpenObject, workReceipts: OpenObject }),
  onboarding: StartShape,
  auth: AuthShape,
  executionSurfaces: OpenObject,
  tools: z.array(z.string()),
  lockedDeposits: LockProductShape,
  idleAllocation: IdleProductShape,
  workerDoor: z.object({
    claimBond: OpenObject,
    preflight: OpenObject,
    selfDeposit: OpenObject,
    accountFund: OpenObject,
    withdrawal: OpenObject,
    submissionValidation: OpenObject,
    claimTtl: OpenObject,
    disputeWindow: OpenObject,
    liveReads: OpenObject,
  }),
  externalBounties: OpenObject,
})
/** Short form of the same. Source: http, "Tools". */
export const WelcomeShape = z
  .strictObject({
    what: z.string(),
    path: z.array(z.string()),
    buyerPath: z.array(z.string()),
    proofGatedEscrow: z.string(),
    beforeClaim: z.array(z.string()),
    freshWallet: z.string(),
    costToStart: z.string(),
    requestLimit: z.strictObject({ maxBodyBytes: z.int() }),
    claimRecovery: z.string(),
    progression: z.string(),
    tools: z.strictObject({ surface: z.string(), names: z.array(z.string()) }),
    fullDetail: z.strictObject({ call: z.string(), http: z.string(), discovery: z.string() }),
  })
  .meta({ id: 'Welcome', description: 'What the service does and how to start, in short.' })
export type Welcome = z.input<typeof WelcomeShape>

export type Onboarding = z.input<typeof OnboardingShape>

const endpoint = z
  .object({ method: z.string(), path: z.string(), description: z.string() })
  .meta({ id: 'EndpointSummary', description: 'A route with its purpose.' })

/** Source: http, "GET /.well-known/agent-tools.json". */
export const AgentToolsShape = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  protocols: z.array(z.string()),
  discoveryMode: literal('directory-safe'),
  products: OpenObject,
  onboarding: StartShape.extend({ entrypoint: z.string(), posterEntrypoint: z.string().nullable() }),
  auth: AuthShape.extend({ flow: z.array(z.string()), logout: z.string(), modes: z.array(z.string()) }),
  publicEndpoints: z.array(endpoint),
  authenticatedEndpoints: z.array(endpoint),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  schemas: z.object({
    agentBadge: z.string(),
    agentProfile: z.string().nullable(),
    workReceipt: z.string().nullable(),
    jobSchemasIndex: z.string(),
    jobSchemaPathTemplate: z.string(),
    jobSchemaRefPrefix: literal('schema://jobs/'),
  }),
  docs: z.string(),
  executionSurfaces: OpenObject,
  baseUrl: z.url(),
  discoveryUrl: z.url(),
  profile: z.string().nullable(),
  protocolEndpoints: z.object({ http: z.string(), mcp: z.string().nullable() }),
  health: z.string(),
})
export type AgentTools = z.input<typeof AgentToolsShape>
