/** The transaction journal, and the events that the chain follower reads. */
export const up = `
  create table chain_transaction (
    intent_key text collate "C" primary key,
    chain_id integer not null,
    signer text not null,
    nonce integer not null,
    to_address text not null,
    function_name text not null,
    data text not null,
    gas bigint not null,
    value numeric(78,0) not null default 0 check (value >= 0),
    raw_transaction text not null,
    tx_hash text not null unique,
    status text not null check (status in ('signed', 'broadcast', 'mined', 'reverted', 'dead')),
    job_id text,
    session_id text,
    request_id text,
    block_number bigint,
    block_hash text,
    block_time timestamptz(3),
    log_count integer,
    revert_reason text,
    broadcasts integer not null,
    broadcast_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    unique (chain_id, signer, nonce)
  );
  create index chain_transaction_pending on chain_transaction (chain_id, signer, nonce) where status in ('signed', 'broadcast');
  create index chain_transaction_block on chain_transaction (chain_id, block_number) where status = 'mined';
  create index chain_transaction_session on chain_transaction (session_id);

  create table chain_signature (
    tx_hash text primary key,
    intent_key text collate "C" not null references chain_transaction (intent_key),
    number integer not null check (number >= 0),
    raw_transaction text not null,
    signed_at timestamptz(3) not null,
    raised_raw numeric(78,0) check (raised_raw >= 0),
    raise_limit_raw numeric(78,0),
    check ((raised_raw is null) = (raise_limit_raw is null)),
    unique (intent_key, number)
  );
  create index chain_signature_raised on chain_signature (signed_at) where raised_raw is not null;

  create table chain_nonce (
    chain_id integer not null,
    signer text not null,
    next_nonce integer not null,
    primary key (chain_id, signer)
  );

  create table chain_cursor (
    chain_id integer primary key,
    block_number bigint not null,
    block_hash text not null,
    head_number bigint not null,
    caught_up_at timestamptz(3) not null,
    gap_block bigint,
    missed_events integer not null,
    gap_found_at timestamptz(3)
  );

  create table chain_mark (
    chain_id integer not null references chain_cursor (chain_id),
    block_number bigint not null,
    block_hash text not null,
    primary key (chain_id, block_number)
  );

  create table chain_event (
    chain_id integer not null,
    tx_hash text collate "C" not null,
    log_index integer not null,
    block_number bigint not null,
    block_hash text not null,
    block_time timestamptz(3) not null,
    address text not null,
    contract text not null,
    event text not null,
    args jsonb not null,
    chain_job_id text collate "C",
    moves_process boolean not null,
    seen_at timestamptz(3) not null,
    removed_at timestamptz(3),
    revision integer not null check (revision > 0),
    notified_revision integer not null check (notified_revision between 0 and revision),
    primary key (chain_id, tx_hash, log_index)
  );
  create index chain_event_block on chain_event (chain_id, block_number);
  create index chain_event_job on chain_event (chain_job_id, block_number, log_index) where chain_job_id is not null;
  create index chain_event_submission on chain_event (chain_id, block_time, block_number) where event = 'WorkSubmitted';
  create index chain_event_payment on chain_event (chain_id, block_time desc, tx_hash, log_index) where event = 'SettlementSplit';
  create index chain_event_payment_of_worker on chain_event (chain_id, (args->>'worker'), block_time desc, tx_hash, log_index)
    where event = 'SettlementSplit';
  create index chain_event_owner on chain_event (chain_id, (args->>'owner'), block_number, log_index) where contract = 'pool';
  create index chain_event_borrower on chain_event (chain_id, (args->>'borrower'), block_number, log_index) where contract = 'credit';
  create index chain_event_loan on chain_event (chain_id, (args->>'loanId'), block_number, log_index) where contract = 'credit';
  create index chain_event_request on chain_event (chain_id, (args->>'requestId'), block_number, log_index) where contract = 'xcm';
  create index chain_event_poster on chain_event (chain_id, (args->>'poster')) where contract = 'escrow' and event = 'JobCreated';
  create index chain_event_registry on chain_event (chain_id, block_number, log_index) where contract = 'registry';
  create index chain_event_to_notify on chain_event (chain_id, block_number, log_index) where moves_process and notified_revision < revision;
`

export const down = 'drop table chain_event, chain_mark, chain_cursor, chain_nonce, chain_signature, chain_transaction;'
