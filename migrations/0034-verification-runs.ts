/** Paid runs of verification profiles. A run that was paid or will not be billed has a receipt; one that cannot be collected has none: it would give the verdict away. */
export const up = `
  create table verification_run (
    run_key text primary key check (run_key ~ '^[0-9a-f]{64}$'),
    state text not null check (state in ('authorized', 'running', 'executed', 'capturing', 'captured', 'not_billed', 'uncollectable')),
    profile_ref text not null,
    profile_digest text not null,
    request_hash text not null,
    target jsonb not null,
    inputs jsonb not null,
    has_credential boolean not null,
    sealed_credential text,
    network text not null,
    asset text not null,
    payer text not null,
    pay_to text not null,
    nonce text not null,
    amount_raw numeric(78,0) not null check (amount_raw > 0),
    decimals integer not null,
    valid_after integer not null,
    valid_before bigint not null,
    signature text,
    admitted_block bigint not null,
    attempts integer not null check (attempts >= 0),
    verdict text check (verdict in ('approved', 'rejected', 'inconclusive')),
    result jsonb,
    uncollectable text check (uncollectable in ('cancelled', 'used_elsewhere', 'insufficient_funds', 'expired')),
    tx_hash text,
    block_number bigint,
    receipt_id text references run_receipt (receipt_id),
    submitted_at timestamptz(3) not null,
    executed_at timestamptz(3),
    ended_at timestamptz(3),
    expires_at timestamptz(3) not null,
    woken_at timestamptz(3),
    unique (network, asset, payer, nonce),
    check ((verdict is null) = (result is null)),
    check ((state = 'captured') = (tx_hash is not null)),
    check ((state = 'uncollectable') = (uncollectable is not null)),
    check ((state in ('captured', 'not_billed', 'uncollectable')) = (ended_at is not null)),
    check (state <> 'capturing' or verdict in ('approved', 'rejected')),
    check (state <> 'captured' or verdict is not null),
    check (state <> 'not_billed' or verdict = 'inconclusive'),
    constraint shown_run_has_receipt check ((state in ('captured', 'not_billed')) = (receipt_id is not null)),
    check (ended_at is null or signature is null),
    check (state = 'authorized' or sealed_credential is null),
    check (has_credential or sealed_credential is null)
  );
  create index verification_run_newest on verification_run (submitted_at desc, run_key);
  create index verification_run_of_payer on verification_run (payer, submitted_at desc, run_key);
  create index verification_run_open on verification_run (woken_at) where ended_at is null;
  create index verification_run_expiry on verification_run (expires_at);
`

export const down = 'drop table verification_run;'
