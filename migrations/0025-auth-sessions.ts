/** Sign-ins of wallets: every token that one of them gave, from the signature to the end. */
export const up = `
  create table auth_session (
    id text primary key,
    subject text not null,
    signed_in_at timestamptz(3) not null,
    last_jti text not null unique,
    previous_jti text,
    issued_at timestamptz(3) not null check (issued_at >= signed_in_at),
    expires_at timestamptz(3) not null,
    last_used_at timestamptz(3),
    network text,
    ended_at timestamptz(3),
    end_reason text check (end_reason in ('logout', 'session_ended', 'refresh_reused')),
    version integer not null,
    check ((ended_at is null) = (end_reason is null))
  );
  create index auth_session_of_subject on auth_session (subject, signed_in_at desc, id) where ended_at is null;
  create index auth_session_age on auth_session (expires_at);
`

export const down = 'drop table auth_session;'
