import { sql } from 'kysely'
import { readRows } from '../../database/database.ts'
import type { Check } from '../context.ts'

interface Unmatched {
  subject: string
  expected: string
  found: string
}

/** Compares the jobs that know their source with the candidates that were listed: each candidate names the last of its jobs, and counts them. */
export const checkIngestedJobs: Check = async ({ rows }, add) => {
  const found = sql<Unmatched>`
    select 'job ' || j.id as subject, 'a listed candidate of ' || j.ingested_from as expected, 'none' as found
    from job j where j.ingested_from is not null and not exists
      (select 1 from ingest_item i where i.provider = j.ingested_from and i.item_key = j.ingested_key and i.outcome = 'created')
    union all select 'candidate ' || i.item_key || ' of ' || i.provider, 'job ' || i.job_id || ' as the last of ' || 1 + i.reissues,
      case when of_item.listings = 0 then 'none' else 'job ' || of_item.newest || ' as the last of ' || of_item.listings end
    from ingest_item i cross join lateral (
      select count(*) as listings, (array_agg(j.id order by j.created_at desc, j.id desc))[1] as newest
      from job j where j.ingested_from = i.provider and j.ingested_key = i.item_key) of_item
    where i.outcome = 'created' and (of_item.listings <> 1 + i.reissues or of_item.newest is distinct from i.job_id)
    order by 1`
  for (const finding of await readRows(rows, found)) add(finding)
}
