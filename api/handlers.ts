import { createAccountHandlers } from './account.ts'
import { createAdminHandlers } from './admin.ts'
import { createBadgeHandlers } from './badges.ts'
import { createCodehostHandlers } from './codehost-events.ts'
import type { WorkDeps } from './deps-work.ts'
import { createDisputeHandlers } from './disputes.ts'
import { createEligibilityHandlers } from './eligibility.ts'
import { createJobHandlers } from './jobs.ts'
import { createPlatformHandlers } from './platform.ts'
import { createReviewHandlers } from './reviews.ts'
import type { Handlers } from './router.ts'
import { createSessionHandlers } from './sessions.ts'
import { createSignInHandlers } from './sign-in.ts'
import { createVerifierHandlers } from './verifier.ts'

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
