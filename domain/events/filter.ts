import type { Tables } from '../../schemas/entities/tables.ts'

/** Which events a reader asked for. An empty list and a null filter nothing. */
export interface EventFilter {
  /** Only events that this wallet may read, lower case; null for all of them. */
  wallet: string | null
  jobId: string | null
  sessionId: string | null
  correlationId: string | null
  topics: string[]
  sources: string[]
  phases: string[]
  severities: string[]
}

export const NO_FILTER: EventFilter = {
  wallet: null,
  jobId: null,
  sessionId: null,
  correlationId: null,
  topics: [],
  sources: [],
  phases: [],
  severities: [],
}

/** Members of an event that a filter looks at. */
type FilteredEvent = Pick<Tables['event'], 'wallets' | 'jobId' | 'sessionId' | 'correlationId' | 'topic' | 'source' | 'phase' | 'severity'>

const isListed = (list: readonly string[], value: string): boolean => list.length === 0 || list.includes(value)

/** Whether a filter lets an event through. `whereEvent` is the same rule in SQL. */
export const passes = (filter: EventFilter, event: FilteredEvent): boolean =>
  (filter.wallet === null || event.wallets.includes(filter.wallet)) &&
  (filter.jobId === null || event.jobId === filter.jobId) &&
  (filter.sessionId === null || event.sessionId === filter.sessionId) &&
  (filter.correlationId === null || event.correlationId === filter.correlationId) &&
  isListed(filter.topics, event.topic) &&
  isListed(filter.sources, event.source) &&
  isListed(filter.phases, event.phase) &&
  isListed(filter.severities, event.severity)

/** Words of a query, each a comma list. */
type FilterQuery = Partial<Record<'topics' | 'sources' | 'phases' | 'severities' | 'correlationId', string | undefined>>

const split = (text: string | undefined): string[] => text?.split(',') ?? []

/** Members of a filter that a query states in words. */
export const filterWords = ({ topics, sources, phases, severities, correlationId }: FilterQuery) =>
  ({
    topics: split(topics),
    sources: split(sources),
    phases: split(phases),
    severities: split(severities),
    correlationId: correlationId ?? null,
  }) satisfies Partial<EventFilter>
