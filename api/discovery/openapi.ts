import type { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../schemas/errors.ts'
import { COMMON_HEADERS, RESPONSE_HEADERS, responseHeadersOf } from '../../schemas/http/headers.ts'
import { capabilitiesNeeded, errorsOf, isTagged, type OperationSpec } from '../../schemas/operations/operation.ts'
import { TAGS } from '../../schemas/operations/tags.ts'
import { ASSET_SYMBOL, ProblemShape } from '../../schemas/operations/values.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import { type Components, type JsonSchema, jsonSchema } from './json-schema.ts'
import { MANIFEST_VERSION } from './manifest.ts'
import { answerExample } from './recorded-answers.ts'

const PROBLEM = 'application/problem+json'

const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Headers of an answer, by reference. */
const headersOf = (spec: OperationSpec, status: number) =>
  Object.fromEntries(responseHeadersOf(spec, status).map((name) => [name, refTo('headers', name)]))

/** `/jobs/:id/estimate` as OpenAPI writes it: `/jobs/{id}/estimate`. */
export const templatePath = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, '{$1}')

interface ObjectSchema {
  properties?: Record<string, JsonSchema>
  required?: string[]
  oneOf?: { required?: string[] }[]
}

/** Required members. OpenAPI cannot state that one of several parameters is required: the first of them is. */
const requiredOf = ({ required = [], oneOf = [] }: ObjectSchema): string[] => [...required, ...(oneOf[0]?.required ?? [])]

/** A text that is read as a number, a boolean or a member of a list is documented as that; any other as the text that is sent. */
const parameterSchema = (sent: JsonSchema, read: JsonSchema | undefined): JsonSchema =>
  read !== undefined && ((read.type !== undefined && read.type !== 'string') || read.enum !== undefined) ? read : sent

const parametersIn = (
  place: 'path' | 'query',
  shape: z.ZodObject | undefined,
  examples: Readonly<Record<string, string>>,
  components: Components,
) => {
  if (shape === undefined) return []
  const sent = jsonSchema(shape, components, 'request') as ObjectSchema
  const read = jsonSchema(shape, components, 'read') as ObjectSchema
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

const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repeat safe: same key and same body give the first success, never a 202 (of a claim: while its session lives). Alias: idempotencyKey in the body.',
  schema: { type: 'string', pattern: KEY_HEADER_PATTERN },
}

/** Header parameters of an operation that reads the raw body. */
const rawHeaders = ({ rawBody }: OperationSpec) =>
  Object.entries(rawBody?.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }))

const bodyOf = (spec: OperationSpec, components: Components) => {
  if (spec.body === undefined && spec.rawBody === undefined) return {}
  const example = spec.examples?.body
  const schema = spec.body === undefined ? { type: 'object' } : jsonSchema(spec.body, components, 'request')
  const media = { schema, ...(example !== undefined && { example }) }
  // A request without a body counts as an empty object.
  const required = spec.body === undefined || !spec.body.safeParse({}).success
  return { requestBody: { required, content: { 'application/json': media } } }
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
    const content = { [spec.produces?.split(';')[0] ?? 'application/json']: media }
    return [status, { description: spec.summary, headers: headersOf(spec, Number(status)), content }] as const
  })

/** A problem document with one of the codes. */
const refusalOf = (codes: readonly ErrorCode[], headers: Record<string, unknown>) => {
  const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n')
  const code = { type: 'string', enum: codes, description: 'Stable code of the error.' }
  const schema = { allOf: [refTo('schemas', 'Problem'), { type: 'object', properties: { code } }] }
  return { description, headers, content: { [PROBLEM]: { schema } } }
}

const failures = (spec: OperationSpec) => {
  const byStatus = Map.groupBy(errorsOf(spec), (code: ErrorCode) => ERRORS[code].status)
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => [String(status), refusalOf(codes, headersOf(spec, status))] as const)
}

/** 304 for operations whose answers carry an `ETag`. */
const notModified = (spec: OperationSpec) =>
  isTagged(spec)
    ? { 304: { description: 'Unchanged: `If-None-Match` names the `ETag` of the answer.', headers: headersOf(spec, 304) } }
    : {}

/** One entry per status; a status shared by an answer and a problem lists both content types. */
const responsesOf = (spec: OperationSpec, components: Components): Record<string, object> => {
  const answers = Object.fromEntries(successes(spec, components))
  const refusals = failures(spec).map(([status, refusal]) => {
    const answer = answers[status]
    if (answer === undefined) return [status, refusal] as const
    return [status, { ...answer, content: { ...answer.content, ...refusal.content } }] as const
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
      // A local stack serves the metrics without their secret.
      return [{}, { metricsSecret: [] }]
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

/** Answers of the router itself, which belong to no operation. */
const ROUTER_RESPONSES = {
  NotFound: refusalOf(['not_found'], { 'X-Request-Id': refTo('headers', 'X-Request-Id') }),
  MethodNotAllowed: refusalOf(['method_not_allowed'], {
    'X-Request-Id': refTo('headers', 'X-Request-Id'),
    Allow: refTo('headers', 'Allow'),
  }),
}

type Operations = ReturnType<typeof operationObject>[]

/** Moves each refusal that several operations have into the components. Returns the components. */
const shareRefusals = (operations: Operations): Record<string, object> => {
  const users = new Map<string, { status: string; responses: Record<string, object> }[]>()
  for (const { responses } of operations)
    for (const [status, response] of Object.entries(responses)) {
      const text = JSON.stringify(response)
      users.set(text, [...(users.get(text) ?? []), { status, responses }])
    }
  const shared: Record<string, object> = {}
  for (const [text, uses] of users) {
    const [first] = uses
    if (first === undefined || uses.length === 1) continue
    const index = Object.keys(shared).filter((name) => name.startsWith(`Refusal${first.status}`)).length
    const name = `Refusal${first.status}${index === 0 ? '' : `_${index + 1}`}`
    shared[name] = JSON.parse(text)
    for (const { status, responses } of uses) responses[status] = refTo('responses', name)
  }
  return shared
}

const LICENCE = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

const headerComponents = () => Object.fromEntries(Object.entries(RESPONSE_HEADERS).map(([name, { on: _on, ...header }]) => [name, header]))

/** Facts of the running service that the document states. */
export interface DocumentFacts {
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
  if (symbol !== undefined) components.set(ASSET_SYMBOL, { ...symbol, enum: assets })
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
      version: MANIFEST_VERSION,
      license: LICENCE,
      description: `Every error is a problem document (RFC 9457) with a stable code; the codes are explained at ${baseUrl}/docs. Build ${buildId}.`,
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
    'x-error-codes': Object.fromEntries(Object.entries(ERRORS).map(([code, row]) => [code, { ...row, type: `${baseUrl}/docs#${code}` }])),
  }
}

/** The document without its examples, for readers with a small context and for generators. */
export const withoutExamples = (document: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(document, (name, value: unknown) => (name === 'example' || name === 'examples' ? undefined : value)))
