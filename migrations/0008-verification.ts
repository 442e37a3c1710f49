/** Verdicts of verifiers and reviewers. */
export const up = `
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
    unique (session_id, seq),
    constraint approval_has_no_unmet_item check (
      outcome <> 'approved' or (
        coalesce(jsonb_array_length(verdict->'items'), 0) > 0
        and not jsonb_path_exists(verdict, '$.items[*] ? (@.result == "unmet")')
      )
    ),
    constraint rejection_has_unmet_item check (
      outcome <> 'rejected' or jsonb_path_exists(verdict, '$.items[*] ? (@.result == "unmet")')
    )
  );
  create index verification_handler on verification (handler, decided_at);
`

export const down = 'drop table verification;'
