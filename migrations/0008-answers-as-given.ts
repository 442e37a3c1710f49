import { Migration } from '@mikro-orm/migrations'

/** A stored answer keeps the order of its members, so that a replay is the first answer byte for byte. */
export class AnswersAsGiven extends Migration {
  override up(): void {
    this.addSql('alter table idempotency_key alter column response_body type json using response_body::json;')
  }

  override down(): void {
    this.addSql('alter table idempotency_key alter column response_body type jsonb using response_body::jsonb;')
  }
}
