/** Vesting of the deposit pool. */
export const pool = {
  name: '0014-pool',
  up: `
    create table vested_tranche (
      chain_id integer not null,
      tx_hash text collate "C" not null,
      log_index integer not null,
      wallet text not null,
      vested_at timestamptz(3) not null,
      primary key (chain_id, tx_hash, log_index)
    );
  `,
  down: 'drop table vested_tranche;',
}
