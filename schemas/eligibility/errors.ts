import { badGateway, CHOOSE_ANOTHER, errorTable, forbidden, get, post, unavailable } from '../common/error-row.ts'

const FINISH_OPEN = get('/sessions?state=active', 'Finish open work first.')
const CHOOSE_UNLOCKED = get('/jobs/recommendations', 'Choose a job that this wallet has unlocked.')

/** Why a wallet cannot claim a job. */
export const ELIGIBILITY_ERRORS = errorTable({
  tier_locked: forbidden({
    meaning: 'The skill of the wallet is below what this tier needs.',
    reaction: 'Earn skill on lower tiers first.',
    next: CHOOSE_UNLOCKED,
  }),
  role_locked: forbidden({
    meaning: 'The job needs a role the wallet does not have.',
    reaction: 'Choose a job for workers.',
    next: CHOOSE_UNLOCKED,
  }),
  job_session_completed: { title: 'Job completed', meaning: 'The work of this job is done.', next: CHOOSE_ANOTHER },
  retry_limit_exhausted: { title: 'Attempts used up', meaning: 'Every claim attempt of this job is used.', next: CHOOSE_ANOTHER },
  job_not_claimable: { meaning: 'The job cannot be claimed in its present state.', next: CHOOSE_ANOTHER },
  designated_claimants_only: {
    title: 'Reserved for named wallets',
    meaning: 'Only the wallets named by the poster may claim this job.',
    next: CHOOSE_ANOTHER,
  },
  claimant_is_poster: forbidden({
    title: 'Job of your own',
    meaning: 'The wallet that posted a job may not claim it.',
    next: CHOOSE_ANOTHER,
  }),
  external_job_delisted: { title: 'Job delisted', meaning: 'The job was removed from the catalogue.', next: CHOOSE_ANOTHER },
  reward_funding_pending: {
    title: 'Reward not funded yet',
    meaning: 'The platform cannot fund this reward at the moment.',
    retry: 'Retry after a refill or choose another job.',
    next: CHOOSE_ANOTHER,
  },
  reward_funding_unverified: {
    meaning: 'The funding of this reward cannot be confirmed.',
    reaction: 'A platform fault: report it and do not attempt the claim.',
    next: get('/health', 'Report the request id to the operator, and do not attempt the claim.'),
  },
  verifier_not_ready: {
    meaning: 'A verdict on this job could not be given now.',
    retry: 'Repeat later, or choose another job.',
    next: CHOOSE_ANOTHER,
  },
  priority_window_active: {
    title: 'Priority window open',
    meaning: 'Only qualifying wallets may claim before openAt.',
    retry: 'Wait until openAt.',
  },
  insufficient_liquidity: {
    title: 'Liquid balance too low',
    meaning: 'The liquid balance does not cover the claim lock.',
    next: post('/account/deposit/transactions', 'Deposit the shortfall.'),
  },
  worker_open_exposure_cap_reached: {
    title: 'Open exposure cap reached',
    meaning: 'The open work of this wallet has reached its cap.',
    reaction: 'Finish open work. A vested deposit in the pool raises the cap.',
    next: FINISH_OPEN,
  },
  worker_open_exposure_unavailable: {
    title: 'Open exposure unreadable',
    meaning: 'The open exposure, or the vested deposit that may raise its cap, could not be read.',
    retry: 'Repeat later.',
  },
  daily_exposure_budget_reached: {
    meaning: 'The wallet has used its budget for today.',
    reaction: 'Wait until the budget is free again.',
    next: FINISH_OPEN,
  },
  daily_exposure_budget_unavailable: {
    title: 'Daily budget unreadable',
    meaning: 'The daily exposure budget could not be read.',
    retry: 'Repeat later.',
  },
  lifetime_catalogue_credit_exhausted: {
    title: 'Catalogue credit used up',
    meaning: 'The wallet has used its credit on catalogue jobs.',
    reaction: 'Settle open work until ten jobs are approved, or choose external jobs.',
    next: FINISH_OPEN,
  },
  catalogue_daily_budget_exhausted: {
    title: 'Catalogue budget used up',
    meaning: 'The catalogue budget for today is used up.',
    retry: 'Repeat after resetAt.',
    next: CHOOSE_ANOTHER,
  },
  catalogue_daily_budget_unavailable: {
    title: 'Catalogue budget unreadable',
    meaning: 'The daily catalogue budget could not be read.',
    retry: 'Repeat later.',
  },
  onboarding_subsidy_exhausted: {
    title: 'Onboarding subsidy used up',
    meaning: 'The onboarding subsidy for today is used up.',
    retry: 'Repeat after resetAt.',
    next: CHOOSE_ANOTHER,
  },
  external_reward_exceeds_capital_ceiling: {
    title: 'Reward above capital ceiling',
    meaning: 'The reward is above what the capital of the wallet allows.',
    reaction: 'Choose a smaller job. A vested deposit in the pool raises the ceiling.',
    next: CHOOSE_ANOTHER,
  },
  delegate_tier_not_granted: forbidden({
    title: 'Tier not granted to the delegate',
    meaning: 'The owner of the wallet has not granted jobs of this tier to the delegate.',
    next: CHOOSE_ANOTHER,
  }),
  delegate_jobs_budget_exceeded: {
    title: 'Jobs of the delegate used up',
    meaning: 'The delegate has made as many claims in 24 hours as the owner of the wallet granted.',
    reaction: 'Wait until an earlier claim has left the 24 hours, or ask the owner of the wallet for more.',
    next: get('/auth/session', 'Read what the owner of the wallet granted.'),
  },
  delegate_bond_budget_exceeded: {
    title: 'Bonds of the delegate used up',
    meaning: 'The bond is above what is left of the bonds that the owner of the wallet granted to the delegate for 24 hours.',
    reaction:
      'Wait until earlier claims have left the 24 hours, choose a job with a smaller bond, or ask the owner of the wallet for more.',
    next: CHOOSE_ANOTHER,
  },
  source_already_paid: { meaning: 'This source revision was paid before.', next: CHOOSE_ANOTHER },
  source_payment_history_unavailable: {
    title: 'Payment history unreadable',
    meaning: 'Earlier payments of this source could not be read.',
    retry: 'Repeat later.',
  },
  external_posting_not_open_on_chain: {
    title: 'Posting not open on chain',
    meaning: 'The escrow of this posting is not open.',
    next: CHOOSE_ANOTHER,
  },
  external_posting_escrow_unverified: {
    title: 'Posting unverified',
    meaning: 'The escrow of this posting could not be verified.',
    next: CHOOSE_ANOTHER,
  },
  legacy_posting_unclaimable: {
    title: 'Old posting',
    meaning: 'This posting belongs to an escrow that accepts no claims.',
    next: CHOOSE_ANOTHER,
  },
  native_account_mapping_required: {
    title: 'Account not mapped',
    meaning: 'A native account must be mapped before it can earn.',
    reaction: 'Send the mapping call in details, then repeat.',
    next: get('/onboarding', 'See how a native account is mapped.'),
  },
  native_mapping_mismatch: {
    title: 'Address mapped to another account',
    meaning: 'The chain maps the payout address of this native account to another account.',
    reaction: 'Report the request id to the operator, and earn with another account.',
    next: get('/health', 'Report the request id to the operator.'),
  },
  native_mapping_unreadable: unavailable({
    title: 'Mapping unreadable',
    meaning: 'The mapping of the native account could not be read.',
    retry: 'Repeat later.',
  }),
  claim_economics_unavailable: badGateway({
    title: 'Claim terms unreadable',
    meaning: 'Stake and fee of this claim could not be read.',
    retry: 'Repeat later.',
  }),
})
