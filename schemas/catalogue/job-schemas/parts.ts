/** The part of JSON Schema draft-07 that job schemas use. */
export interface SchemaNode {
  type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  description: string
  minLength?: number
  pattern?: string
  enum?: readonly string[]
  const?: string
  minimum?: number
  items?: SchemaNode
  minItems?: number
  properties?: Readonly<Record<string, SchemaNode>>
  required?: readonly string[]
  additionalProperties?: false
  /** A value that satisfies `pattern`. */
  examples?: readonly string[]
}

/** The members that a schema describes. */
export type MemberSchema = Pick<SchemaNode, 'properties' | 'items' | 'required'>

/** A built-in job schema: a closed object with an id of the form `schema://jobs/<name>`. */
export interface JobSchema extends SchemaNode {
  $schema: 'http://json-schema.org/draft-07/schema#'
  $id: `schema://jobs/${string}`
  title: string
  type: 'object'
  properties: Readonly<Record<string, SchemaNode>>
  required: readonly string[]
  additionalProperties: false
}

type Members = Readonly<Record<string, SchemaNode>>

export const text = (description: string): SchemaNode => ({ type: 'string', minLength: 1, description })
export const flag = (description: string): SchemaNode => ({ type: 'boolean', description })
export const count = (description: string, minimum = 0): SchemaNode => ({ type: 'integer', minimum, description })
export const choice = (description: string, ...words: string[]): SchemaNode => ({ type: 'string', enum: words, description })
export const matching = (description: string, pattern: string, example: string): SchemaNode => ({
  type: 'string',
  minLength: 1,
  pattern,
  examples: [example],
  description,
})

/** A list; `minItems` defaults to 0. */
export const list = (description: string, items: SchemaNode, minItems = 0): SchemaNode => ({
  type: 'array',
  items,
  ...(minItems > 0 ? { minItems } : {}),
  description,
})

/** A list of non-empty strings. */
export const texts = (description: string, minItems = 0): SchemaNode => list(description, text('One entry.'), minItems)

/** Members of a closed object. The name of an optional member ends in `?`. */
const closed = (members: Members) => ({
  properties: Object.fromEntries(Object.entries(members).map(([name, node]) => [name.replace('?', ''), node])),
  required: Object.keys(members).filter((name) => !name.endsWith('?')),
  additionalProperties: false as const,
})

/** A closed object. */
export const record = (description: string, members: Members): SchemaNode => ({
  type: 'object',
  description,
  ...closed(members),
})

/** A list of closed objects. */
export const records = (description: string, minItems: number, item: string, members: Members): SchemaNode =>
  list(description, record(item, members), minItems)

/** A whole job schema. */
export const jobSchema = (name: string, title: string, description: string, members: Members): JobSchema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: `schema://jobs/${name}`,
  title,
  description,
  type: 'object',
  ...closed(members),
})
