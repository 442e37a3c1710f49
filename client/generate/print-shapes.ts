import type { Shape } from '../src/answers/shapes.ts'
import type { Described } from './print.ts'
import { lookUp, refName, type Schema, type Schemas } from './schema-types.ts'

/** Makes the shapes of schemas. Each object that is named, or part of a union, stands once in `named`. */
const createShaper = (schemas: Schemas) => {
  const named = new Map<string, Shape>()
  let parts = 0

  const nameOf = (shape: Shape): string => {
    if (typeof shape === 'string') return shape
    const text = JSON.stringify(shape)
    const known = [...named].find(([, other]) => JSON.stringify(other) === text)
    if (known !== undefined) return known[0]
    parts += 1
    const name = `Part${parts}`
    named.set(name, shape)
    return name
  }

  const union = (variants: readonly Schema[]): Shape => {
    const shapes = variants.map(shapeOf)
    const [only] = shapes
    if (only !== undefined && new Set(shapes.map((shape) => JSON.stringify(shape))).size === 1) return only
    const names = new Set(shapes.flatMap((shape) => nameOf(shape).split('|')))
    return names.has('any') ? 'any' : [...names].join('|')
  }

  const component = (name: string): Shape => {
    if (named.has(name)) return name
    // A schema that holds itself finds its name.
    named.set(name, 'any')
    const shape = shapeOf(lookUp(schemas, name))
    named.set(name, shape)
    if (typeof shape !== 'string') return name
    named.delete(name)
    return shape
  }

  const object = ({ properties = {}, required = [], additionalProperties: others }: Schema): Shape => {
    const members = required.map((name): [string, Shape] => [name, shapeOf(properties[name] ?? {})])
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    const more = optional.map((name): [string, Shape] => [`${name}?`, shapeOf(properties[name] ?? {})])
    const other = typeof others === 'object' ? shapeOf(others) : 'any'
    return Object.fromEntries([...members, ...more, ...(other === 'any' ? [] : [['*', other] as const])])
  }

  const shapeOf = (schema: Schema): Shape => {
    if (schema.$ref !== undefined) return component(refName(schema.$ref))
    if (typeof schema.const === 'boolean') return String(schema.const)
    const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
    if (values.length > 0) return union(values.map((value) => ({ type: value === null ? 'null' : typeof value })))
    const variants = schema.anyOf ?? (schema.properties === undefined ? schema.oneOf : undefined)
    if (variants !== undefined) return union(variants)
    if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => resolved(shapeOf(part))))
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => ({ ...schema, type })))
    if (schema.type === 'array') return [schema.prefixItems === undefined ? shapeOf(schema.items ?? {}) : union(schema.prefixItems)]
    if (schema.type === 'object' || schema.properties !== undefined) return object(schema)
    return schema.type ?? 'any'
  }

  const resolved = (shape: Shape): Shape => (typeof shape === 'string' ? resolved(named.get(shape) ?? {}) : shape)

  return { named, shapeOf, union }
}

/** The source text of `client/src/generated/shapes.ts`: the shapes of problems, and of the final answers of the given operations. */
export const printShapes = (
  { schemas, described }: { schemas: Schemas; described: readonly Described[] },
  checked: readonly string[],
): string => {
  const { named, shapeOf, union } = createShaper(schemas)
  const problem = shapeOf({ $ref: '#/components/schemas/Problem' })
  const answers = described.filter(({ spec }) => checked.includes(spec.id)).map(({ spec, answers: final }) => [spec.id, union(final)])
  return `// Generated from the operation registry when the project is installed, checked or tested. Do not edit.
import type { Shape, Shapes } from '../answers/shapes.ts'

/** Named shapes, to which the others refer. */
export const SHAPES: Shapes = {
${[...named].map(([name, shape]) => `${name}: ${JSON.stringify(shape)},`).join('\n')}
}

/** Shape of a problem document. */
export const PROBLEM: Shape = ${JSON.stringify(problem)}

/** Shape of the final answer of each operation that the command line or the client itself calls. */
export const ANSWERS: Shapes = {
${answers.map(([id, shape]) => `${id}: ${JSON.stringify(shape)},`).join('\n')}
}
`
}
