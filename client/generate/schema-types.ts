/** Part of a JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  not?: Schema
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  pattern?: string
  format?: string
  description?: string
}

/**
 * How a schema becomes a type: `answer` with amounts as `bigint`, `signed` as the bytes that were signed, `input` with what a caller may send.
 */
export type Mode = 'answer' | 'signed' | 'input'

export type Schemas = Readonly<Record<string, Schema>>

/** Name of the component that a reference points to. */
export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

export const lookUp = (schemas: Schemas, name: string): Schema => {
  const schema = schemas[name]
  if (schema === undefined) throw new Error(`the document has no component ${name}`)
  return schema
}

/** The schema that a reference points to, or the schema itself. */
export const resolve = (schemas: Schemas, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : lookUp(schemas, refName(schema.$ref))

/** Digits only, such as `^[0-9]+$` or `^[1-9][0-9]{0,76}$`. */
const isDigits = ({ type, pattern }: Schema): boolean => type === 'string' && /^\^(\[[01]-9\](\{[\d,]+\}|\+)?)+\$$/.test(pattern ?? '')

/** The rule for amounts: a member called `raw`, or ending in `Raw`, whose schema is digits, is a `bigint`. */
const isRawMember = (name: string, schema: Schema): boolean =>
  (name === 'raw' || name.endsWith('Raw')) && (isDigits(schema) || (schema.anyOf ?? []).some(isDigits))

const SIGNATURE = '#/components/schemas/DocumentSignature'

/** Whether an object is a signed document, whose members stay as the service signed them. */
const isSigned = ({ properties = {} }: Schema): boolean => properties.signature?.$ref === SIGNATURE

/** Whether the type of a schema is not the same in another mode. */
const differs = (schemas: Schemas, schema: Schema, mode: Mode, path: readonly string[] = []): boolean => {
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref)
    return !path.includes(name) && differs(schemas, lookUp(schemas, name), mode, [...path, name])
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []), ...(schema.prefixItems ?? [])]
  if (schema.items) parts.push(schema.items)
  if (typeof schema.additionalProperties === 'object') parts.push(schema.additionalProperties)
  const members = Object.entries(schema.properties ?? {})
  if (mode === 'signed' && members.some(([name, member]) => isRawMember(name, member))) return true
  // Optional members of an input may be undefined, and digits may be a bigint.
  if (mode === 'input' && (isDigits(schema) || members.some(([name]) => !schema.required?.includes(name)))) return true
  return [...parts, ...members.map(([, member]) => member)].some((part) => differs(schemas, part, mode, path))
}

/** Name of the type of a component in a mode. */
export const typeName = (schemas: Schemas, name: string, mode: Mode): string => {
  if (mode === 'answer' || isSigned(lookUp(schemas, name)) || !differs(schemas, lookUp(schemas, name), mode, [name])) return name
  return mode === 'input' ? `${name}Input` : `Signed${name}`
}

const comment = (description: string | undefined): string =>
  description === undefined ? '' : `/** ${description.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()} */\n`

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)]
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ')
}

const inBrackets = (type: string): string => (/[|&]/.test(type) ? `(${type})` : type)

