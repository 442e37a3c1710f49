import type { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../schemas/errors.ts'
import { COMMON_HEADERS } from '../../schemas/http/headers.ts'
import { accessOf, capabilitiesNeeded, type OperationSpec } from '../../schemas/operations/operation.ts'
import { TAGS } from '../../schemas/operations/tags.ts'
import { ASSET_SYMBOL, ProblemShape } from '../../schemas/operations/values.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import { errorPath } from '../http/problem.ts'
import { SERVICE_VERSION } from '../service.ts'
import { type Components, type JsonSchema, jsonSchema } from './json-schema.ts'
import { headerComponents, ROUTER_RESPONSES, responsesOf, shareRefusals } from './openapi-responses.ts'

/** `/jobs/:id/estimate` as OpenAPI writes it: `/jobs/{id}/estimate`. */
export const templatePath = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, '{$1}')

/** Required members. OpenAPI cannot state that one of several parameters is required: the first of them is. */
const requiredOf = ({ required = [], oneOf = [] }: JsonSchema): string[] => [...required, ...(oneOf[0]?.required ?? [])]

/** A text that is read as a number, a boolean or a member of a list is documented as that; any other as the text that is sent. */
export const parameterSchema = (sent: JsonSchema, read: JsonSchema | undefined): JsonSchema =>
  read !== undefined && ((read.type !== undefined && read.type !== 'string') || read.enum !== undefined) ? read : sent

const parametersIn = (
  place: 'path' | 'query',
  shape: z.ZodObject | undefined,
  examples: Readonly<Record<string, string>>,
  components: Components,
) => {
  if (shape === undefined) return []
  const sent = jsonSchema(shape, components, 'request')
  const read = jsonSchema(shape, components, 'read')
  return Object.entries(sent.properties ?? {}).map(([name, member]) => {
    const { description, ...schema } = parameterSchema(member, read.properties?.[name])
    return {
      name,
      in: place,
      required: place === 'path' || requiredOf(sent).includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...(examples[name] !== undefined && { example: examples[name] }),
    }
  })
}

/** Printable ASCII as for the alias in the body; HTTP drops spaces at the ends of a header. */
const KEY_HEADER_PATTERN = '^[\\x21-\\x7e]([\\x20-\\x7e]{0,253}[\\x21-\\x7e])?$'

const headerParameter = (
  name: string,
  description: string,
  { required = false, ...rules }: { required?: boolean; pattern?: string } = {},
) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', ...rules },
})

const KEY_PARAMETER = headerParameter(
  'Idempotency-Key',
  'Makes a repeat safe: same key and same body give the first success, never a 202 (of a claim: while its session lives). Alias: idempotencyKey in the body.',
  { pattern: KEY_HEADER_PATTERN },
)
const LAST_EVENT = headerParameter('Last-Event-ID', 'Id of the last event that the reader has; browsers send it when they connect again.', {
  // An empty value is none.
  pattern: '^[0-9]{0,18}$',
})

/** Header parameters of an operation that reads them. */
const rawHeaders = ({ headers, rawBody }: OperationSpec) => [
  ...Object.entries(headers ?? {}).map(([name, description]) => headerParameter(name, description)),
  ...Object.entries(rawBody?.headers ?? {}).map(([name, description]) => headerParameter(name, description, { required: true })),
  ...Object.entries(rawBody?.optionalHeaders ?? {}).map(([name, description]) => headerParameter(name, description)),
]

const bodyOf = (spec: OperationSpec, components: Components) => {
  if (spec.body === undefined && spec.rawBody === undefined) return {}
  const example = spec.examples?.body
  const sent = spec.body ?? spec.rawBody?.shape
  const schema = sent === undefined ? { type: 'object' } : jsonSchema(sent, components, 'request')
  const media = { schema, ...(example !== undefined && { example }) }
  // A request without a body counts as an empty object.
  const required = spec.body === undefined || !spec.body.safeParse({}).success
  return { requestBody: { required, content: { [spec.rawBody?.type ?? 'application/json']: media } } }
}

const securityOf = (spec: OperationSpec) => {
  switch (accessOf(spec)) {
    case 'none':
      return []
    case 'optional':
      return [{}, { SIWE_JWT: [] }]
    case 'metrics':
      // A local stack serves the metrics without their secret.
      return [{}, { metricsSecret: [] }]
    case 'wallet':
    case 'no_delegate':
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
    ...(spec.streams ? [LAST_EVENT] : []),
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

const LICENCE = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

/** Facts of the running service that the document states. */
interface DocumentFacts {
  baseUrl: string
  buildId: string
  /** Symbols of the assets. */
  assets: readonly string[]
}

/** Answer of `GET /openapi.json`: OpenAPI 3.1, every operation and every code. */
export const openApi = (operations: readonly OperationSpec[], { baseUrl, buildId, assets }: DocumentFacts): JsonSchema => {
  const components: Components = new Map()
  jsonSchema(ProblemShape, components)
  const described = operations.map((spec) => [spec, operationObject(spec, components)] as const)
  const symbol = components.get(ASSET_SYMBOL)
  if (symbol !== undefined) components.set(ASSET_SYMBOL, { ...symbol, enum: [...assets] })
  const responses = { ...ROUTER_RESPONSES, ...shareRefusals(described.map(([, operation]) => operation)) }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [spec, operation] of described) {
    const path = templatePath(spec.path)
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT_NAME,
      version: SERVICE_VERSION,
      license: LICENCE,
      description: `Every error is a problem document (RFC 9457) with a stable code; the codes are explained at ${baseUrl}/docs/errors. Instants are UTC. Build ${buildId}.`,
    },
    servers: [{ url: baseUrl }],
    tags: TAGS.filter(({ name }) => operations.some(({ tags }) => tags.includes(name))),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([left], [right]) => left.localeCompare(right))),
      responses,
      headers: headerComponents(),
      securitySchemes: SECURITY_SCHEMES,
    },
    'x-common-headers': COMMON_HEADERS,
    'x-error-codes': Object.fromEntries(
      Object.entries(ERRORS).map(([code, row]) => [code, { ...row, type: `${baseUrl}${errorPath(code as ErrorCode)}` }]),
    ),
  }
}

/** The document without its examples, for readers with a small context and for generators. */
export const withoutExamples = (document: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(document, (name, value: unknown) => (name === 'example' || name === 'examples' ? undefined : value)))
