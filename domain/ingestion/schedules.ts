import type { Provider } from '../../schemas/ingestion/providers.ts'

/** How often a source is read, and what its runs list. */
export interface SourceSchedule {
  everyMinutes: number
  minScore: number
  /** Jobs of one run. */
  limit: number
  /** Own members that its runs have until an operator gives others. */
  input: Record<string, unknown>
}

const HOURLY = { everyMinutes: 60, minScore: 55, limit: 2 }

/** Schedules of the sources, off and dry until an operator turns them on. Source: lifecycle, "Ingest". */
export const SOURCE_SCHEDULES: Readonly<Record<Provider, SourceSchedule>> = {
  github: { everyMinutes: 15, minScore: 75, limit: 2, input: { query: 'label:"good first issue" no:assignee archived:false' } },
  wikipedia: { everyMinutes: 30, minScore: 75, limit: 2, input: {} },
  osv: { ...HOURLY, input: {} },
  'open-data': { ...HOURLY, input: {} },
  openapi: { ...HOURLY, input: {} },
  standards: { ...HOURLY, input: {} },
}

/** What the alarms of a source follow from. Epoch ms by the service clock. */
export interface SourceWatch {
  /** Since when its schedule is on; null while it is off. */
  activeSince: number | null
  isDry: boolean
  everySeconds: number
  lastSuccessAt: number | null
  /** Of its runs of the last 24 hours that may list. */
  created24h: number
  /** Candidates of these runs that no earlier run had listed. */
  newCandidates24h: number
  /** Whether these runs read the source and found no candidate at all. */
  isEmpty24h: boolean
}

/** Intervals without a success after which a source counts as silent, and the shortest such time. */
const SILENT_INTERVALS = 3
const SILENT_SECONDS = 3_600

/** Seconds since the last success of an active source, or since it was turned on; null for one that is off. */
export const silentSeconds = ({ activeSince, lastSuccessAt }: SourceWatch, now: number): number | null =>
  activeSince === null ? null : Math.max(0, Math.floor((now - Math.max(activeSince, lastSuccessAt ?? 0)) / 1000))

/** Whether an active source has had no success for too long. */
export const isSilent = (watch: SourceWatch, now: number): boolean =>
  (silentSeconds(watch, now) ?? 0) > Math.max(SILENT_INTERVALS * watch.everySeconds, SILENT_SECONDS)

/** Whether an active source that may list listed nothing in 24 hours, although it had new candidates or because it gave none at all. */
export const createsNothing = ({ activeSince, isDry, created24h, newCandidates24h, isEmpty24h }: SourceWatch): boolean =>
  activeSince !== null && !isDry && created24h === 0 && (newCandidates24h > 0 || isEmpty24h)
