// Nominal times of the schedules of the sources, and what happens on which day.
import { DAY_MS, iso } from '../../../../domain/common/instants.ts'
import { SOURCE_SCHEDULES } from '../../../../domain/ingestion/schedules.ts'
import { scheduledIngestId } from '../../../../schemas/ingestion/process.ts'
import { PROVIDERS, type Provider } from '../../../../schemas/ingestion/providers.ts'
import { PLAYS_ALL } from '../../../support/cases/sample.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Two weeks in full, or the first nominal times of each source on three days. */
const DAYS = PLAYS_ALL ? 14 : 3
/** Nominal times of a source whose runs begin together on a day with overlaps. */
const PAIR = 2
/** Sources of which runs overlap: in a sample one of each lane that several sources share. */
const PAIRED: readonly Provider[] = PLAYS_ALL ? PROVIDERS : ['github', 'wikipedia']
/** Nominal times in turn of a source on a day of a sample: the run of the second waits for that of the first. */
const IN_TURN = PLAYS_ALL ? Number.POSITIVE_INFINITY : 2

/**
 * `away`: the worker ends in order and comes back while runs are due, and runs of a source overlap. `trouble`: a source answers nonsense and a
 * lane is paused. `killed`: the worker is killed in the middle of a run.
 */
type DayKind = 'away' | 'trouble' | 'killed' | 'plain'
const KINDS: readonly DayKind[] = ['away', 'trouble', 'killed', 'plain']

const pairOn = (kind: DayKind, provider: Provider): number => (kind === 'away' && PAIRED.includes(provider) ? PAIR : 0)

export interface Day {
  kind: DayKind
  /** When the service plays it, epoch ms: a little more than a day after the one before. */
  playedAt: number
  /** Nominal times of each source, epoch ms. */
  times: Readonly<Record<Provider, readonly number[]>>
}

/** Days whose nominal times lie ahead of those that the schedules meet by themselves during a test. */
export const calendarFrom = (now: number): Day[] => {
  const first = (Math.floor(now / DAY_MS) + 2) * DAY_MS
  return Array.from({ length: DAYS }, (_, day) => {
    const begins = first + day * DAY_MS
    const kind = KINDS[day % KINDS.length] ?? 'plain'
    const timesOf = (provider: Provider): number[] => {
      const everyMs = SOURCE_SCHEDULES[provider].everyMinutes * MINUTE_MS
      const count = Math.min(DAY_MS / everyMs, IN_TURN + pairOn(kind, provider))
      return Array.from({ length: count }, (_time, index) => begins + index * everyMs)
    }
    const times = Object.fromEntries(PROVIDERS.map((provider) => [provider, timesOf(provider)])) as unknown as Day['times']
    return { kind, playedAt: begins + 6 * HOUR_MS + day * 10 * MINUTE_MS, times }
  })
}

/** Nominal times of a day that run one after the other, and those that run together. */
export const splitTimes = ({ kind, times }: Day, provider: Provider) => {
  const cut = times[provider].length - pairOn(kind, provider)
  return { inTurn: times[provider].slice(0, cut), together: times[provider].slice(cut) }
}

/** Range of a backfill with exactly these nominal times: the engine begins each up to a minute late. */
export const rangeOf = (times: readonly number[]): { start: number; end: number } => ({
  start: (times[0] ?? 0) - 1000,
  end: (times.at(-1) ?? 0) + MINUTE_MS + 1000,
})

/** Workflow id of the run of a nominal time. */
export const runIdAt = (provider: Provider, at: number): string => `${scheduledIngestId(provider)}-${iso(at).replace('.000Z', 'Z')}`

/** Workflow ids of all runs of these days. */
export const runIdsOf = (days: readonly Day[], provider: Provider): string[] =>
  days.flatMap(({ times }) => times[provider].map((at) => runIdAt(provider, at)))
