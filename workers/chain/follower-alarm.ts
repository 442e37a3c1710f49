import type { Logger } from 'pino'
import type { FollowerLag } from '../../activities/chain/follower/cursor.ts'
import { brief } from '../observability/error-line.ts'

const PERIOD_MS = 5_000
/** A continuing alarm is logged again at this interval. */
const REPEAT_MS = 60_000

export interface FollowerAlarmDeps {
  lag: () => Promise<FollowerLag | null>
  /** Largest accepted lag of the records behind the chain, seconds. */
  boundSeconds: number
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** Logs that the records are too far behind the chain, once a minute while it lasts, and once when they have caught up. */
export const createFollowerAlarm = ({ boundSeconds, logger }: Omit<FollowerAlarmDeps, 'lag'>, now: () => number = Date.now) => {
  let loggedAt: number | null = null
  return (lag: FollowerLag | null): void => {
    if (lag === null) return
    const facts = { block: lag.cursor.toString(), headBlock: lag.head.toString(), lagSeconds: Math.floor(lag.lagSeconds) }
    if (lag.lagSeconds <= boundSeconds) {
      if (loggedAt !== null) logger.info(facts, 'the records have caught up with the chain')
      loggedAt = null
      return
    }
    if (loggedAt !== null && now() - loggedAt < REPEAT_MS) return
    loggedAt = now()
    logger.error(facts, 'the records are behind the chain: check the process chain-follower and the RPC address')
  }
}

/** Checks the follower's lag in every worker, so that the alarm also works when the follower has stopped. */
export const startFollowerAlarm = ({ lag, ...deps }: FollowerAlarmDeps): { stop: () => void } => {
  const alarm = createFollowerAlarm(deps)
  const check = () =>
    lag().then(alarm, (error: unknown) => deps.logger.warn({ reason: brief(error) }, 'the lag of the chain follower cannot be read'))
  const timer = setInterval(check, PERIOD_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
