import { proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import type { SweepActivities, SweepInput, SweepResult } from '../../schemas/lanes/process.ts'
import type { IntegrityReport, StaleReport } from '../../schemas/lanes/record.ts'
import { TASK_QUEUES } from '../../schemas/processes.ts'
import { pinToVersion } from '../common/versions.ts'

/** A sweep reads the whole catalogue. A lost one is begun again; the next one of the schedule comes anyway. */
const sweeps = proxyActivities<SweepActivities>({
  taskQueue: TASK_QUEUES.chain,
  startToCloseTimeout: '5m',
  retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '5m', maximumAttempts: 5 },
})

/** Archives stale listings, once. Its details say what it did. */
export async function staleSweep(_input: SweepInput): Promise<SweepResult<StaleReport>> {
  const report = await sweeps.sweepStaleJobs()
  if ('status' in report) setCurrentDetails('The sweep is off.')
  else if (report.dryRun) setCurrentDetails(`Would archive ${report.jobIds.length} stale listings.`)
  else setCurrentDetails(`Archived ${report.archived} stale listings.`)
  return report
}

/** Pauses jobs whose definition differs from its hash, once. Its details say what it did. */
export async function integritySweep(_input: SweepInput): Promise<IntegrityReport> {
  const report = await sweeps.sweepDefinitions()
  const { total, drifted, markedUnclaimable, action } = report
  setCurrentDetails(
    action === 'stopped'
      ? `${drifted} of ${total} definitions differ from their hash: nothing was paused.`
      : `${drifted} of ${total} definitions differ from their hash; paused ${markedUnclaimable} jobs.`,
  )
  return report
}
pinToVersion(staleSweep)
pinToVersion(integritySweep)
