import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import { HealthShape } from './shapes.ts'

const current = { tags: ['Platform'], cache: 'no-cache' } as const

export const getHealth = operation('getHealth', 'GET /health', {
  summary: 'Whether the service can answer, whether work gets settled, and what each capability does.',
  description: 'Liveness, progress and integrity are separate statements. A capability problem never turns the answer into 503.',
  ...current,
  auth: 'none',
  responses: { 200: HealthShape, 503: HealthShape },
})

export const getLiveness = operation('getLiveness', 'GET /health/live', {
  summary: 'Answers while the process can answer at all.',
  ...current,
  auth: 'none',
  responses: { 200: z.object({ live: z.literal(true) }) },
})

export const getMetrics = operation('getMetrics', 'GET /metrics', {
  summary: 'Prometheus metrics, behind a secret of their own outside local development.',
  ...current,
  auth: 'metrics',
  responses: { 200: z.string() },
  produces: 'text/plain; version=0.0.4; charset=utf-8',
})
