import { readGate } from '../../activities/locked-deposits/policy.ts'
import { known } from '../../domain/common/fact.ts'
import { idleProductView } from '../../domain/idle-allocation/terms.ts'
import { productView } from '../../domain/locked-deposits/view.ts'
import type { Onboarding } from '../../schemas/discovery/onboarding.ts'
import { AUTH_POLICY_VERSION } from '../../schemas/identity/authorisation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import type { ApiDeps } from '../deps.ts'
import { AUTH_ENTRYPOINTS, AUTH_SCHEME, SUPPORTED_WALLET_MODES } from '../identity/hints.ts'
import { workerTerms } from './bond-terms.ts'
import { directoryTools, MANIFEST_VERSION, notYet } from './manifest.ts'
import { startBlock } from './starter-flow.ts'

export type ManifestDeps = Pick<ApiDeps, 'settings' | 'chain' | 'isLocal' | 'baseUrl' | 'tokens' | 'liveReads' | 'database' | 'clock'>

export const discoveryUrl = (baseUrl: string): string => `${baseUrl}/.well-known/agent-tools.json`

/** The block `auth`, with the signing algorithm in use. */
export const authBlock = ({ tokens }: Pick<ManifestDeps, 'tokens'>): Onboarding['auth'] => ({
  scheme: `SIWE + JWT (${tokens.algorithm})`,
  schemeId: AUTH_SCHEME,
  policyVersion: AUTH_POLICY_VERSION,
  entrypoints: AUTH_ENTRYPOINTS,
  supportedWalletModes: SUPPORTED_WALLET_MODES,
  plannedWalletModes: ['substrate-native', 'service-token'],
})

export const executionSurfaces = ({ settings }: Pick<ManifestDeps, 'settings'>): object => ({
  operatorApp: settings.APP_URL ?? null,
  authEntrypoints: AUTH_ENTRYPOINTS,
  note: 'Builders return unsigned transactions; the service signs nothing for a worker and never sees a key.',
})

/** Locked deposits with their gate. What the pool has placed counts as unreadable when its contract does not answer. */
const lockedDepositProduct = async ({
  settings,
  chain,
  liveReads,
  database,
  clock,
}: ManifestDeps): Promise<Onboarding['lockedDeposits']> => {
  const placed = await liveReads.poolPlacedRaw().then(
    (raw) => (raw === null ? ('unreadable' as const) : known({ placedRaw: raw, balanceRaw: 0n })),
    // The failed read is logged where it happens.
    () => 'unreadable' as const,
  )
  const gate = await readGate(database.rows, { settings, chain }, placed, clock.now())
  return productView(gate, { enabled: settings.LOCKED_TIERS_ENABLED, perksEnabled: settings.NON_YIELD_TIER_PERKS_ENABLED })
}

/** Products of this service; those of a later release are marked as not available. */
export const products = { verify: notYet, proofGatedEscrow: notYet, workReceipts: notYet }

/** Body of `GET /onboarding`. Source: http, "GET /onboarding". */
export const onboarding = async (deps: ManifestDeps): Promise<Onboarding> => ({
  name: PRODUCT_NAME,
  version: MANIFEST_VERSION,
  discoveryUrl: discoveryUrl(deps.baseUrl),
  discoveryMode: 'directory-safe',
  protocols: ['http', 'mcp'],
  products,
  onboarding: startBlock(deps.chain),
  auth: authBlock(deps),
  executionSurfaces: executionSurfaces(deps),
  tools: directoryTools(operationList).map(({ name }) => name),
  lockedDeposits: await lockedDepositProduct(deps),
  idleAllocation: idleProductView(deps.settings.IDLE_BALANCE_ALLOCATION_ROUTE_LIVE),
  workerDoor: await workerTerms(deps),
  externalBounties: notYet,
})
