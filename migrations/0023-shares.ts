/** Frozen snapshots that their creators share. */
export const up = `
  create table share (
    id text primary key,
    surface text not null check (surface in ('agent', 'session', 'dispute', 'policy')),
    ref text not null,
    snapshot jsonb not null,
    snapshot_at timestamptz(3) not null,
    created_by text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null check (expires_at > created_at),
    revoked_at timestamptz(3),
    revoked_by text,
    version integer not null,
    check ((revoked_at is null) = (revoked_by is null))
  );
  create index share_by_expiry on share (expires_at);
  create index share_of_wallet on share (ref) where surface = 'agent';
`

export const down = 'drop table share;'
