import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** Named schemas, collected while a schema is converted. */
export type Components = Map<string, JsonSchema>

const LOCAL = '#/$defs/'
const SHARED = '#/components/schemas/'

/** Names a recursive part that has no name; the only one is a value of any JSON type. */
const nameOf = (local: string): string => (local.startsWith('__') ? 'JsonValue' : local)

/** Rewrites references of one schema to the components of the document. */
const relocated = (schema: object): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => {
      if (name === '$schema' || name === '$defs') return undefined
      return name === '$ref' && typeof value === 'string' ? `${SHARED}${nameOf(value.slice(LOCAL.length))}` : value
    }),
  )

/** Drops the pattern of an instant; `format: date-time` says the same. */
const withoutTimePattern = ({ jsonSchema: printed }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  if (printed.format === 'date-time') delete printed.pattern
}

/** JSON Schema (2020-12) of an input or an answer; named parts go to the components. */
export const jsonSchema = (schema: z.ZodType, components: Components): JsonSchema => {
  const printed = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: withoutTimePattern })
  for (const [local, part] of Object.entries(printed.$defs ?? {})) {
    const name = nameOf(local)
    const schema = relocated(part)
    const known = components.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are called ${name}`)
    components.set(name, schema)
  }
  return relocated(printed)
}
