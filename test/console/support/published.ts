// Answers as the response schemas publish them: made from a schema, and every member of every enumeration in one.
import { z } from 'zod'
import { answerExample } from '../../../api/discovery/recorded-answers.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { OPERATIONS, type OperationId } from '../../../schemas/operations/registry.ts'

/** JSON Schema, as far as the answers use it. */
interface Node {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Node[]
  oneOf?: readonly Node[]
  allOf?: readonly Node[]
  properties?: Readonly<Record<string, Node>>
  required?: readonly string[]
  additionalProperties?: Node | boolean
  propertyNames?: Node
  items?: Node
  pattern?: string
  format?: string
  minimum?: number
  examples?: readonly unknown[]
  $defs?: Readonly<Record<string, Node>>
}
/** Names and places that lead to a value of a document. */
export type Path = readonly (string | number)[]

const responseOf = (id: OperationId): z.ZodType => {
  const response = (OPERATIONS[id] as OperationSpec).responses[200]
  if (response === undefined) throw new Error(`${id} has no answer 200`)
  return response
}

const schemas = new Map<OperationId, Node>()
const schemaOf = (id: OperationId): Node => {
  const known = schemas.get(id) ?? (z.toJSONSchema(responseOf(id), { io: 'input', unrepresentable: 'any' }) as Node)
  schemas.set(id, known)
  return known
}

