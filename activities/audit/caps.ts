import { type RawBuilder, sql } from 'kysely'
import { FUNDING_REMOVED } from '../../domain/catalogue/delisting.ts'
import { DESIGNATED_REWARD_CAP_RAW } from '../../domain/common/constants.ts'
import { DAY_MS } from '../../domain/common/instants.ts'
import { RUN_ENDED } from '../../domain/eligibility/delegate-budget.ts'
import { IDLE_LIMITS, IDLE_RUN_SECONDS } from '../../domain/idle-allocation/plan.ts'
import { LIVE_LOCKS_MAX } from '../../domain/locked-deposits/checks.ts'
import { MAX_UNPAID, WITHDRAWN } from '../../domain/paid-verification/gate.ts'
import { DELEGATE_LIMITS } from '../../schemas/identity/delegate-terms.ts'
import type { SessionAdmission } from '../../schemas/sessions/record.ts'
import { AGREEMENT_LIMIT } from '../postings/records.ts'
import { STALE_DELIVERY_MS } from '../pull-requests/capacity.ts'
import type { Check } from './context.ts'

/** Clocks and transactions may differ by this: what ended so shortly after an admission may have ended before it. */
const CLOCK_TOLERANCE = sql`interval '1 minute'`
const DAY = sql`make_interval(secs => ${DAY_MS / 1000})`

/**
 * Statement of what counts against a cap: `scope`, `subject`, `at`, `amount`, `freed_at` (null while it counts) and `limit_raw` (null for what
 * was not decided under the cap).
 */
type Counted = RawBuilder<unknown>

interface Overrun {
  scope: string
  subject: string
  limit: string
  total: string
}

/** Adds up what counted at each admission, in their order, and compares the sum with the limit that the admission pinned. */
const checkCap =
  (...caps: Counted[]): Check =>
  async ({ rows }, add) => {
    for (const counted of caps) {
      const found = await sql<Overrun>`
        with counted (scope, subject, at, amount, freed_at, limit_raw) as (${counted}),
          change as (
            select scope, subject, at, amount, limit_raw from counted
            union all select scope, null, greatest(freed_at - ${CLOCK_TOLERANCE}, at + interval '1 millisecond'), -amount, null from counted where freed_at is not null
          ),
          running as (
            select *, sum(amount) over (partition by scope order by at, amount > 0, limit_raw, subject rows unbounded preceding) as total from change
          )
        select scope, subject, limit_raw::text as "limit", total::text as total from running where total > limit_raw order by at, subject`.execute(
        rows,
      )
      for (const { scope, subject, limit, total } of found.rows)
        add({ subject: `${subject}, of ${scope}`, expected: `at most ${limit}`, found: total })
    }
  }

/** When the history of each session says that it ended: its open work, its place in the budgets, its payment. */
const ENDS = sql`(
  select session_id,
    min(coalesce(recorded_at, at)) filter (where to_status not in ('claimed', 'submitted', 'disputed', 'rejected')) as closed_at,
    min(coalesce(recorded_at, at)) filter (where to_status in ('expired', 'timed_out', 'closed')) as unused_at,
    min(coalesce(recorded_at, at)) filter (where to_status = 'resolved') as paid_at
  from session_event group by session_id)`

const OPEN_WORK_ENDS = sql`ends.closed_at, s.rejection_finalized_at`
const DAILY_USE_ENDS = sql`ends.unused_at, least(i.created_at, s.claimed_at) + ${DAY}`

/** Admitted claims under one of their limits. `reason` is that of a claim which the limit bounded and let in. */
const selectClaims = (
  gate: keyof SessionAdmission,
  reason: string,
  scope: RawBuilder<unknown>,
  freedAt: RawBuilder<unknown>,
): Counted => sql`
  select ${scope}, 'claim ' || i.session_id, i.created_at, i.exposure_raw, least(case i.status when 'released' then i.closed_at end, ${freedAt}),
    case when i.terms #>> array['admission', ${gate}::text, 'reason'] = ${reason}
      then (i.terms #>> array['admission', ${gate}::text, 'limitRaw'])::numeric end
  from claim_intent i left join session s on s.run_id = i.run_id left join ${ENDS} ends on ends.session_id = s.session_id`

const WALLET = sql`i.wallet`
const ALL = sql`'all wallets'`

export const checkOpenExposure = checkCap(selectClaims('workerExposure', 'worker_open_exposure_within_cap', WALLET, OPEN_WORK_ENDS))
/** Work that was paid goes on counting, with its reward. */
export const checkCatalogueCredit = checkCap(sql`
  ${selectClaims('catalogueAccess', 'lifetime_catalogue_credit_available', WALLET, OPEN_WORK_ENDS)}
  union all select wallet, null, paid_at + ${CLOCK_TOLERANCE}, reward_raw, null, null from session join ${ENDS} ends using (session_id) where status = 'resolved'`)
