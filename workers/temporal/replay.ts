import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker'
import { listRunning, type ProcessVersion, type RunningProcess, versionOf } from '../../activities/temporal/deployments.ts'

/** A running process that this build cannot continue. */
export interface IncompatibleProcess {
  process: RunningProcess & ProcessVersion
  reason: string
}

/** What a replay of the running processes found. */
export interface ReplayReport {
  /** Replayed processes by type. */
  replayed: Readonly<Record<string, number>>
  /** Processes that stay on their version until they end. */
  pinned: number
  incompatible: readonly IncompatibleProcess[]
  /** Processes that an operator pinned and that this build can continue. */
  returning: readonly RunningProcess[]
}

/** What the SDK says of the first difference, without its sentences about all of them. */
const reasonOf = ({ message }: Error): string =>
  (/\[TMPRL1100\] (?<what>[^\n"]{1,160})/.exec(message)?.groups?.what ?? message).slice(0, 240)

/**
 * Replays the history of every running process that would come to this build. One that its own code pins stays where it is; one that an operator
 * pinned is replayed, too, since the pin may be taken away.
 */
export const replayRunning = async (
  client: Client,
  build: ReplayWorkerOptions,
  progress: (replayed: number) => void,
): Promise<ReplayReport> => {
  const running = new Map<string, RunningProcess & ProcessVersion>()
  const replayed: Record<string, number> = {}
  const incompatible: IncompatibleProcess[] = []
  const returning: RunningProcess[] = []
  let pinned = 0
  const histories = async function* () {
    for await (const process of listRunning(client)) {
      const { workflowId, runId } = process
      const history = await client.workflow
        .getHandle(workflowId, runId)
        .fetchHistory()
        .catch((error: unknown) => {
          if (error instanceof WorkflowNotFoundError) return null
          throw error
        })
      if (history === null) continue
      const version = versionOf(history)
      if (version.pinnedBy === 'code') {
        pinned += 1
        continue
      }
      running.set(workflowId, { ...process, ...version })
      yield { workflowId, history }
    }
  }
  let count = 0
  for await (const { workflowId, error } of Worker.runReplayHistories(build, histories())) {
    const process = running.get(workflowId)
    if (process === undefined) throw new Error(`the replay of an unknown process ${workflowId} ended`)
    running.delete(workflowId)
    replayed[process.type] = (replayed[process.type] ?? 0) + 1
    if (error !== undefined) incompatible.push({ process, reason: reasonOf(error) })
    else if (process.pinnedBy === 'operator') returning.push(process)
    count += 1
    progress(count)
  }
  return { replayed, pinned, incompatible, returning }
}
