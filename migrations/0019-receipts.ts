/** Work receipts of sessions and of paid runs, and dispute files. A session that was paid, finally rejected or ended by its dispute has a receipt, and no other session. */
export const up = `
  create table work_receipt (
    receipt_id text primary key check (receipt_id ~ '^0x[0-9a-f]{64}$'),
    session_id text not null unique references session (session_id),
    job_id text not null,
    worker text not null,
    outcome text not null check (outcome in ('approved', 'rejected', 'inconclusive', 'platform_fault')),
    kid text not null references signing_key (kid),
    verified_at timestamptz(3) not null,
    document text not null,
    unique (session_id, receipt_id)
  );
  create index work_receipt_of_worker on work_receipt (worker, verified_at desc, receipt_id);

  create table run_receipt (
    receipt_id text primary key check (receipt_id ~ '^0x[0-9a-f]{64}$'),
    kid text not null references signing_key (kid),
    document text not null
  );

  create table dispute_file (
    dispute_id text primary key references dispute (dispute_id),
    session_id text not null unique references work_receipt (session_id),
    kid text not null references signing_key (kid),
    document text not null
  );

  alter table session add column work_receipt_id text;
  alter table session add constraint session_receipt foreign key (session_id, work_receipt_id)
    references work_receipt (session_id, receipt_id) deferrable initially deferred;
  alter table session add constraint settled_has_receipt check (
    (work_receipt_id is not null) = (status = 'resolved' or rejection_finalized_at is not null or dispute_resolution is not null)
  );
`

export const down = `
  alter table session drop constraint session_receipt, drop column work_receipt_id;
  drop table dispute_file;
  drop table run_receipt;
  drop table work_receipt;
`
