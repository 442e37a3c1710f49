import { sql } from 'kysely'
import { type Rows, readRows } from '../database/database.ts'

/** Place of a wallet in the list; `lastSeenAt` in epoch ms. */
interface WalletPosition {
  lastSeenAt: number
  wallet: string
}

export interface WalletFilter {
  /** Lower case. */
  wallet?: string | undefined
  /** Has claimed, has funded a job, or is one of a list. */
  who?: 'worker' | 'poster' | readonly string[] | undefined
  limit: number
  /** Rows strictly after it, last seen first. */
  after: WalletPosition | null
}

/** A wallet with what the records say of it; instants in epoch ms, amounts in base units. */
export interface WalletRow extends WalletPosition {
  firstSeenAt: number
  open: number
  paid: number
  rejected: number
  total: number
  skill: number
  posts: number
  paidRaw: bigint
  lockedRaw: bigint
}

type Found = Omit<WalletRow, 'paidRaw' | 'lockedRaw'> & Record<'paidSum' | 'lockedSum', string>

/** Wallets that have signed in, claimed or drafted a job, last seen first, at `now` (epoch ms). */
export const listWallets = async (rows: Rows, chainId: number, filter: WalletFilter, now: number): Promise<WalletRow[]> => {
  const { wallet, who, limit, after } = filter
  const second = new Date(Math.floor(now / 1000) * 1000)
  const conditions = [sql`true`]
  if (wallet !== undefined) conditions.push(sql`seen.wallet = ${wallet}`)
  if (who === 'worker') conditions.push(sql`exists (select from agent_statistics s where s.wallet = seen.wallet and s.sessions > 0)`)
  else if (who === 'poster')
    conditions.push(sql`exists (select from posting where posting.poster = seen.wallet and posting.funding is not null)`)
  else if (who !== undefined) conditions.push(sql`seen.wallet = any(${[...who]}::text[])`)
  if (after !== null) {
    const at = new Date(after.lastSeenAt)
    conditions.push(sql`seen.last_at <= ${at} and (seen.last_at < ${at} or seen.wallet > ${after.wallet})`)
  }
  const found = await readRows(
    rows,
    sql<Found>`
      with signs as (
        select wallet, min(first_at) as first_at, max(last_at) as last_at from (
          select wallet, first_active_at as first_at, last_active_at as last_at from agent_statistics where sessions > 0
          union all
          select coalesce(native_account.wallet, auth_session.subject), signed_in_at, greatest(signed_in_at, issued_at, last_used_at)
          from auth_session left join native_account on native_account.ss58 = auth_session.subject
          union all select poster, created_at, quoted_at from posting
        ) sign group by wallet
      ), page as (
        select * from signs seen where ${sql.join(conditions, sql` and `)} order by last_at desc, wallet limit ${limit}
      )
      select
        page.wallet,
        (extract(epoch from page.first_at) * 1000)::float8 as "firstSeenAt", (extract(epoch from page.last_at) * 1000)::float8 as "lastSeenAt",
        coalesce(live.open, 0) as open, payments.paid, coalesce(statistics.rejected, 0) as rejected, coalesce(statistics.sessions, 0) as total,
        coalesce(statistics.skill, 0) as skill, posted.posts,
        coalesce(payments.paid_sum, 0)::text as "paidSum", coalesce(live.locked_sum, 0)::text as "lockedSum"
      from page
      left join agent_statistics statistics on statistics.wallet = page.wallet
      cross join lateral (
        select
          count(*) filter (where not (status = 'claimed' and submission is null and claim_expires_at < ${second}))::integer as open,
          sum(claim_stake_raw + claim_fee_raw) as locked_sum
        from session
        where session.wallet = page.wallet
          and (status in ('claimed', 'submitted', 'disputed') or (status = 'rejected' and rejection_finalized_at is null))
      ) live
      cross join lateral (
        select coalesce(sum(payments), 0)::integer as paid, sum(worker_raw) as paid_sum
        from payment_day where payment_day.chain_id = ${chainId} and payment_day.wallet = page.wallet
      ) payments
      cross join lateral (
        select count(*)::integer as posts from posting where posting.poster = page.wallet and posting.funding is not null
      ) posted
      order by page.last_at desc, page.wallet`,
  )
  return found.map(({ paidSum, lockedSum, ...row }) => ({ ...row, paidRaw: BigInt(paidSum), lockedRaw: BigInt(lockedSum) }))
}
