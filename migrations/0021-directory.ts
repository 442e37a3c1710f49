/**
 * Consents to the directory, and what a wallet did, one row each. Triggers keep the row equal to the sessions and the ledger of scores, so no
 * writer can forget it. A rejection counts from the end of its dispute window.
 */
export const up = `
  create table agent_consent (
    wallet text primary key check (wallet = lower(wallet)),
    public_profile boolean not null,
    current_activity boolean not null,
    policy_version integer not null,
    updated_at timestamptz(3) not null,
    constraint activity_needs_profile check (public_profile or not current_activity)
  );
  create index agent_consent_public on agent_consent (wallet) where public_profile;

  create table agent_consent_event (
    seq bigserial primary key,
    wallet text not null references agent_consent (wallet),
    was_public_profile boolean not null,
    was_current_activity boolean not null,
    public_profile boolean not null,
    current_activity boolean not null,
    policy_version integer not null,
    jti text,
    at timestamptz(3) not null
  );
  create index agent_consent_event_of_wallet on agent_consent_event (wallet, seq);

  create table agent_statistics (
    wallet text primary key,
    sessions integer not null default 0,
    approved integer not null default 0,
    rejected integer not null default 0,
    expired integer not null default 0,
    finished integer not null default 0,
    skill integer not null default 0,
    reliability integer not null default 0,
    economic numeric(78,0) not null default 0,
    score numeric(78,0) not null generated always as (skill + reliability + economic) stored,
    first_active_at timestamptz(3),
    last_active_at timestamptz(3)
  );
  create index agent_statistics_by_score on agent_statistics (score desc, wallet);

  create function count_session(s session, sign integer) returns void language sql as $$
    insert into agent_statistics as known (wallet, sessions, approved, rejected, expired, finished, first_active_at, last_active_at)
    values (
      s.wallet, sign,
      sign * (s.status = 'resolved')::integer,
      sign * (s.rejection_finalized_at is not null)::integer,
      sign * (s.status = 'expired')::integer,
      sign * (s.status in ('resolved', 'closed', 'expired', 'timed_out') or s.rejection_finalized_at is not null)::integer,
      s.claimed_at, greatest(s.claimed_at, s.submitted_at)
    )
    on conflict (wallet) do update set
      sessions = known.sessions + excluded.sessions, approved = known.approved + excluded.approved,
      rejected = known.rejected + excluded.rejected, expired = known.expired + excluded.expired, finished = known.finished + excluded.finished,
      first_active_at = least(known.first_active_at, excluded.first_active_at),
      last_active_at = greatest(known.last_active_at, excluded.last_active_at)
  $$;
  create function count_score(e reputation_event, sign integer) returns void language sql as $$
    insert into agent_statistics as known (wallet, skill, reliability, economic)
    values (e.wallet, sign * e.applied_skill, sign * e.applied_reliability, sign * e.applied_economic)
    on conflict (wallet) do update set
      skill = known.skill + excluded.skill, reliability = known.reliability + excluded.reliability,
      economic = known.economic + excluded.economic
  $$;

  create function count_session_change() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then perform count_session(old, -1); end if;
    if tg_op <> 'DELETE' then perform count_session(new, 1); end if;
    return null;
  end $$;
  create function count_score_change() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then perform count_score(old, -1); end if;
    if tg_op <> 'DELETE' then perform count_score(new, 1); end if;
    return null;
  end $$;
  create trigger session_counts after insert or delete or update of wallet, status, rejection_finalized_at, claimed_at, submitted_at
    on session for each row execute function count_session_change();
  create trigger score_counts after insert or delete or update
    on reputation_event for each row execute function count_score_change();
`

export const down = `
  drop trigger session_counts on session;
  drop trigger score_counts on reputation_event;
  drop function count_session_change, count_score_change, count_session, count_score;
  drop table agent_statistics, agent_consent_event, agent_consent;
`
