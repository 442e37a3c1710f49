/** Verdicts of verifiers and reviewers. */
export const verification = {
  name: '0008-verification',
  up: `
    create table verification (
      id text primary key,
      session_id text not null references session (session_id),
      job_id text not null,
      seq integer not null,
      outcome text not null check (outcome in ('approved', 'rejected', 'disputed', 'inconclusive', 'platform_fault')),
      reason_code text not null,
      handler text not null,
      handler_version integer not null,
      score integer not null,
      verdict jsonb not null,
      decided_at timestamptz(3) not null,
      unique (session_id, seq)
    );
    create index verification_handler on verification (handler, decided_at);
  `,
  down: 'drop table verification;',
}
