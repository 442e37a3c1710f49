import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { sql } from 'kysely'
import { RUN_ENDED } from '../../domain/eligibility/delegate-budget.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { claimWorkflowId } from '../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { type ChainEventNotice, chainMoved } from '../../schemas/processes.ts'
import { releaseIntent } from '../claims/intents.ts'
import type { Recovery, SendMessage, WantedProcess } from '../common/processes.ts'
import type { Database, Rows } from '../database/database.ts'
import { openSession } from '../sessions/records.ts'
import { findRunning } from './claims.ts'
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

/**
 * Releases the reservations of claims whose process is lost before their bond was locked: it would hold a part of the limits of its wallet until the
 * job is claimed again. Returns how many. `now` in epoch ms.
 */
export const releaseAbandoned = async ({ client, database }: Pick<RecoveryDeps, 'client' | 'database'>, now: number): Promise<number> => {
  const open = await database.rows.selectFrom('claim_intent').select(['runId', 'jobId']).where('status', '=', 'open').execute()
  let released = 0
  for (const { runId, jobId } of open) {
    if ((await findRunning(client, jobId))?.runId === runId) continue
    await database.transaction((rows) => releaseIntent(rows, runId, RUN_ENDED, now))
    released += 1
  }
  return released
}
