import { Context } from '@temporalio/activity'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker'

const BEATS_IN_A_TIMEOUT = 3

/**
 * Sends heartbeats while an activity runs, so that the Temporal server notices a lost worker within seconds. The start-to-close time-out
 * bounds the activity itself.
 */
export const heartbeatInterceptor = (): ActivityInboundCallsInterceptor => ({
  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>) {
    const context = Context.current()
    const { heartbeatTimeoutMs } = context.info
    if (heartbeatTimeoutMs === undefined) return next(input)
    const beat = setInterval(() => context.heartbeat(), heartbeatTimeoutMs / BEATS_IN_A_TIMEOUT)
    try {
      return await next(input)
    } finally {
      clearInterval(beat)
    }
  },
})
