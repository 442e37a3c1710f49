import * as account from './account.ts'
import * as admin from './admin.ts'
import * as auth from './auth.ts'
import * as badges from './badges.ts'
import * as codehost from './codehost.ts'
import * as disputes from './disputes.ts'
import * as eligibility from './eligibility.ts'
import * as jobs from './jobs.ts'
import type { OperationSpec } from './operation.ts'
import * as platform from './public.ts'
import * as reviews from './reviews.ts'
import * as sessions from './sessions.ts'
import * as verifier from './verifier.ts'

/** Every operation of the service by id. What is not here has no route, no document, no tool and no test. */
export const OPERATIONS = {
  ...auth,
  ...platform,
  ...jobs,
  ...eligibility,
  ...sessions,
  ...verifier,
  ...codehost,
  ...reviews,
  ...disputes,
  ...badges,
  ...account,
  ...admin,
}

export type OperationId = keyof typeof OPERATIONS

/** The registry in the order of its documents. */
export const operationList: readonly OperationSpec[] = Object.values(OPERATIONS)
