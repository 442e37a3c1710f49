import { createAccountHandlers } from './accounts/handlers.ts'
import { createCatalogueAdminHandlers } from './catalogue/admin-handlers.ts'
import { createCatalogueHandlers } from './catalogue/handlers.ts'
import { createClaimHandlers } from './claims/handlers.ts'
import { createContentHandlers } from './content/handlers.ts'
import { createCreditHandlers } from './credit/handlers.ts'
import { createCrossChainHandlers } from './cross-chain/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { createDirectoryHandlers } from './directory/handlers.ts'
import { createDiscoveryHandlers } from './discovery/handlers.ts'
import { createDisputeHandlers } from './disputes/handlers.ts'
import { createReviewHandlers } from './disputes/review-handlers.ts'
import { createEligibilityHandlers } from './eligibility/handlers.ts'
import { createEventHandlers } from './event-stream/handlers.ts'
import { createHealthAdminHandlers } from './health/admin-handlers.ts'
import { createHealthHandlers, createHealthReader } from './health/handlers.ts'
import type { Handlers } from './http/router.ts'
import { createIdentityHandlers } from './identity/handlers.ts'
import { createIdleAllocationHandlers } from './idle-allocation/handlers.ts'
import { createLockedDepositHandlers } from './locked-deposits/handlers.ts'
import { createPoolHandlers } from './pool/handlers.ts'
import { createPullRequestHandlers } from './pull-requests/webhook.ts'
import { createReceiptHandlers } from './receipts/handlers.ts'
import { createBadgeHandlers } from './reputation/badge-handlers.ts'
import { createReputationHandlers } from './reputation/handlers.ts'
import { createSessionLogHandlers } from './session-log/handlers.ts'
import { createSessionHandlers } from './sessions/handlers.ts'
import { createSettlementHandlers } from './settlement/handlers.ts'
import { createShareHandlers } from './shares/handlers.ts'
import { createStrategyHandlers } from './strategies/handlers.ts'
import { createToolHandlers } from './tools/handlers.ts'
import { createVerificationHandlers } from './verification/handlers.ts'
import { createWebhookHandlers } from './webhooks/handlers.ts'

/** One handler per operation of the registry. */
export const createHandlers = (deps: ApiDeps): Handlers => {
  // One reader, so that both reports share their probes.
  const readHealth = createHealthReader(deps)
  return {
    ...createIdentityHandlers(deps),
    ...createHealthHandlers(deps, readHealth),
    ...createDiscoveryHandlers(deps),
    ...createToolHandlers(deps),
    ...createCatalogueHandlers(deps),
    ...createClaimHandlers(deps),
    ...createEligibilityHandlers(deps),
    ...createSessionHandlers(deps),
    ...createVerificationHandlers(deps),
    ...createPullRequestHandlers(deps),
    ...createReviewHandlers(deps),
    ...createDisputeHandlers(deps),
    ...createContentHandlers(deps),
    ...createDirectoryHandlers(deps),
    ...createShareHandlers(deps),
    ...createReputationHandlers(deps),
    ...createBadgeHandlers(deps),
    ...createReceiptHandlers(deps),
    ...createSettlementHandlers(deps),
    ...createAccountHandlers(deps),
    ...createStrategyHandlers(deps),
    ...createPoolHandlers(deps),
    ...createCreditHandlers(deps),
    ...createLockedDepositHandlers(deps),
    ...createIdleAllocationHandlers(deps),
    ...createCrossChainHandlers(deps),
    ...createSessionLogHandlers(deps),
    ...createEventHandlers(deps),
    ...createWebhookHandlers(deps),
    ...createCatalogueAdminHandlers(deps),
    ...createHealthAdminHandlers(deps, readHealth),
  }
}
