import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** Schemas that have a name of their own, collected while others are printed. */
export type Components = Map<string, JsonSchema>

const LOCAL = '#/$defs/'
const SHARED = '#/components/schemas/'

/** A recursive part without a name of its own gets one; the only such part is a value of any JSON type. */
const nameOf = (local: string): string => (local.startsWith('__') ? 'JsonValue' : local)

/** References of one printed schema become references into the components of the whole document. */
const relocated = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(relocated)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== '$schema' && name !== '$defs')
  return Object.fromEntries(
    members.map(([name, member]) => {
      if (name !== '$ref' || typeof member !== 'string') return [name, relocated(member)]
      return [name, `${SHARED}${nameOf(member.slice(LOCAL.length))}`]
    }),
  )
}

/** `format: date-time` says what the pattern would say at ten times the length. */
const withoutTimePattern = ({ jsonSchema: printed }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  if (printed.format === 'date-time') delete printed.pattern
}

/** JSON Schema (2020-12) of what a caller sends or reads; named parts go to the components. */
export const jsonSchema = (schema: z.ZodType, components: Components): JsonSchema => {
  const printed = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: withoutTimePattern })
  for (const [local, part] of Object.entries(printed.$defs ?? {})) {
    const name = nameOf(local)
    const schema = relocated(part) as JsonSchema
    const known = components.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are called ${name}`)
    components.set(name, schema)
  }
  return relocated(printed) as JsonSchema
}
