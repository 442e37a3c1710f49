/** Signed heads of the session log and the lists that they sign. */
export const up = `
  create table log_head (
    day text primary key check (day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
    document jsonb not null,
    sealed_at timestamptz(3) not null
  );
  create table log_entry (
    day text not null references log_head,
    position integer not null check (position > 0),
    hash text not null unique,
    previous_hash text,
    primary key (day, position)
  );
`

export const down = 'drop table log_entry, log_head;'
