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
