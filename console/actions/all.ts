import type { Action } from './action.ts'
import { finalizeRequest } from './cross-chain.ts'
import { decideDispute } from './disputes.ts'
import { grantCapabilities, issueToken, revokeGrant, revokeToken, rotateToken } from './grants.ts'
import { JOB_STEPS } from './jobs.ts'
import { decideReview } from './reviews.ts'

/** Every action. */
export const ACTIONS: readonly Action[] = [
  ...Object.values(JOB_STEPS),
  decideDispute,
  decideReview,
  finalizeRequest,
  grantCapabilities,
  revokeGrant,
  issueToken,
  rotateToken,
  revokeToken,
]
