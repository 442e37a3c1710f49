import { Migration } from '@mikro-orm/migrations'

/** What each list filter leads with; the other filters follow the order's key, so that any mix is decided inside the index. */
const LISTS = ['', 'category', 'source_group', 'tier', 'verifier_mode']
const FILTERS = ['source_group', 'category', 'tier', 'verifier_mode']

const nameOf = (leading: string): string => (leading === '' ? 'job_listed' : `job_${leading}`)

/** Listed jobs newest first. A listing without end is fresh for ever: `infinity` makes freshness one comparison that an index can answer. */
const listIndex = (leading: string): string => {
  const others = FILTERS.filter((column) => column !== leading)
  const keys = [...(leading === '' ? [] : [leading]), 'listed_at desc', 'id', `(coalesce(stale_at, 'infinity'::timestamptz))`, ...others]
  return `create index ${nameOf(leading)} on job (${keys.join(', ')}) where lifecycle_status = 'open' and delisted_at is null;`
}

const oldListIndex = (leading: string): string =>
  `create index ${nameOf(leading)} on job (${leading === '' ? '' : `${leading}, `}listed_at desc, id) where lifecycle_status = 'open';`

const dropLists = (): string => `drop index ${LISTS.map(nameOf).join(', ')};`

/** Indexes under which lists, counts and the sums of a claim stay flat while catalogue and history grow. */
export class CatalogueAtSize extends Migration {
  override up(): void {
    this.addSql(`
      ${dropLists()}
      ${LISTS.map(listIndex).join('\n      ')}
      drop index job_waiver;
      create index job_counted on job ((coalesce(stale_at, 'infinity'::timestamptz))) include (id, stale_at, waiver_eligible, reward_raw)
        where lifecycle_status = 'open' and delisted_at is null;
      create index job_lifecycle on job (lifecycle_status, listed_at desc, id) include (stale_at);

      drop index session_latest_of_job;
      create index session_latest_of_job on session (job_id, claimed_at desc, attempt desc);
      create index session_of_status on session (status, updated_at desc, session_id);
      create index session_holding on session (job_id) where status not in ('expired', 'claimed');
      create index session_attempts on session (job_id) where submitted_at is not null and counts_as_attempt;
      create index session_spending on session (claimed_at) include (exposure_raw) where status not in ('expired', 'timed_out', 'closed');
      create index session_spending_of_wallet on session (wallet, claimed_at) include (exposure_raw)
        where status not in ('expired', 'timed_out', 'closed');
      create index session_live_of_wallet on session (wallet) include (exposure_raw)
        where status in ('claimed', 'submitted', 'disputed') or (status = 'rejected' and rejection_finalized_at is null);
      create index session_settled_of_wallet on session (wallet) include (reward_raw) where status = 'resolved';

      drop index subsidy_of_day;
      create index subsidy_of_day on subsidy_reservation (day) include (amount_raw);
      drop index reputation_of_wallet;
      create index reputation_of_wallet on reputation_event (wallet) include (applied_skill, applied_reliability, applied_economic);
    `)
  }

  override down(): void {
    this.addSql(`
      drop index reputation_of_wallet;
      create index reputation_of_wallet on reputation_event (wallet);
      drop index subsidy_of_day;
      create index subsidy_of_day on subsidy_reservation (day);

      drop index session_attempts, session_holding, session_settled_of_wallet, session_live_of_wallet, session_spending_of_wallet, session_spending, session_of_status;
      drop index session_latest_of_job;
      create index session_latest_of_job on session (job_id, claimed_at desc, session_id);

      drop index job_lifecycle, job_counted;
      create index job_waiver on job (listed_at desc, id) where lifecycle_status = 'open' and waiver_eligible;
      ${dropLists()}
      ${LISTS.map(oldListIndex).join('\n      ')}
    `)
  }
}
