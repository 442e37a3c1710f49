import type { Logger } from 'pino'
import { type Loop, startLoop } from '../../activities/common/loop.ts'
import type { Database } from '../../activities/database/database.ts'
import { relayEvents } from '../../activities/events/relay.ts'

const PERIOD_MS = 100

/** Numbers new events of the outbox. Every worker runs it, one at a time does the work. After a round with events the next one begins at once. */
export const startEventRelay = ({ database, logger }: { database: Database; logger: Pick<Logger, 'warn'> }): Loop<number> =>
  startLoop({
    round: () => relayEvents(database),
    every: (numbered = 0) => (numbered > 0 ? 0 : PERIOD_MS),
    onFailure: (error) => logger.warn({ err: error }, 'events could not be numbered'),
  })
