import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

const PERIOD_MS = 200

/** Runs the waker of webhooks at intervals until it is stopped; a failed round is repeated. */
export const startWebhookWaker = ({ wake, logger }: { wake: () => Promise<void>; logger: Pick<Logger, 'warn'> }): { stop: () => void } => {
  let stopped = false
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await wake().catch((error: unknown) => logger.warn({ err: error }, 'webhooks could not be woken'))
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