export const checkDailyExposure = checkCap(selectClaims('dailyExposure', 'daily_exposure_within_budget', WALLET, DAILY_USE_ENDS))
export const checkCatalogueBudget = checkCap(
  selectClaims('catalogueDailyBudget', 'catalogue_daily_budget_within_budget', ALL, DAILY_USE_ENDS),
)

export const checkOnboardingSubsidy = checkCap(sql`
  select r.day, 'claim ' || r.session_id, r.created_at, r.amount_raw, null::timestamptz,
    case i.terms #>> '{admission,onboardingSubsidy,applies}' when 'true'
      then (i.terms #>> '{admission,onboardingSubsidy,dailyBudget,raw}')::numeric end
  from subsidy_reservation r left join claim_intent i on i.run_id = r.run_id`)

/** Claims of delegates, each until 24 hours after it was recorded. One that was refused locked nothing; one whose run was ended may have. */
const selectDelegated = (unit: string, amount: RawBuilder<unknown>, limit: RawBuilder<unknown>): Counted => sql`
  select ${unit} || ' of grant ' || g.id, 'claim ' || i.session_id, i.created_at, ${amount},
    case when i.status = 'released' and i.failure_code is distinct from ${RUN_ENDED} then i.closed_at else i.closed_at + ${DAY} end, ${limit}
  from claim_intent i join capability_grant g on g.id = i.grant_id left join session s on s.run_id = i.run_id`
export const checkDelegateBudgets = checkCap(
  selectDelegated(
    'bonds',
    sql`coalesce(s.claim_stake_raw + s.claim_fee_raw, i.unwaived_bond_raw)`,
    sql`(g.terms ->> 'bondPerDayRaw')::numeric`,
  ),
  selectDelegated('jobs', sql`1`, sql`(g.terms ->> 'jobsPerDay')::numeric`),
)

/** The contract counts the claims of a wallet, so each one is compared by its number; one that was expected to be charged pins no limit. */
export const checkWaivers = checkCap(sql`
  select s.wallet || ', ' || s.session_id, 'claim ' || s.session_id, s.claimed_at, s.claim_number, null::timestamptz,
    case i.terms ->> 'waived' when 'true' then (i.terms ->> 'waiverClaimsPerWallet')::numeric end
  from session s join claim_intent i on i.run_id = s.run_id where s.waived`)

/** Jobs that wait in a lane. A job that may have left it, by a first claim or an end of its listing, is taken as gone. */
const selectBacklog = sql`
  select lane, 'job ' || id, created_at, 1,
    least(case when lifecycle_status <> 'open' then created_at end, stale_at, (select min(claimed_at) from session s where s.job_id = job.id)),
    lane_backlog from job`
export const checkLaneBudgets = checkCap(
  sql`select lane, 'job ' || id, created_at, reward_raw, created_at + ${DAY}, lane_daily_raw from job`,
  selectBacklog,
)

/** Jobs of a source that wait for a claim, likewise. */
export const checkSourceCaps = checkCap(sql`
  select i.provider, 'job ' || j.id, i.listed_at, 1,
    least(case when j.lifecycle_status <> 'open' then i.listed_at end, j.stale_at, (select min(claimed_at) from session s where s.job_id = j.id)),
    i.open_cap
  from ingest_item i join job j on j.id = i.job_id where i.outcome = 'created'`)

export const checkGasGrants = checkCap(sql`
  select day, 'wallet ' || wallet, reserved_at, 1, null::timestamptz, daily_cap from gas_grant`)

export const checkFeeRaises = checkCap(sql`
  select 'chain ' || chain_id, 'transaction ' || s.tx_hash, s.signed_at, s.raised_raw, s.signed_at + ${DAY}, s.raise_limit_raw
  from chain_signature s join chain_transaction using (intent_key) where s.raised_raw is not null`)

const selectLocks = (scope: RawBuilder<unknown>, limit: RawBuilder<unknown>, tiers: readonly string[]): Counted => sql`
  select ${scope}, 'lock ' || id, locked_at, amount_raw, least(exit_requested_at, expires_at, released_at), ${limit}
  from locked_deposit where tier = any(${tiers})`
const selectLiveLocks = sql`
  select wallet, 'lock ' || id, locked_at, 1, least(release_at, expires_at, released_at), ${LIVE_LOCKS_MAX}::numeric from locked_deposit`
