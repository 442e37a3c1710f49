import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../activities/database/database.ts'
import { relayEvents } from '../../activities/events/relay.ts'

const PERIOD_MS = 250

/** Numbers the events of the outbox as they come; every worker runs it, one at a time does the work. What fails is done at the next turn. */
export const startEventRelay = ({ database, logger }: { database: Database; logger: Pick<Logger, 'warn'> }): { stop: () => void } => {
  let stopped = false
  const turn = async (): Promise<void> => {
    while ((await relayEvents(database)) > 0 && !stopped);
  }
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await turn().catch((error: unknown) => logger.warn({ err: error }, 'events could not be numbered'))
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
