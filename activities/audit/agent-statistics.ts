import { sql } from 'kysely'
import type { Check } from './context.ts'

/** Compares the statistics of every wallet with the sums that they stand for. */
export const checkAgentStatistics: Check = async ({ rows }, add) => {
  const found = await sql<{ wallet: string; expected: string; found: string | null }>`
    with sessions as (
      select wallet, count(*) as sessions, count(*) filter (where status = 'resolved') as approved,
        count(rejection_finalized_at) as rejected, count(*) filter (where status = 'expired') as expired,
        count(*) filter (where status in ('resolved', 'closed', 'expired', 'timed_out') or rejection_finalized_at is not null) as finished
      from session group by wallet
    ), scores as (
      select wallet, sum(applied_skill) as skill, sum(applied_reliability) as reliability, sum(applied_economic) as economic
      from reputation_event group by wallet
    ), compared as (
      select coalesce(s.wallet, e.wallet, k.wallet) as wallet,
        concat_ws('/', coalesce(s.sessions, 0), coalesce(s.approved, 0), coalesce(s.rejected, 0), coalesce(s.expired, 0), coalesce(s.finished, 0),
          coalesce(e.skill, 0), coalesce(e.reliability, 0), coalesce(e.economic, 0)) as expected,
        concat_ws('/', coalesce(k.sessions, 0), coalesce(k.approved, 0), coalesce(k.rejected, 0), coalesce(k.expired, 0), coalesce(k.finished, 0),
          coalesce(k.skill, 0), coalesce(k.reliability, 0), coalesce(k.economic, 0)) as found
      from sessions s full join scores e using (wallet) full join agent_statistics k using (wallet)
    )
    select * from compared where expected <> found order by wallet`.execute(rows)
  for (const { wallet, expected, found: shown } of found.rows)
    add({ subject: `statistics of wallet ${wallet}`, expected, found: shown ?? 'none' })
}
