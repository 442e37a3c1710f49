import { ACCOUNT_ERRORS } from './accounts/errors.ts'
import { CATALOGUE_ERRORS } from './catalogue/errors.ts'
import { CHAIN_ERRORS } from './chain/errors.ts'
import { CLAIM_ERRORS } from './claims/errors.ts'
import { CONTENT_ERRORS } from './content/errors.ts'
import { CREDIT_ERRORS } from './credit/errors.ts'
import { CROSS_CHAIN_ERRORS } from './cross-chain/errors.ts'
import { DIRECTORY_ERRORS } from './directory/errors.ts'
import { DISPUTE_ERRORS } from './disputes/errors.ts'
import { ELIGIBILITY_ERRORS } from './eligibility/errors.ts'
import { HTTP_ERRORS } from './http/errors.ts'
import { IDENTITY_ERRORS, SIGN_IN_ERRORS, TOKEN_ERRORS } from './identity/errors.ts'
import { IDLE_ALLOCATION_ERRORS } from './idle-allocation/errors.ts'
import { INGESTION_ERRORS } from './ingestion/errors.ts'
import { LANE_ERRORS } from './lanes/errors.ts'
import { LOCKED_DEPOSIT_ERRORS } from './locked-deposits/errors.ts'
import { OAUTH_ERRORS } from './oauth/errors.ts'
import { PAID_VERIFICATION_ERRORS } from './paid-verification/errors.ts'
import { POSTING_ERRORS } from './postings/errors.ts'
import { MAINTAINER_ERRORS, PULL_REQUEST_ERRORS } from './pull-requests/errors.ts'
import { RECEIPT_ERRORS } from './receipts/errors.ts'
import { REPUTATION_ERRORS } from './reputation/errors.ts'
import { SESSION_LOG_ERRORS } from './session-log/errors.ts'
import { SESSION_ERRORS } from './sessions/errors.ts'
import { SHARE_ERRORS } from './shares/errors.ts'
import { WEBHOOK_ERRORS } from './webhooks/errors.ts'

/**
 * The error rows of every subject, in the order of the documents. They are a list beside `SUBJECTS`, because operations name error codes, and
 * because workflows know errors and neither operations nor tables.
 */
export const ERROR_TABLES = [
  HTTP_ERRORS,
  IDENTITY_ERRORS,
  TOKEN_ERRORS,
  SIGN_IN_ERRORS,
  OAUTH_ERRORS,
  CHAIN_ERRORS,
  ACCOUNT_ERRORS,
  CATALOGUE_ERRORS,
  LANE_ERRORS,
  ELIGIBILITY_ERRORS,
  CLAIM_ERRORS,
  POSTING_ERRORS,
  SESSION_ERRORS,
  SHARE_ERRORS,
  PULL_REQUEST_ERRORS,
  MAINTAINER_ERRORS,
  INGESTION_ERRORS,
  DISPUTE_ERRORS,
  CONTENT_ERRORS,
  DIRECTORY_ERRORS,
  CREDIT_ERRORS,
  LOCKED_DEPOSIT_ERRORS,
  IDLE_ALLOCATION_ERRORS,
  CROSS_CHAIN_ERRORS,
  RECEIPT_ERRORS,
  SESSION_LOG_ERRORS,
  REPUTATION_ERRORS,
  WEBHOOK_ERRORS,
  PAID_VERIFICATION_ERRORS,
] as const
