import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow'

type Definition = Parameters<typeof setWorkflowOptions>[1]

/**
 * Pins a workflow that ends within an hour: it stays on the version of workers that began it. Every other one continues on each new version, so
 * its code changes by patches. The engine refuses the option from a worker without a version. Source: docs/adr/0052.
 */
export const pinToVersion = (workflow: Definition): void =>
  setWorkflowOptions(() => (workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {}), workflow)
