import { sql } from 'kysely'
import type { Check } from './context.ts'

interface Row {
  id: string
  position: string
  newest: string
  delivered: string | null
}

/** Compares the position of every webhook endpoint with the events and with its deliveries. */
export const checkWebhooks: Check = async ({ rows }, add) => {
  const { rows: found } = await sql<Row>`
    select * from (
      select w.id, w.position, (select coalesce(max(seq), 0) from event) as newest, (
        select max(d.event_id::bigint) from webhook_delivery d
        where d.endpoint_id = w.id and d.outcome = 'delivered' and d.topic <> 'webhook.test'
      ) as delivered
      from webhook_endpoint w
    ) endpoint where position > newest or delivered > position order by id`.execute(rows)
  for (const { id, position, newest, delivered } of found)
    add({ subject: id, expected: `a position from ${delivered ?? 0} to ${newest}`, found: position })
}
