/** Pauses of lanes, recurring templates with their runs, and the last run of each sweep. */
export const up = `
  create table lane_state (
    lane text primary key,
    paused boolean not null,
    reason text not null,
    by text not null check (by ~ '^0x[0-9a-f]{40}$'),
    at timestamptz(3) not null
  );

  create table recurring_template (
    template_id text primary key references job (id),
    created_at timestamptz(3) not null,
    runs integer not null check (runs >= 0),
    spent_raw numeric(78,0) not null check (spent_raw >= 0),
    decided_until timestamptz(3) not null,
    paused_at timestamptz(3),
    paused_by text,
    pause_reason text,
    wake_requested_at timestamptz(3),
    check ((paused_at is null) = (pause_reason is null))
  );

  create table recurring_run (
    job_id text primary key references job (id),
    template_id text not null references recurring_template (template_id),
    nominal_at timestamptz(3) not null,
    fired_at timestamptz(3) not null,
    fired_by text,
    reward_raw numeric(78,0) not null check (reward_raw > 0),
    unique (template_id, nominal_at)
  );

  create table sweep_run (
    kind text primary key check (kind in ('stale', 'integrity')),
    started_at timestamptz(3) not null,
    finished_at timestamptz(3) not null,
    report jsonb not null
  );
`

export const down = 'drop table sweep_run; drop table recurring_run; drop table recurring_template; drop table lane_state;'
