import { startLoop } from '../../activities/common/loop.ts'
import type { StandingProcess } from '../../activities/common/processes.ts'
import { createTemplateSteps } from '../../activities/lanes/runs.ts'
import { createSweepSteps } from '../../activities/lanes/sweeps.ts'
import { createTemplateWaker } from '../../activities/lanes/wake.ts'
import {
  integritySweepScheduleId,
  type RecurringActivities,
  type SweepActivities,
  type SweepInput,
  staleSweepScheduleId,
} from '../../schemas/lanes/process.ts'
import { TASK_QUEUE } from '../../schemas/processes.ts'
import type { WorkerSubject } from '../subjects.ts'

/** Time between two rounds that tell templates of changes. */
const PERIOD_MS = 1_000
const SCHEDULE = { everyMinutes: 60, overlap: 'SKIP', catchupMinutes: 60 } as const

const input: SweepInput = { v: 1 }
const sweep = (workflow: string, workflowId: string, staticSummary: string): StandingProcess => ({
  workflow,
  start: { taskQueue: TASK_QUEUE, workflowId, args: [input], staticSummary },
  schedule: SCHEDULE,
})

export const subject = {
  activities: (deps): RecurringActivities & SweepActivities => ({ ...createTemplateSteps(deps), ...createSweepSteps(deps) }),
  standing: ({ chainId }) => [
    sweep('staleSweep', staleSweepScheduleId(chainId), 'Archive stale listings'),
    sweep('integritySweep', integritySweepScheduleId(chainId), 'Compare definitions with their hashes'),
  ],
  background: ({ logger, ...deps }) => {
    const round = createTemplateWaker(deps)
    const onFailure = (error: unknown) => logger.warn({ err: error }, 'recurring templates could not be woken')
    return { loops: [startLoop({ round, every: PERIOD_MS, onFailure })] }
  },
} satisfies WorkerSubject
