import { Migration } from '@mikro-orm/migrations'

const WORDS = "'open', 'merged', 'closed_unmerged', 'open_stale', 'reverted'"

/** A pull request in another repository than its job's is kept, and takes no place there. */
export class Elsewhere extends Migration {
  override up(): void {
    this.addSql(`
      alter table pull_request drop constraint pull_request_delivery_check;
      alter table pull_request add constraint pull_request_delivery_check check (delivery in (${WORDS}, 'wrong_repository'));
    `)
  }

  override down(): void {
    this.addSql(`
      update pull_request set delivery = 'closed_unmerged' where delivery = 'wrong_repository';
      alter table pull_request drop constraint pull_request_delivery_check;
      alter table pull_request add constraint pull_request_delivery_check check (delivery in (${WORDS}));
    `)
  }
}
