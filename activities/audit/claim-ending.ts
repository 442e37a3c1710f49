import { sql } from 'kysely'
import { claimOnChain, type EscrowEvent } from '../../domain/audit/session-ending.ts'
import type { Rows } from '../database/database.ts'

/** How the chain ended a claim, in words; `open` while it has not. */
export const endOnChain = async (
  rows: Rows,
  chainId: number,
  { chainJobId, txHash }: { chainJobId: string; txHash: string },
): Promise<string> => {
  const events = await sql<EscrowEvent>`
    select event, args, tx_hash as "txHash", (extract(epoch from block_time) * 1000)::float8 as "blockTime" from chain_event
    where chain_id = ${chainId} and contract = 'escrow' and chain_job_id = ${chainJobId} and removed_at is null
    order by block_number, log_index`.execute(rows)
  const { ending, submitted } = claimOnChain(events.rows, txHash)
  return ending?.kind ?? (submitted ? 'open, with a submission' : 'open')
}
