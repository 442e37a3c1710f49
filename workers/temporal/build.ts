import { existsSync } from 'node:fs'
import type { ReplayWorkerOptions, WorkerOptions } from '@temporalio/worker'
import type { EngineConnection } from '../../activities/temporal/connection.ts'
import type { Settings } from '../../schemas/settings.ts'
import { workflowInterceptorModules, workflowsPath } from './bundle.ts'
import { ISOLATION } from './isolation.ts'
import { readablePayloads } from './payload-guard.ts'

type BuildOptions = Pick<ReplayWorkerOptions, 'workflowBundle' | 'workflowsPath' | 'interceptors' | 'dataConverter'> & typeof ISOLATION

/** The workflow code of this build, and how it reads and isolates what it runs: the same for a worker and for a replay. */
export const buildOf = (
  { WORKFLOW_BUNDLE: codePath }: Pick<Settings, 'WORKFLOW_BUNDLE'>,
  { payloadCodec }: Pick<EngineConnection, 'payloadCodec'>,
): BuildOptions => ({
  ...(codePath !== undefined && existsSync(codePath)
    ? { workflowBundle: { codePath } }
    : { workflowsPath, interceptors: { workflowModules: workflowInterceptorModules } }),
  dataConverter: { payloadCodecs: [readablePayloads, payloadCodec] },
  ...ISOLATION,
})

/**
 * The version that this worker is. A process runs on the current version unless its code pins it, as a process that ends within an hour does:
 * the workers of an older version then are needed no longer than that. Source: docs/adr/0052.
 */
export const deploymentOf = ({
  WORKER_DEPLOYMENT: deploymentName,
  BUILD_ID: buildId,
}: Pick<Settings, 'WORKER_DEPLOYMENT' | 'BUILD_ID'>): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  deploymentName === undefined || buildId === undefined
    ? {}
    : {
        workerDeploymentOptions: {
          useWorkerVersioning: true,
          version: { deploymentName, buildId },
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      }