export const checkLockCaps = checkCap(
  selectLocks(sql`wallet`, sql`wallet_cap_raw`, ['t7', 't30', 't90']),
  selectLocks(ALL, sql`cohort_cap_raw`, ['t30', 't90']),
  selectLiveLocks,
)

/** Delegates of a wallet that are neither revoked nor over. */
export const checkLiveDelegates = checkCap(sql`
  select subject, 'delegate ' || id, issued_at, 1, least(revoked_at, expires_at), ${DELEGATE_LIMITS.live}::numeric
  from capability_grant where kind = 'delegate'`)

/** One name for all names of a repository. */
const repositoryOf = (name: RawBuilder<unknown>) => sql`coalesce((select min(other.repo) from repository_policy named
  join repository_policy other using (repo_id) where named.repo = ${name}), ${name})`
const JOB_REPOSITORY = sql`lower(coalesce(j.definition #>> '{source,repo}', j.definition #>> '{source,declared,repo}'))`
/** Several sessions may deliver one pull request, of which the first counts. */
const DELIVERY_ENDS = sql`case when p.delivery = 'wrong_repository' or exists (select 1 from pull_request first
    where first.repo = p.repo and first.number = p.number and first.submitted_at < p.submitted_at) then p.submitted_at
  else least(p.ended_at, p.submitted_at + make_interval(secs => ${STALE_DELIVERY_MS / 1000})) end`
/** Places of a repository: claims of the operator's jobs from their admission on, and deliveries of posted jobs. */
export const checkOpenPullRequests = checkCap(sql`
  select ${repositoryOf(JOB_REPOSITORY)}, 'claim ' || i.session_id, i.created_at, 1,
    case when i.status = 'released' then i.closed_at when p.session_id is not null then ${DELIVERY_ENDS}
      else (select min(coalesce(e.recorded_at, e.at)) from session_event e where e.session_id = s.session_id and e.to_status <> 'claimed') end,
    (i.terms ->> 'openPrCap')::numeric
  from claim_intent i join job j on j.id = i.job_id left join session s on s.run_id = i.run_id
    left join pull_request p on p.session_id = s.session_id
  where j.verifier_mode = 'codehost_pr' and j.posting_route = 'curated' and ${JOB_REPOSITORY} is not null
  union all select ${repositoryOf(sql`p.repo`)}, null, p.submitted_at, 1, ${DELIVERY_ENDS}, null
  from pull_request p join job j on j.id = p.job_id where j.posting_route <> 'curated'`)

/** Agreements until the end of their escrow or funding. One that a fork moved may have lost its place and got it again, so it counts once. */
const selectAgreements = sql`
  select 'all agreements', 'posting ' || p.job_id, j.created_at, 1, least(
      case j.delist_reason when ${FUNDING_REMOVED} then j.delisted_at end,
      (select min(case when e.event <> 'JobCreated' then e.block_time when e.revision > 1 then j.created_at end) from chain_event e
        where e.contract = 'escrow' and e.chain_job_id = p.job_id and e.event in ('JobCreated', 'JobCancelled', 'JobClosed'))),
    ${AGREEMENT_LIMIT}::numeric
  from posting p join job j on j.id = p.job_id where p.is_designated`
const selectAgreed = sql`
  select 'agreement ' || job_id, 'its reward', created_at, reward_raw, null::timestamptz, ${DESIGNATED_REWARD_CAP_RAW}::numeric
  from posting where is_designated`
export const checkAgreements = checkCap(selectAgreements, selectAgreed)
/** Drafts of a wallet until their funding or their end. */
export const checkOpenDrafts = checkCap(sql`
  select poster, 'draft ' || draft_id, opened_at, 1, least((funding ->> 'fundedAt')::timestamptz, expires_at), open_draft_limit::numeric
  from posting`)

/** Runs of a payer until they are paid or will not be billed; what its payer withdrew counts for good. */
export const checkUnpaidRuns = checkCap(sql`
  select payer, 'run ' || run_key, submitted_at, 1, case when verdict is not null and uncollectable = any(${[...WITHDRAWN]}::text[]) then null else ended_at end,
    ${MAX_UNPAID}::numeric
  from verification_run`)

const selectAllocations = (scope: RawBuilder<unknown>, limitRaw: bigint): Counted => sql`
  select ${scope}, 'movement ' || step, signed_at, amount_raw, signed_at + make_interval(secs => ${IDLE_RUN_SECONDS}), ${limitRaw}::numeric
  from idle_movement where kind = 'allocate'`
export const checkIdleRuns = checkCap(selectAllocations(sql`wallet`, IDLE_LIMITS.largestRaw), selectAllocations(ALL, IDLE_LIMITS.runRaw))
