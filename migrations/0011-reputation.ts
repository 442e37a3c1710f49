/** Badges and the ledger of scores. */
export const up = `
  create table badge (
    session_id text primary key references session (session_id),
    job_id text not null,
    worker text not null,
    category text not null,
    level integer not null check (level between 1 and 255),
    evidence_hash text not null,
    chain_job_id text not null,
    issued_at timestamptz(3) not null,
    document jsonb not null
  );
  create index badge_newest on badge (issued_at desc, session_id);
  create index badge_of_worker on badge (worker, issued_at desc, session_id);

  create table reputation_event (
    seq bigserial primary key,
    wallet text not null,
    session_id text not null,
    kind text not null,
    nominal_skill integer not null,
    nominal_reliability integer not null,
    nominal_economic numeric(78,0) not null,
    applied_skill integer not null,
    applied_reliability integer not null,
    applied_economic numeric(78,0) not null,
    reason text not null,
    scoring_version integer not null,
    at timestamptz(3) not null,
    unique (session_id, kind)
  );
  create index reputation_of_wallet on reputation_event (wallet) include (applied_skill, applied_reliability, applied_economic);
`

export const down = 'drop table reputation_event, badge;'
