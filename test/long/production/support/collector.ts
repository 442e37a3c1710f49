// A collector of traces: it takes spans as OTLP in JSON and keeps them.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { z } from 'zod'

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(Attribute),
            }),
          ),
        }),
      ),
    }),
  ),
})

export interface CollectedSpan {
  service: unknown
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  attributes: Record<string, unknown>
}

const valuesOf = (attributes: z.infer<typeof Attribute>[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Starts a collector on a free port. */
export const startCollector = async () => {
  const spans: CollectedSpan[] = []
  const server = createServer(async (request, response) => {
    const { resourceSpans } = Export.parse(await json(request))
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { name, traceId, spanId, parentSpanId, attributes } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          service: valuesOf(resource.attributes)['service.name'],
          traceId,
          spanId,
          parentSpanId,
          name,
          attributes: valuesOf(attributes),
        })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spansOf: (traceId: string): CollectedSpan[] => spans.filter((span) => span.traceId === traceId),
    close: () => void server.close(),
  }
}
