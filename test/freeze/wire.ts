// What callers may rely on: the requests that the service takes and the answers that it gives, member by member.
import { openApi } from '../../api/discovery/openapi.ts'
import { operationList } from '../../schemas/operations/registry.ts'

/** What one operation takes and gives. Keys are JSON pointers, with `*` for the items of an array or the members of a map. */
export interface OperationWire {
  /** Type of each member that a caller may send; `!` marks one that it must send. */
  takes: Record<string, string>
  /** Type of each member of the answers, by status; `?` marks one that may be absent. */
  gives: Record<string, string>
  /** By what clients call it: the operation of the client, the tool. */
  names: string[]
}
/** By method and path. */
export type Wire = Record<string, OperationWire>

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Media {
  content?: Record<string, { schema?: Schema }>
}
interface Operation {
  operationId?: string
  'x-tool'?: string
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: Media & { required?: boolean }
  responses: Record<string, Media & { $ref?: string }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** A shape that holds itself is followed so deep. */
const MOST_DEPTH = 12

const isSuccess = (status: string): boolean => status.startsWith('2')

/** Flattens a schema to its members; `put` gets pointer, type and whether the member is always there. */
const flatten = (
  schemas: Document['components']['schemas'],
  root: Schema,
  put: (pointer: string, type: string, isAlways: boolean) => void,
  values: (allowed: unknown[]) => string,
): void => {
  const visit = (given: Schema, pointer: string, isAlways: boolean, depth: number): void => {
    if (depth > MOST_DEPTH) return
    const schema = given.$ref === undefined ? given : (schemas[given.$ref.slice('#/components/schemas/'.length)] ?? {})
    const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
    const allowed = schema.const === undefined ? schema.enum : [schema.const]
    const type = allowed === undefined ? [schema.type ?? 'any'].flat().sort().join('|') : values(allowed)
    if (parts.length === 0 && schema.allOf === undefined) put(pointer, type, isAlways)
    // A member of one variant may be absent in another.
    for (const part of parts) visit(part, pointer, parts.length === 1 && isAlways, depth + 1)
    for (const part of schema.allOf ?? []) visit(part, pointer, isAlways, depth + 1)
    for (const [name, member] of Object.entries(schema.properties ?? {}))
      visit(member, `${pointer}/${name}`, isAlways && (schema.required ?? []).includes(name), depth + 1)
    if (schema.items !== undefined) visit(schema.items, `${pointer}/*`, isAlways, depth + 1)
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, `${pointer}/*`, isAlways, depth + 1)
  }
  visit(root, '', true, 0)
}

/** A request may go on to send each value that it could; an answer may get values that it had not. */
const eachValue = (allowed: unknown[]): string =>
  allowed
    .map((value) => JSON.stringify(value))
    .sort()
    .join(' or ')
const anyValue = (): string => 'enum'

const join = (known: string | undefined, type: string): string =>
  [...new Set([...(known?.split(' or ') ?? []), ...type.split(' or ')])].sort().join(' or ')

const operationWire = ({ components: { schemas } }: Document, operation: Operation): OperationWire => {
  const takes: Record<string, string> = {}
  const must = new Set<string>()
  const take = (pointer: string, type: string, isAlways: boolean): void => {
    takes[pointer] = join(takes[pointer], type)
    if (isAlways) must.add(pointer)
  }
  for (const { name, in: place, required, schema } of operation.parameters ?? [])
    flatten(
      schemas,
      schema ?? {},
      (pointer, type, isAlways) => take(`${place}:${name}${pointer}`, type, isAlways && required === true),
      eachValue,
    )
  for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
    flatten(
      schemas,
      schema ?? {},
      (pointer, type, isAlways) => take(`body:${pointer}`, type, isAlways && operation.requestBody?.required === true),
      eachValue,
    )
  const gives: Record<string, string> = {}
  const always = new Map<string, boolean>()
  for (const [status, { content }] of Object.entries(operation.responses).filter(([code]) => isSuccess(code))) {
    gives[`${status}:`] ??= 'answer'
    for (const { schema } of Object.values(content ?? {}))
      flatten(
        schemas,
        schema ?? {},
        (pointer, type, isAlways) => {
          const key = `${status}:${pointer}`
          gives[key] = join(gives[key] === 'answer' ? undefined : gives[key], type)
          always.set(key, (always.get(key) ?? true) && isAlways)
        },
        anyValue,
      )
  }
  const marked = (types: Record<string, string>, mark: (key: string) => string): Record<string, string> =>
    Object.fromEntries(Object.entries(types).map(([key, type]) => [key, `${type}${mark(key)}`]))
  return {
    takes: marked(takes, (key) => (must.has(key) ? '!' : '')),
    gives: marked(gives, (key) => (always.get(key) === false ? '?' : '')),
    names: [operation.operationId, operation['x-tool']].filter((name) => name !== undefined),
  }
}

/** The wire of a document in OpenAPI 3.1. */
export const wireOf = (document: Document): Wire =>
  Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operationWire(document, operation)]),
    ),
  )

/** The wire of this checkout. */
export const presentWire = (): Wire =>
  wireOf(openApi(operationList, { baseUrl: 'https://service.example', buildId: 'frozen', assets: ['USDC'] }) as unknown as Document)

const plain = (type: string): string => type.replace(/[!?]$/, '')

/** What a caller of `before` would miss in `after`; empty where every such caller goes on. */
export const breaksOf = (before: Wire, after: Wire): string[] =>
  Object.entries(before).flatMap(([operation, { takes, gives, names }]) => {
    const now = after[operation]
    if (now === undefined) return [`${operation}: is gone`]
    const says = (what: string): string => `${operation}: ${what}`
    const taken = Object.entries(takes).flatMap(([member, type]) => {
      const present = now.takes[member]
      if (present === undefined) return [says(`${member} is not taken any more`)]
      return plain(type)
        .split(' or ')
        .every((one) => plain(present).split(' or ').includes(one))
        ? []
        : [says(`${member} is ${plain(present)}, not ${plain(type)}`)]
    })
    const demanded = Object.entries(now.takes).flatMap(([member, type]) =>
      type.endsWith('!') && !takes[member]?.endsWith('!') ? [says(`${member} must be sent now`)] : [],
    )
    const given = Object.entries(gives).flatMap(([member, type]) => {
      const present = now.gives[member]
      if (present === undefined) return [says(`${member} is not given any more`)]
      if (present.endsWith('?') && !type.endsWith('?')) return [says(`${member} may be absent now`)]
      return plain(present)
        .split(' or ')
        .every((one) => plain(type).split(' or ').includes(one))
        ? []
        : [says(`${member} is ${plain(present)}, not ${plain(type)}`)]
    })
    const named = names.filter((name) => !now.names.includes(name)).map((name) => says(`is not called ${name} any more`))
    return [...taken, ...demanded, ...given, ...named]
  })
