import { Migration } from '@mikro-orm/migrations'

/** Signatures of replaced transactions, and since when the newest bytes of a transaction are out. */
export class Replacements extends Migration {
  override up(): void {
    this.addSql(`
      alter table chain_transaction add column broadcast_at timestamptz(3);
      update chain_transaction set broadcast_at = updated_at where status = 'broadcast';

      create table chain_signature (
        tx_hash text primary key,
        intent_key text collate "C" not null references chain_transaction (intent_key),
        number integer not null check (number >= 0),
        raw_transaction text not null,
        signed_at timestamptz(3) not null,
        unique (intent_key, number)
      );
    `)
  }

  override down(): void {
    this.addSql(`
      drop table chain_signature;
      alter table chain_transaction drop column broadcast_at;
    `)
  }
}
