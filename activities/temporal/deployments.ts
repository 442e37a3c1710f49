import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { QUEUE_KINDS, type QueueKind, TASK_QUEUE, TASK_QUEUES } from '../../schemas/processes.ts'
import { hasGrpcStatus } from './grpc-status.ts'

const { VersioningBehavior, VersionDrainageStatus } = proto.temporal.api.enums.v1
const { PinnedOverrideBehavior } = proto.temporal.api.workflow.v1.VersioningOverride
const { TaskQueueType } = proto.temporal.api.enums.v1

/** A version of the worker deployment. */
interface DeployedVersion {
  buildId: string
  /** `current` takes new processes; `draining` still has processes that are pinned to it. */
  state: 'current' | 'draining' | 'drained' | 'waiting'
  createdAt: Date
}

/** A worker deployment; its token changes with each change. */
export interface Deployment {
  versions: readonly DeployedVersion[]
  conflictToken: Uint8Array
}

/** A process that runs. */
export interface RunningProcess {
  workflowId: string
  runId: string
  type: string
}

/** The version that a process runs on, by its history. */
export interface ProcessVersion {
  /** Build of its last workflow task, or that it is pinned to; null before the first one, and on workers without versions. */
  buildId: string | null
  /** Whether it stays on its version until it ends: by its code, or by an operator. */
  pinnedBy: 'code' | 'operator' | null
}

const dateOf = (time: { seconds?: unknown } | null | undefined): Date => new Date(Number(time?.seconds ?? 0) * 1000)

/** Reads a worker deployment; null before its first worker polls. */
export const readDeployment = async (client: Client, deploymentName: string): Promise<Deployment | null> => {
  const { namespace } = client.options
  try {
    const { workerDeploymentInfo: info, conflictToken } = await client.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    })
    const current = info?.routingConfig?.currentDeploymentVersion?.buildId
    const versions = (info?.versionSummaries ?? []).map(({ deploymentVersion, drainageInfo, createTime }): DeployedVersion => {
      const buildId = deploymentVersion?.buildId ?? ''
      const drainage = drainageInfo?.status
      const isDraining = drainage === VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINING
      const isDrained = drainage === VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINED
      const state = buildId === current ? 'current' : isDraining ? 'draining' : isDrained ? 'drained' : 'waiting'
      return { buildId, state, createdAt: dateOf(createTime) }
    })
    return { versions: versions.sort((one, other) => Number(one.createdAt) - Number(other.createdAt)), conflictToken }
  } catch (error) {
    if (hasGrpcStatus(error, 'NOT_FOUND')) return null
    throw error
  }
}

/**
 * Makes a version current: it takes all new processes, and every running one that upgrades. Returns false while no worker of the version
 * polls every task queue that the current version has polled. Throws when the deployment changed since it was read.
 */
export const setCurrentVersion = async (
  client: Client,
  { deploymentName, buildId, conflictToken }: { deploymentName: string; buildId: string; conflictToken: Uint8Array },
): Promise<boolean> => {
  const { namespace, identity } = client.options
  try {
    await client.workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId, conflictToken, identity })
    return true
  } catch (error) {
    const isConflict = error instanceof Error && /conflict/i.test(error.message)
    // No worker of the version polls yet.
    if (!isConflict && hasGrpcStatus(error, 'NOT_FOUND', 'FAILED_PRECONDITION')) return false
    throw error
  }
}

/** Pollers of the task queue of a kind within the server's memory of them: of processes for `claims`, of steps for the others. */
export const readPollers = async (client: Client, kind: QueueKind) => {
  const taskQueueType = kind === 'claims' ? TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW : TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY
  const { namespace } = client.options
  return (await client.workflowService.describeTaskQueue({ namespace, taskQueue: { name: TASK_QUEUES[kind] }, taskQueueType })).pollers
}

/** Whether workers of a version have polled every task queue of the service within the server's memory of pollers, some minutes. */
export const isPolling = async (
  client: Client,
  { deploymentName, buildId }: { deploymentName: string; buildId: string },
): Promise<boolean> => {
  const isPolled = async (kind: QueueKind): Promise<boolean> =>
    (await readPollers(client, kind)).some(({ deploymentOptions: of }) => of?.deploymentName === deploymentName && of.buildId === buildId)
  return (await Promise.all(QUEUE_KINDS.map(isPolled))).every(Boolean)
}

/** Lists the processes that run on the service's task queue. */
export async function* listRunning(client: Client): AsyncGenerator<RunningProcess> {
  for await (const { workflowId, runId, type } of client.workflow.list({
    query: `ExecutionStatus="Running" AND TaskQueue="${TASK_QUEUE}"`,
  }))
    yield { workflowId, runId, type }
}

type History = proto.temporal.api.history.v1.IHistory

/** Reads the version of a process from its history: the list of the engine lags behind it. */
export const versionOf = ({ events }: History): ProcessVersion => {
  let [buildId, isPinned]: [string | null, boolean] = [null, false]
  let override: string | null = null
  for (const event of events ?? []) {
    const { workflowExecutionStartedEventAttributes: started, workflowTaskCompletedEventAttributes: task } = event
    const { workflowExecutionOptionsUpdatedEventAttributes: options } = event
    if (task != null) {
      buildId = task.deploymentVersion?.buildId ?? null
      isPinned = task.versioningBehavior === VersioningBehavior.VERSIONING_BEHAVIOR_PINNED
    }
    const pinned = (started ?? options)?.versioningOverride?.pinned?.version?.buildId
    if (pinned != null) override = pinned
    else if (options?.unsetVersioningOverride === true) override = null
  }
  return { buildId: override ?? buildId, pinnedBy: override !== null ? 'operator' : isPinned ? 'code' : null }
}

/** Counts the running processes of a build. */
export const countRunning = async (
  client: Client,
  { deploymentName, buildId }: { deploymentName: string; buildId: string },
): Promise<number> =>
  (await client.workflow.count(`ExecutionStatus="Running" AND TemporalWorkerDeploymentVersion="${deploymentName}:${buildId}"`)).count

/** Pins a running process to a version, or takes the pin away (null). Does nothing when the process has ended. */
export const pinProcess = async (
  client: Client,
  { workflowId, runId }: Pick<RunningProcess, 'workflowId' | 'runId'>,
  version: { deploymentName: string; buildId: string } | null,
): Promise<void> => {
  const behavior = PinnedOverrideBehavior.PINNED_OVERRIDE_BEHAVIOR_PINNED
  try {
    await client.workflowService.updateWorkflowExecutionOptions({
      namespace: client.options.namespace,
      workflowExecution: { workflowId, runId },
      workflowExecutionOptions: version === null ? {} : { versioningOverride: { pinned: { behavior, version } } },
      updateMask: { paths: ['versioning_override'] },
    })
  } catch (error) {
    if (!hasGrpcStatus(error, 'NOT_FOUND')) throw error
  }
}
