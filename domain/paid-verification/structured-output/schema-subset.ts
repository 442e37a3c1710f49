import { escapePointer } from '../../../schemas/common/json-pointer.ts'
import { showPointer } from './pointer.ts'

/** What stands under a keyword. Annotations are left out of the schema that is run. */
type Holds = 'value' | 'schema' | 'schemas' | 'schema map' | 'names map' | 'pattern' | 'pattern map' | 'reference' | 'annotation'

const KEYWORDS: Readonly<Record<string, Holds>> = {
  type: 'value',
  enum: 'value',
  const: 'value',
  multipleOf: 'value',
  minimum: 'value',
  maximum: 'value',
  exclusiveMinimum: 'value',
  exclusiveMaximum: 'value',
  minLength: 'value',
  maxLength: 'value',
  pattern: 'pattern',
  minItems: 'value',
  maxItems: 'value',
  uniqueItems: 'value',
  minContains: 'value',
  maxContains: 'value',
  minProperties: 'value',
  maxProperties: 'value',
  required: 'value',
  dependentRequired: 'names map',
  properties: 'schema map',
  patternProperties: 'pattern map',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  dependentSchemas: 'schema map',
  items: 'schema',
  prefixItems: 'schemas',
  additionalItems: 'schema',
  unevaluatedItems: 'schema',
  contains: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  then: 'schema',
  else: 'schema',
  $ref: 'reference',
  $defs: 'schema map',
  definitions: 'schema map',
  $schema: 'annotation',
  $comment: 'annotation',
  title: 'annotation',
  description: 'annotation',
  default: 'annotation',
  examples: 'annotation',
  deprecated: 'annotation',
  readOnly: 'annotation',
  writeOnly: 'annotation',
  format: 'annotation',
  contentEncoding: 'annotation',
  contentMediaType: 'annotation',
}

type Dialect = '2020-12' | 'draft-07'

/** Keywords that only one of the dialects has. */
const ONLY: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  '2020-12': new Set([
    'prefixItems',
    'unevaluatedItems',
    'unevaluatedProperties',
    'dependentRequired',
    'dependentSchemas',
    'minContains',
    'maxContains',
  ]),
  'draft-07': new Set(['additionalItems']),
}

const MAX_SCHEMAS = 5_000
const MAX_PATTERN = 1_000

const DIALECTS: Readonly<Record<string, Dialect>> = {
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
  'http://json-schema.org/draft-07/schema': 'draft-07',
}

/** A schema without annotations that is safe to compile, or why there is none. */
export type SchemaSubset = { schema: object | boolean; dialect: Dialect } | { fault: string }

class OutsideSubset extends Error {}
const refuse = (at: string, text: string): never => {
  throw new OutsideSubset(`${text} at ${showPointer(at)}`)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Copies a schema keyword by keyword and notes where schemas stand, so that a reference leads to a schema and to nothing else. */
const createCopy = (dialect: Dialect) => {
  const other: Dialect = dialect === 'draft-07' ? '2020-12' : 'draft-07'
  const places = new Set<string>()
  const references: { at: string; target: string }[] = []

  const pattern = (value: unknown, at: string): string => {
    if (typeof value !== 'string' || value.length > MAX_PATTERN)
      return refuse(at, `a pattern of more than ${MAX_PATTERN} characters, or none`)
    return value
  }

  const map = (value: unknown, at: string, copy: (one: unknown, place: string, name: string) => unknown): object => {
    if (!isObject(value)) return refuse(at, 'no object')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copy(one, `${at}/${escapePointer(name)}`, name)]))
  }

  const list = (value: unknown, at: string): unknown[] => {
    if (!Array.isArray(value)) return refuse(at, 'no array')
    return value.map((one, index) => schemaAt(one, `${at}/${index}`))
  }

  const reference = (value: unknown, at: string): string => {
    if (typeof value !== 'string' || !/^#(?:\/[^%]*)?$/.test(value)) return refuse(at, 'a reference that leaves the schema')
    references.push({ at, target: value.slice(1) })
    return value
  }

  const member = (name: string, value: unknown, at: string): unknown => {
    const holds = Object.hasOwn(KEYWORDS, name) && !ONLY[other].has(name) ? KEYWORDS[name] : undefined
    switch (holds) {
      case 'value':
      case 'names map':
        return value
      case 'schema':
        return name === 'items' && Array.isArray(value) && dialect === 'draft-07' ? list(value, at) : schemaAt(value, at)
      case 'schemas':
        return list(value, at)
      case 'schema map':
        return map(value, at, schemaAt)
      case 'pattern map':
        return map(value, at, (one, place, key) => {
          pattern(key, place)
          return schemaAt(one, place)
        })
      case 'pattern':
        return pattern(value, at)
      case 'reference':
        return reference(value, at)
      default:
        return refuse(at, 'a keyword that this profile does not know')
    }
  }

  const schemaAt = (value: unknown, at: string): object | boolean => {
    places.add(at)
    if (places.size > MAX_SCHEMAS) return refuse(at, `more than ${MAX_SCHEMAS} schemas`)
    if (typeof value === 'boolean') return value
    if (!isObject(value)) return refuse(at, 'neither an object nor a boolean')
    const members = Object.entries(value).filter(([name]) => !Object.hasOwn(KEYWORDS, name) || KEYWORDS[name] !== 'annotation')
    return Object.fromEntries(members.map(([name, one]) => [name, member(name, one, `${at}/${escapePointer(name)}`)]))
  }

  return (value: unknown): object | boolean => {
    const schema = schemaAt(value, '')
    for (const { at, target } of references) if (!places.has(target)) refuse(at, 'a reference to no schema')
    return schema
  }
}

const dialectOf = (value: unknown): Dialect | undefined => {
  if (!isObject(value) || value.$schema === undefined) return '2020-12'
  const name = typeof value.$schema === 'string' ? value.$schema.replace(/#$/, '') : ''
  return Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined
}

/**
 * The part of JSON Schema that a stranger may use: drafts 2020-12 and 07, references inside the schema only, no identifiers, anchors or dynamic
 * references, `format` as an annotation. Another keyword is refused: to ignore it could approve what its author meant to reject.
 */
export const schemaSubset = (value: unknown): SchemaSubset => {
  const dialect = dialectOf(value)
  if (dialect === undefined) return { fault: 'names a dialect that is neither 2020-12 nor draft-07' }
  try {
    return { schema: createCopy(dialect)(value), dialect }
  } catch (error) {
    if (error instanceof OutsideSubset) return { fault: `has ${error.message}` }
    throw error
  }
}
