import { sql } from 'kysely'
import type { TRANSACTION_STATES } from '../../schemas/settlement/record.ts'
import { type Rows, readRow } from '../database/database.ts'

/** A transaction of a session; `at` in epoch ms. */
interface MoneyTransaction {
  txHash: string
  /** Digits; null while it is not mined. */
  blockNumber: string | null
  at: number
  status: (typeof TRANSACTION_STATES)[number]
  /** Names of its recorded events. */
  events: string[]
  /** Call of the journal; null for a transaction of another sender. */
  functionName: string | null
}

/** Sums in base units, as digits. */
const SUMS = [
  'bondIn',
  'fundingIn',
  'worker',
  'protocolFee',
  'gasRetention',
  'returned',
  'slashPoster',
  'slashTreasury',
  'slashVerifier',
  'refunded',
] as const
type Sums = Record<(typeof SUMS)[number], bigint>

/** Money of a session by the recorded events. `asOf` in epoch ms; null before the first reading of the chain. */
export interface SessionMoney extends Sums {
  asOf: number | null
  transactions: MoneyTransaction[]
}

type Found = Record<(typeof SUMS)[number], string> & Omit<SessionMoney, keyof Sums>

/** An amount among the arguments of one event, summed over the events of a relation. */
const sumOf = (relation: string, event: string, ...names: string[]) => sql`coalesce((
  select sum(${sql.join(
    names.map((name) => sql`(args ->> ${sql.lit(name)})::numeric`),
    sql` + `,
  )}) from ${sql.raw(relation)} where event = ${sql.lit(event)}), 0)`

const outflowOf = (relation: string) => sql`(${sumOf(relation, 'SettlementSplit', 'workerAmount', 'protocolFeeAmount')}
  + ${sumOf(relation, 'GasRetentionApplied', 'retainedRaw')} + ${sumOf(relation, 'ReservationReleased', 'amount')})`

/**
 * Reads the money of a session in one statement. Its events are those of the escrow job from its claim to the next claim. The funding is
 * money of the session unless the job was reopened and not ended after that.
 */
export const readSessionMoney = async (rows: Rows, chainId: number, sessionId: string): Promise<SessionMoney> => {
  const { asOf, transactions, ...sums } = await readRow(
    rows,
    sql<Found>`
      with claim as (
        select claimed.chain_job_id, claimed.tx_hash, claimed.block_number, claimed.log_index
        from session join chain_event claimed on claimed.chain_job_id = session.chain_job_id
        where session.session_id = ${sessionId} and claimed.chain_id = ${chainId} and claimed.event = 'JobClaimed' and claimed.removed_at is null
          and claimed.args ->> 'worker' = session.wallet
          and (claimed.tx_hash = session.claim_tx_hash or (session.claim_tx_hash is null and claimed.block_number = session.claim_block))
        order by claimed.block_number desc, claimed.log_index desc limit 1
      ), events as (
        select e.tx_hash, e.block_number, e.log_index, e.block_time, e.event, e.args,
          e.tx_hash = claim.tx_hash or (e.block_number, e.log_index) > (claim.block_number, claim.log_index) as is_later
        from claim join chain_event e on e.chain_job_id = claim.chain_job_id
        where e.chain_id = ${chainId} and e.removed_at is null
      ), next as (
        select e.tx_hash, e.block_number, e.log_index from events e, claim
        where e.event = 'JobClaimed' and (e.block_number, e.log_index) > (claim.block_number, claim.log_index)
        order by e.block_number, e.log_index limit 1
      ), own as (
        select e.* from events e left join next on true
        where e.is_later and (next.tx_hash is null
          or (e.tx_hash <> next.tx_hash and (e.block_number, e.log_index) < (next.block_number, next.log_index)))
      ), earlier as (select * from events where not is_later), sums as (
        select
          ${sumOf('own', 'ClaimEconomicsLocked', 'claimStake', 'claimFee')} as bond,
          ${sumOf('earlier', 'JobFunded', 'totalReserved')} - ${outflowOf('earlier')} as funding,
          ${outflowOf('own')} as spent,
          exists (select from own where event = 'JobReopened') and not exists (select from own where event in ('JobClosed', 'JobCancelled')) as is_given_back
      ), journal as (
        select tx_hash, block_number, block_time, status, function_name, created_at from chain_transaction
        where session_id = ${sessionId} and chain_id = ${chainId}
      ), executed as (
        select tx_hash, min(block_number) as block_number, min(block_time) as block_time, array_agg(event order by log_index) as events
        from events where event = 'JobFunded' or (tx_hash, log_index) in (select tx_hash, log_index from own) group by tx_hash
      ), transactions as (
        select
          tx_hash as "txHash", coalesce(executed.block_number, journal.block_number)::text as "blockNumber",
          (extract(epoch from coalesce(executed.block_time, journal.block_time, journal.created_at)) * 1000)::float8 as at,
          case when executed.tx_hash is null then journal.status else 'mined' end as status,
          coalesce(executed.events, '{}') as events, journal.function_name as "functionName"
        from executed full join journal using (tx_hash)
      )
      select
        (select (extract(epoch from caught_up_at) * 1000)::float8 from chain_cursor where chain_id = ${chainId}) as "asOf",
        bond::text as "bondIn", (case when is_given_back then spent else funding end)::text as "fundingIn",
        ${sumOf('own', 'SettlementSplit', 'workerAmount')}::text as worker,
        ${sumOf('own', 'SettlementSplit', 'protocolFeeAmount')}::text as "protocolFee",
        ${sumOf('own', 'GasRetentionApplied', 'retainedRaw')}::text as "gasRetention",
        ${sumOf('own', 'JobStakeReleased', 'amount')}::text as returned,
        ${sumOf('own', 'JobStakeSlashed', 'posterAmount')}::text as "slashPoster",
        (${sumOf('own', 'JobStakeSlashed', 'treasuryAmount')} + ${sumOf('own', 'ClaimFeeSlashed', 'treasuryAmount')})::text as "slashTreasury",
        ${sumOf('own', 'ClaimFeeSlashed', 'verifierAmount')}::text as "slashVerifier",
        ${sumOf('own', 'ReservationReleased', 'amount')}::text as refunded,
        coalesce((select json_agg(transactions order by at, ("blockNumber")::numeric, "txHash") from transactions), '[]') as transactions
      from sums`,
  )
  const amounts = Object.fromEntries(SUMS.map((name) => [name, BigInt(sums[name])])) as Sums
  return { asOf, transactions, ...amounts }
}
