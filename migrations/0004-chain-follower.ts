import { Migration } from '@mikro-orm/migrations'

/** What the chain follower keeps: where it is, the events it read, the blocks by which it notices a fork; and how an operator closed a session. */
export class ChainFollower extends Migration {
  override up(): void {
    this.addSql(`
      create table chain_cursor (
        chain_id integer primary key,
        block_number bigint not null,
        block_hash text not null,
        head_number bigint not null,
        looked_at timestamptz(3) not null,
        caught_up_at timestamptz(3) not null
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
        moves_job boolean not null,
        seen_at timestamptz(3) not null,
        removed_at timestamptz(3),
        revision integer not null check (revision > 0),
        told_revision integer not null check (told_revision between 0 and revision),
        primary key (chain_id, tx_hash, log_index)
      );
      create index chain_event_block on chain_event (chain_id, block_number);
      create index chain_event_job on chain_event (chain_job_id, block_number, log_index) where chain_job_id is not null;
      create index chain_event_untold on chain_event (chain_id, block_number, log_index) where moves_job and told_revision < revision;

      create index session_chain_job on session (chain_job_id, claim_block desc);
      create index chain_transaction_hash on chain_transaction (tx_hash);
      alter table session add column operator_close jsonb;
    `)
  }

  override down(): void {
    this.addSql(`
      alter table session drop column operator_close;
      drop index chain_transaction_hash, session_chain_job;
      drop table chain_event;
      drop table chain_mark;
      drop table chain_cursor;
    `)
  }
}
