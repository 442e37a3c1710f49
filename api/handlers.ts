import { createAccountHandlers } from './accounts/handlers.ts'
import { createAdminHandlers } from './catalogue/admin-handlers.ts'
import { createJobHandlers } from './catalogue/handlers.ts'
import type { WorkDeps } from './deps-work.ts'
import { createPlatformHandlers } from './discovery/handlers.ts'
import { createDisputeHandlers } from './disputes/handlers.ts'
import { createReviewHandlers } from './disputes/review-handlers.ts'
import { createEligibilityHandlers } from './eligibility/handlers.ts'
import type { Handlers } from './http/router.ts'
import { createSignInHandlers } from './identity/handlers.ts'
import { createCodehostHandlers } from './pull-requests/webhook.ts'
import { createBadgeHandlers } from './reputation/badge-handlers.ts'
import { createSessionHandlers } from './sessions/handlers.ts'
import { createVerifierHandlers } from './verification/handlers.ts'

/** One handler per operation of the registry. */
export const createHandlers = (deps: WorkDeps): Handlers => ({
  ...createSignInHandlers(deps),
  ...createPlatformHandlers(deps),
  ...createJobHandlers(deps),
  ...createEligibilityHandlers(deps),
  ...createSessionHandlers(deps),
  ...createVerifierHandlers(deps),
  ...createCodehostHandlers(deps),
  ...createReviewHandlers(deps),
  ...createDisputeHandlers(deps),
  ...createBadgeHandlers(deps),
  ...createAccountHandlers(deps),
  ...createAdminHandlers(deps),
})
