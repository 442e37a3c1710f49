import { type EventFilter, NO_FILTER } from '../events/filter.ts'

/** Filter of an endpoint: the events that its wallet may read, of its topics and its session. */
export const endpointFilter = ({
  wallet,
  topics,
  sessionId,
}: {
  wallet: string
  topics: readonly string[]
  sessionId: string | null
}): EventFilter => ({ ...NO_FILTER, wallet, sessionId, topics: [...topics] })
