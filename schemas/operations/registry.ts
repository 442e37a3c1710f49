import * as accounts from '../accounts/operations.ts'
import * as catalogueAdmin from '../catalogue/admin-operations.ts'
import * as catalogue from '../catalogue/operations.ts'
import * as claims from '../claims/operations.ts'
import * as content from '../content/operations.ts'
import * as credit from '../credit/operations.ts'
import * as crossChain from '../cross-chain/operations.ts'
import * as directory from '../directory/operations.ts'
import * as discovery from '../discovery/operations.ts'
import * as disputes from '../disputes/operations.ts'
import * as reviews from '../disputes/review-operations.ts'
import * as eligibility from '../eligibility/operations.ts'
import * as events from '../event-stream/operations.ts'
import * as healthAdmin from '../health/admin-operations.ts'
import * as health from '../health/operations.ts'
import * as identity from '../identity/operations.ts'
import * as idleAllocation from '../idle-allocation/operations.ts'
import * as lockedDeposits from '../locked-deposits/operations.ts'
import * as pool from '../pool/operations.ts'
import * as pullRequests from '../pull-requests/operations.ts'
import * as receipts from '../receipts/operations.ts'
import * as reputation from '../reputation/operations.ts'
import * as sessionLog from '../session-log/operations.ts'
import * as sessions from '../sessions/operations.ts'
import * as settlement from '../settlement/operations.ts'
import * as shares from '../shares/operations.ts'
import * as strategies from '../strategies/operations.ts'
import * as tools from '../tools/operations.ts'
import * as verification from '../verification/operations.ts'
import * as webhooks from '../webhooks/operations.ts'
import type { OperationSpec } from './operation.ts'

/** Every operation of the service by id, the source of routes, documents, tools and tests. */
export const OPERATIONS = {
  ...identity,
  ...health,
  ...discovery,
  ...tools,
  ...settlement,
  ...catalogue,
  ...claims,
  ...eligibility,
  ...sessions,
  ...sessionLog,
  ...events,
  ...webhooks,
  ...verification,
  ...pullRequests,
  ...reviews,
  ...disputes,
  ...content,
  ...directory,
  ...shares,
  ...reputation,
  ...receipts,
  ...accounts,
  ...strategies,
  ...pool,
  ...credit,
  ...lockedDeposits,
  ...idleAllocation,
  ...crossChain,
  ...catalogueAdmin,
  ...healthAdmin,
}

export type OperationId = keyof typeof OPERATIONS

/** Operations in the order of the documents. */
export const operationList: readonly OperationSpec[] = Object.values(OPERATIONS)
