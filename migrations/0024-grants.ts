/** Capabilities that operators grant, to a wallet or with a service token, and that wallets grant to delegates. */
export const up = `
  create table capability_grant (
    id text primary key,
    kind text not null check (kind in ('token', 'wallet', 'delegate')),
    subject text not null,
    capabilities jsonb not null,
    scope text,
    note text,
    issued_by text not null,
    issued_at timestamptz(3) not null,
    expires_at timestamptz(3) check (expires_at > issued_at),
    jti text unique,
    token_expires_at timestamptz(3),
    terms jsonb,
    client jsonb,
    message text,
    signature text,
    rotated_from text unique references capability_grant,
    revoked_at timestamptz(3),
    revoked_by text,
    revoke_note text,
    version integer not null,
    check ((kind = 'delegate') = (terms is not null)),
    check ((kind = 'delegate') = (client is not null)),
    check ((kind = 'delegate') = (message is not null)),
    check ((kind = 'delegate') = (signature is not null)),
    check (kind <> 'delegate' or (expires_at is not null and issued_by = subject)),
    check ((kind = 'token') = (jti is not null)),
    check ((jti is null) = (token_expires_at is null)),
    check (rotated_from is null or kind = 'token'),
    check ((revoked_at is null) = (revoked_by is null)),
    check (revoke_note is null or revoked_at is not null)
  );
  create index capability_grant_newest on capability_grant (kind, issued_at desc, id);
  create index capability_grant_of_subject on capability_grant (kind, subject, issued_at desc, id);
  create index capability_grant_in_force on capability_grant (subject) where kind = 'wallet' and revoked_at is null;
`

export const down = 'drop table capability_grant;'
