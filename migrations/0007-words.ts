import { Migration } from '@mikro-orm/migrations'

/** Id of the request whose decision closed a round. */
export class Words extends Migration {
  override up(): void {
    this.addSql('alter table dispute_verdict add column decision_request_id text;')
  }

  override down(): void {
    this.addSql('alter table dispute_verdict drop column decision_request_id;')
  }
}
