import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** References of one printed schema become references into the components of the whole document. */
const relocated = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(relocated)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== '$schema' && name !== '$defs')
  return Object.fromEntries(
    members.map(([name, member]) =>
      name === '$ref' && typeof member === 'string'
        ? [name, member.replace('#/$defs/', '#/components/schemas/')]
        : [name, relocated(member)],
    ),
  )
}

/** Schemas named by their `id`, collected while others are printed. */
export type Components = Map<string, JsonSchema>

/** JSON Schema (2020-12) of what a caller sends or reads; named parts go to the components. */
export const jsonSchema = (schema: z.ZodType, components: Components): JsonSchema => {
  const printed = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  for (const [name, part] of Object.entries(printed.$defs ?? {})) components.set(name, relocated(part) as JsonSchema)
  return relocated(printed) as JsonSchema
}
