/** Sign-in challenges, revoked tokens and the keys of tokens and signed documents. */
export const up = `
  create table auth_challenge (
    nonce text primary key,
    kind text not null check (kind in ('evm', 'native')),
    subject text not null,
    message text not null,
    delegate jsonb,
    issued_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    consumed_at timestamptz(3)
  );
  create index auth_challenge_age on auth_challenge (expires_at);

  create table revoked_token (
    jti text primary key,
    subject text not null,
    revoked_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    reason text not null
  );
  create index revoked_token_age on revoked_token (expires_at);

  create table signing_key (
    kid text primary key,
    purpose text not null check (purpose in ('jwt', 'receipt')),
    fingerprint text not null unique,
    x text not null,
    y text not null,
    valid_from timestamptz(3) not null,
    retired_at timestamptz(3),
    verifies_until timestamptz(3),
    check (retired_at >= valid_from),
    check ((verifies_until is null) = (purpose = 'receipt' or retired_at is null))
  );
  create unique index signing_key_current on signing_key (purpose) where retired_at is null;
`

export const down = 'drop table signing_key, revoked_token, auth_challenge;'
