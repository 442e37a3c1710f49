import type { EventFilter } from '../../domain/events/filter.ts'

interface FilterQuery {
  topics?: string | undefined
  sources?: string | undefined
  phases?: string | undefined
  severities?: string | undefined
  correlationId?: string | undefined
}

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
