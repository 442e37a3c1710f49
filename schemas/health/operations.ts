import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import { HealthShape } from './shapes.ts'

const tags = ['Platform'] as const

export const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  summary: 'Whether the service can answer, whether work gets settled, and what each capability does.',
  description: 'Liveness, progress and integrity are separate statements. A capability problem never turns the answer into 503.',
  tags,
  auth: 'none',
  responses: { 200: HealthShape, 503: HealthShape },
  errors: [],
  cache: 'no-cache',
})

export const getLiveness = operation({
  id: 'getLiveness',
  method: 'GET',
  path: '/health/live',
  summary: 'Answers while the process can answer at all.',
  tags,
  auth: 'none',
  responses: { 200: z.object({ live: z.literal(true) }) },
  errors: [],
  cache: 'no-cache',
})

export const getMetrics = operation({
  id: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  summary: 'Prometheus metrics, behind a secret of their own outside local development.',
  tags,
  auth: 'metrics',
  responses: { 200: z.string() },
  errors: [],
  cache: 'no-cache',
  produces: 'text/plain; version=0.0.4; charset=utf-8',
})
