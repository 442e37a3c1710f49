import { z } from 'zod'
import { HealthShape } from '../health/shapes.ts'
import { operation } from '../operations/operation.ts'
import { OpenObject } from '../operations/values.ts'
import { AgentToolsShape, OnboardingShape } from './onboarding.ts'

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

export const getOnboarding = operation({
  id: 'getOnboarding',
  method: 'GET',
  path: '/onboarding',
  summary: 'Everything an agent needs to start: the flow, wallet modes, requirements, tools.',
  tags,
  auth: 'none',
  action: 'read_onboarding',
  responses: { 200: OnboardingShape },
  errors: [],
  cache: 'public, max-age=30',
  tool: { name: 'getPlatformCapabilities', directory: true },
})

export const getAgentTools = operation({
  id: 'getAgentTools',
  method: 'GET',
  path: '/.well-known/agent-tools.json',
  summary: 'Capability manifest at its well-known address.',
  tags,
  auth: 'none',
  responses: { 200: AgentToolsShape },
  errors: [],
  cache: 'public, max-age=300',
})

export const getOpenApi = operation({
  id: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'OpenAPI 3.1 description of every route and every code.',
  tags,
  auth: 'none',
  responses: { 200: OpenObject },
  errors: [],
  cache: 'public, max-age=300',
})

export const getDocs = operation({
  id: 'getDocs',
  method: 'GET',
  path: '/docs',
  summary: 'Reference page: operations, error codes, rules of the wire.',
  tags,
  auth: 'none',
  responses: { 200: z.string() },
  errors: [],
  cache: 'public, max-age=300',
  produces: 'text/html; charset=utf-8',
})
