import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Middleware } from 'koa'

/** Runs each request in a span, in the trace that its header `traceparent` names. Without a collector it does nothing. */
export const traced =
  (isOn: boolean): Middleware =>
  async (ctx, next) => {
    if (!isOn) return next()
    const parent = propagation.extract(context.active(), ctx.headers)
    const span = trace.getTracer('http').startSpan(ctx.method, { kind: SpanKind.SERVER }, parent)
    try {
      await context.with(trace.setSpan(parent, span), next)
    } finally {
      const { template = 'other', requestId } = ctx.state as { template?: string; requestId: string }
      span.updateName(`${ctx.method} ${template}`)
      span.setAttributes({
        'http.request.method': ctx.method,
        'http.route': template,
        'http.response.status_code': ctx.status,
        'request.id': requestId,
      })
      if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  }
