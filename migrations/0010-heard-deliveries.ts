import { Migration } from '@mikro-orm/migrations'

/** A hook delivery is heard once it woke whom it is for: a process may be killed between taking it and that. */
export class HeardDeliveries extends Migration {
  override up(): void {
    this.addSql('alter table hook_delivery add column heard boolean not null default true;')
  }

  override down(): void {
    this.addSql('alter table hook_delivery drop column heard;')
  }
}
