import { errorTable, get, LATER, post } from '../common/error-row.ts'

const OTHER_JOB = { nextActions: [get('/jobs/recommendations', 'Choose another job.')] } as const

/** Why a wallet cannot claim a job. */
export const ELIGIBILITY_ERRORS = errorTable({
  tier_locked: {
    status: 403,
    title: 'Tier locked',
    meaning: 'The skill of the wallet is below what this tier needs.',
    reaction: 'Earn skill on lower tiers first.',
    nextActions: [get('/jobs/recommendations', 'Choose a job that this wallet has unlocked.')],
  },
  role_locked: {
    status: 403,
    title: 'Role locked',
    meaning: 'The job needs a role the wallet does not have.',
    reaction: 'Choose a job for workers.',
    nextActions: [get('/jobs/recommendations', 'Choose a job that this wallet has unlocked.')],
  },
  job_session_completed: { title: 'Job completed', meaning: 'The work of this job is done.', ...OTHER_JOB },
  retry_limit_exhausted: { title: 'Attempts used up', meaning: 'Every claim attempt of this job is used.', ...OTHER_JOB },
  job_not_claimable: { title: 'Job not claimable', meaning: 'The job cannot be claimed in its present state.', ...OTHER_JOB },
  designated_claimants_only: {
    title: 'Reserved for named wallets',
    meaning: 'Only the wallets named by the poster may claim this job.',
    ...OTHER_JOB,
  },
  external_job_delisted: { title: 'Job delisted', meaning: 'The job was removed from the catalogue.', ...OTHER_JOB },
  reward_funding_pending: {
    title: 'Reward not funded yet',
    meaning: 'The platform cannot fund this reward at the moment.',
    reaction: 'Retry after a refill or choose another job.',
    retryable: true,
    nextActions: [get('/jobs/recommendations', 'Choose another job.')],
  },
  reward_funding_unverified: {
    title: 'Reward funding unverified',
    meaning: 'The funding of this reward cannot be confirmed.',
    reaction: 'A platform fault: report it and do not attempt the claim.',
    nextActions: [get('/health', 'Report the request id to the operator, and do not attempt the claim.')],
  },
  verifier_not_ready: {
    title: 'Verifier not ready',
    meaning: 'A verdict on this job could not be given now.',
    reaction: 'Repeat later, or choose another job.',
    retryable: true,
    nextActions: [get('/jobs/recommendations', 'Choose another job.')],
  },
  priority_window_active: {
    title: 'Priority window open',
    meaning: 'Only qualifying wallets may claim before openAt.',
    reaction: 'Wait until openAt.',
    retryable: true,
  },
  insufficient_liquidity: {
    title: 'Liquid balance too low',
    meaning: 'The liquid balance does not cover the claim lock.',
    nextActions: [post('/account/deposit/transactions', 'Deposit the shortfall.')],
  },
  worker_open_exposure_cap_reached: {
    title: 'Open exposure cap reached',
    meaning: 'The open work of this wallet has reached its cap.',
    reaction: 'Finish open work. A vested deposit in the pool raises the cap.',
    nextActions: [get('/sessions?state=active', 'Finish open work first.')],
  },
  worker_open_exposure_unavailable: {
    title: 'Open exposure unreadable',
    meaning: 'The open exposure, or the vested deposit that may raise its cap, could not be read.',
    ...LATER,
  },
  daily_exposure_budget_reached: {
    title: 'Daily exposure budget reached',
    meaning: 'The wallet has used its budget for today.',
    reaction: 'Wait until the budget is free again.',
    nextActions: [get('/sessions?state=active', 'Finish open work first.')],
  },
  daily_exposure_budget_unavailable: {
    title: 'Daily budget unreadable',
    meaning: 'The daily exposure budget could not be read.',
    ...LATER,
  },
  lifetime_catalogue_credit_exhausted: {
    title: 'Catalogue credit used up',
    meaning: 'The wallet has used its credit on catalogue jobs.',
    reaction: 'Settle open work until ten jobs are approved, or choose external jobs.',
    nextActions: [get('/sessions?state=active', 'Finish open work first.')],
  },
  catalogue_daily_budget_exhausted: {
    title: 'Catalogue budget used up',
    meaning: 'The catalogue budget for today is used up.',
    reaction: 'Repeat after resetAt.',
    retryable: true,
    nextActions: [get('/jobs/recommendations', 'Choose another job.')],
  },
  catalogue_daily_budget_unavailable: {
    title: 'Catalogue budget unreadable',
    meaning: 'The daily catalogue budget could not be read.',
    ...LATER,
  },
  onboarding_subsidy_exhausted: {
    title: 'Onboarding subsidy used up',
    meaning: 'The onboarding subsidy for today is used up.',
    reaction: 'Repeat after resetAt.',
    retryable: true,
    nextActions: [get('/jobs/recommendations', 'Choose another job.')],
  },
  external_reward_exceeds_capital_ceiling: {
    title: 'Reward above capital ceiling',
    meaning: 'The reward is above what the capital of the wallet allows.',
    reaction: 'Choose a smaller job. A vested deposit in the pool raises the ceiling.',
    nextActions: [get('/jobs/recommendations', 'Choose another job.')],
  },
  source_already_paid: { title: 'Source already paid', meaning: 'This source revision was paid before.', ...OTHER_JOB },
  source_payment_history_unavailable: {
    title: 'Payment history unreadable',
    meaning: 'Earlier payments of this source could not be read.',
    ...LATER,
  },
  external_posting_not_open_on_chain: {
    title: 'Posting not open on chain',
    meaning: 'The escrow of this posting is not open.',
    ...OTHER_JOB,
  },
  external_posting_escrow_unverified: {
    title: 'Posting unverified',
    meaning: 'The escrow of this posting could not be verified.',
    ...OTHER_JOB,
  },
  legacy_posting_unclaimable: { title: 'Old posting', meaning: 'This posting belongs to an escrow that accepts no claims.', ...OTHER_JOB },
  native_account_mapping_required: {
    title: 'Account not mapped',
    meaning: 'A native account must be mapped before it can earn.',
    reaction: 'Send the mapping call in details, then repeat.',
    nextActions: [get('/onboarding', 'See how a native account is mapped.')],
  },
  native_mapping_unreadable: {
    status: 503,
    title: 'Mapping unreadable',
    meaning: 'The mapping of the native account could not be read.',
    ...LATER,
  },
  claim_economics_unavailable: {
    status: 502,
    title: 'Claim terms unreadable',
    meaning: 'Stake and fee of this claim could not be read.',
    ...LATER,
  },
})
