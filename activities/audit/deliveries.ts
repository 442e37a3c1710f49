import { sql } from 'kysely'
import type { Check } from './context.ts'

interface Row {
  id: string
  state: string
  status: string
  delivery: string | null
}

/** Compares every tracked delivery with its session and with the state of its pull request. */
export const checkDeliveries: Check = async ({ rows }, add) => {
  const { rows: found } = await sql<Row>`
    select d.session_id as id, d.state, s.status, p.delivery
    from tracked_delivery d join session s using (session_id) left join pull_request p using (session_id)
    where s.status <> 'resolved' or s.payout_tx is null
      or (d.kind = 'pull_request' and p.delivery is distinct from d.state and p.delivery is distinct from 'wrong_repository')
    order by d.session_id`.execute(rows)
  for (const { id, state, status, delivery } of found)
    if (status === 'resolved') add({ subject: id, expected: `a payout, and a pull request that is ${state}`, found: delivery ?? 'none' })
    else add({ subject: id, expected: 'a paid session', found: status })
}
