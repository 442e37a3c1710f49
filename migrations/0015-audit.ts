/** Last results of the audit. */
export const audit = {
  name: '0015-audit',
  up: `
    create table audit_check (
      name text primary key,
      outcome text not null check (outcome in ('passed', 'failed', 'unread')),
      findings integer not null check (findings >= 0),
      checked_at timestamptz(3) not null,
      passed_at timestamptz(3)
    );
  `,
  down: 'drop table audit_check;',
}
