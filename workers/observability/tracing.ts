import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Observe } from '../../activities/chain/journal/broadcast.ts'
import { type Tracing, traceTransactions } from '../../activities/observability/tracing.ts'

/** Runs each attempt of an activity as a span in the trace of its process; none without tracing. */
export const traceActivities = async ({ isOn }: Tracing): Promise<ActivityInterceptorsFactory[]> => {
  if (!isOn) return []
  const { OpenTelemetryActivityInboundInterceptor } = await import('@temporalio/interceptors-opentelemetry/lib/worker/index.js')
  return [(context) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(context) })]
}

/** An observer of transactions that traces them, too. */
export const tracedJournal = ({ isOn }: Tracing, observe: Observe): Observe => {
  if (!isOn) return observe
  const traced = traceTransactions()
  return (step, row) => {
    traced(step, row)
    observe(step, row)
  }
}
