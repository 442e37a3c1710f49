import type { Logger } from 'pino'
import { type Loop, startLoop } from '../../activities/common/loop.ts'

const PERIOD_MS = 200

/** Runs the waker of webhooks at intervals. */
export const startWebhookWaker = ({ wake, logger }: { wake: () => Promise<void>; logger: Pick<Logger, 'warn'> }): Loop<void> =>
  startLoop({ round: wake, every: PERIOD_MS, onFailure: (error) => logger.warn({ err: error }, 'webhooks could not be woken') })
