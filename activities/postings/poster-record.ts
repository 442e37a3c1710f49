import { sql } from 'kysely'
import { REVIEW_SLA_SECONDS } from '../../domain/common/constants.ts'
import { NO_RECORD, type PosterRecord, posterRecordView } from '../../domain/postings/poster-record.ts'
import type { PosterRecordView } from '../../schemas/catalogue/poster-record.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { type Database, type Rows, readRows } from '../database/database.ts'

interface FoundRecord extends Omit<PosterRecord, 'fundedRaw' | 'since'> {
  poster: string
  /** Digits. */
  fundedRaw: string
  /** Epoch ms as text. */
  since: string
}

/** Records of posters (lower case) from the events of the escrow, by poster, in one statement. A poster without a funding is absent. */
export const readPosterRecords = async (
  rows: Rows,
  chainId: number,
  posters: readonly string[],
): Promise<ReadonlyMap<string, PosterRecord>> => {
  if (posters.length === 0) return new Map()
  const found = await readRows(
    rows,
    sql<FoundRecord>`
      with created as (
        select args ->> 'poster' as poster, chain_job_id, (args ->> 'totalReserved')::numeric as reserved, block_time
        from chain_event
        where chain_id = ${chainId} and contract = 'escrow' and event = 'JobCreated' and removed_at is null
          and args ->> 'poster' = any(${[...posters]}::text[])
      ), moves as (
        select created.poster, moved.chain_job_id, moved.event, moved.args, moved.block_time, moved.block_number, moved.log_index, moved.tx_hash
        from created join chain_event moved on moved.chain_job_id = created.chain_job_id
        where moved.chain_id = ${chainId} and moved.contract = 'escrow' and moved.removed_at is null
          and moved.event in ('WorkSubmitted', 'Verified', 'DisputeResolved', 'AutoResolvedOnTimeout', 'JobCancelled')
      ), judged as (
        select poster, extract(epoch from block_time - submitted_at)::float8 as seconds
        from (
          select poster, event, block_time, lag(event) over submissions as before, lag(block_time) over submissions as submitted_at
          from moves
          where event in ('WorkSubmitted', 'Verified')
          window submissions as (partition by chain_job_id order by block_number, log_index)
        ) verdicts
        where event = 'Verified' and before = 'WorkSubmitted'
      ), lost as (
        select moves.poster
        from moves join job on job.chain_job_id = moves.chain_job_id
        where moves.event = 'DisputeResolved' and (moves.args ->> 'workerPayout')::numeric >= job.reward_raw
      )
      select
        poster,
        count(*)::integer as "fundedJobs",
        sum(reserved)::text as "fundedRaw",
        floor(extract(epoch from min(block_time)) * 1000)::text as since,
        (select count(*)::integer from judged where judged.poster = created.poster) as judged,
        (select count(*)::integer from judged where judged.poster = created.poster and seconds <= ${REVIEW_SLA_SECONDS}) as "judgedInTime",
        (select percentile_cont(0.5) within group (order by seconds) from judged where judged.poster = created.poster) as "medianSecondsToVerdict",
        (select count(*)::integer from lost where lost.poster = created.poster) as "lostDisputes",
        (select count(*)::integer from moves where moves.poster = created.poster and event = 'JobCancelled') as cancelled
      from created
      group by poster`,
  )
  return new Map(
    found.map(({ poster, fundedRaw, since, ...counts }) => [poster, { ...counts, fundedRaw: BigInt(fundedRaw), since: Number(since) }]),
  )
}

export interface PosterReaderDeps {
  database: Pick<Database, 'rows'>
  chain: Pick<ChainFile, 'chainId' | 'asset'>
}

/** Reads the record of a job's poster as answers show it; undefined for an operator's job. */
export type ReadPoster = (job: Pick<JobRecord, 'postingRoute' | 'posterAddress'>) => Promise<PosterRecordView | undefined>

export const createPosterReader =
  ({ database, chain }: PosterReaderDeps): ReadPoster =>
  async ({ postingRoute, posterAddress }) => {
    if (postingRoute !== 'external-direct' || posterAddress === null) return undefined
    const records = await readPosterRecords(database.rows, chain.chainId, [posterAddress])
    return posterRecordView(records.get(posterAddress) ?? NO_RECORD, chain.asset)
  }
