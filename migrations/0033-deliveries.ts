/** What became of paid pull requests and edits. */
export const up = `
  create table tracked_delivery (
    session_id text primary key references session (session_id),
    job_id text not null,
    wallet text not null,
    kind text not null check (kind in ('pull_request', 'edit')),
    address text not null,
    state text not null check (state in ('open', 'merged', 'closed_unmerged', 'open_stale', 'reverted')),
    changed_at timestamptz(3) not null,
    tracked_since timestamptz(3) not null,
    deadline_at timestamptz(3) not null check (deadline_at > tracked_since),
    confirm_at timestamptz(3),
    adopted jsonb,
    next_read_at timestamptz(3) not null,
    woken_at timestamptz(3),
    ended_at timestamptz(3),
    readings integer not null check (readings >= 0),
    failed_readings integer not null check (failed_readings between 0 and readings),
    read_at timestamptz(3),
    facts jsonb,
    failure text,
    history jsonb not null check (jsonb_array_length(history) > 0),
    check (kind = 'edit' or adopted is null),
    check (state not in ('open_stale', 'reverted') or ended_at is not null)
  );
  create index tracked_delivery_of_wallet on tracked_delivery (wallet);
  create index tracked_delivery_due on tracked_delivery (next_read_at) where ended_at is null;
  create index tracked_delivery_unstarted on tracked_delivery (session_id) where woken_at is null;
`

export const down = 'drop table tracked_delivery;'
