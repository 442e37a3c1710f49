import { Context } from '@temporalio/activity'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker'

const BEATS_IN_A_TIMEOUT = 3

/**
 * Tells the engine that a step is at work for as long as this process lives: a lost worker is noticed in seconds, however long the
 * step itself may take. How long that is, is bounded by its start-to-close time-out.
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
