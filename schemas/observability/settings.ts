import { z } from 'zod'
import { flag, list, SECRET } from '../common/setting-parsers.ts'

const parseHeaders = (text: string, context: z.core.$RefinementCtx): Record<string, string> => {
  try {
    return Object.fromEntries(
      list(text).map((pair) => {
        const [, name = '', value = ''] = /^([\w-]+)\s*=\s*(.*)$/.exec(pair) ?? []
        if (name === '') throw new URIError(pair)
        return [name, decodeURIComponent(value)]
      }),
    )
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a list of <name>=<value>, with the values percent-encoded' })
    return z.NEVER
  }
}

export const settings = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  METRICS_TOKEN: z.string().optional().meta(SECRET),
  /** Port of the worker's metrics on HOST; 0 takes any free port, unset disables them. */
  WORKER_METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  OPEN_METRICS: flag,
  /** Base address of an OpenTelemetry collector that takes OTLP over HTTP; without one nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Headers for the collector, as `name=value,name=value` with percent-encoding. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().transform(parseHeaders).optional().meta(SECRET),
  /** Share of the requests and processes that are traced, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
}
