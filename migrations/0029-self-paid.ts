/** What the service handed out to workers who pay their own transactions. */
export const up = `
  create table claim_offer (
    job_id text not null references job (id),
    wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
    grant_id text,
    request_id text not null,
    protocol text not null check (protocol in ('http', 'mcp')),
    admission jsonb not null,
    created_at timestamptz(3) not null,
    primary key (job_id, wallet)
  );

  create table submission_offer (
    session_id text not null,
    evidence_hash text not null check (evidence_hash ~ '^0x[0-9a-f]{64}$'),
    work jsonb not null,
    protocol text not null check (protocol in ('http', 'mcp')),
    created_at timestamptz(3) not null,
    primary key (session_id, evidence_hash)
  );
`

export const down = 'drop table submission_offer, claim_offer;'
