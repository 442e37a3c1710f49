import { isRecord } from '../../src/json.ts'
import { oneLine, wrap } from './text.ts'

type Node = Readonly<Record<string, unknown>>

const nodeOf = (value: unknown): Node => (isRecord(value) && !Array.isArray(value) ? value : {})
const isNumber = (value: unknown): value is number => typeof value === 'number'
const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
  null: 'null',
}

/** `from 1 to 5 characters`; undefined without a bound. */
const bounds = (least: unknown, most: unknown, noun: (number: number) => string): string | undefined => {
  if (isNumber(least) && isNumber(most)) return least === most ? `exactly ${noun(least)}` : `from ${least} to ${noun(most)}`
  if (isNumber(least)) return `at least ${noun(least)}`
  return isNumber(most) ? `at most ${noun(most)}` : undefined
}

const alternativesOf = ({ anyOf, oneOf }: Node): Node[] =>
  [anyOf, oneOf].flatMap((parts) => (Array.isArray(parts) ? parts.map(nodeOf) : []))

/** Type, allowed values and bounds of a schema in words. */
export const describeValue = (node: Node): string => {
  const { type, enum: values, const: constant, pattern, examples } = node
  if (constant !== undefined) return `exactly ${JSON.stringify(constant)}`
  if (Array.isArray(values)) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
  const alternatives = alternativesOf(node)
  if (alternatives.length > 0) return alternatives.map(describeValue).join('; or ')
  const names = (Array.isArray(type) ? type : [type]).map((name) => TYPES[String(name)] ?? 'any value')
  const [example]: unknown[] = Array.isArray(examples) ? examples : []
  const facts = [
    bounds(node.minimum, node.maximum, String),
    isNumber(node.exclusiveMinimum) ? `above ${node.exclusiveMinimum}` : undefined,
    isNumber(node.exclusiveMaximum) ? `below ${node.exclusiveMaximum}` : undefined,
    isNumber(node.multipleOf) ? `a multiple of ${node.multipleOf}` : undefined,
    bounds(node.minLength, node.maxLength, (number) => count(number, 'character')),
    bounds(node.minItems, node.maxItems, (number) => (number === 1 ? '1 entry' : `${number} entries`)),
    node.uniqueItems === true ? 'no entry twice' : undefined,
    typeof node.format === 'string' ? `in the format ${node.format}` : undefined,
    typeof pattern === 'string' ? `of the form ${pattern}` : undefined,
    typeof pattern === 'string' && example !== undefined ? `such as ${JSON.stringify(example)}` : undefined,
  ].filter((fact) => fact !== undefined)
  return [names.join(' or '), ...facts].join(', ')
}

const DEEPEST = 6

const membersOf = (node: Node, indent: string, depth: number): string[] => {
  if (depth > DEEPEST) return []
  const required: readonly unknown[] = Array.isArray(node.required) ? node.required : []
  const members = Object.entries(nodeOf(node.properties)).flatMap(([name, value]) => {
    const member = nodeOf(value)
    const { description } = member
    const text = typeof description === 'string' && description !== '' ? ` ${description}` : ''
    const need = required.includes(name) ? 'required' : 'optional'
    return [
      ...wrap(oneLine(`${name}: ${describeValue(member)}; ${need}.${text}`), { indent }),
      ...membersOf(member, `${indent}  `, depth + 1),
    ]
  })
  const isClosed = node.additionalProperties === false && members.length > 0
  const items = nodeOf(node.items)
  const entries =
    node.type !== 'array'
      ? []
      : [...wrap(oneLine(`each entry: ${describeValue(items)}`), { indent }), ...membersOf(items, `${indent}  `, depth + 1)]
  return [...members, ...(isClosed ? [`${indent}No other members.`] : []), ...entries]
}

/** The whole schema in words: each member with its type, allowed values, bounds and description. */
export const describeSchema = (schema: unknown): string[] => {
  const node = nodeOf(schema)
  return [`  ${oneLine(describeValue(node))}`, ...membersOf(node, '    ', 0)]
}
