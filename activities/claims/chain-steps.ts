import type { ClaimChainActivities } from '../../schemas/claims/process.ts'
import { createBond } from './bond.ts'
import type { ClaimParts } from './claim-job.ts'
import type { ClaimStepDeps } from './step.ts'
import { createSubmission } from './submit.ts'
import { createClaimTimeout } from './time-out.ts'

/** The chain steps of a claim: bond, submission, time-out. Each step reads the chain before it repeats and accepts what it finds. */
export const createClaimSteps = (
  deps: ClaimStepDeps,
): Pick<ClaimParts, 'lockBond'> & Pick<ClaimChainActivities, 'submitOnChain' | 'timeoutClaim'> => ({
  ...createBond(deps),
  ...createSubmission(deps),
  ...createClaimTimeout(deps),
})
