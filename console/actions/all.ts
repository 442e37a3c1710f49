import type { Action } from './action.ts'
import { finalizeRequest, observeRequest } from './cross-chain.ts'
import { decideDispute } from './disputes.ts'
import { grantCapabilities, issueToken, revokeGrant, revokeToken, rotateToken } from './grants.ts'
import { INGEST_ACTIONS } from './ingest.ts'
import { delistJob, JOB_STEPS, sweepDefinitions } from './jobs.ts'
import { LANE_ACTIONS } from './lanes.ts'
import { decideReview } from './reviews.ts'
import { SESSION_ACTIONS } from './sessions.ts'
import { SOURCE_ACTIONS } from './sources.ts'
import { TEMPLATE_ACTIONS } from './templates.ts'

/** Every action. */
export const ACTIONS: readonly Action[] = [
  ...Object.values(JOB_STEPS),
  delistJob,
  sweepDefinitions,
  ...SESSION_ACTIONS,
  ...TEMPLATE_ACTIONS,
  ...LANE_ACTIONS,
  ...SOURCE_ACTIONS,
  ...INGEST_ACTIONS,
  decideDispute,
  decideReview,
  finalizeRequest,
  observeRequest,
  grantCapabilities,
  revokeGrant,
  issueToken,
  rotateToken,
  revokeToken,
]
