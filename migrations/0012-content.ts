import { Migration } from '@mikro-orm/migrations'

/** Blobs by their hash. */
export class Content extends Migration {
  override up(): void {
    this.addSql(`
      create table content (
        hash text not null,
        owner text not null,
        content_type text not null,
        payload jsonb not null,
        verdict text check (verdict in ('pass', 'fail')),
        created_at timestamptz(3) not null,
        published_at timestamptz(3),
        primary key (hash, owner)
      );
    `)
  }

  override down(): void {
    this.addSql('drop table content;')
  }
}
