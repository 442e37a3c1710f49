/** Last results of the audit. */
export const up = `
  create table audit_check (
    name text primary key,
    outcome text not null check (outcome in ('passed', 'failed', 'unread')),
    findings integer not null check (findings >= 0),
    checked_at timestamptz(3) not null,
    passed_at timestamptz(3)
  );
`

export const down = 'drop table audit_check;'
