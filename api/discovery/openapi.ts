import type { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../schemas/errors.ts'
import { capabilitiesNeeded, errorsOf, isTagged, type OperationSpec } from '../../schemas/operations/operation.ts'
import { ProblemShape } from '../../schemas/operations/values.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import { type Components, type JsonSchema, jsonSchema } from './json-schema.ts'
import { MANIFEST_VERSION } from './manifest.ts'
import { answerExample } from './recorded-answers.ts'

const PROBLEM = 'application/problem+json'

/** `/jobs/:id/estimate` as OpenAPI writes it: `/jobs/{id}/estimate`. */
export const templatePath = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, '{$1}')

const parametersIn = (
  place: 'path' | 'query',
  shape: z.ZodObject | undefined,
  examples: Readonly<Record<string, string>>,
  components: Components,
) => {
  if (shape === undefined) return []
  const { properties = {}, required = [] } = jsonSchema(shape, components) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema,
    ...(examples[name] !== undefined && { example: examples[name] }),
  }))
}

const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repeat safe: same key and same body give the first success, never a 202 (of a claim: while its session lives). Alias: idempotencyKey in the body.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** Header parameters of an operation that reads the raw body. */
const rawHeaders = ({ rawBody }: OperationSpec) =>
  (rawBody?.headers ?? []).map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } }))

const bodyOf = (spec: OperationSpec, components: Components) => {
  if (spec.body === undefined && spec.rawBody === undefined) return {}
  const example = spec.examples?.body
  const schema = spec.body === undefined ? { type: 'object' } : jsonSchema(spec.body, components)
  const media = { schema, ...(example !== undefined && { example }) }
  return { requestBody: { required: spec.rawBody !== undefined, content: { 'application/json': media } } }
}

/** The only operation whose example shows `$id` members. */
const LISTS_SCHEMAS = 'listJobSchemas'

/** A validator takes every `$id` in the document for the id of a schema, and refuses duplicates: other examples drop it. */
const exampleOf = (spec: OperationSpec, status: number): unknown => {
  const example = answerExample(spec, status)
  if (example === undefined || spec.id === LISTS_SCHEMAS) return example
  return JSON.parse(JSON.stringify(example), (name, value: unknown) => (name === '$id' ? undefined : value))
}

const successes = (spec: OperationSpec, components: Components) =>
  Object.entries(spec.responses).map(([status, schema]) => {
    const example = exampleOf(spec, Number(status))
    const media = { schema: jsonSchema(schema, components), ...(example !== undefined && { example }) }
    return [status, { description: spec.summary, content: { [spec.produces?.split(';')[0] ?? 'application/json']: media } }] as const
  })

const failures = (spec: OperationSpec) => {
  const byStatus = Map.groupBy(errorsOf(spec), (code: ErrorCode) => ERRORS[code].status)
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => {
      const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n')
      const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] }
      return [String(status), { description, content: { [PROBLEM]: { schema } } }] as const
    })
}

/** 304 for operations whose answers carry an `ETag`. */
const notModified = (spec: OperationSpec) =>
  isTagged(spec) ? { 304: { description: 'Unchanged: `If-None-Match` names the `ETag` of the answer.' } } : {}

/** One entry per status; a status shared by an answer and a problem lists both content types. */
const responsesOf = (spec: OperationSpec, components: Components) => {
  const answers = Object.fromEntries(successes(spec, components))
  const refusals = failures(spec).map(([status, refusal]) => {
    const answer = answers[status]
    return [status, answer === undefined ? refusal : { ...answer, content: { ...answer.content, ...refusal.content } }] as const
  })
  return { ...answers, ...notModified(spec), ...Object.fromEntries(refusals) }
}

const securityOf = ({ auth }: OperationSpec) => {
  switch (auth) {
    case 'none':
      return []
    case 'optional':
      return [{}, { SIWE_JWT: [] }]
    case 'metrics':
      return [{ metricsSecret: [] }]
    case 'wallet':
    case 'wallet_only':
      return [{ SIWE_JWT: [] }]
  }
}

const operationObject = (spec: OperationSpec, components: Components) => ({
  operationId: spec.id,
  summary: spec.summary,
  ...(spec.description !== undefined && { description: spec.description }),
  tags: spec.tags,
  security: securityOf(spec),
  parameters: [
    ...parametersIn('path', spec.params, spec.examples?.params ?? {}, components),
    ...parametersIn('query', spec.query, spec.examples?.query ?? {}, components),
    ...(spec.idempotent === undefined ? [] : [KEY_PARAMETER]),
    ...rawHeaders(spec),
  ],
  ...bodyOf(spec, components),
  responses: responsesOf(spec, components),
  ...(spec.action !== undefined && { 'x-action': spec.action }),
  ...(spec.role !== undefined && { 'x-role': spec.role }),
  'x-capabilities': capabilitiesNeeded(spec),
  ...(spec.rate !== undefined && { 'x-rate-bucket': spec.rate }),
  ...(spec.tool !== undefined && { 'x-tool': spec.tool.name }),
})

const SECURITY_SCHEMES = {
  SIWE_JWT: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Sign-In with Ethereum: POST /auth/nonce, sign the message with personal_sign, POST /auth/verify.',
  },
  metricsSecret: { type: 'http', scheme: 'bearer', description: 'Secret of the metrics endpoint.' },
}

/** Body of `GET /openapi.json`: OpenAPI 3.1, every operation and every code. */
export const openApi = (operations: readonly OperationSpec[], baseUrl: string, buildId: string): JsonSchema => {
  const components: Components = new Map()
  jsonSchema(ProblemShape, components)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const spec of operations) {
    const path = templatePath(spec.path)
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationObject(spec, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT_NAME,
      version: MANIFEST_VERSION,
      description: `Every error is a problem document (RFC 9457) with a stable code; the codes are explained at ${baseUrl}/docs. Build ${buildId}.`,
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.flatMap(({ tags }) => [...tags]))].map((name) => ({ name })),
    paths,
    components: { schemas: Object.fromEntries(components), securitySchemes: SECURITY_SCHEMES },
    'x-error-codes': Object.fromEntries(Object.entries(ERRORS).map(([code, row]) => [code, { ...row, type: `${baseUrl}/docs#${code}` }])),
  }
}
