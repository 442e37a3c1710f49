import type { WorkflowClientInterceptor } from '@temporalio/client'
import type { Tracing } from '../observability/tracing.ts'

/** Interceptors that pass the trace of a request or step on with each call of the workflow engine; none without tracing. */
export const traceCalls = async ({ isOn }: Pick<Tracing, 'isOn'>): Promise<WorkflowClientInterceptor[]> => {
  if (!isOn) return []
  const { OpenTelemetryWorkflowClientInterceptor } = await import('@temporalio/interceptors-opentelemetry/lib/client/index.js')
  return [new OpenTelemetryWorkflowClientInterceptor()]
}
