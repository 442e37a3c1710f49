import type { Logger } from 'pino'
import type { Clock } from '../../activities/common/clock.ts'
import { type Loop, startLoop } from '../../activities/common/loop.ts'
import type { ReadSchedule } from '../../activities/common/processes.ts'
import type { Database } from '../../activities/database/database.ts'
import { readActiveSources, storeSchedule } from '../../activities/ingestion/sources.ts'
import { createsNothing, silentSeconds } from '../../domain/ingestion/schedules.ts'
import { ingestScheduleId } from '../../schemas/ingestion/process.ts'
import { PROVIDERS } from '../../schemas/ingestion/providers.ts'
import type { Sample } from '../subjects.ts'

const PERIOD_MS = 30_000

export const SOURCE_METRICS = {
  ingest_source_success_age_seconds: {
    help: 'Time since the last success of a source that is on, or since it was turned on.',
    labels: ['provider'],
  },
  ingest_source_interval_seconds: { help: 'Interval of the schedule of a source that is on.', labels: ['provider'] },
  ingest_source_creates_nothing: {
    help: '1 while a source that is on and lists has new candidates and listed none of them in 24 hours.',
    labels: ['provider'],
  },
} as const

interface Deps {
  readSchedule: ReadSchedule
  database: Database
  clock: Clock
  logger: Logger
}

/** Copies the schedules of the sources into the records, and reads what their alarms follow from. */
export const createSourceRound =
  ({ readSchedule, database, clock }: Omit<Deps, 'logger'>) =>
  async (): Promise<readonly Sample[]> => {
    for (const provider of PROVIDERS) {
      const reading = await readSchedule(ingestScheduleId(provider))
      if (reading !== null) await storeSchedule(database.rows, provider, reading, clock.now())
    }
    const now = clock.now()
    return (await readActiveSources(database.rows, now)).flatMap((watch) => {
      const labels = { provider: watch.provider }
      return [
        { metric: 'ingest_source_success_age_seconds', labels, value: silentSeconds(watch, now) ?? 0 },
        { metric: 'ingest_source_interval_seconds', labels, value: watch.everySeconds },
        { metric: 'ingest_source_creates_nothing', labels, value: createsNothing(watch) ? 1 : 0 },
      ]
    })
  }

/** Watches the sources; `readSamples` gives the values of the last round. */
export const startSourceWatch = (deps: Deps): Pick<Loop<unknown>, 'stop'> & { readSamples(): readonly Sample[] } => {
  const round = createSourceRound(deps)
  let samples: readonly Sample[] = []
  const loop = startLoop({
    round: async () => {
      samples = await round()
    },
    every: PERIOD_MS,
    onFailure: (error) => deps.logger.warn({ err: error }, 'the schedules of the sources could not be read'),
  })
  return { stop: loop.stop, readSamples: () => samples }
}
