import { Migration } from '@mikro-orm/migrations'

/** The end of a review is an instant of the record: a changed setting moves no deadline that somebody was told. */
export class ReviewEnds extends Migration {
  override up(): void {
    this.addSql('alter table session add column review_ends_at timestamptz(3);')
  }

  override down(): void {
    this.addSql('alter table session drop column review_ends_at;')
  }
}
