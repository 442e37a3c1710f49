/** Sign-in challenges and revoked tokens. */
export const identity = {
  name: '0001-identity',
  up: `
    create table auth_challenge (
      nonce text primary key,
      kind text not null check (kind in ('evm', 'native')),
      subject text not null,
      message text not null,
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
  `,
  down: 'drop table revoked_token, auth_challenge;',
}
