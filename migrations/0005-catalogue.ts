/** Letters and digits of a text of a definition, as the search for jobs of one task compares them. */
const lettersOf = (member: string): string =>
  `nullif(regexp_replace(lower(normalize(definition->>'${member}', NFKC)), '[^[:alnum:]]+', '', 'g'), '')`

/**
 * Listed jobs, their expected outputs, version of the catalogue, reading of the reward bank, and last checks of what verdicts need. A list's index starts with its
 * filter and order, and includes the other filter columns. `infinity` marks a listing that never becomes stale, so that staleness is one comparison.
 */
export const up = `
  create table job (
    id text primary key,
    definition jsonb not null,
    spec_hash text not null,
    chain_job_id text not null unique,
    category text not null,
    tier text not null,
    verifier_mode text not null,
    source_group text not null,
    lane text not null,
    lane_daily_raw numeric(78,0),
    lane_backlog integer,
    reward_asset text not null,
    reward_raw numeric(78,0) not null check (reward_raw > 0),
    waiver_eligible boolean not null,
    verdict_needs text[] not null,
    lifecycle_status text not null check (lifecycle_status in ('open', 'paused', 'archived')),
    stale_at timestamptz(3),
    listed_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    posting_route text not null check (posting_route in ('curated', 'external-direct')),
    poster_address text,
    ingested_from text,
    ingested_key text,
    delisted_at timestamptz(3),
    delist_reason text,
    version integer not null
  );
  create index job_listed on job (listed_at desc, id, (coalesce(stale_at, 'infinity'::timestamptz)), source_group, category, tier, verifier_mode)
    where lifecycle_status = 'open' and delisted_at is null and lane <> 'template';
  create index job_category on job (category, listed_at desc, id, (coalesce(stale_at, 'infinity'::timestamptz)), source_group, tier, verifier_mode)
    where lifecycle_status = 'open' and delisted_at is null and lane <> 'template';
  create index job_source_group on job (source_group, listed_at desc, id, (coalesce(stale_at, 'infinity'::timestamptz)), category, tier, verifier_mode)
    where lifecycle_status = 'open' and delisted_at is null and lane <> 'template';
  create index job_tier on job (tier, listed_at desc, id, (coalesce(stale_at, 'infinity'::timestamptz)), source_group, category, verifier_mode)
    where lifecycle_status = 'open' and delisted_at is null and lane <> 'template';
  create index job_verifier_mode on job (verifier_mode, listed_at desc, id, (coalesce(stale_at, 'infinity'::timestamptz)), source_group, category, tier)
    where lifecycle_status = 'open' and delisted_at is null and lane <> 'template';
  create index job_counted on job ((coalesce(stale_at, 'infinity'::timestamptz))) include (id, stale_at, waiver_eligible, reward_raw, verdict_needs)
    where lifecycle_status = 'open' and delisted_at is null and lane <> 'template';
  create index job_lifecycle on job (lifecycle_status, listed_at desc, id) include (stale_at);
  create index job_newest on job (listed_at desc, id);
  create index job_lane_created on job (lane, created_at);
  create index job_ingested on job (ingested_from, ingested_key) where ingested_from is not null;
  create index job_lane_open on job (lane, stale_at) where lifecycle_status = 'open';
  create index job_ingested_open on job (ingested_from, stale_at) where lifecycle_status = 'open' and ingested_from is not null;
  create index job_title_letters on job using hash ((${lettersOf('title')}));
  create index job_description_letters on job using hash ((${lettersOf('description')}));

  create table job_answer (
    job_id text primary key references job (id),
    expected_outputs jsonb not null
  );

  create table catalogue_version (id integer primary key check (id = 1), version bigint not null);
  insert into catalogue_version values (1, 1);

  create table reward_bank_reading (
    asset text primary key,
    liquid_raw numeric(78,0) not null,
    poster_fee_bps integer not null,
    poster_fee_floor_raw numeric(78,0) not null,
    stake_bps integer not null,
    fee_bps integer not null,
    min_fee_raw numeric(78,0) not null,
    block_number bigint not null,
    read_at timestamptz(3) not null
  );

  create table verdict_need (
    need text primary key,
    reason text,
    checked_at timestamptz(3) not null,
    last_verdict_at timestamptz(3)
  );
`

export const down = 'drop table verdict_need, reward_bank_reading, catalogue_version, job_answer, job;'
