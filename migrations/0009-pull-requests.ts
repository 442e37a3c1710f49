/** Delivered pull requests and claimed webhooks. */
export const up = `
  create table pull_request (
    session_id text primary key references session (session_id),
    job_id text not null,
    wallet text not null,
    host text not null,
    repo text not null check (repo = lower(repo)),
    number integer not null check (number > 0),
    url text not null,
    delivery text not null check (delivery in ('open', 'merged', 'closed_unmerged', 'open_stale', 'reverted', 'wrong_repository')),
    submitted_at timestamptz(3) not null,
    disposition text check (disposition in ('waiting_for_merge', 'operator_review', 'awaiting_evidence')),
    head_sha text,
    first_state jsonb,
    latest_state jsonb,
    state_at_review jsonb,
    review_started_at timestamptz(3),
    read_at timestamptz(3),
    held_because text
  );
  create index pull_request_of_wallet on pull_request (wallet);
  create index pull_request_by_number on pull_request (repo, number);
  create index pull_request_by_head on pull_request (repo, head_sha);
  create index pull_request_open on pull_request (repo, submitted_at) where delivery = 'open';

  create table hook_delivery (
    id text primary key,
    received_at timestamptz(3) not null,
    is_processed boolean not null default true
  );
  create index hook_delivery_by_age on hook_delivery (received_at);
`

export const down = 'drop table hook_delivery, pull_request;'
