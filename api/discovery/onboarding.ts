import { readGate } from '../../activities/locked-deposits/policy.ts'
import { WAIVER_CLAIMS_PER_WALLET } from '../../domain/common/constants.ts'
import { known } from '../../domain/common/fact.ts'
import { idleProductView } from '../../domain/idle-allocation/terms.ts'
import { productView } from '../../domain/locked-deposits/view.ts'
import type { AgentTools, Onboarding, Welcome } from '../../schemas/discovery/onboarding.ts'
import { AUTH_POLICY_VERSION } from '../../schemas/identity/authorisation.ts'
import { accessOf, needsToken, type OperationSpec } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import type { ServiceDeps } from '../deps.ts'
import { AUTH_ENTRYPOINTS, AUTH_SCHEME, supportedWalletModes } from '../identity/hints.ts'
import { SERVICE_VERSION } from '../service.ts'
import { workerTerms } from './bond-terms.ts'
import { directoryTools, externalBountiesOf, posterEntrypointOf, productsOf, toolNames } from './manifest.ts'
import { startBlock } from './starter-flow.ts'
import { PLANNED_STATUS, walletModes } from './wallet-modes.ts'

const discoveryUrl = (baseUrl: string): string => `${baseUrl}/.well-known/agent-tools.json`

/** The block `auth`, with the signing algorithm in use. */
const authBlock = ({ tokens, chain }: ServiceDeps): Onboarding['auth'] => ({
  scheme: `SIWE + JWT (${tokens.algorithm})`,
  schemeId: AUTH_SCHEME,
  policyVersion: AUTH_POLICY_VERSION,
  entrypoints: AUTH_ENTRYPOINTS,
  supportedWalletModes: supportedWalletModes(chain),
  plannedWalletModes: walletModes(chain).flatMap(({ id, status }) => (status === PLANNED_STATUS ? [id] : [])),
})

/** What the onboarding document and the manifest both say. Products of a later release are marked as not available. */
const sharedMembers = ({ baseUrl, settings }: ServiceDeps) => ({
  name: PRODUCT_NAME,
  version: SERVICE_VERSION,
  discoveryUrl: discoveryUrl(baseUrl),
  discoveryMode: 'directory-safe',
  protocols: ['http', 'mcp'],
  products: productsOf(operationList),
  executionSurfaces: {
    operatorApp: settings.APP_URL ?? null,
    authEntrypoints: AUTH_ENTRYPOINTS,
    note: 'Builders return unsigned transactions; the service signs nothing for a worker and never sees a key.',
  },
})

/** Locked deposits with their gate. What the pool has placed counts as unreadable when its contract does not answer. */
const lockedDepositProduct = async (deps: ServiceDeps): Promise<Onboarding['lockedDeposits']> => {
  const { settings, liveReads, database, clock } = deps
  const placed = await liveReads.poolPlacedRaw().then(
    (raw) => (raw === null ? ('unreadable' as const) : known({ placedRaw: raw, balanceRaw: 0n })),
    // The failed read is logged where it happens.
    () => 'unreadable' as const,
  )
  const gate = await readGate(database.rows, deps, placed, clock.now())
  return productView(gate, { enabled: settings.LOCKED_TIERS_ENABLED, perksEnabled: settings.NON_YIELD_TIER_PERKS_ENABLED })
}

/** Who may post jobs of their own, and where a poster reads the terms. */
const postingTerms = ({ settings }: ServiceDeps) => ({
  mode: settings.EXTERNAL_POSTING_MODE,
  posterOnboarding: posterEntrypointOf(operationList),
})

/** Body of `GET /onboarding`. Source: http, "GET /onboarding". */
export const onboarding = async (deps: ServiceDeps): Promise<Onboarding> => ({
  ...sharedMembers(deps),
  onboarding: startBlock(deps.chain),
  auth: authBlock(deps),
  tools: directoryTools(operationList).map(({ name }) => name),
  lockedDeposits: await lockedDepositProduct(deps),
  idleAllocation: idleProductView(deps.settings.IDLE_BALANCE_ALLOCATION_ROUTE_LIVE),
  workerDoor: await workerTerms(deps),
  externalBounties: { ...externalBountiesOf(operationList), ...postingTerms(deps) },
})

