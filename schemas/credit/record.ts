import { BOUND_REFUSALS } from '../pool/record.ts'

/** Directions of `POST /credit/transactions`. */
const CREDIT_DIRECTIONS = ['deposit', 'withdraw', 'borrow', 'repay'] as const
export type CreditDirection = (typeof CREDIT_DIRECTIONS)[number]

/** Names under which a credit transaction is refused. Those of the contracts keep the names of their errors. */
const CREDIT_REFUSALS = [
  'VestingAttestorUnavailable',
  'VestingReadUnavailable',
  'ZeroAmount',
  'TotalAssetCapExceeded',
  'LenderAssetCapExceeded',
  'ZeroShares',
  'InsufficientBalance',
  'InsufficientUnlockedShares',
  'PledgeAlreadyExists',
  'LoanLimitExceeded',
  'InsufficientBuffer',
  'LoanNotNamed',
  'LoanNotActive',
  'RepaymentExceedsOutstanding',
  ...BOUND_REFUSALS,
  'GasEstimateUnavailable',
] as const
export type CreditRefusal = (typeof CREDIT_REFUSALS)[number]
