import { findMisfit, type Shape } from '../../../client/src/answers/shapes.ts'
import { OPERATIONS, type OperationId } from '../../../client/src/generated/operations.ts'
import { ANSWERS, SHAPES } from '../../../client/src/generated/shapes.ts'
import { isObject } from '../../../client/src/json.ts'

const SMALLEST: Readonly<Record<string, unknown>> = {
  any: {},
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  true: true,
  false: false,
  null: null,
}

const membersOf = (shape: Shape): string[] => {
  const found = typeof shape === 'string' ? SHAPES[shape] : shape
  return isObject(found) ? Object.keys(found).map((name) => name.replace(/\?$/, '')) : []
}

/** Of the parts of a union the value that keeps most of the given members, and adds the fewest. */
const completeUnion = (parts: readonly string[], given: unknown): unknown => {
  const names = isObject(given) ? Object.keys(given) : []
  const fitting = parts
    .map((part) => ({ members: membersOf(part), value: complete(part, given), part }))
    .filter(({ part, value }) => findMisfit(SHAPES, part, value) === undefined)
    .map(({ members, value }) => {
      const shared = names.filter((name) => members.includes(name)).length
      return { value, shared, added: members.length - shared }
    })
  const [nearest] = fitting.sort((left, right) => right.shared - left.shared || left.added - right.added)
  return nearest === undefined ? given : nearest.value
}

/** A value of a shape with the given parts, and the smallest value at each place that has to be there. */
export const complete = (shape: Shape, given?: unknown): unknown => {
  if (typeof shape === 'string') {
    const parts = shape.split('|')
    const [first = 'any'] = parts
    if (given === undefined && parts.includes('null')) return null
    if (given !== undefined && parts.length > 1) return completeUnion(parts, given)
    if (first in SMALLEST) return given === undefined ? SMALLEST[first] : given
    return complete(SHAPES[first] ?? 'any', given)
  }
  if (Array.isArray(shape)) return Array.isArray(given) ? given.map((item) => complete(shape[0], item)) : (given ?? [])
  if (given !== undefined && !isObject(given)) return given
  const { '*': others = 'any', ...members } = shape as Readonly<Record<string, Shape>>
  const kept = Object.entries(given ?? {}).map(([name, value]) => [name, complete(members[name] ?? members[`${name}?`] ?? others, value)])
  const added = Object.keys(members).filter((name) => !name.endsWith('?') && !Object.hasOwn(given ?? {}, name))
  return Object.fromEntries([...kept, ...added.map((name) => [name, complete(members[name] ?? 'any')])])
}

/** Shape of the answers at a method and path; undefined where the client checks none. */
export const findShape = (method: string, path: string): Shape | undefined => {
  const fits = (id: string): boolean => {
    const row = OPERATIONS[id as OperationId]
    return row.method === method && new RegExp(`^${row.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
  }
  const [id = ''] = Object.keys(ANSWERS).filter(fits)
  return ANSWERS[id]
}
