import { sql } from 'kysely'
import { readRows } from '../../database/database.ts'
import type { Check } from '../context.ts'

interface Unmatched {
  subject: string
  expected: string
  found: string
}

/** Compares the jobs that know their source with the candidates that were listed. */
export const checkIngestedJobs: Check = async ({ rows }, add) => {
  const found = sql<Unmatched>`
    select coalesce('job ' || j.id, 'candidate ' || i.item_key || ' of ' || i.provider) as subject,
      case when j.id is null then 'job ' || i.job_id else 'a listed candidate of ' || coalesce(j.ingested_from, 'no source') end as expected,
      case when j.id is null then 'none' when i.provider is null then 'none' else 'one of ' || i.provider end as found
    from (select * from ingest_item where outcome = 'created') i
      full join (select id, ingested_from from job where ingested_from is not null or exists
        (select 1 from ingest_item listed where listed.job_id = job.id and listed.outcome = 'created')) j on j.id = i.job_id
    where j.id is null or i.provider is null or j.ingested_from is distinct from i.provider
    order by 1`
  for (const finding of await readRows(rows, found)) add(finding)
}