/** Prints schemas as types; `used` gets every named type that the text refers to. */
export const createPrinter = (schemas: Schemas, used: (name: string, mode: Mode) => void) => {
  const member = (name: string, schema: Schema, isRequired: boolean, mode: Mode): string => {
    const isAmount = mode === 'answer' && isRawMember(name, schema)
    const type = isAmount
      ? union(['bigint', ...((schema.anyOf ?? []).some((part) => part.type === 'null') ? ['null'] : [])])
      : print(schema, mode)
    const orUndefined = mode === 'input' && !isRequired && type !== 'never' && type !== 'unknown' ? ' | undefined' : ''
    return `${comment(schema.description)}${memberName(name)}${isRequired ? '' : '?'}: ${type}${orUndefined}\n`
  }

  /** One way to fill an object of which several are possible: its constants, what it needs, and what must be absent. */
  const alternative = (parent: Schema, part: Schema, mode: Mode): string => {
    const namesIn = (parts: readonly Schema[] | undefined) => parts?.flatMap(({ required = [] }) => required)
    const excluded = namesIn(part.not?.anyOf) ?? namesIn(parent.oneOf)?.filter((name) => !part.required?.includes(name)) ?? []
    const needed = new Set([...Object.keys(part.properties ?? {}), ...(part.required ?? [])])
    const members = [...needed].map((name) => {
      const { description: _same, ...schema } = part.properties?.[name] ?? parent.properties?.[name] ?? {}
      return member(name, schema, true, mode)
    })
    return `{\n${[...members, ...new Set(excluded.map((name) => `${memberName(name)}?: never\n`))].join('')} }`
  }

  const object = (schema: Schema, given: Mode): string => {
    const mode = given === 'answer' && isSigned(schema) ? 'signed' : given
    const { properties = {}, required = [], additionalProperties: others, oneOf } = schema
    const members = Object.entries(properties).map(([name, part]) => member(name, part, required.includes(name), mode))
    const open = typeof others === 'object' ? print(others, mode) : 'unknown'
    if (members.length === 0) return others === false ? 'Record<string, never>' : `Record<string, ${open}>`
    const closed = `{\n${members.join('')} }`
    const objectType = typeof others === 'object' && Object.keys(others).length > 0 ? `${closed} & Record<string, ${open}>` : closed
    if (oneOf === undefined) return objectType
    return `${objectType} & (${oneOf.map((part) => alternative(schema, part, mode)).join(' | ')})`
  }

  const print = (schema: Schema, mode: Mode): string => {
    if (schema.$ref !== undefined) {
      const name = refName(schema.$ref)
      used(name, mode)
      return typeName(schemas, name, mode)
    }
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined && schema.enum.length > 0) return union(schema.enum.map((value) => JSON.stringify(value)))
    if (schema.anyOf !== undefined) return union(schema.anyOf.map((part) => print(part, mode)))
    if (schema.oneOf !== undefined && schema.properties === undefined) return union(schema.oneOf.map((part) => print(part, mode)))
    if (schema.allOf !== undefined) {
      const { allOf, ...rest } = schema
      const parts = allOf.map((part) => print(part, mode)).filter((type) => type !== 'unknown' && type !== 'Record<string, unknown>')
      const own = parts.length === 0 || rest.properties !== undefined ? [print(rest, mode)] : []
      return [...own, ...parts].map((type) => (own.length + parts.length === 1 ? type : inBrackets(type))).join(' & ')
    }
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => print({ ...schema, type }, mode)))
    switch (schema.type) {
      case 'string':
        if (schema.format === 'binary') return 'Uint8Array'
        return mode === 'input' && isDigits(schema) ? 'string | bigint' : 'string'
      case 'integer':
        return 'number'
      case 'number':
      case 'boolean':
      case 'null':
        return schema.type
      case 'array':
        if (schema.prefixItems) return `[${schema.prefixItems.map((part) => print(part, mode)).join(', ')}]`
        return `${inBrackets(schema.items === undefined ? 'unknown' : print(schema.items, mode))}[]`
      case 'object':
        return object(schema, mode)
      case undefined:
        return schema.properties === undefined ? 'unknown' : object(schema, mode)
      default:
        throw new Error(`no type for the JSON Schema type ${schema.type}`)
    }
  }

  return { print, comment }
}

/** Pointers to every amount of an answer; `*` stands for each element or member. */
export const amountPointers = (schemas: Schemas, schema: Schema, path = '', inside: readonly string[] = []): string[] => {
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref)
    if (inside.includes(name)) throw new Error(`the amounts of ${name} cannot be listed: it contains itself`)
    return amountPointers(schemas, lookUp(schemas, name), path, [...inside, name])
  }
  if (isSigned(schema)) return []
  const below = (part: Schema, name: string) => amountPointers(schemas, part, `${path}/${name}`, inside)
  const found = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((part) =>
    amountPointers(schemas, part, path, inside),
  )
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    found.push(...(isRawMember(name, member) ? [`${path}/${name}`] : below(member, name)))
  if (schema.items) found.push(...below(schema.items, '*'))
  if (typeof schema.additionalProperties === 'object') found.push(...below(schema.additionalProperties, '*'))
  return [...new Set(found)]
}
