/** Blobs by their hash. */
export const up = `
  create table content (
    hash text not null,
    owner text not null,
    content_type text not null,
    payload jsonb not null,
    verdict text check (verdict in ('pass', 'fail')),
    created_at timestamptz(3) not null,
    published_at timestamptz(3),
    published_by text,
    disclosure text check (disclosure in ('pending', 'emitted', 'blockchain_disabled')),
    disclosure_tx_hash text,
    primary key (hash, owner),
    check (disclosure is null or published_at is not null),
    check ((disclosure is not distinct from 'emitted') = (disclosure_tx_hash is not null))
  );
`

export const down = 'drop table content;'
