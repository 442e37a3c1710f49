/** Meaning and remedy of each error of the deposit pool and the credit pool that a wallet's own call can raise, and of each bound of the service. */
export const POOL_CALL_REFUSALS = {
  PoolBelowSeed: {
    meaning: 'The operator holds fewer seed shares than the pool requires. A donation could then make one share too expensive.',
    remedy: 'Wait until the operator has contributed the seed; no transaction of the pool is built before.',
  },
  LossTooHigh: {
    meaning: 'Rounding to whole shares and base units would cost more than 0.1 % of the value.',
    remedy: 'Name a larger amount, of which one share or base unit is less than 0.1 %, or redeem all shares.',
  },
  ZeroAmount: { meaning: 'The call moves no assets.', remedy: 'Name an amount of at least one base unit.' },
  ZeroShares: { meaning: 'The amount is worth no share of the pool.', remedy: 'Name a larger amount or number of shares.' },
  ZeroAddress: { meaning: 'An address of the call is zero.', remedy: 'Name the address of a wallet.' },
  InsufficientBalance: {
    meaning: 'The wallet holds fewer tokens than the call takes.',
    remedy: 'Send tokens to the wallet, or name a smaller amount.',
  },
  TotalAssetCapExceeded: { meaning: 'The assets of the pool would exceed its cap.', remedy: 'Name at most the headroom of the pool.' },
  AgentAssetCapExceeded: {
    meaning: 'The wallet would hold more of the pool than one wallet may.',
    remedy: 'Name at most the headroom of the wallet.',
  },
  LenderAssetCapExceeded: { meaning: 'The wallet would lend more than one lender may.', remedy: 'Name at most the headroom of a lender.' },
  InsufficientUnlockedShares: {
    meaning: 'The wallet has fewer shares than the call takes, or a notice locks them.',
    remedy: 'Read the available shares, and name at most that.',
  },
  SharesPledged: { meaning: 'A part of the shares secures a loan.', remedy: 'Repay the loan, or redeem only the available shares.' },
  InsufficientBuffer: {
    meaning: 'The pool holds fewer tokens than the call pays out.',
    remedy: 'Redeem less, or give notice with requestRedeem: it pays after 7 or 30 days.',
  },
  SharesNonTransferable: { meaning: 'Shares of a pool cannot be transferred.', remedy: 'Redeem them instead.' },
  AssetTransferAmountMismatch: {
    meaning: 'The token moved another amount than the pool asked for.',
    remedy: 'A platform fault: report the request id.',
  },
  NoticeNotElapsed: { meaning: 'The notice of this withdrawal has not ended.', remedy: 'Repeat after the notice.' },
  RedeemRequestNotFound: { meaning: 'The pool knows no notice under this id.', remedy: 'Read the id in the event of the notice.' },
  RedeemRequestAlreadyFulfilled: { meaning: 'The notice was paid already.', remedy: 'Read the balance of the wallet.' },
  InvalidLoanId: { meaning: 'The pledge is not for the next loan of the wallet.', remedy: 'Build the transactions again.' },
  PledgeAlreadyExists: {
    meaning: 'The pool has a pledge under this loan id already.',
    remedy: 'Build the transactions again; a pledge that was cancelled blocks further loans.',
  },
  PledgeNotFound: {
    meaning: 'The pool has no active pledge under this loan id.',
    remedy: 'Read the loan, and build the transactions again.',
  },
  InvalidPledge: { meaning: 'The pledge is not active, not of this wallet, or of another size.', remedy: 'Build the transactions again.' },
  LoanAlreadyExists: { meaning: 'A loan exists under this id.', remedy: 'Build the transactions again.' },
  LoanNotNamed: {
    meaning: 'The wallet has several loans, and the request names none of them.',
    remedy: 'Name one of the loans by its `loanId`.',
  },
  LoanNotActive: { meaning: 'The loan is repaid or seized, or does not exist.', remedy: 'Read the outstanding loans.' },
  LoanLimitExceeded: {
    meaning: 'The loan is larger than the pledged and vested value allows.',
    remedy: 'Borrow at most the limit, or wait until more principal has vested.',
  },
  RepaymentExceedsOutstanding: { meaning: 'The repayment is larger than the debt.', remedy: 'Repay at most what is outstanding.' },
  CollateralNotImpaired: {
    meaning: 'The pledge still covers the loan, so it cannot be seized.',
    remedy: 'Wait; a seizure needs a pledge below the threshold.',
  },
  VestingAttestationExpired: { meaning: 'The attestation of vested principal has expired.', remedy: 'Build the transactions again.' },
  InvalidVestingAttestation: {
    meaning: 'The attestation of vested principal is not the pool operator’s, or is used.',
    remedy: 'Build the transactions again.',
  },
} as const satisfies Readonly<Record<string, { meaning: string; remedy: string }>>
