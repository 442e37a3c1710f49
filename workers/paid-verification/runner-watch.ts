import { type Loop, startLoop } from '../../activities/common/loop.ts'
import type { Sample, WorkerDeps } from '../subjects.ts'

const PERIOD_MS = 30_000

export const RUNNER_METRICS = {
  verification_runners: {
    help: 'Runners that poll the workflow engine: `ready` take work, `unable` have no sandbox.',
    labels: ['state'],
  },
} as const

/** Counts the runners; `readSamples` gives the numbers of the last round. */
export const startRunnerWatch = ({
  runners,
  logger,
}: Pick<WorkerDeps, 'runners' | 'logger'>): Pick<Loop<unknown>, 'stop'> & { readSamples(): readonly Sample[] } => {
  let samples: readonly Sample[] = []
  const loop = startLoop({
    round: async () => {
      const { ready, unable } = await runners.read()
      const counts = { ready, unable: unable.length }
      samples = Object.entries(counts).map(([state, value]) => ({ metric: 'verification_runners', labels: { state }, value }))
    },
    every: PERIOD_MS,
    onFailure: (error) => logger.warn({ err: error }, 'the runners could not be counted'),
  })
  return { stop: () => loop.stop(), readSamples: () => samples }
}
