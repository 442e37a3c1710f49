import { errorTable } from '../common/error-row.ts'

/** Why a wallet cannot claim a job. */
export const ELIGIBILITY_ERRORS = errorTable({
  tier_locked:
    '403 | Tier locked | The skill of the wallet is below what this tier needs. | Earn skill on lower tiers first. | GET /jobs/recommendations: Choose a job that this wallet has unlocked.',
  role_locked:
    '403 | Role locked | The job needs a role the wallet does not have. | Choose a job for workers. | GET /jobs/recommendations: Choose a job that this wallet has unlocked.',
  job_session_completed: '409 | Job completed | The work of this job is done. | Choose another job. | GET /jobs/recommendations',
  retry_limit_exhausted:
    '409 | Attempts used up | Every claim attempt of this job is used. | Choose another job. | GET /jobs/recommendations',
  job_not_claimable:
    '409 | Job not claimable | The job cannot be claimed in its present state. | Choose another job. | GET /jobs/recommendations',
  designated_claimants_only:
    '409 | Reserved for named wallets | Only the wallets named by the poster may claim this job. | Choose another job. | GET /jobs/recommendations',
  external_job_delisted: '409 | Job delisted | The job was removed from the catalogue. | Choose another job. | GET /jobs/recommendations',
  reward_funding_pending:
    '409 | Reward not funded yet | The platform cannot fund this reward at the moment. | Retry after a refill or choose another job. | retryable | GET /jobs/recommendations: Choose another job.',
  reward_funding_unverified:
    '409 | Reward funding unverified | The funding of this reward cannot be confirmed. | A platform fault: report it and do not attempt the claim. | GET /health: Report the request id to the operator, and do not attempt the claim.',
  verifier_not_ready:
    '409 | Verifier not ready | A verdict on this job could not be given now. | Repeat later, or choose another job. | retryable | GET /jobs/recommendations: Choose another job.',
  priority_window_active: '409 | Priority window open | Only qualifying wallets may claim before openAt. | Wait until openAt. | retryable',
  insufficient_liquidity:
    '409 | Liquid balance too low | The liquid balance does not cover the claim lock. | Deposit the shortfall. | POST /account/deposit/transactions',
  worker_open_exposure_cap_reached:
    '409 | Open exposure cap reached | The open work of this wallet has reached its cap. | Finish open work. A vested deposit in the pool raises the cap. | GET /sessions?state=active: Finish open work first.',
  worker_open_exposure_unavailable:
    '409 | Open exposure unreadable | The open exposure, or the vested deposit that may raise its cap, could not be read. | Repeat later. | retryable',
  daily_exposure_budget_reached:
    '409 | Daily exposure budget reached | The wallet has used its budget for today. | Wait until the budget is free again. | GET /sessions?state=active: Finish open work first.',
  daily_exposure_budget_unavailable:
    '409 | Daily budget unreadable | The daily exposure budget could not be read. | Repeat later. | retryable',
  lifetime_catalogue_credit_exhausted:
    '409 | Catalogue credit used up | The wallet has used its credit on catalogue jobs. | Settle open work until ten jobs are approved, or choose external jobs. | GET /sessions?state=active: Finish open work first.',
  catalogue_daily_budget_exhausted:
    '409 | Catalogue budget used up | The catalogue budget for today is used up. | Repeat after resetAt. | retryable | GET /jobs/recommendations: Choose another job.',
  catalogue_daily_budget_unavailable:
    '409 | Catalogue budget unreadable | The daily catalogue budget could not be read. | Repeat later. | retryable',
  onboarding_subsidy_exhausted:
    '409 | Onboarding subsidy used up | The onboarding subsidy for today is used up. | Repeat after resetAt. | retryable | GET /jobs/recommendations: Choose another job.',
  external_reward_exceeds_capital_ceiling:
    '409 | Reward above capital ceiling | The reward is above what the capital of the wallet allows. | Choose a smaller job. A vested deposit in the pool raises the ceiling. | GET /jobs/recommendations: Choose another job.',
  source_already_paid:
    '409 | Source already paid | This source revision was paid before. | Choose another job. | GET /jobs/recommendations',
  source_payment_history_unavailable:
    '409 | Payment history unreadable | Earlier payments of this source could not be read. | Repeat later. | retryable',
  external_posting_not_open_on_chain:
    '409 | Posting not open on chain | The escrow of this posting is not open. | Choose another job. | GET /jobs/recommendations',
  external_posting_escrow_unverified:
    '409 | Posting unverified | The escrow of this posting could not be verified. | Choose another job. | GET /jobs/recommendations',
  legacy_posting_unclaimable:
    '409 | Old posting | This posting belongs to an escrow that accepts no claims. | Choose another job. | GET /jobs/recommendations',
  native_account_mapping_required:
    '409 | Account not mapped | A native account must be mapped before it can earn. | Send the mapping call in details, then repeat. | GET /onboarding: See how a native account is mapped.',
  native_mapping_unreadable: '503 | Mapping unreadable | The mapping of the native account could not be read. | Repeat later. | retryable',
  claim_economics_unavailable: '502 | Claim terms unreadable | Stake and fee of this claim could not be read. | Repeat later. | retryable',
})
