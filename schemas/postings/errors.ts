import { badGateway, badRequest, errorTable, forbidden, get, notFound, post, REPORT, unavailable, wait } from '../common/error-row.ts'

const TERMS = get('/poster/onboarding', 'Read the terms of posting, then change the definition.')
const DRAFT_AGAIN = post('/jobs/draft', 'Ask for the draft again; equal content keeps its id.')
const READ_DRAFT = get('/jobs/draft/{draftId}', 'Read the draft.')

const FAULTY_FEE = 'A fault of the chain or of its configuration: report it, and repeat the request once it is mended.'

const status422 = <const Row extends object>(row: Row) => ({ ...row, status: 422 })

/** Why a job is not drafted, not funded or not listed, or its money not given back yet. */
export const POSTING_ERRORS = errorTable({
  external_posting_closed: forbidden({ meaning: 'The operator takes no postings of other wallets now.', next: get('/jobs', 'List jobs.') }),
  external_poster_not_allowed: forbidden({
    title: 'Poster not allowed',
    meaning: 'This wallet may not post jobs here.',
    next: get('/poster/onboarding', 'Read who may post.'),
  }),
  external_draft_not_owned: forbidden({
    title: 'Draft of another wallet',
    meaning: 'Another wallet drafted this job.',
    next: get('/poster/jobs', 'List your own drafts and jobs.'),
  }),
  external_draft_not_found: notFound({
    title: 'Draft unknown',
    meaning: 'No draft has this id.',
    next: get('/poster/jobs', 'List your own drafts and jobs.'),
  }),
  external_draft_expired: {
    title: 'Draft expired',
    meaning: 'The quote has expired: a funding now would not be listed.',
    next: DRAFT_AGAIN,
  },
  external_open_drafts_cap_reached: {
    title: 'Open drafts',
    meaning: 'The wallet has as many drafts that are neither funded nor expired as it may have.',
    retry: 'Fund one of them, or repeat after `freesAt`.',
    next: get('/poster/jobs', 'List your own drafts and jobs.'),
  },
  external_draft_already_funded: {
    title: 'Draft funded',
    meaning: 'The escrow already has this job, so it takes no second funding.',
    reaction: 'Do not deposit again; read the draft.',
    next: [READ_DRAFT, get('/poster/jobs', 'List your own drafts and jobs.')],
  },
  external_draft_id_taken: {
    title: 'Id of the draft taken',
    meaning: 'Another wallet has created a job with this id in the escrow, so the draft cannot be funded.',
    reaction: 'Change a word of the definition and draft it again: other content has another id. What was deposited stays in the account.',
    next: [post('/jobs/draft', 'Change a word of the definition, and draft it again.'), READ_DRAFT],
  },
  external_reward_below_floor: badRequest({ title: 'Reward too small', meaning: 'The reward is below the smallest one.', next: TERMS }),
  external_reward_above_ceiling: badRequest({
    title: 'Reward too large',
    meaning: 'The reward is above the largest one, or above what any wallet may claim.',
    next: TERMS,
  }),
  external_reward_invalid_shape: badRequest({
    title: 'Reward unreadable',
    meaning: 'Reward and reserves are numbers of whole units with at most six decimal places.',
    next: TERMS,
  }),
  external_schema_not_supported: badRequest({
    title: 'Schema not supported',
    meaning: 'Posted jobs use the built-in schemas.',
    next: get('/schemas/jobs', 'List the schemas.'),
  }),
  external_sponsored_gas_forbidden: badRequest({
    title: 'No sponsored gas',
    meaning: 'The workers of a posted job pay their own gas.',
    reaction: 'Leave requiresSponsoredGas out.',
    next: TERMS,
  }),
  external_onboarding_waiver_forbidden: badRequest({
    title: 'No waiver',
    meaning: 'The bond of a posted job is never waived.',
    reaction: 'Leave onboardingWaiverEligible out.',
    next: TERMS,
  }),
  external_payout_mode_not_supported: badRequest({
    title: 'Payout mode not supported',
    meaning: 'A posted job pays once, without milestones, schedule or repetition.',
    next: TERMS,
  }),
  external_reward_asset_not_supported: badRequest({
    title: 'Asset not supported',
    meaning: 'Rewards of posted jobs are paid in USDC.',
    next: TERMS,
  }),
  designated_claimants_cardinality_invalid: badRequest({
    title: 'One claimant',
    meaning: 'A job for a named wallet names exactly one.',
    next: TERMS,
  }),
  designated_claimant_address_invalid: badRequest({
    title: 'Claimant unreadable',
    meaning: 'The named claimant is no address.',
    next: TERMS,
  }),
  designated_claimant_checksum_required: badRequest({
    title: 'Checksum missing',
    meaning: 'The address of the named claimant is written with its checksum (EIP-55).',
    next: TERMS,
  }),
  external_listing_quarantined: status422({
    title: 'Text refused',
    meaning: 'The screen of listings refuses the text of this job, or could not read it.',
    reaction: 'Change the members that `errors` names.',
    next: TERMS,
  }),
  designated_agreement_reward_cap_exceeded: {
    title: 'Reward of an agreement',
    meaning: 'The reward is above the largest one of a job for a named wallet.',
    next: TERMS,
  },
  designated_agreement_concurrent_cap_reached: {
    title: 'Agreements in progress',
    meaning: 'As many jobs for named wallets are in progress as the service takes at once.',
    retry: 'Repeat when one of them has ended.',
  },
  designated_agreement_cap_unavailable: {
    title: 'Agreements unreadable',
    meaning: 'The jobs for named wallets cannot be counted now.',
    retry: 'Repeat the request later.',
  },
  verification_contract_refused: status422({
    title: 'Contract refused',
    meaning: 'The test contract cannot be frozen, so no passing result would prove anything; `errors` has each reason.',
    reaction: 'Change the inputs that `errors` names, then ask for the draft again.',
    next: post('/jobs/draft', 'Change the inputs that `errors` names, then ask for the draft again.'),
  }),
  verification_contract_freezing: unavailable({
    title: 'Contract in work',
    meaning: 'The tests still run on the untouched base, which takes up to some minutes.',
    retry: 'Repeat the request: it joins the runs.',
  }),
  external_fee_quote_mismatch: {
    title: 'Fee changed',
    meaning: 'The escrow now charges another fee than the quote says.',
    next: DRAFT_AGAIN,
  },
  external_fee_quote_reward_mismatch: {
    title: 'Fee does not follow from its terms',
    meaning: 'The fee that the escrow states for the reward does not follow from its own terms.',
    reaction: FAULTY_FEE,
    next: REPORT,
  },
  external_fee_quote_unavailable: badGateway({
    title: 'Fee unreadable',
    meaning: 'The fee of the escrow cannot be read now.',
    retry: 'Repeat the request later.',
  }),
  external_fee_quote_invalid: badGateway({
    title: 'Fee invalid',
    meaning: 'The fee terms that the escrow states are beyond its own bounds.',
    retry: FAULTY_FEE,
    next: REPORT,
  }),
  external_job_not_found: notFound({
    title: 'Posting unknown',
    meaning: 'The wallet has posted no job with this id.',
    next: get('/poster/jobs', 'List your own drafts and jobs.'),
  }),
  external_job_not_open: {
    title: 'Job not open',
    meaning: 'The escrow gives the money of a job back only while it is open.',
    next: get('/poster/jobs', 'Read where the job stands.'),
  },
  external_cancel_too_early: {
    title: 'Too early to cancel',
    meaning: 'A job can be cancelled an hour after its funding.',
    retry: 'Repeat after `earliestAt`.',
    next: wait('Wait until `earliestAt`.'),
  },
})
