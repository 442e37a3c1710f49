import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import { HealthShape } from './shapes.ts'

const tags = ['Platform'] as const

export const getHealth = operation('getHealth', 'GET /health', {
  summary: 'Whether the service can answer, whether work gets settled, and what each capability does.',
  description: 'Liveness, progress and integrity are separate statements. A capability problem never turns the answer into 503.',
  tags,
  auth: 'none',
  responses: { 200: HealthShape, 503: HealthShape },
  cache: 'no-cache',
})

export const getLiveness = operation('getLiveness', 'GET /health/live', {
  summary: 'Answers while the process can answer at all.',
  tags,
  auth: 'none',
  responses: { 200: z.object({ live: z.literal(true) }) },
  cache: 'no-cache',
})

export const getMetrics = operation('getMetrics', 'GET /metrics', {
  summary: 'Prometheus metrics, behind a secret of their own outside local development.',
  tags,
  auth: 'metrics',
  responses: { 200: z.string() },
  cache: 'no-cache',
  produces: 'text/plain; version=0.0.4; charset=utf-8',
})
