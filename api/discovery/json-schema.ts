import { z } from 'zod'

/** A printed schema with the keywords that documents read. */
export interface JsonSchema {
  [keyword: string]: unknown
  type?: unknown
  enum?: unknown[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** Named schemas, collected while a schema is converted. */
export type Components = Map<string, JsonSchema>

/** Which side of a schema is printed: what a caller sends, what its text is read as, or what the service answers. */
type Side = 'request' | 'read' | 'answer'

const LOCAL = '#/$defs/'
/** Place of the named schemas in the document. */
export const SHARED = '#/components/schemas/'

/** A recursive part without a name. The only one is a value of any JSON type, which a generator cannot print as a type of itself. */
const isAnyJson = (reference: string): boolean => reference.startsWith(`${LOCAL}__`)

/** What a request's value of any JSON type must keep, in words: without a type of itself no pattern reaches its depth. */
export const STORABLE_WITHIN = 'No text and no member name in it holds the character U+0000, and no whole number in it is beyond 2^53.'

const holdsAnyJson = (member: JsonSchema): boolean =>
  Object.keys(member).every((name) => name === 'description') ||
  /"additionalProperties":\{\}|"\$ref":"#\/\$defs\/__/.test(JSON.stringify(member))

/** Says of a sent value of any JSON type what it may hold. */
const describeMember = (member: JsonSchema, side: Side): JsonSchema => {
  if (side === 'answer' || !holdsAnyJson(member)) return member
  return { ...member, description: member.description === undefined ? STORABLE_WITHIN : `${member.description} ${STORABLE_WITHIN}` }
}

/** Rewrites references of one schema to the components of the document. */
const relocated = (schema: object, side: Side): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => {
      // A member of that name is a schema itself.
      if ((name === '$schema' && typeof value === 'string') || name === '$defs') return undefined
      if (name === '$ref' && typeof value === 'string') return isAnyJson(value) ? undefined : `${SHARED}${value.slice(LOCAL.length)}`
      if (name !== 'properties' || typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([member, part]) => [member, describeMember(part as JsonSchema, side)]))
    }),
  )

/** Text that the service can store: no NUL. */
export const STORABLE = '^[^\\u0000]*$'

type Printed = z.core.JSONSchema.BaseSchema

const isFreeText = ({ type, pattern, format, enum: values, const: constant }: Printed): boolean =>
  type === 'string' && pattern === undefined && format === undefined && values === undefined && constant === undefined

/** Bounds of an integer that JSON can represent exactly; in answers they only take room. */
const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const

/** Drops what a reader knows without it, and states for requests which texts are refused. */
const adjust =
  (side: Side) =>
  ({ jsonSchema: printed }: { jsonSchema: Printed }): void => {
    // Its description says it to readers.
    delete printed.aliasOf
    if (side !== 'answer') {
      if (isFreeText(printed)) printed.pattern = STORABLE
      return
    }
    if (printed.format === 'date-time') delete printed.pattern
    for (const bound of ['minimum', 'maximum'] as const) if (printed[bound] === SAFE[bound]) delete printed[bound]
  }

/** JSON Schema (2020-12) of one side of a schema; named parts go to the components. */
export const jsonSchema = (schema: z.ZodType, components: Components, side: Side = 'answer'): JsonSchema => {
  const printed = z.toJSONSchema(schema, { io: side === 'read' ? 'output' : 'input', unrepresentable: 'any', override: adjust(side) })
  for (const [name, part] of Object.entries(printed.$defs ?? {})) {
    if (isAnyJson(`${LOCAL}${name}`)) continue
    const schema = relocated(part, side)
    const known = components.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are called ${name}`)
    components.set(name, schema)
  }
  return relocated(printed, side)
}

/** Type of a member in words: `string`, `a | b`, `Amount[]`. */
export const typeText = (schema: JsonSchema): string => {
  if (schema.enum !== undefined) return schema.enum.join(' | ')
  const kinds = schema.anyOf ?? schema.oneOf
  if (kinds !== undefined) return kinds.map(typeText).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'object'
  if (schema.type === 'array') return `${typeText(schema.items ?? {})}[]`
  return schema.type === undefined ? 'any' : [schema.type].flat().join(' | ')
}
