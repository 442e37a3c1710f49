/** What the authorisation server of OAuth keeps: clients that registered, requests, codes, refresh tokens and grants. */
export const up = `
  create table oauth_record (
    model text not null,
    id text not null,
    payload jsonb not null,
    grant_id text,
    created_at timestamptz(3) not null,
    consumed_at timestamptz(3),
    expires_at timestamptz(3),
    primary key (model, id)
  );
  create index oauth_record_of_grant on oauth_record (grant_id) where grant_id is not null;
  create index oauth_record_age on oauth_record (expires_at);
  create index oauth_grant_of_client on oauth_record ((payload ->> 'clientId')) where model = 'Grant';
`

export const down = 'drop table oauth_record;'
