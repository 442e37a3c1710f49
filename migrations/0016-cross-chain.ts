/** Requests to another chain. */
export const up = `
  create table cross_chain_watch (
    wrapper text not null,
    request_id text not null,
    expected_raw numeric(78,0) not null check (expected_raw > 0),
    start_raw numeric(78,0),
    start_asset_raw numeric(78,0),
    unclear_reason text,
    started_at timestamptz(3) not null,
    ends_at timestamptz(3) not null check (ends_at > started_at),
    ended_at timestamptz(3),
    primary key (wrapper, request_id)
  );
  create unique index cross_chain_watch_open on cross_chain_watch (wrapper) where ended_at is null;

  create table cross_chain_outcome (
    wrapper text not null,
    request_id text collate "C" not null,
    status text not null check (status in ('succeeded', 'failed', 'cancelled')),
    settled_assets_raw numeric(78,0) not null,
    settled_shares_raw numeric(78,0) not null,
    remote_balance_raw numeric(78,0),
    remote_ref text not null,
    failure_code text not null,
    source text not null,
    observed_at timestamptz(3) not null,
    recorded_at timestamptz(3) not null,
    processed_at timestamptz(3),
    exhausted_at timestamptz(3),
    last_failure text,
    failed_try integer check (failed_try > 0),
    primary key (wrapper, request_id),
    check (status = 'succeeded' or (settled_assets_raw = 0 and settled_shares_raw = 0)),
    check (processed_at is null or exhausted_at is null)
  );
  create index cross_chain_outcome_feed on cross_chain_outcome (wrapper, recorded_at, request_id);
  create index cross_chain_outcome_exhausted on cross_chain_outcome (wrapper, exhausted_at, request_id) where exhausted_at is not null;
`

export const down = 'drop table cross_chain_outcome, cross_chain_watch;'
