import * as account from '../accounts/operations.ts'
import * as admin from '../catalogue/admin-operations.ts'
import * as jobs from '../catalogue/operations.ts'
import * as platform from '../discovery/operations.ts'
import * as disputes from '../disputes/operations.ts'
import * as reviews from '../disputes/review-operations.ts'
import * as eligibility from '../eligibility/operations.ts'
import * as auth from '../identity/operations.ts'
import * as codehost from '../pull-requests/operations.ts'
import * as badges from '../reputation/operations.ts'
import * as sessions from '../sessions/operations.ts'
import * as verifier from '../verification/operations.ts'
import type { OperationSpec } from './operation.ts'

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
