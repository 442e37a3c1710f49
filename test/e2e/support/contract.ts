import { Ajv2020 } from 'ajv/dist/2020.js'
import { closed } from '../../support/closed-schema.ts'
import type { CallInit, Reply } from './http.ts'

interface DocumentedResponse {
  headers?: Record<string, unknown>
  content?: Record<string, unknown>
}
interface DocumentedOperation {
  operationId: string
  responses: Record<string, DocumentedResponse | { $ref: string }>
}
export interface OpenApiDocument {
  openapi: string
  paths: Record<string, Record<string, DocumentedOperation>>
  components: {
    schemas: Record<string, unknown>
    responses: Record<string, DocumentedResponse>
    headers: Record<string, { required?: boolean }>
  }
  'x-common-headers': string[]
}

interface Route {
  method: string
  template: string
  pattern: RegExp
  operation: DocumentedOperation
}

const BASE = 'https://openapi.test/document'
const escapePointer = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`)

/** Literal paths first, so that `/jobs/definition` is not taken for `/jobs/{id}`. */
const routesOf = (document: OpenApiDocument): Route[] =>
  Object.entries(document.paths)
    .flatMap(([template, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ method, template, pattern: patternOf(template), operation })),
    )
    .sort((left, right) => Number(left.template.includes('{')) - Number(right.template.includes('{')))

export type Contract = ReturnType<typeof createContract>

/** Headers of HTTP itself, which describe the body and the connection. */
const TRANSPORT = ['content-length', 'content-type', 'keep-alive', 'transfer-encoding', 'access-control-allow-credentials']

/** Headers of an answer that the document does not name, and named ones that an answer must carry and does not. */
const headerFaults = (document: OpenApiDocument, { headers: documented = {} }: DocumentedResponse, { headers }: Reply): string[] => {
  const allowed = [...Object.keys(documented), ...document['x-common-headers'], ...TRANSPORT].map((name) => name.toLowerCase())
  const undeclared = [...headers.keys()].filter((name) => !allowed.includes(name)).map((name) => `no header ${name} is documented`)
  const missing = Object.keys(documented).filter((name) => document.components.headers[name]?.required && !headers.has(name))
  return [...undeclared, ...missing.map((name) => `the header ${name} is missing`)]
}

/** Called with every answer that is as documented; `fits` tells whether another body would be, too. */
type OnAnswer = (operationId: string, status: number, body: unknown, fits: (body: unknown) => boolean) => void

/** Holds answers to the service's own OpenAPI document: status, media type and every member. */
export const createContract = (document: OpenApiDocument, onAnswer: OnAnswer = () => undefined) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, inlineRefs: false, code: { optimize: false } })
  ajv.addSchema({ ...(closed(document) as OpenApiDocument), $id: BASE })
  const routes = routesOf(document)
  /** Operation id → statuses that were seen. */
  const seen = new Map<string, Set<number>>()

  const faults = (pointer: string, body: unknown): string[] => {
    const validate = ajv.getSchema(`${BASE}#${pointer}`)
    if (validate === undefined) return [`the document has no ${pointer}`]
    validate(body)
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
  }

  /** Everything in which an answer differs from the document; empty when nothing does. */
  const check = (path: string, init: CallInit, reply: Reply): string[] => {
    const method = (init.method ?? (init.body === undefined && init.raw === undefined ? 'GET' : 'POST')).toLowerCase()
    const { pathname } = new URL(path, BASE)
    const route = routes.find((one) => one.method === method && one.pattern.test(pathname))
    if (route === undefined) return reply.status < 400 ? ['an undocumented route'] : faults('/components/schemas/Problem', reply.body)
    const { operationId, responses } = route.operation
    const statuses = seen.get(operationId) ?? new Set()
    seen.set(operationId, statuses.add(reply.status))
    const named = responses[reply.status]
    if (named === undefined) return [`${operationId} does not document ${reply.status}`]
    const shared = '$ref' in named ? (named.$ref.split('/').at(-1) ?? '') : undefined
    const documented = shared === undefined ? (named as DocumentedResponse) : (document.components.responses[shared] ?? {})
    const headers = headerFaults(document, documented, reply)
    if (documented.content === undefined) return reply.text === '' ? headers : [`${operationId} ${reply.status} documents no body`]
    const type = reply.headers.get('content-type')?.split(';')[0] ?? ''
    const media = Object.keys(documented.content).find((name) => name.split(';')[0] === type)
    if (media === undefined) return [`${operationId} ${reply.status} documents no ${type}`]
    const response =
      shared === undefined ? ['paths', route.template, method, 'responses', String(reply.status)] : ['components', 'responses', shared]
    const parts = [...response, 'content', media, 'schema']
    const pointer = parts.map((part) => `/${escapePointer(part)}`).join('')
    const found = headers.concat(faults(pointer, reply.body ?? reply.text))
    if (found.length === 0) onAnswer(operationId, reply.status, reply.body, (body) => faults(pointer, body).length === 0)
    return found
  }

  return { check, seen, routes }
}
