import { sql } from 'kysely'
import { type Rows, readRows } from '../database/database.ts'

/** Payments of a day, base units. */
export interface PaymentDay {
  /** `YYYY-MM-DD` in UTC. */
  day: string
  payments: number
  workerRaw: bigint
  protocolFeeRaw: bigint
  gasRetentionRaw: bigint
  slashedRaw: bigint
  wallets: number
}

type FoundDay = { day: string; payments: number; wallets: number } & Record<'worker' | 'fee' | 'retention' | 'slashed', string>

/** Payments by day, newest day first, from day to day. */
export const listPaymentDays = async (rows: Rows, chainId: number, { from, to }: { from: string; to: string }): Promise<PaymentDay[]> => {
  const found = await readRows(
    rows,
    sql<FoundDay>`
      select
        to_char(days.day, 'YYYY-MM-DD') as day, coalesce(sum(payments), 0)::integer as payments, coalesce(sum(worker_raw), 0)::text as worker,
        coalesce(sum(protocol_fee_raw), 0)::text as fee, coalesce(sum(gas_retention_raw), 0)::text as retention,
        coalesce(sum(slashed_raw), 0)::text as slashed, count(*) filter (where payments > 0)::integer as wallets
      from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as days (day)
      left join payment_day paid on paid.chain_id = ${chainId} and paid.day = to_char(days.day, 'YYYY-MM-DD')
        and paid.day between ${from} and ${to}
      group by days.day order by days.day desc`,
  )
  return found.map(({ worker, fee, retention, slashed, ...row }) => ({
    ...row,
    workerRaw: BigInt(worker),
    protocolFeeRaw: BigInt(fee),
    gasRetentionRaw: BigInt(retention),
    slashedRaw: BigInt(slashed),
  }))
}

/** Place of a payment in the list; `at` in epoch ms. */
interface PaymentPosition {
  at: number
  txHash: string
  logIndex: number
}

export interface PaymentFilter {
  /** `YYYY-MM-DD` in UTC. */
  day?: string | undefined
  /** Lower case. */
  wallet?: string | undefined
  limit: number
  /** Rows strictly after it, newest first. */
  after: PaymentPosition | null
}

/** One payment; amounts in base units. */
export interface Payment extends PaymentPosition {
  sessionId: string
  jobId: string
  jobTitle: string
  wallet: string
  /** Verdict of the session's dispute; null without one. */
  verdict: string | null
  isTimeout: boolean
  isDisputed: boolean
  rewardRaw: bigint
  workerRaw: bigint
  protocolFeeRaw: bigint
  gasRetentionRaw: bigint
}

type FoundPayment = Omit<Payment, 'rewardRaw' | 'workerRaw' | 'protocolFeeRaw' | 'gasRetentionRaw'> &
  Record<'reward' | 'worker' | 'fee' | 'retention', string>

/** Payments, newest first. */
export const listPayments = async (rows: Rows, chainId: number, { day, wallet, limit, after }: PaymentFilter): Promise<Payment[]> => {
  const conditions = [
    sql`e.chain_id = ${chainId} and e.event = 'SettlementSplit' and e.removed_at is null and exists (
    select from session where session.chain_job_id = e.chain_job_id and session.wallet = e.args ->> 'worker')`,
  ]
  if (wallet !== undefined) conditions.push(sql`e.args ->> 'worker' = ${wallet}`)
  if (day !== undefined)
    conditions.push(
      sql`e.block_time >= ${day}::date::timestamp at time zone 'UTC' and e.block_time < (${day}::date + 1)::timestamp at time zone 'UTC'`,
    )
  if (after !== null) {
    const at = new Date(after.at)
    conditions.push(
      sql`e.block_time <= ${at} and (e.block_time < ${at} or (e.tx_hash, e.log_index) > (${after.txHash}, ${after.logIndex}))`,
    )
  }
  const found = await readRows(
    rows,
    sql<FoundPayment>`
      with paid as materialized (
        select e.* from chain_event e where ${sql.join(conditions, sql` and `)}
        order by e.block_time desc, e.tx_hash, e.log_index limit ${limit}
      )
      select
        session.session_id as "sessionId", session.job_id as "jobId", session.job_snapshot -> 'specDefinition' ->> 'title' as "jobTitle",
        session.wallet, session.dispute_resolution ->> 'verdict' as verdict, session.reward_raw::text as reward,
        (extract(epoch from paid.block_time) * 1000)::float8 as at, paid.tx_hash as "txHash", paid.log_index as "logIndex",
        paid.args ->> 'workerAmount' as worker, paid.args ->> 'protocolFeeAmount' as fee,
        coalesce(beside.retention, 0)::text as retention, coalesce(beside.is_timeout, false) as "isTimeout", coalesce(beside.is_disputed, false) as "isDisputed"
      from paid
      cross join lateral (
        select * from session where session.chain_job_id = paid.chain_job_id and session.wallet = paid.args ->> 'worker'
        order by session.claim_block desc limit 1
      ) session
      cross join lateral (
        select
          sum((args ->> 'retainedRaw')::numeric) filter (where event = 'GasRetentionApplied') as retention,
          bool_or(event = 'AutoResolvedOnTimeout') as is_timeout, bool_or(event = 'DisputeResolved') as is_disputed
        from chain_event where chain_id = ${chainId} and tx_hash = paid.tx_hash and chain_job_id = paid.chain_job_id and removed_at is null
      ) beside
      order by paid.block_time desc, paid.tx_hash, paid.log_index`,
  )
  return found.map(({ reward, worker, fee, retention, ...row }) => ({
    ...row,
    rewardRaw: BigInt(reward),
    workerRaw: BigInt(worker),
    protocolFeeRaw: BigInt(fee),
    gasRetentionRaw: BigInt(retention),
  }))
}
