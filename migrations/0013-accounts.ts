/** Gas grants of first withdrawals. */
export const accounts = {
  name: '0013-accounts',
  up: `
    create table gas_grant (
      wallet text primary key,
      day text not null,
      status text not null check (status in ('sending', 'granted')),
      intent_hash text not null,
      amount_raw numeric(78,0) not null,
      liquid_raw numeric(78,0) not null,
      balance_before_raw numeric(78,0) not null,
      balance_after_raw numeric(78,0),
      tx_hash text,
      request_id text not null,
      reserved_at timestamptz(3) not null,
      granted_at timestamptz(3),
      check ((status = 'granted') = (tx_hash is not null and granted_at is not null))
    );
    create index gas_grant_of_day on gas_grant (day);
    create index gas_grant_unfinished on gas_grant (reserved_at) where status = 'sending';
  `,
  down: 'drop table gas_grant;',
}
