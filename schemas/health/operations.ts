import { z } from 'zod'
import { METRICS, operation, PUBLIC } from '../operations/operation.ts'
import { literal } from '../operations/values.ts'
import { HealthShape } from './shapes.ts'

const current = { tags: ['Platform'], cache: 'no-cache' } as const

export const getHealth = operation('getHealth', 'GET /health', {
  summary: 'Whether the service can answer, whether work gets settled, and what each capability does.',
  description: 'Liveness, progress and integrity are separate statements. A capability problem never turns the answer into 503.',
  ...current,
  auth: PUBLIC,
  responses: { 200: HealthShape, 503: HealthShape },
})

export const getLiveness = operation('getLiveness', 'GET /health/live', {
  summary: 'Answers while the process can answer at all.',
  ...current,
  auth: PUBLIC,
  responses: { 200: z.object({ live: z.literal(true) }) },
})

export const getMetrics = operation('getMetrics', 'GET /metrics', {
  summary: 'Prometheus metrics, behind a secret of their own outside local development.',
  ...current,
  auth: METRICS,
  responses: { 200: z.string() },
  produces: 'text/plain; version=0.0.4; charset=utf-8',
})

const sponsor = { tags: ['Platform'], auth: PUBLIC, cache: 'public, max-age=30' } as const

export const getGasHealth = operation('getGasHealth', 'GET /gas/health', {
  summary: 'Whether gas is sponsored. This release sponsors none beyond the brokered claims and submissions.',
  ...sponsor,
  responses: {
    200: z.object({
      ok: z.boolean(),
      backend: literal('bundler'),
      enabled: z.boolean().describe('Whether the service sponsors gas.'),
      mode: z.enum(['disabled', 'live']),
    }),
  },
})

export const getGasCapabilities = operation('getGasCapabilities', 'GET /gas/capabilities', {
  summary: 'What the gas sponsor can do; without a sponsor, that it is off.',
  ...sponsor,
  responses: { 200: z.object({ enabled: z.boolean() }) },
})
