import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../activities/database/database.ts'
import { relayEvents } from '../../activities/events/relay.ts'

const PERIOD_MS = 100

/** Numbers new events of the outbox. Every worker runs it, one at a time does the work; a failed pass is repeated. */
export const startEventRelay = ({ database, logger }: { database: Database; logger: Pick<Logger, 'warn'> }): { stop: () => void } => {
  let stopped = false
  const relayAll = async (): Promise<void> => {
    while ((await relayEvents(database)) > 0 && !stopped);
  }
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await relayAll().catch((error: unknown) => logger.warn({ err: error }, 'events could not be numbered'))
      await sleep(PERIOD_MS, undefined, { ref: false })
    }
  }
  void loop()
  return {
    stop: () => {
      stopped = true
    },
  }
}
