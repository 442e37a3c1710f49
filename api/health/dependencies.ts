import type { Client } from '@temporalio/client'
import { sql } from 'kysely'
import type { NonceStatus } from '../../activities/chain/nonce-status.ts'
import type { ChainReads } from '../../activities/chain/reads.ts'
import { readFollowerLag } from '../../activities/records/chain-cursor.ts'
import type { Database } from '../../activities/records/database.ts'
import { TASK_QUEUE } from '../../schemas/processes/common.ts'
import type { Probes } from './probes.ts'

const DEADLINE_MS = 450
// temporal.api.enums.v1.TaskQueueType: workflow tasks.
const WORKFLOW_QUEUE = 1

const epoch = (time: { seconds?: unknown } | null | undefined): number => Number(time?.seconds ?? 0) * 1000

/** Newest poll of a worker on the task queue, by the engine's wall clock. */
const lastPollAt = async (client: Client): Promise<number | null> => {
  const { connection, options } = client
  const request = { namespace: options.namespace, taskQueue: { name: TASK_QUEUE }, taskQueueType: WORKFLOW_QUEUE }
  const { pollers } = await connection.withDeadline(Date.now() + DEADLINE_MS, () => connection.workflowService.describeTaskQueue(request))
  if (pollers === null || pollers === undefined || pollers.length === 0) return null
  return Math.max(...pollers.map(({ lastAccessTime }) => epoch(lastAccessTime)))
}

/** Probes of the real dependencies. */
export const createProbes = (deps: { database: Database; client: Client; reads: ChainReads; nonces: NonceStatus }): Probes => {
  const { database, client, reads, nonces } = deps
  return {
    database: async () => {
      await sql`select 1`.execute(database.rows)
    },
    temporal: async () => ({ lastPollAt: await lastPollAt(client) }),
    chain: async () => ({ blockTime: (await reads.latestBlock()).time }),
    nonces,
    follower: () => readFollowerLag(database.rows, reads.chain.chainId),
  }
}
