/** Gas grants of first withdrawals. */
export const up = `
  create table gas_grant (
    wallet text primary key,
    day text not null,
    daily_cap integer not null,
    status text not null check (status in ('sending', 'granted', 'failed')),
    intent_hash text not null,
    amount_raw numeric(78,0) not null,
    liquid_raw numeric(78,0) not null,
    balance_before_raw numeric(78,0) not null,
    balance_after_raw numeric(78,0),
    tx_hash text,
    request_id text not null,
    reserved_at timestamptz(3) not null,
    granted_at timestamptz(3),
    failed_at timestamptz(3),
    check ((status = 'granted') = (granted_at is not null)),
    check ((status = 'failed') = (failed_at is not null)),
    check ((status = 'sending') = (tx_hash is null))
  );
  create index gas_grant_of_day on gas_grant (day);
  create index gas_grant_unpaid on gas_grant (status) where status <> 'granted';
`

export const down = 'drop table gas_grant;'
