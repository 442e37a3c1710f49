/** Consents to idle-balance allocation and the movements under them. */
export const up = `
  create table idle_consent (
    terms_hash text primary key references consent,
    wallet text not null,
    request_id text not null,
    consented_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    expired_at timestamptz(3)
  );
  create index idle_consent_wallet on idle_consent (wallet, consented_at desc);
  create unique index idle_consent_open on idle_consent (wallet) where revoked_at is null and expired_at is null;

  create table idle_movement (
    step text primary key,
    wallet text not null,
    terms_hash text not null references idle_consent,
    kind text not null check (kind in ('allocate', 'recall')),
    amount_raw numeric(78,0) not null check (amount_raw > 0),
    signed_at timestamptz(3) not null,
    tx_hash text,
    mined_at timestamptz(3),
    check ((tx_hash is null) = (mined_at is null))
  );
  create index idle_movement_wallet on idle_movement (wallet, signed_at desc);
  create index idle_movement_recent on idle_movement (signed_at) where kind = 'allocate';
`

export const down = 'drop table idle_movement, idle_consent;'
