/** Native accounts that have signed in, by the address that they are paid at. */
export const up = `
  create table native_account (
    wallet text primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
    account_id text not null unique check (account_id ~ '^0x[0-9a-f]{64}$'),
    ss58 text not null unique,
    first_signed_in_at timestamptz(3) not null
  );
`

export const down = 'drop table native_account;'
