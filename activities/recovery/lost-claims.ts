import { sql } from 'kysely'
import { claimOnChain, type EscrowEvent } from '../../domain/audit/session-ending.ts'
import type { Rows } from '../database/database.ts'

/** A claim on chain for which the records have no session. */
export interface LostClaim {
  chainJobId: string
  /** Job of the escrow; null where the records have none. */
  jobId: string | null
  /** Lower case. */
  wallet: string
  txHash: string
  /** Whether a later claim of the job followed. */
  isFollowed: boolean
}

/** Claims of the recorded events without a session, in the order of the chain. */
export const listLostClaims = async (rows: Rows, chainId: number): Promise<LostClaim[]> => {
  const found = await sql<LostClaim>`
    select e.chain_job_id as "chainJobId", job.id as "jobId", lower(e.args->>'worker') as wallet, e.tx_hash as "txHash", exists (
      select 1 from chain_event later
      where later.chain_id = e.chain_id and later.chain_job_id = e.chain_job_id and later.contract = 'escrow' and later.event = 'JobClaimed'
        and later.removed_at is null and (later.block_number, later.log_index) > (e.block_number, e.log_index)
    ) as "isFollowed"
    from chain_event e left join job on job.chain_job_id = e.chain_job_id
    where e.chain_id = ${chainId} and e.contract = 'escrow' and e.event = 'JobClaimed' and e.removed_at is null
      and not exists (select 1 from session s where s.claim_tx_hash = e.tx_hash and s.chain_job_id = e.chain_job_id)
    order by e.block_number, e.log_index`.execute(rows)
  return found.rows
}

/** How the chain ended a claim, in words; `open` while it has not. */
export const endOnChain = async (rows: Rows, chainId: number, { chainJobId, txHash }: LostClaim): Promise<string> => {
  const events = await sql<EscrowEvent>`
    select event, args, tx_hash as "txHash", (extract(epoch from block_time) * 1000)::float8 as "blockTime" from chain_event
    where chain_id = ${chainId} and contract = 'escrow' and chain_job_id = ${chainJobId} and removed_at is null
    order by block_number, log_index`.execute(rows)
  const { ending, submitted } = claimOnChain(events.rows, txHash)
  return ending?.kind ?? (submitted ? 'open, with a submission' : 'open')
}
