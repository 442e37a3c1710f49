/** Sessions with their history. The partial indexes keep the sums of a claim fast while the history grows. */
export const up = `
  create table session (
    session_id text primary key,
    job_id text not null references job (id),
    wallet text not null,
    attempt integer not null,
    chain_job_id text not null,
    run_id text not null unique,
    idempotency_key text not null,
    protocol_history jsonb not null,
    version integer not null,
    status text not null check (status in ('claimed', 'submitted', 'disputed', 'rejected', 'resolved', 'closed', 'expired', 'timed_out', 'chain_state_diverged')),
    chain_state text not null,
    claimed_at timestamptz(3) not null,
    claim_expires_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    submitted_at timestamptz(3),
    review_ends_at timestamptz(3),
    resolved_at timestamptz(3),
    rejected_at timestamptz(3),
    disputed_at timestamptz(3),
    closed_at timestamptz(3),
    expired_at timestamptz(3),
    timed_out_at timestamptz(3),
    chain_state_diverged_at timestamptz(3),
    rejection_finalized_at timestamptz(3),
    reward_asset text not null,
    reward_raw numeric(78,0) not null,
    claim_stake_raw numeric(78,0) not null,
    claim_stake_bps integer not null,
    claim_fee_raw numeric(78,0) not null,
    claim_fee_bps integer not null,
    claim_number integer not null,
    waived boolean not null,
    brokered boolean not null,
    exposure_raw numeric(78,0) not null,
    counts_as_attempt boolean not null,
    poster text,
    claim_tx_hash text,
    claim_block bigint,
    evidence jsonb not null,
    job_snapshot jsonb not null,
    submission jsonb,
    evidence_hash text,
    submit_tx_hash text,
    verification_summary jsonb,
    verification_id text,
    payout_tx jsonb,
    claim_reconciliation jsonb,
    chain_state_divergence jsonb,
    operator_close jsonb,
    dispute_resolution jsonb,
    human_review jsonb,
    operator_overturn jsonb,
    unique (job_id, wallet, attempt),
    constraint resolved_has_payout check (status <> 'resolved' or payout_tx is not null)
  );
  create unique index session_one_live_per_job on session (job_id)
    where status in ('claimed', 'submitted', 'disputed') or (status = 'rejected' and rejection_finalized_at is null);
  create index session_latest_of_job on session (job_id, claimed_at desc, attempt desc);
  create index session_of_wallet on session (wallet, updated_at desc, session_id);
  create index session_of_status on session (status, updated_at desc, session_id);
  create index session_newest on session (updated_at desc, session_id);
  create index session_claimed_at on session (claimed_at);
  create index session_awaiting on session (submitted_at) where status in ('submitted', 'disputed');
  create index session_chain_job on session (chain_job_id, claim_block desc) include (wallet);
  create index session_holding on session (job_id) where status not in ('expired', 'claimed');
  create index session_attempts on session (job_id) where submitted_at is not null and counts_as_attempt;
  create index session_spending on session (claimed_at) include (exposure_raw) where status not in ('expired', 'timed_out', 'closed');
  create index session_spending_of_wallet on session (wallet, claimed_at) include (exposure_raw)
    where status not in ('expired', 'timed_out', 'closed');
  create index session_live_of_wallet on session (wallet) include (exposure_raw)
    where status in ('claimed', 'submitted', 'disputed') or (status = 'rejected' and rejection_finalized_at is null);
  create index session_diverged on session (session_id)
    where (status = 'chain_state_diverged' or (status = 'closed' and chain_state_divergence is not null)) and operator_close is null;
  create index session_settled_of_wallet on session (wallet) include (reward_raw) where status = 'resolved';

  create function session_queue(status text, has_submission boolean, verifier_mode text, is_final boolean, has_diverged boolean, is_closed boolean)
    returns text language sql immutable parallel safe return case
      when status = 'claimed' then case when has_submission then 'sending' else 'work' end
      when status = 'submitted' then case when verifier_mode = 'codehost_pr' then 'pull_request' else 'verdict' end
      when status = 'disputed' then 'dispute'
      when status = 'rejected' and not is_final then 'rejection'
      when (status = 'chain_state_diverged' or (status = 'closed' and has_diverged)) and not is_closed then 'divergence'
    end;
  create function session_deadline(
    status text, claim_expires_at timestamptz, submitted_at timestamptz, review_ends_at timestamptz, rejected_at timestamptz
  ) returns timestamptz language sql immutable parallel safe return case
      when status = 'claimed' then claim_expires_at
      when status = 'submitted' then coalesce(review_ends_at, (submitted_at at time zone 'UTC' + interval '48 hours') at time zone 'UTC')
      when status = 'rejected' then (rejected_at at time zone 'UTC' + interval '7 days') at time zone 'UTC'
    end;
  create index session_queue_newest on session (
    session_queue(status, submission is not null, evidence ->> 'verifierMode', rejection_finalized_at is not null, chain_state_divergence is not null, operator_close is not null),
    updated_at desc, session_id
  ) where session_queue(status, submission is not null, evidence ->> 'verifierMode', rejection_finalized_at is not null, chain_state_divergence is not null, operator_close is not null) is not null;
  create index session_queue_due on session (
    session_queue(status, submission is not null, evidence ->> 'verifierMode', rejection_finalized_at is not null, chain_state_divergence is not null, operator_close is not null),
    session_deadline(status, claim_expires_at, submitted_at, review_ends_at, rejected_at), session_id
  ) where session_queue(status, submission is not null, evidence ->> 'verifierMode', rejection_finalized_at is not null, chain_state_divergence is not null, operator_close is not null) is not null;

  create view job_attempts as
    select job_id, count(*)::integer as attempts from session
    where submitted_at is not null and counts_as_attempt group by job_id;

  create table session_event (
    session_id text not null references session (session_id),
    seq integer not null,
    from_status text,
    to_status text not null,
    reason text not null,
    at timestamptz(3) not null,
    recorded_at timestamptz(3),
    metadata jsonb not null,
    previous_hash text,
    hash text not null,
    primary key (session_id, seq)
  );
`

export const down = `
  drop table session_event;
  drop view job_attempts;
  drop table session;
  drop function session_queue, session_deadline;
`
