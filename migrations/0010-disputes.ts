/** Disputes, the decision of each round and the timeline. */
export const up = `
  create table dispute (
    dispute_id text primary key,
    session_id text not null unique references session (session_id),
    job_id text not null,
    chain_job_id text not null,
    claimant text not null,
    respondent text,
    stage text not null check (stage in ('review', 'arbitration')),
    origin text not null check (origin in ('review', 'participant', 'operator', 'platform')),
    round integer not null check (round >= 1),
    status text not null check (status in ('open', 'resolved')),
    reason_code text not null,
    opened_at timestamptz(3) not null,
    deadline_at timestamptz(3) not null,
    is_proof_gated boolean not null,
    proof jsonb,
    remaining_raw numeric(78,0) not null,
    arbitrator text,
    evidence jsonb not null,
    evidence_hash text not null,
    statement_hash text,
    stated_at timestamptz(3),
    last_alarm_at timestamptz(3),
    updated_at timestamptz(3) not null,
    check ((stated_at is null) = (statement_hash is null))
  );
  create index dispute_newest on dispute (opened_at desc, dispute_id);
  create index dispute_of_claimant on dispute (claimant, opened_at desc, dispute_id);
  create index dispute_of_respondent on dispute (respondent, opened_at desc, dispute_id);
  create index dispute_open on dispute (stage, opened_at) where status = 'open';

  create table dispute_verdict (
    dispute_id text not null references dispute (dispute_id),
    round integer not null,
    source text not null check (source in ('arbitrator', 'reviewer', 'verifier', 'timeout', 'chain')),
    verdict text not null check (verdict in ('upheld', 'dismissed', 'split', 'timeout', 'approved', 'rejected')),
    reason_code text not null,
    worker_payout_raw numeric(78,0),
    payout_source text,
    reasoning_hash text,
    verification_id text references verification (id),
    decided_by text not null,
    decision_request_id text,
    decided_at timestamptz(3) not null,
    preparation jsonb,
    observed jsonb,
    primary key (dispute_id, round)
  );

  create table dispute_event (
    dispute_id text not null references dispute (dispute_id),
    seq integer not null,
    at timestamptz(3) not null,
    actor text not null,
    action text not null,
    data jsonb not null,
    primary key (dispute_id, seq)
  );
`

export const down = 'drop table dispute_event, dispute_verdict, dispute;'