/** What the published schema of an answer has against a document; undefined where it accepts it. */
export const faultOf = (id: OperationId, document: unknown): string | undefined => {
  const { error } = responseOf(id).safeParse(document)
  return error && `${id}: ${JSON.stringify(error.issues.slice(0, 3))}`
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const resolved = (root: Node, node: Node): Node =>
  node.$ref === undefined ? node : resolved(root, root.$defs?.[node.$ref.replace('#/$defs/', '')] ?? {})

/** Alternatives of a value, without null; the short forms of rows first, for which the console asks. */
const alternatives = (root: Node, node: Node): Node[] => {
  const one = resolved(root, node)
  const choices = (one.anyOf ?? one.oneOf)?.toSorted((left, right) => Number(isShort(right)) - Number(isShort(left)))
  return choices === undefined ? (one.type === 'null' ? [] : [one]) : choices.flatMap((choice) => alternatives(root, choice))
}
const isShort = ({ $ref = '' }: Node): boolean => $ref.startsWith('#/$defs/Compact')
const isNullable = (root: Node, node: Node): boolean => {
  const { type, anyOf } = resolved(root, node)
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some((choice) => isNullable(root, choice))
}

const PATTERNS: readonly (readonly [RegExp, (length: number) => string])[] = [
  [/^\^0x(?:\(\?!.*\))?\[0-9a-f(?:A-F)?\]\{(\d+)\}\$$/, (length) => `0x${'a'.repeat(length)}`],
  [/^\^\[0-9a-f\]\{(\d+)\}\$$/, (length) => 'a'.repeat(length)],
  [/dispute-\[0-9a-f\]/, () => 'dispute-0123456789ab'],
  [/A-HJ-NP-Z/, () => '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'],
  [/^\^\\\/\[A-Za-z/, () => '/output'],
]
const textOf = ({ pattern, format, examples }: Node): string => {
  const [example] = examples ?? []
  if (typeof example === 'string') return example
  if (format === 'date-time') return '2026-01-02T03:04:05.000Z'
  if (format === 'date') return '2026-01-02'
  if (format === 'uri') return 'https://work.example/made'
  for (const [form, make] of PATTERNS) {
    const [matches, length] = form.exec(pattern ?? '') ?? []
    if (matches !== undefined) return make(Number(length))
  }
  return 'made'
}

/** Which members a made document has: every one, or only those that it must have, with null and nothing where that is allowed. */
export type Extent = 'every member' | 'least'

const make = (root: Node, node: Node, extent: Extent): unknown => {
  if (extent === 'least' && isNullable(root, node)) return null
  const [one] = alternatives(root, node)
  if (one === undefined) return null
  const { type, properties = {}, required = [], additionalProperties, items } = one
  const kind = Array.isArray(type) ? type.find((name) => name !== 'null') : type
  if (one.const !== undefined) return one.const
  if (one.enum !== undefined) return one.enum[0]
  if (kind === 'object') {
    const made = Object.entries(properties).flatMap(([name, member]) =>
      extent === 'every member' || required.includes(name) ? [[name, make(root, member, extent)] as const] : [],
    )
    const isMap = isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0 && made.length === 0
    const [name = 'made'] = resolved(root, one.propertyNames ?? {}).enum ?? []
    return isMap && extent === 'every member' ? { [String(name)]: make(root, additionalProperties, extent) } : Object.fromEntries(made)
  }
  if (kind === 'array') return extent === 'every member' && items !== undefined ? [make(root, items, extent)] : []
  if (kind === 'integer' || kind === 'number') return Math.max(1, one.minimum ?? 0)
  if (kind === 'boolean') return true
  return kind === 'string' ? textOf(one) : {}
}

/** The alternative of a schema that a value is of. */
const alternativeOf = (root: Node, node: Node, value: unknown): Node | undefined =>
  alternatives(root, node).find(({ properties, required = [], type }) => {
    if (!isRecord(value)) return Array.isArray(value) ? type === 'array' : properties === undefined && type !== 'array'
    const isFit = Object.entries(properties ?? {}).every(([name, member]) => member.const === undefined || member.const === value[name])
    return isFit && required.every((name) => Object.hasOwn(value, name))
  })

/** A document with what it lacks: members that it need not have, and a row for each empty list. What it has stays. */
const completed = (root: Node, node: Node, value: unknown): unknown => {
  if (value === null) return make(root, node, 'every member')
  const one = alternativeOf(root, node, value)
  if (Array.isArray(value)) {
    const { items } = one ?? {}
    if (items === undefined) return value
    return value.length === 0 ? [make(root, items, 'every member')] : value.map((item) => completed(root, items, item))
  }
  if (!isRecord(value) || one?.properties === undefined) return value
  const members = Object.entries(one.properties).map(([name, member]) => [
    name,
    Object.hasOwn(value, name) ? completed(root, member, value[name]) : make(root, member, 'every member'),
  ])
  return { ...value, ...Object.fromEntries(members) }
}

/** The answer of an operation: as a real stack gave it, with every member that the schema names beside it, or with the least. */
export const publishedAnswer = (id: OperationId, extent: Extent | 'recorded', isPreview = false): unknown => {
  const root = schemaOf(id)
  const preview = isPreview ? alternatives(root, root).find(({ properties }) => properties?.preview?.const === true) : undefined
  if (preview !== undefined) return make(root, preview, extent === 'least' ? extent : 'every member')
  const recorded = structuredClone(answerExample(OPERATIONS[id] as OperationSpec, 200))
  if (recorded === undefined || extent === 'least') return make(root, root, extent === 'least' ? extent : 'every member')
  return extent === 'recorded' ? recorded : completed(root, root, recorded)
}

/** An enumeration in a document: where its value stands, and what else may stand there. */
export interface Enumeration {
  path: Path
  members: readonly unknown[]
}

/** Every enumeration of a document of an operation, one for each place of its schema. Booleans are enumerations too, and null is a member. */
export const enumerationsIn = (id: OperationId, document: unknown): Enumeration[] => {
  const root = schemaOf(id)
  const walk = (node: Node, value: unknown, path: Path): Enumeration[] => {
    const none = isNullable(root, node) ? [null] : []
    const one = alternativeOf(root, node, value)
    const inside =
      one?.properties !== undefined && isRecord(value)
        ? Object.entries(one.properties).flatMap(([name, member]) =>
            Object.hasOwn(value, name) ? walk(member, value[name], [...path, name]) : [],
          )
        : Array.isArray(value) && one?.items !== undefined && value.length > 0
          ? walk(one.items, value[0], [...path, 0])
          : []
    const members = [
      ...alternatives(root, node).flatMap(({ enum: listed = [], const: only, type }) => [
        ...listed,
        ...(type === 'boolean' && only === undefined ? [true, false] : []),
      ]),
      ...none,
    ]
    return members.length === 0 ? inside : [{ path, members: [...new Set(members)] }, ...inside]
  }
  return walk(root, document, [])
}

/** The members of the enumeration at a place of an answer, as its schema publishes them. */
export const membersAt = (id: OperationId, path: Path): string[] => {
  const found = enumerationsIn(id, publishedAnswer(id, 'every member')).find((one) => one.path.join('.') === path.join('.'))
  if (found === undefined) throw new Error(`${id} has no enumeration at ${path.join('.')}`)
  return found.members.filter((member) => typeof member === 'string')
}

/** What a text of a document is by its schema: of any words, an amount in base units or in whole ones, or of a form of its own. */
export type TextKind = 'words' | 'base units' | 'whole units' | 'its own form'

const kindOf = ({ enum: listed, const: only, pattern, format, examples }: Node): TextKind => {
  if (listed !== undefined || only !== undefined || format !== undefined) return 'its own form'
  if (pattern === undefined) return 'words'
  if (pattern === '^[0-9]+$' && examples?.[0] === '2000000') return 'base units'
  return pattern.endsWith('[0-9]+(\\.[0-9]+)?$') ? 'whole units' : 'its own form'
}

/** The document with other texts; what has no schema is words. */
export const withTexts = (id: OperationId, document: unknown, change: (text: string, kind: TextKind, path: Path) => string): unknown => {
  const root = schemaOf(id)
  const walk = (node: Node | undefined, value: unknown, path: Path): unknown => {
    const one = node && alternativeOf(root, node, value)
    if (typeof value === 'string') return change(value, one === undefined ? 'words' : kindOf(one), path)
    if (Array.isArray(value)) return value.map((item, place) => walk(one?.items, item, [...path, place]))
    if (!isRecord(value)) return value
    const open = isRecord(one?.additionalProperties) ? one.additionalProperties : undefined
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, walk(one?.properties?.[name] ?? open, member, [...path, name])]),
    )
  }
  return walk(root, document, [])
}

/** The document with another value at a place; as it is where that place is inside of nothing. */
export const withValue = (document: unknown, path: Path, value: unknown): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(document)) return document.map((item, place) => (place === name ? withValue(item, rest, value) : item))
  return isRecord(document) ? { ...document, [name]: withValue(document[name], rest, value) } : document
}
