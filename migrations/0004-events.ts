/** The outbox. */
export const up = `
  create table event (
    id bigserial primary key,
    seq bigint unique,
    topic text not null,
    source text not null,
    phase text not null,
    severity text not null check (severity in ('info', 'warn', 'error')),
    correlation_id text not null,
    wallets jsonb not null,
    job_id text,
    session_id text,
    block_number bigint,
    tx_hash text,
    at timestamptz(3) not null,
    recorded_at timestamptz(3),
    data jsonb not null
  );
  create index event_unsequenced on event (id) where seq is null;
  create index event_of_session on event (session_id, id);
  create index event_of_wallet on event using gin (wallets jsonb_path_ops);
  create index event_of_time on event (coalesce(recorded_at, at), seq);
  create index event_of_job on event (job_id, id);
`

export const down = 'drop table event;'
