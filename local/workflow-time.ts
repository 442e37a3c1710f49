import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time.js'

export type WorkflowMoves = {
  /** Workflow ids that stand at service time now, or ended on the way. */
  moved: string[]
  /** Those that do not yet: an activity or a child is open, or no worker runs them. */
  behind: string[]
}

/** A running workflow. `lagMs`: how far its own clock is behind service time. `forward`: the fast-forward it is in the middle of. */
type Lag = { workflowId: string; runId: string; lagMs: number; forward: string | undefined }

/** A workflow that is less than this behind counts as being there. */
const CLOSE_MS = 1_000
/** So long nothing may come nearer before the rest is given up; and so long at most, however slowly it comes. */
const SETTLE_MS = 10_000
const LONGEST_MS = 60_000
/** So long every timer on the way comes due at its own instant; who then still polls is taken to the end over the rest of its timers. */
const STEPWISE_MS = 5_000
const PAUSE_MS = 100
/** The list of running workflows is a moment late: it has to be clean twice, and is asked for this long; longer while it shows nobody at all. */
const CLEAN_PASSES = 2
const LATE_MS = { somebody: 500, nobody: 1_000 }
/** A polling workflow skips many timers on its way; the server's own bound is 200. */
const MAX_SKIPS = 100_000
const NOT_FOUND = 5

const unlessGone = (error: unknown): undefined => {
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

/** All but the follower of the chain: its one step is always open, and it waits for no instant. */
const MOVED = 'ExecutionStatus="Running" AND WorkflowType!="chainFollower"'

/** Every running workflow that waits for instants; one that ends meanwhile is left out. */
const runningWorkflows = async (client: Client, now: () => number): Promise<Lag[]> => {
  const reads: Promise<Lag | undefined>[] = []
  for await (const { workflowId, runId } of client.workflow.list({ query: MOVED }))
    reads.push(readLag(client, workflowId, runId, now).catch(unlessGone))
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
        // Without this, children would run through all their timers at once.
        disablePropagation: true,
        maxSessionSkipCount: MAX_SKIPS,
        fastForwardConfig: { id, duration: msToTs(lagMs) },
      },
    },
    updateMask: { paths: ['time_skipping_config'] },
  })
}

/** Asked a second time while a timer is just coming due, the server jumps over it to the end: wanted only of the late. */
const forwardIdle = async (client: Client, lagging: Lag[], id: string, late: boolean): Promise<void> => {
  const idle = lagging.filter(({ lagMs, forward }) => lagMs > CLOSE_MS && (late || forward !== id))
  await Promise.all(idle.map((lag) => fastForward(client, lag, id).catch(unlessGone)))
}

/**
 * Takes each workflow at least as far as service time went. One whose own clock an earlier jump took ahead has timers that were set by
 * that clock, so they come due by how far it is moved, not by where it stands. Answers their ids.
 */
const forwardAll = async (client: Client, running: Lag[], id: string, advanceMs: number): Promise<string[]> => {
  const moves = running.map((lag) => ({ ...lag, lagMs: Math.max(lag.lagMs, advanceMs) })).filter(({ lagMs }) => lagMs > CLOSE_MS)
  await Promise.all(moves.map((lag) => fastForward(client, lag, id).catch(unlessGone)))
  return moves.map(({ workflowId }) => workflowId)
}

const totalLag = (lagging: Lag[]): number => lagging.reduce((sum, { lagMs }) => sum + Math.max(0, lagMs), 0)

/**
 * Brings every running workflow to service time, which has just advanced by `advanceMs`, also those that fall behind on the way because they
 * begin something new. Gives up on the rest once nothing has come nearer for ten seconds.
 */
export const moveWorkflows = async (client: Client, now: () => number, advanceMs: number): Promise<WorkflowMoves> => {
  const began = Date.now()
  const id = randomUUID()
  const underWay = async () => (await runningWorkflows(client, now)).filter(({ lagMs, forward }) => lagMs > CLOSE_MS || forward === id)
  const touched = new Set(await forwardAll(client, await runningWorkflows(client, now), id, advanceMs))
  let lagging = await underWay()
  let nearest = totalLag(lagging)
  let nearerAt = began
  const isThere = (clean: number): boolean =>
    clean >= CLEAN_PASSES && Date.now() - began > (touched.size > 0 ? LATE_MS.somebody : LATE_MS.nobody)
  for (let clean = 0; !isThere(clean) && Date.now() - nearerAt < SETTLE_MS && Date.now() - began < LONGEST_MS; ) {
    await forwardIdle(client, lagging, id, Date.now() - began > STEPWISE_MS)
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
