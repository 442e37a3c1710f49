/** Vesting of the deposit pool. */
export const up = `
  create table vested_tranche (
    chain_id integer not null,
    tx_hash text collate "C" not null,
    log_index integer not null,
    wallet text not null,
    vested_at timestamptz(3) not null,
    primary key (chain_id, tx_hash, log_index)
  );

  create table vesting_checkpoint (
    chain_id integer not null,
    pool text not null,
    wallet text not null,
    up_to_block bigint not null,
    up_to_log integer not null,
    state jsonb not null,
    primary key (chain_id, pool, wallet)
  );
  create index vesting_checkpoint_block on vesting_checkpoint (chain_id, up_to_block);
`

export const down = 'drop table vesting_checkpoint, vested_tranche;'
