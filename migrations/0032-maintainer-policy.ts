/** What maintainers say of contributions by agents, issues that jobs came from, and when a delivery ended. */
export const up = `
  create table repository_policy (
    repo text primary key check (repo = lower(repo)),
    repo_id bigint not null,
    full_name text not null,
    verdict text not null check (verdict in ('denies', 'human_required', 'disclose', 'allows')),
    reason text,
    path text,
    quote text,
    forbids_trailers boolean not null,
    is_closed boolean not null,
    scanned_paths text[] not null,
    read_at timestamptz(3) not null,
    check ((reason is not null) = (verdict = 'denies'))
  );
  create index repository_policy_by_id on repository_policy (repo_id);

  create table source_issue (
    repo text not null check (repo = lower(repo)),
    number integer not null check (number > 0),
    state text not null check (state in ('open', 'closed', 'missing')),
    verdict text not null check (verdict in ('denies', 'human_required', 'disclose', 'allows')),
    reason text,
    quote text,
    read_at timestamptz(3) not null,
    primary key (repo, number)
  );

  create index job_by_repository on job (lower(coalesce(definition #>> '{source,repo}', definition #>> '{source,declared,repo}')))
    where verifier_mode = 'codehost_pr';
  alter table pull_request add column ended_at timestamptz(3);
`

export const down = `
  alter table pull_request drop column ended_at;
  drop index job_by_repository;
  drop table source_issue, repository_policy;
`
