import type { Logger } from 'pino'
import type { FollowerLag } from '../../activities/chain/follower/cursor.ts'
import { brief } from '../observability/error-line.ts'

const PERIOD_MS = 5_000
/** An alarm that goes on is said again this often. */
const REPEAT_MS = 60_000

export interface FollowerAlarmDeps {
  lag: () => Promise<FollowerLag | null>
  /** Records that are so far behind the chain are an alarm, seconds. */
  boundSeconds: number
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** Says that the records are too far behind the chain, once a minute while it lasts, and when it is over. */
export const createFollowerAlarm = ({ boundSeconds, logger }: Omit<FollowerAlarmDeps, 'lag'>, now: () => number = Date.now) => {
  let toldAt: number | null = null
  return (lag: FollowerLag | null): void => {
    if (lag === null) return
    const facts = { block: lag.cursor.toString(), headBlock: lag.head.toString(), lagSeconds: Math.floor(lag.lagSeconds) }
    if (lag.lagSeconds <= boundSeconds) {
      if (toldAt !== null) logger.info(facts, 'the records have caught up with the chain')
      toldAt = null
      return
    }
    if (toldAt !== null && now() - toldAt < REPEAT_MS) return
    toldAt = now()
    logger.error(facts, 'the records are behind the chain: look at the process chain-follower and at the RPC address')
  }
}

/** Watches the follower from outside: also when no process follows any more, somebody says so. Every worker does it. */
export const startFollowerAlarm = ({ lag, ...deps }: FollowerAlarmDeps): { stop: () => void } => {
  const alarm = createFollowerAlarm(deps)
  const look = () =>
    lag().then(alarm, (error: unknown) => deps.logger.warn({ reason: brief(error) }, 'how far the chain is recorded cannot be read'))
  const timer = setInterval(look, PERIOD_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
