import { pick } from '../common/pick.ts'
import { type EventFilter, NO_FILTER } from '../events/filter.ts'

/** Filter of an endpoint: the events that its wallet may read, of its topics and its session. */
export const endpointFilter = (endpoint: Pick<EventFilter, 'wallet' | 'topics' | 'sessionId'>): EventFilter => ({
  ...NO_FILTER,
  ...pick(endpoint, 'wallet', 'sessionId', 'topics'),
})
