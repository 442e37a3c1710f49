import type { JsonSchema } from './json-schema.ts'

/** Type of a member in words: `string`, `a | b`, `Amount[]`. */
export const typeText = (schema: JsonSchema): string => {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ')
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((option) => typeText(option as JsonSchema)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'object'
  if (schema.type === 'array') return `${typeText((schema.items ?? {}) as JsonSchema)}[]`
  return typeof schema.type === 'string' ? schema.type : 'any'
}
