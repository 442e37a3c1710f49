import { sql } from 'kysely'
import type { Rows } from '../../database/database.ts'

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
