import { Migration } from '@mikro-orm/migrations'

/** Disputes with their evidence, the one word that decides each round, what happened, and the blobs of the rationales. */
export class Disputes extends Migration {
  override up(): void {
    this.addSql(`
      create table dispute (
        dispute_id text primary key,
        session_id text not null unique references session (session_id),
        job_id text not null,
        chain_job_id text not null,
        claimant text not null,
        respondent text,
        stage text not null check (stage in ('review', 'arbitration')),
        origin text not null check (origin in ('review', 'participant', 'operator', 'platform')),
        round integer not null check (round >= 1),
        status text not null check (status in ('open', 'resolved')),
        reason_code text not null,
        opened_at timestamptz(3) not null,
        deadline_at timestamptz(3) not null,
        remaining_raw numeric(78,0) not null,
        arbitrator text,
        evidence jsonb not null,
        evidence_hash text not null,
        last_alarm_at timestamptz(3),
        updated_at timestamptz(3) not null
      );
      create index dispute_newest on dispute (opened_at desc, dispute_id);
      create index dispute_of_claimant on dispute (claimant, opened_at desc, dispute_id);
      create index dispute_of_respondent on dispute (respondent, opened_at desc, dispute_id);
      create index dispute_open on dispute (stage, opened_at) where status = 'open';

      create table dispute_verdict (
        dispute_id text not null references dispute (dispute_id),
        round integer not null,
        source text not null check (source in ('arbitrator', 'reviewer', 'verifier', 'silence', 'chain')),
        verdict text not null check (verdict in ('upheld', 'dismissed', 'split', 'timeout', 'approved', 'rejected')),
        reason_code text not null,
        worker_payout_raw numeric(78,0),
        payout_source text,
        reasoning_hash text,
        verification_id text references verification (id),
        decided_by text not null,
        decided_at timestamptz(3) not null,
        preparation jsonb,
        observed jsonb,
        primary key (dispute_id, round)
      );

      create table dispute_event (
        dispute_id text not null references dispute (dispute_id),
        seq integer not null,
        at timestamptz(3) not null,
        actor text not null,
        action text not null,
        data jsonb not null,
        primary key (dispute_id, seq)
      );

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

      alter table session add column dispute_resolution jsonb;
      alter table session add column human_review jsonb;
      alter table session add column operator_overturn jsonb;
    `)
  }

  override down(): void {
    this.addSql(`
      alter table session drop column operator_overturn;
      alter table session drop column human_review;
      alter table session drop column dispute_resolution;
      drop table content, dispute_event, dispute_verdict, dispute;
    `)
  }
}
