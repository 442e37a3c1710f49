import { type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Settings } from '../../schemas/settings.ts'
import type { Observe } from '../chain/journal/broadcast.ts'

/** Spans are sent together, this often. */
const BATCH_MS = 1_000

/** Traces of a process. Without a collector nothing is loaded, and nothing is traced. */
export interface Tracing {
  isOn: boolean
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>
}

type TracingSettings = Pick<Settings, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG' | 'BUILD_ID'>

const STOP_MS = 2_000

/**
 * Starts to trace a process, if a collector is configured. The share of traced requests is decided by their trace id alone: a caller who sends
 * an id has its requests found under it, but cannot have more of them traced.
 */
export const startTracing = async (service: 'api' | 'worker', settings: TracingSettings): Promise<Tracing> => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share, BUILD_ID: buildId } = settings
  if (endpoint === undefined) return { isOn: false, stop: async () => undefined }
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const sampler = new sdk.TraceIdRatioBasedSampler(share)
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': `agent-work-${service}`,
      ...(buildId !== undefined && { 'service.version': buildId }),
    }),
    sampler: new sdk.ParentBasedSampler({ root: sampler, remoteParentSampled: sampler, remoteParentNotSampled: sampler }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(
        new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {} }),
        {
          scheduledDelayMillis: BATCH_MS,
        },
      ),
    ],
  })
  provider.register()
  return {
    isOn: true,
    stop: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref())
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    },
  }
}

/**
 * Traces each journalled transaction from its signature to its outcome, in the trace of the step that signs it. What another process signed
 * begins with what this one sees.
 */
export const traceTransactions = (): Observe => {
  const open = new Map<string, Span>()
  return (step, { intentKey, intent, signer, nonce, txHash }) => {
    const { functionName, jobId, sessionId } = intent
    const ids = { ...(jobId != null && { 'job.id': jobId }), ...(sessionId != null && { 'session.id': sessionId }) }
    const begin = (): Span =>
      trace.getTracer('transactions').startSpan(`transaction ${functionName}`, {
        attributes: { 'transaction.intent': intentKey, 'transaction.signer': signer, 'transaction.nonce': nonce, ...ids },
      })
    const span = open.get(intentKey) ?? begin()
    span.addEvent(step)
    span.setAttribute('transaction.hash', txHash)
    if (step === 'mined' || step === 'reverted' || step === 'dead') {
      open.delete(intentKey)
      if (step !== 'mined') span.setStatus({ code: SpanStatusCode.ERROR, message: step })
      span.end()
    } else open.set(intentKey, span)
  }
}
