import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { sql } from 'kysely'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { claimWorkflowId } from '../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { type ChainEventNotice, chainMoved } from '../../schemas/processes.ts'
import type { Recovery, SendMessage, WantedProcess } from '../common/processes.ts'
import type { Database, Rows } from '../database/database.ts'
import { openSession } from '../sessions/records.ts'
import { listRunning, type RunningProcess } from './deployments.ts'

const REASON = 'The records were restored. A new run begins from them.'

export interface RecoveryDeps {
  client: Client
  database: Database
  chainId: number
  recoveries: readonly Recovery<Rows>[]
}

/** What a recovery of processes ends and begins. */
export interface ProcessPlan {
  /** Running processes that the records do not call for, or that a new run replaces. */
  ends: RunningProcess[]
  begins: WantedProcess[]
}

/** Reads what runs and what the open records call for. */
export const planProcesses = async ({ client, database, chainId, recoveries }: RecoveryDeps): Promise<ProcessPlan> => {
  const replaced = new Set(recoveries.flatMap(({ workflows }) => workflows))
  const ends: RunningProcess[] = []
  for await (const running of listRunning(client)) if (replaced.has(running.type)) ends.push(running)
  const begins = await Promise.all(recoveries.map(({ listWanted }) => listWanted(database.rows, { chainId })))
  return { ends, begins: begins.flat() }
}

/** Ends and begins what a plan says. A repeat ends what the last one began, and begins it again from the records. */
export const replaceProcesses = async (client: Client, { ends, begins }: ProcessPlan): Promise<void> => {
  for (const { workflowId, runId } of ends)
    await client.workflow
      .getHandle(workflowId, runId)
      .terminate(REASON)
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      })
  for (const { workflow, start } of begins)
    await client.workflow.start(workflow, {
      ...start,
      // The list of the engine lags: a process that it lacks ends here.
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    })
}

/** Wakes the processes of every open session with the newest event of its job: what the chain shows may be newer than what they know. */
export const wakeSessions = async ({
  database: { rows },
  chain,
  send,
}: {
  database: Database
  chain: Pick<ChainFile, 'chainId'>
  send: SendMessage
}): Promise<number> => {
  const open = await sql<ChainEventNotice & { sessionId: string; jobId: string }>`
    select s.session_id as "sessionId", s.job_id as "jobId", e.chain_job_id as "chainJobId", e.event, e.tx_hash as "txHash",
      e.block_number::text as "blockNumber", e.log_index as "logIndex"
    from session s cross join lateral (
      select * from chain_event where chain_id = ${chain.chainId} and chain_job_id = s.chain_job_id and contract = 'escrow' and removed_at is null
      order by block_number desc, log_index desc limit 1
    ) e
    where ${openSession}`.execute(rows)
  for (const { sessionId, jobId, ...notice } of open.rows)
    for (const workflowId of [claimWorkflowId(jobId), disputeWorkflowId(sessionId)])
      await send({ workflowId, signal: chainMoved, args: [notice] })
  return open.rows.length
}
