import { isObject } from '../json.ts'

/**
 * JSON types of an answer. A text is one type or several, such as `Amount|null`, where a name with a capital stands for a named shape.
 * `[shape]` is a list. The members of an object are those that it has to have; `name?` is one that it can have, `*` is any other. Values of
 * texts and numbers are no part of it: a newer service can have more of them.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape }

/** Shapes by their names. */
export type Shapes = Readonly<Record<string, Shape>>

/** A place of an answer that is odd: what was expected and found there. */
export interface Misfit {
  readonly path: readonly string[]
  readonly expected: string
  readonly found: unknown
}

/** The JSON type of a value in words. */
const kindOf = (value: unknown): string => {
  if (value === undefined) return 'absent'
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'number' ? 'a number' : 'an object'
}

/** JSON pointer (RFC 6901) of a path. */
const pointerOf = (path: readonly string[]): string => path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** A misfit in words, with its JSON pointer. Values are not repeated: they can be secret. */
export const describeMisfit = ({ path, expected, found }: Misfit): string =>
  `${path.length === 0 ? 'the whole' : pointerOf(path)} is ${kindOf(found)} in place of ${expected}`

const TYPES: Readonly<Record<string, { title: string; fits: (value: unknown) => boolean }>> = {
  any: { title: 'a value', fits: (value) => value !== undefined },
  string: { title: 'a text', fits: (value) => typeof value === 'string' },
  integer: { title: 'a whole number', fits: Number.isInteger },
  number: { title: 'a number', fits: (value) => typeof value === 'number' },
  boolean: { title: 'true or false', fits: (value) => typeof value === 'boolean' },
  true: { title: 'true', fits: (value) => value === true },
  false: { title: 'false', fits: (value) => value === false },
  null: { title: 'null', fits: (value) => value === null },
}

/** Of the shapes of a union the misfit of the one that fits farthest; at one place, what any of them expects. */
const farthest = (misfits: readonly Misfit[]): Misfit | undefined => {
  const depth = Math.max(...misfits.map(({ path }) => path.length))
  const [one, ...others] = misfits.filter(({ path }) => path.length === depth)
  if (one === undefined) return undefined
  const same = others.filter(({ path }) => pointerOf(path) === pointerOf(one.path))
  return { ...one, expected: [...new Set([one, ...same].map(({ expected }) => expected))].join(' or ') }
}

/** The first place where a value has not the shape; undefined where it fits. Members that the shape does not name fit. */
export const findMisfit = (shapes: Shapes, shape: Shape, value: unknown, path: readonly string[] = []): Misfit | undefined => {
  if (typeof shape === 'string') {
    const misfits: Misfit[] = []
    for (const name of shape.split('|')) {
      const type = TYPES[name]
      const fault =
        type === undefined ? findMisfit(shapes, shapes[name] ?? 'any', value, path) : { path, expected: type.title, found: value }
      if (fault === undefined || type?.fits(value)) return undefined
      misfits.push(fault)
    }
    return farthest(misfits)
  }
  const isList = Array.isArray(shape)
  if (isList ? !Array.isArray(value) : !isObject(value)) return { path, expected: isList ? 'a list' : 'an object', found: value }
  const members = value as Readonly<Record<string, unknown>>
  const { '*': others, ...parts } = (isList ? { '*': shape[0] } : shape) as { readonly [member: string]: Shape }
  const named = Object.entries(parts).map(([name, part]) => ({ name: name.replace(/\?$/, ''), part, isOptional: name.endsWith('?') }))
  const known = named.filter(({ name, isOptional }) => !isOptional || Object.hasOwn(members, name))
  const unknown = others === undefined ? [] : Object.keys(members).filter((member) => named.every(({ name }) => name !== member))
  for (const { name, part } of [...known, ...unknown.map((member) => ({ name: member, part: others ?? 'any' }))]) {
    const misfit = findMisfit(shapes, part, Object.hasOwn(members, name) ? members[name] : undefined, [...path, name])
    if (misfit !== undefined) return misfit
  }
  return undefined
}
