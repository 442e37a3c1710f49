/** Idempotency keys and rate windows. `json` keeps the order of members, so that a repeated answer is equal byte for byte. */
export const up = `
  create table idempotency_key (
    subject text not null,
    operation text not null,
    key text not null,
    fingerprint text not null,
    session_id text,
    workflow_id text,
    update_id text,
    response_status integer,
    response_body json,
    created_at timestamptz(3) not null,
    completed_at timestamptz(3),
    primary key (subject, operation, key)
  );
  create index idempotency_key_age on idempotency_key (created_at);

  create unlogged table rate_window (
    bucket text not null,
    key text not null,
    window_start timestamptz(3) not null,
    count integer not null,
    primary key (bucket, key, window_start)
  );
  create index rate_window_age on rate_window (window_start);
`

export const down = 'drop table rate_window, idempotency_key;'
