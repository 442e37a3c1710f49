/** Blobs by their hash. */
export const content = {
  name: '0012-content',
  up: `
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
  `,
  down: 'drop table content;',
}
