/** Payments of each wallet by day. Triggers keep the rows equal to the recorded events of the escrow. */
export const up = `
  create table payment_day (
    chain_id integer not null,
    day text not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    wallet text not null,
    payments integer not null,
    worker_raw numeric(78,0) not null,
    protocol_fee_raw numeric(78,0) not null,
    gas_retention_raw numeric(78,0) not null,
    slashed_raw numeric(78,0) not null,
    primary key (chain_id, day, wallet)
  );
  create index payment_day_of_wallet on payment_day (chain_id, wallet) include (payments, worker_raw);

  create function count_payment(e chain_event, sign integer) returns void language sql as $$
    insert into payment_day as known (chain_id, day, wallet, payments, worker_raw, protocol_fee_raw, gas_retention_raw, slashed_raw)
    select
      e.chain_id, to_char(e.block_time at time zone 'UTC', 'YYYY-MM-DD'), coalesce(e.args ->> 'worker', e.args ->> 'account'),
      sign * (e.event = 'SettlementSplit')::integer,
      sign * case when e.event = 'SettlementSplit' then coalesce((e.args ->> 'workerAmount')::numeric, 0) else 0 end,
      sign * case when e.event = 'SettlementSplit' then coalesce((e.args ->> 'protocolFeeAmount')::numeric, 0) else 0 end,
      sign * case when e.event = 'GasRetentionApplied' then coalesce((e.args ->> 'retainedRaw')::numeric, 0) else 0 end,
      sign * case when e.event in ('JobStakeSlashed', 'ClaimFeeSlashed') then coalesce((e.args ->> 'amount')::numeric, 0) else 0 end
    where e.removed_at is null and coalesce(e.args ->> 'worker', e.args ->> 'account') is not null
    on conflict (chain_id, day, wallet) do update set
      payments = known.payments + excluded.payments, worker_raw = known.worker_raw + excluded.worker_raw,
      protocol_fee_raw = known.protocol_fee_raw + excluded.protocol_fee_raw,
      gas_retention_raw = known.gas_retention_raw + excluded.gas_retention_raw, slashed_raw = known.slashed_raw + excluded.slashed_raw
  $$;
  create function count_payment_change() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then perform count_payment(old, -1); end if;
    if tg_op <> 'DELETE' then perform count_payment(new, 1); end if;
    return null;
  end $$;
  create trigger payment_counts_new after insert on chain_event for each row
    when (new.event in ('SettlementSplit', 'GasRetentionApplied', 'JobStakeSlashed', 'ClaimFeeSlashed')) execute function count_payment_change();
  create trigger payment_counts_changed after update of removed_at, block_time, event, args on chain_event for each row
    when (new.event in ('SettlementSplit', 'GasRetentionApplied', 'JobStakeSlashed', 'ClaimFeeSlashed')) execute function count_payment_change();
  create trigger payment_counts_gone after delete on chain_event for each row
    when (old.event in ('SettlementSplit', 'GasRetentionApplied', 'JobStakeSlashed', 'ClaimFeeSlashed')) execute function count_payment_change();
`

export const down = `
  drop trigger payment_counts_new on chain_event;
  drop trigger payment_counts_changed on chain_event;
  drop trigger payment_counts_gone on chain_event;
  drop function count_payment_change, count_payment;
  drop table payment_day;
`
