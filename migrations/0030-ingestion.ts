/** Runs over sources, what they made of each candidate, and the sources themselves. A candidate has one row for good, and a job at most one candidate. Of several jobs of a candidate its row names the last. */
export const up = `
  create table ingest_run (
    run_id text primary key,
    workflow_id text not null,
    provider text not null,
    input jsonb not null,
    dry_run boolean not null,
    item_limit integer not null check (item_limit between 1 and 50),
    min_score integer not null check (min_score between 0 and 100),
    origin text not null check (origin in ('request', 'schedule', 'steer')),
    requested_by text,
    status text not null check (status in ('running', 'done', 'failed')),
    started_at timestamptz(3) not null,
    ended_at timestamptz(3),
    pages integer not null check (pages >= 0),
    cursor text,
    is_over boolean not null,
    stale_pages integer not null check (stale_pages >= 0),
    candidates integer not null check (candidates >= 0),
    fresh_candidates integer not null check (fresh_candidates >= 0),
    taken integer not null check (taken between 0 and item_limit),
    requests_used integer not null check (requests_used >= 0),
    stopped jsonb,
    fault text,
    answer jsonb,
    check ((status = 'running') = (ended_at is null))
  );
  create index ingest_run_of_provider on ingest_run (provider, started_at desc, run_id);
  create index ingest_run_of_workflow on ingest_run (workflow_id, started_at desc);
  create index ingest_run_ended on ingest_run (ended_at) where ended_at is not null;
  create table ingest_result (
    run_id text not null references ingest_run (run_id) on delete cascade,
    item_key text not null,
    position integer not null,
    job_id text,
    outcome text not null check (outcome in ('created', 'proposed', 'skipped', 'parked', 'error')),
    reason text,
    detail text,
    rules jsonb not null,
    score integer check (score between 0 and 100),
    parts jsonb not null,
    resume_at timestamptz(3),
    job jsonb,
    primary key (run_id, item_key),
    check ((outcome in ('created', 'proposed')) = (reason is null))
  );
  create index ingest_result_order on ingest_result (run_id, position);
  create table ingest_item (
    provider text not null,
    item_key text not null,
    outcome text not null check (outcome in ('created', 'proposed', 'skipped', 'parked', 'error')),
    job_id text,
    content_hash text,
    bytes_digest text,
    reason text,
    detail text,
    rules jsonb not null,
    score integer check (score between 0 and 100),
    version integer not null check (version > 0),
    latest_hash text,
    first_seen_at timestamptz(3) not null,
    seen_at timestamptz(3) not null,
    listed_at timestamptz(3),
    open_cap integer check (open_cap > 0),
    reissues integer not null check (reissues >= 0),
    primary key (provider, item_key),
    check (outcome <> 'created' or (job_id is not null and content_hash is not null and listed_at is not null and open_cap is not null))
  );
  create unique index ingest_item_job on ingest_item (job_id) where outcome = 'created';
  create index ingest_item_any_job on ingest_item (job_id);
  create unique index ingest_item_bytes on ingest_item (bytes_digest) where outcome = 'created';
  create index ingest_item_newest on ingest_item (seen_at desc, provider, item_key);
  create index ingest_item_outcome on ingest_item (provider, outcome, seen_at desc, item_key);
  create table ingest_cursor (
    provider text not null,
    input_key text not null,
    cursor text not null check (length(cursor) <= 2048),
    updated_at timestamptz(3) not null,
    primary key (provider, input_key)
  );
  create table ingest_source (
    provider text primary key,
    holder_run_id text,
    held_until timestamptz(3),
    next_allowed_at timestamptz(3),
    last_success_at timestamptz(3),
    is_paused boolean,
    active_since timestamptz(3),
    is_dry boolean,
    schedule_input jsonb,
    every_seconds integer check (every_seconds > 0),
    next_run_at timestamptz(3),
    note text,
    schedule_read_at timestamptz(3),
    check ((holder_run_id is null) = (held_until is null))
  );
`

export const down = 'drop table ingest_source, ingest_cursor, ingest_item, ingest_result, ingest_run;'
