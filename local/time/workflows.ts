import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time.js'

export type WorkflowMoves = {
  /** Ids of workflows that reached service time, or ended meanwhile. */
  moved: string[]
  /** Ids of workflows that did not: an activity or a child is open, or no worker runs them. */
  behind: string[]
}

/** A running workflow. `lagMs`: how far its own clock is behind service time. `forward`: id of the fast-forward in progress. */
type Lag = { workflowId: string; runId: string; lagMs: number; forward: string | undefined }

/** A workflow with a smaller lag counts as being at service time. */
const CLOSE_MS = 1_000
/** Time-out without progress, and in total. */
const SETTLE_MS = 10_000
const LONGEST_MS = 60_000
/** For this time every timer fires at its own instant; a workflow that still polls then skips the rest of its timers. */
const STEPWISE_MS = 5_000
const PAUSE_MS = 100
/** The list of running workflows lags behind: it must be clean twice, and is read for this long. */
const CLEAN_PASSES = 2
const LIST_LAG_MS = 1_000
/** A polling workflow skips many timers; the server's default limit is 200. */
const MAX_SKIPS = 100_000
const NOT_FOUND = 5

const ignoreNotFound = (error: unknown): undefined => {
  if ((error as { code?: number }).code !== NOT_FOUND) throw error
}

const readLag = async (client: Client, workflowId: string, runId: string, now: () => number): Promise<Lag | undefined> => {
  const { namespace } = client.options
  const described = await client.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId, runId } })
  if (described.workflowExecutionInfo?.closeTime) return undefined
  const skipping = described.workflowExtendedInfo?.timeSkippingInfo
  const config = skipping?.effectiveConfig
  return {
    workflowId,
    runId,
    lagMs: now() - (optionalTsToMs(skipping?.currentTime) ?? Date.now()),
    forward: config?.enabled ? (config.fastForwardConfig?.id ?? undefined) : undefined,
  }
}

/** All but the chain follower: its activity is always open, and it waits for no instant. */
const MOVED = 'ExecutionStatus="Running" AND WorkflowType!="chainFollower"'

/** Every running workflow that waits for instants, without those that end meanwhile. */
const runningWorkflows = async (client: Client, now: () => number): Promise<Lag[]> => {
  const reads: Promise<Lag | undefined>[] = []
  for await (const { workflowId, runId } of client.workflow.list({ query: MOVED }))
    reads.push(readLag(client, workflowId, runId, now).catch(ignoreNotFound))
  const lags = await Promise.all(reads)
  return lags.filter((lag) => lag !== undefined)
}

const fastForward = async (client: Client, { workflowId, runId, lagMs }: Lag, id: string): Promise<void> => {
  await client.workflowService.updateWorkflowExecutionOptions({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    workflowExecutionOptions: {
      timeSkippingConfig: {
        enabled: true,
        // Children would skip all their timers at once.
        disablePropagation: true,
        maxSessionSkipCount: MAX_SKIPS,
        fastForwardConfig: { id, duration: msToTs(lagMs) },
      },
    },
    updateMask: { paths: ['time_skipping_config'] },
  })
}

/** Fast-forwards lagging workflows. A second request while a timer fires makes the server skip to the end, so only `late` allows it. */
const forwardIdle = async (client: Client, lagging: Lag[], id: string, late: boolean): Promise<void> => {
  const idle = lagging.filter(({ lagMs, forward }) => lagMs > CLOSE_MS && (late || forward !== id))
  await Promise.all(idle.map((lag) => fastForward(client, lag, id).catch(ignoreNotFound)))
}

/**
 * Advances each workflow by at least as much as service time advanced. A workflow whose clock is ahead has timers set by that clock, so they
 * fire by the distance, not by the instant. Returns their ids.
 */
const forwardAll = async (client: Client, running: Lag[], id: string, advanceMs: number): Promise<string[]> => {
  const moves = running.map((lag) => ({ ...lag, lagMs: Math.max(lag.lagMs, advanceMs) })).filter(({ lagMs }) => lagMs > CLOSE_MS)
  await Promise.all(moves.map((lag) => fastForward(client, lag, id).catch(ignoreNotFound)))
  return moves.map(({ workflowId }) => workflowId)
}

const totalLag = (lagging: Lag[]): number => lagging.reduce((sum, { lagMs }) => sum + Math.max(0, lagMs), 0)

/**
 * Brings every running workflow to service time, which has just advanced by `advanceMs`, including those that lag again because they start
 * something new. `listLagMs`: how far the server's list of running workflows lags behind. `stepwiseMs`: how long every timer fires at its own
 * instant. Stops after `settleMs` without progress, ten seconds unless it is given.
 */
export const moveWorkflows = async (
  client: Client,
  now: () => number,
  advanceMs: number,
  {
    listLagMs = LIST_LAG_MS,
    stepwiseMs = STEPWISE_MS,
    settleMs = SETTLE_MS,
  }: { listLagMs?: number; stepwiseMs?: number; settleMs?: number } = {},
): Promise<WorkflowMoves> => {
  const began = Date.now()
  const id = randomUUID()
  const underWay = async () => (await runningWorkflows(client, now)).filter(({ lagMs, forward }) => lagMs > CLOSE_MS || forward === id)
  const touched = new Set(await forwardAll(client, await runningWorkflows(client, now), id, advanceMs))
  let lagging = await underWay()
  let nearest = totalLag(lagging)
  let nearerAt = began
  const isThere = (clean: number): boolean => clean >= CLEAN_PASSES && Date.now() - began > listLagMs
  for (let clean = 0; !isThere(clean) && Date.now() - nearerAt < settleMs && Date.now() - began < Math.max(LONGEST_MS, settleMs); ) {
    await forwardIdle(client, lagging, id, Date.now() - began > stepwiseMs)
    for (const { workflowId } of lagging) touched.add(workflowId)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    lagging = await underWay()
    if (totalLag(lagging) < nearest - CLOSE_MS) {
      nearest = totalLag(lagging)
      nearerAt = Date.now()
    }
    clean = lagging.length === 0 ? clean + 1 : 0
  }
  const behind = new Set(lagging.map(({ workflowId }) => workflowId))
  return { moved: [...touched].filter((workflowId) => !behind.has(workflowId)), behind: [...behind] }
}
