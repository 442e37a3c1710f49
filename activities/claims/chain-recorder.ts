import { sql } from 'kysely'
import type { ChainRecorder, Concern, StoredChainEvent } from '../chain/follower/recorder.ts'
import type { Rows } from '../database/database.ts'

const keyOf = ({ txHash, chainJobId }: Pick<StoredChainEvent, 'txHash' | 'chainJobId'>): string => `${txHash}/${chainJobId}`

/**
 * Finds the job and the session of each event. The session is the one whose workflow sent the transaction, otherwise the last one claimed up
 * to the event's block. A claim without a stored session is found by its transaction.
 */
const findConcerns = async (rows: Rows, events: readonly StoredChainEvent[]): Promise<ReadonlyMap<StoredChainEvent, Concern>> => {
  const about = events.flatMap(({ chainJobId, txHash, blockNumber }) => (chainJobId === null ? [] : [{ chainJobId, txHash, blockNumber }]))
  if (about.length === 0) return new Map()
  const wanted = [...new Map(about.map((one) => [keyOf(one), one]))].map(
    ([key, { chainJobId, txHash, blockNumber }]) => sql`(${key}, ${chainJobId}, ${txHash}, ${blockNumber.toString()}::bigint)`,
  )
  const found = await sql<{ key: string } & Concern>`
    with wanted (key, chain_job_id, tx_hash, block_number) as (values ${sql.join(wanted)})
    select wanted.key, job.id as "jobId",
      coalesce(sent.session_id, claimed.session_id) as "sessionId",
      coalesce(intent.wallet, claimed.wallet) as wallet
    from wanted
    join job on job.chain_job_id = wanted.chain_job_id
    left join lateral (
      select session_id from chain_transaction where tx_hash = wanted.tx_hash and job_id = job.id
      union all
      select t.session_id from chain_signature s join chain_transaction t using (intent_key) where s.tx_hash = wanted.tx_hash and t.job_id = job.id
      limit 1
    ) sent on true
    left join lateral (
      select wallet from claim_intent where session_id = sent.session_id limit 1
    ) intent on true
    left join lateral (
      select session_id, wallet from session
      where chain_job_id = wanted.chain_job_id and claim_block <= wanted.block_number order by claim_block desc limit 1
    ) claimed on true`.execute(rows)
  const concerns = new Map(found.rows.map(({ key, ...concern }) => [key, concern]))
  return new Map(
    events.flatMap((event) => {
      const concern = concerns.get(keyOf(event))
      return concern === undefined ? [] : [[event, concern] as const]
    }),
  )
}

export const claimRecorder: ChainRecorder = { findConcerns }
