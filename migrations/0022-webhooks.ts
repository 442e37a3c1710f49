/** Endpoints of wallets that get their events, and the last deliveries. */
export const up = `
  create table webhook_endpoint (
    id text primary key,
    wallet text not null,
    url text not null,
    topics jsonb not null,
    session_id text,
    key_id text not null,
    state text not null check (state in ('active', 'paused')),
    pause_reason text,
    created_at timestamptz(3) not null,
    position bigint not null,
    failures integer not null,
    failing_since timestamptz(3),
    next_attempt_at timestamptz(3),
    is_waiting boolean not null,
    wake_requested_at timestamptz(3),
    delivery_count integer not null,
    version integer not null,
    check ((state = 'paused') = (pause_reason is not null))
  );
  create index webhook_endpoint_wallet on webhook_endpoint (wallet, created_at);
  create index webhook_endpoint_newest on webhook_endpoint (created_at desc, id);
  create index webhook_endpoint_wake on webhook_endpoint (id) where wake_requested_at is not null;

  create table webhook_delivery (
    endpoint_id text not null references webhook_endpoint on delete cascade,
    number integer not null,
    event_id text not null,
    topic text not null,
    sent_at timestamptz(3) not null,
    duration_ms integer not null,
    outcome text not null check (outcome in ('delivered', 'failed')),
    http_status integer,
    failure text,
    detail text,
    answer_bytes integer,
    primary key (endpoint_id, number)
  );
`

export const down = 'drop table webhook_delivery, webhook_endpoint;'
