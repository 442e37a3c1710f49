import type { Logger } from 'pino'
import type { FollowerLag } from '../../activities/chain/follower/cursor.ts'
import { type Loop, startLoop } from '../../activities/common/loop.ts'
import { createAlarm } from '../observability/alarm.ts'
import { brief } from '../observability/error-line.ts'

const PERIOD_MS = 5_000

export interface FollowerAlarmDeps {
  lag: () => Promise<FollowerLag | null>
  /** Largest accepted lag of the records behind the chain, seconds. */
  boundSeconds: number
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** Logs that the records are too far behind the chain, once a minute while it lasts, and once when they have caught up. */
export const createFollowerAlarm = ({ boundSeconds, logger }: Omit<FollowerAlarmDeps, 'lag'>, now: () => number = Date.now) => {
  const alarm = createAlarm({ now })
  return (lag: FollowerLag | null): void => {
    if (lag === null) return
    const facts = { block: lag.cursor.toString(), headBlock: lag.head.toString(), lagSeconds: Math.floor(lag.lagSeconds) }
    alarm({
      cause: lag.lagSeconds <= boundSeconds ? null : 'behind',
      raise: () => logger.error(facts, 'the records are behind the chain: check the process chain-follower and the RPC address'),
      end: () => logger.info(facts, 'the records have caught up with the chain'),
    })
  }
}

/** Checks the follower's lag in every worker, so that the alarm also works when the follower has stopped. */
export const startFollowerAlarm = ({ lag, ...deps }: FollowerAlarmDeps): Loop<void> => {
  const alarm = createFollowerAlarm(deps)
  return startLoop({
    round: async () => alarm(await lag()),
    every: PERIOD_MS,
    // The follower needs a moment to catch up after a start.
    firstMs: PERIOD_MS,
    onFailure: (error) => deps.logger.warn({ reason: brief(error) }, 'the lag of the chain follower cannot be read'),
  })
}