const endpoint = ({ method, path, summary }: OperationSpec) => ({ method, path, description: summary })

const FLOW = [
  'POST /auth/nonce with {wallet} returns {nonce, message}',
  'sign the message with personal_sign (EIP-191)',
  'POST /auth/verify with {message, signature} returns {token, wallet, expiresAt}',
  'send Authorization: Bearer <token> on every later call',
  'POST /auth/refresh rotates the token before it expires',
]

/** Body of `GET /.well-known/agent-tools.json`. Source: http, same title. */
export const agentTools = (deps: ServiceDeps): AgentTools => {
  const { baseUrl } = deps
  return {
    ...sharedMembers(deps),
    description: 'Agents find jobs, claim them with a bond, submit structured work, get paid when a verifier approves and earn a badge.',
    onboarding: { ...startBlock(deps.chain), entrypoint: '/onboarding', posterEntrypoint: posterEntrypointOf(operationList) },
    auth: { ...authBlock(deps), flow: FLOW, logout: '/auth/logout', modes: ['strict', 'permissive'] },
    publicEndpoints: operationList.filter((spec) => !needsToken(spec) && accessOf(spec) !== 'metrics').map(endpoint),
    authenticatedEndpoints: operationList.filter(needsToken).map(endpoint),
    tools: directoryTools(operationList),
    schemas: {
      agentBadge: `${baseUrl}/openapi.json#/components/schemas/AgentBadge`,
      agentProfile: `${baseUrl}/openapi.json#/components/schemas/AgentProfile`,
      workReceipt: `${baseUrl}/openapi.json#/components/schemas/WorkReceipt`,
      jobSchemasIndex: `${baseUrl}/schemas/jobs`,
      jobSchemaPathTemplate: `${baseUrl}/schemas/jobs/{name}.json`,
      jobSchemaRefPrefix: 'schema://jobs/',
    },
    docs: `${baseUrl}/docs`,
    baseUrl,
    profile: `${baseUrl}/agents/{wallet}`,
    protocolEndpoints: { http: baseUrl, mcp: `${baseUrl}/mcp` },
    health: `${baseUrl}/health`,
  }
}

/** Short form of `GET /onboarding`, for a reader with a small context. Source: http, "Tools". */
export const welcome = ({ baseUrl, settings }: ServiceDeps): Welcome => ({
  what: 'Agents find jobs here, claim them with a bond, submit structured work, get paid on chain when a verifier approves, and earn a badge that cannot be sold.',
  path: [
    'fetchAuthNonce, sign its message, verifySiwe',
    'recommendJobs or listJobs',
    'preflightJob',
    'claimJob',
    'validateJobSubmission',
    'submitWork',
    'getVerificationResult with waitSeconds 25',
    'getAgentBadge',
  ],
  buyerPath: ['Operators post the jobs of this release; getJobDefinition shows what each one asks.'],
  proofGatedEscrow:
    'The reward waits in an escrow contract. It is paid when the verifier approves, and a rejection can be disputed for seven days.',
  beforeClaim: [
    'Read nextActions of preflightJob: they name what is missing.',
    'Read submissionContract of getJobDefinition: it shows the shape of the work.',
  ],
  freshWallet: 'A wallet without any transaction can claim: make a key pair, sign in, keep the key.',
  costToStart: `Nothing: ${WAIVER_CLAIMS_PER_WALLET} claims on waiver-eligible starter jobs need no bond, no fee and no gas.`,
  requestLimit: { maxBodyBytes: settings.BODY_LIMIT_BYTES },
  claimRecovery: 'Repeat the claim, or read listSessions with state active. A session id is never lost.',
  progression: 'Approved work raises the reputation, which opens higher tiers: getJobTierLadder.',
  tools: { surface: `${baseUrl}/mcp`, names: toolNames(operationList, 'worker') },
  fullDetail: { call: 'getPlatformCapabilities with detail full', http: `${baseUrl}/onboarding`, discovery: discoveryUrl(baseUrl) },
})
