import type { InferKyselyDB } from '@mikro-orm/postgresql'
import * as accounts from '../accounts/entities.ts'
import * as audit from '../audit/entities.ts'
import * as catalogue from '../catalogue/entities.ts'
import * as chain from '../chain/entities.ts'
import * as claims from '../claims/entities.ts'
import * as consents from '../consents/entities.ts'
import * as content from '../content/entities.ts'
import * as crossChain from '../cross-chain/entities.ts'
import * as directory from '../directory/entities.ts'
import * as disputes from '../disputes/entities.ts'
import * as events from '../events/entities.ts'
import * as http from '../http/entities.ts'
import * as identity from '../identity/entities.ts'
import * as idleAllocation from '../idle-allocation/entities.ts'
import * as lockedDeposits from '../locked-deposits/entities.ts'
import * as pool from '../pool/entities.ts'
import * as pullRequests from '../pull-requests/entities.ts'
import * as receipts from '../receipts/entities.ts'
import * as reputation from '../reputation/entities.ts'
import * as sessionLog from '../session-log/entities.ts'
import * as sessions from '../sessions/entities.ts'
import * as shares from '../shares/entities.ts'
import * as verification from '../verification/entities.ts'
import * as webhooks from '../webhooks/entities.ts'

/** Every table of the service. */
export const ENTITIES = Object.values({
  ...accounts,
  ...audit,
  ...catalogue,
  ...chain,
  ...claims,
  ...consents,
  ...content,
  ...crossChain,
  ...directory,
  ...disputes,
  ...events,
  ...http,
  ...identity,
  ...idleAllocation,
  ...lockedDeposits,
  ...pool,
  ...pullRequests,
  ...receipts,
  ...reputation,
  ...sessionLog,
  ...sessions,
  ...shares,
  ...verification,
  ...webhooks,
})

export const ROW_OPTIONS = { columnNamingStrategy: 'property', convertValues: true } as const
/** Row types of every table, in property names and JavaScript values. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], typeof ROW_OPTIONS>
