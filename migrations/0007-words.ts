import { Migration } from '@mikro-orm/migrations'

/** Which request gave the word that decided a round. */
export class Words extends Migration {
  override up(): void {
    this.addSql('alter table dispute_verdict add column word_id text;')
  }

  override down(): void {
    this.addSql('alter table dispute_verdict drop column word_id;')
  }
}
