/** Admitted claims and the onboarding subsidy that they spend. */
export const up = `
  create table claim_intent (
    run_id text primary key,
    job_id text not null references job (id),
    wallet text not null,
    session_id text not null,
    attempt integer not null,
    status text not null check (status in ('open', 'recorded', 'released')),
    stage text not null,
    terms jsonb not null,
    exposure_raw numeric(78,0) not null,
    subsidy_raw numeric(78,0) not null,
    bond_raw numeric(78,0) not null,
    unwaived_bond_raw numeric(78,0) not null,
    grant_id text,
    claim_count integer not null,
    idempotency_key text not null,
    request_id text,
    failure_code text,
    created_at timestamptz(3) not null,
    closed_at timestamptz(3)
  );
  create unique index claim_intent_one_open_per_job on claim_intent (job_id) where status = 'open';
  create index claim_intent_wallet on claim_intent (wallet) where status = 'open';
  create index claim_intent_key on claim_intent (wallet, idempotency_key, created_at desc);
  create index claim_intent_grant on claim_intent (grant_id, closed_at) where grant_id is not null;
  create index claim_intent_session on claim_intent (session_id, created_at desc);

  create table subsidy_reservation (
    session_id text primary key,
    run_id text not null,
    wallet text not null,
    day text not null,
    amount_raw numeric(78,0) not null,
    created_at timestamptz(3) not null
  );
  create index subsidy_of_day on subsidy_reservation (day) include (amount_raw);
`

export const down = 'drop table subsidy_reservation, claim_intent;'
