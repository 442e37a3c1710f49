/** Jobs that wallets draft and fund themselves. */
export const up = `
  create table posting (
    job_id text primary key check (job_id ~ '^0x[0-9a-f]{64}$'),
    draft_id text not null unique check (draft_id ~ '^0x[0-9a-f]{64}$'),
    poster text not null check (poster ~ '^0x[0-9a-f]{40}$'),
    definition jsonb not null,
    spec_hash text not null check (spec_hash ~ '^0x[0-9a-f]{64}$'),
    expected_outputs jsonb not null,
    reward_raw numeric(78,0) not null check (reward_raw > 0),
    ops_reserve_raw numeric(78,0) not null check (ops_reserve_raw >= 0),
    contingency_reserve_raw numeric(78,0) not null check (contingency_reserve_raw >= 0),
    poster_fee_bps integer not null,
    poster_fee_floor_raw numeric(78,0) not null,
    poster_fee_raw numeric(78,0) not null check (poster_fee_raw >= 0),
    quote_block bigint not null,
    is_designated boolean not null,
    status text not null check (status in ('quoted', 'awaiting_funding', 'live', 'mismatch', 'expired', 'delisted', 'cancelled', 'settled')),
    attempt_count integer not null check (attempt_count > 0),
    created_at timestamptz(3) not null,
    quoted_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    opened_at timestamptz(3) not null,
    open_draft_limit integer check (open_draft_limit > 0),
    handed_out_at timestamptz(3),
    funding jsonb,
    mismatch jsonb,
    refund jsonb,
    rehearsal jsonb,
    funding_receipt jsonb,
    reason text,
    version integer not null,
    check (status not in ('live', 'mismatch', 'cancelled', 'settled') or funding is not null)
  );
  create index posting_of_poster on posting (poster, created_at desc, job_id);
  create index posting_newest on posting (created_at desc, job_id);
  create index posting_of_receipt on posting ((funding_receipt ->> 'receiptId')) where funding_receipt is not null;
  create index posting_open_drafts on posting (poster) where funding is null;
  create index posting_agreements on posting (status) where is_designated;
  create table former_funding_receipt (
    receipt_id text primary key check (receipt_id ~ '^0x[0-9a-f]{64}$'),
    job_id text not null,
    replaced_at timestamptz(3) not null
  );
  create table test_contract (
    inputs_hash text primary key check (inputs_hash ~ '^0x[0-9a-f]{64}$'),
    profile_ref text not null,
    inputs jsonb not null,
    attempt integer not null check (attempt > 0),
    poster text not null,
    requested_at timestamptz(3) not null,
    charged_attempt integer not null check (charged_attempt between 0 and attempt),
    contract jsonb,
    refusals jsonb,
    decided_at timestamptz(3),
    check (contract is null or refusals is null),
    check ((decided_at is null) = (contract is null and refusals is null))
  );
  create index test_contract_of_poster on test_contract (poster, requested_at);
  create index test_contract_age on test_contract (requested_at);
  create table posting_demand (
    poster text not null,
    day text not null,
    outcome text not null,
    code text not null,
    requests integer not null check (requests > 0),
    at timestamptz(3) not null,
    primary key (poster, day, outcome, code)
  );
  create index posting_demand_age on posting_demand (at);
`

export const down = 'drop table posting_demand; drop table test_contract; drop table former_funding_receipt; drop table posting;'
