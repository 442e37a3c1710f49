/** Quotes and consents, and locked deposits. */
export const up = `
  create table quote (
    terms_hash text primary key,
    kind text not null check (kind in ('locked_tier_consent_v1', 'idle_balance_allocation_consent_v1')),
    wallet text not null,
    terms jsonb not null,
    message text not null,
    expires_at timestamptz(3) not null
  );
  create index quote_expiry on quote (expires_at);

  create table consent (
    terms_hash text primary key,
    kind text not null check (kind in ('locked_tier_consent_v1', 'idle_balance_allocation_consent_v1')),
    wallet text not null,
    terms jsonb not null,
    message text not null,
    signature text not null,
    stored_at timestamptz(3) not null
  );

  create table locked_deposit (
    id text primary key references consent,
    wallet text not null,
    tier text not null check (tier in ('t7', 't30', 't90')),
    amount_raw numeric(78,0) not null check (amount_raw > 0),
    wallet_cap_raw numeric(78,0) not null,
    cohort_cap_raw numeric(78,0) not null,
    locked_at timestamptz(3) not null,
    term_days integer not null,
    expires_at timestamptz(3) not null,
    status text not null check (status in ('active', 'exiting', 'released')),
    public_profile_opt_in boolean not null,
    exit_requested_at timestamptz(3),
    exit_reason text check (exit_reason in ('requested', 'balance_below_encumbered')),
    release_at timestamptz(3),
    released_at timestamptz(3),
    release_reason text check (release_reason in ('term_completed', 'early_exit_vesting_completed')),
    request_id text not null,
    check (tier = 't90' or not public_profile_opt_in),
    check ((exit_requested_at is null) = (exit_reason is null) and (exit_requested_at is null) = (release_at is null)),
    check (status <> 'exiting' or exit_requested_at is not null),
    check ((status = 'released') = (released_at is not null) and (status = 'released') = (release_reason is not null)),
    check (status <> 'active' or exit_requested_at is null)
  );
  create index locked_deposit_wallet on locked_deposit (wallet, locked_at desc);
  create index locked_deposit_live on locked_deposit (tier) where status <> 'released';
`

export const down = 'drop table locked_deposit, consent, quote;'
