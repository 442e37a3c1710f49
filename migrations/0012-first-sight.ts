import { Migration } from '@mikro-orm/migrations'

/** A pull request is paid by itself only once something changed since it was first seen; why it waits is told to operators. */
export class FirstSight extends Migration {
  override up(): void {
    this.addSql(`
      alter table pull_request
        add column changed_at timestamptz(3),
        add column held_because text;
    `)
  }

  override down(): void {
    this.addSql(`
      alter table pull_request
        drop column changed_at,
        drop column held_because;
    `)
  }
}
