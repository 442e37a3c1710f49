import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { sql } from 'kysely'
import { claimWorkflowId } from '../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { type ChainNews, chainMoved } from '../../schemas/processes.ts'
import type { Database } from '../database/database.ts'

/** News of one turn; what is left over waits for the next. */
const BATCH = 100

interface Untold {
  chainJobId: string
  event: string
  txHash: string
  blockNumber: string
  logIndex: number
  revision: number
  /** A transaction of our own did it. */
  own: boolean
  /** Its sessions that a dispute may still be about. */
  sessionIds: string[]
  /** Catalogue job of a claim that has no verdict yet; null when there is none. */
  claimOf: string | null
}

/** Bonds and submissions of our own are no news to anybody, unless a fork took one away. */
const ROUTINE: ReadonlySet<string> = new Set(['JobClaimed', 'WorkSubmitted'])

/** Tells disputes what the chain says about their job, and a claim what somebody else did to its own. News is marked as told only afterwards: it is told at least once. */
export const createChainNews = ({ client, database, chainId }: { client: Client; database: Database; chainId: number }) => {
  const untold = async (): Promise<Untold[]> => {
    const found = await sql<Untold>`
      select e.chain_job_id as "chainJobId", e.event, e.tx_hash as "txHash", e.block_number::text as "blockNumber", e.log_index as "logIndex",
        e.revision, (
          exists (select 1 from chain_transaction t where t.tx_hash = e.tx_hash)
          or exists (select 1 from chain_signature g where g.tx_hash = e.tx_hash)
        ) as own,
        coalesce((
          select array_agg(s.session_id) from session s
          where s.chain_job_id = e.chain_job_id and s.status in ('submitted', 'rejected', 'disputed') and s.rejection_finalized_at is null
        ), '{}') as "sessionIds",
        (
          select s.job_id from session s where s.chain_job_id = e.chain_job_id and s.status in ('claimed', 'submitted') limit 1
        ) as "claimOf"
      from chain_event e
      where e.chain_id = ${chainId} and e.moves_job and e.told_revision < e.revision
      order by e.block_number, e.log_index limit ${BATCH}`.execute(database.rows)
    return found.rows
  }

  const markTold = async ({ txHash, logIndex, revision }: Untold): Promise<void> => {
    await database.rows
      .updateTable('chain_event')
      .set({ toldRevision: revision })
      .where('chainId', '=', chainId)
      .where('txHash', '=', txHash)
      .where('logIndex', '=', logIndex)
      .where('toldRevision', '<', revision)
      .execute()
  }

  /** A process that does not exist, or is over, needs no news. */
  const signal = async (workflowId: string, news: ChainNews): Promise<void> => {
    try {
      await client.workflow.getHandle(workflowId).signal(chainMoved, news)
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
  }

  const tell = async (one: Untold): Promise<void> => {
    const { chainJobId, event, txHash, blockNumber, logIndex, revision, own, sessionIds, claimOf } = one
    const news = { chainJobId, event, txHash, blockNumber, logIndex }
    const routine = own && revision === 1 && ROUTINE.has(event)
    for (const sessionId of routine ? [] : sessionIds) await signal(disputeWorkflowId(sessionId), news)
    if (!own && claimOf !== null) await signal(claimWorkflowId(claimOf), news)
    await markTold(one)
  }

  return {
    /** Tells the oldest untold news, in the order of the chain. Rejects when the engine does not take them: they stay untold. */
    tellNews: async (): Promise<number> => {
      const news = await untold()
      for (const one of news) await tell(one)
      return news.length
    },
  }
}
