/** Sentences of failed rules, in the words of this service whichever library checks the rule. Each follows the name of the member. */

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
}

/** A value of another type. `types` are names of JSON or zod types. */
export const wrongType = (types: string | readonly string[]): string =>
  `must be ${[types]
    .flat()
    .map((type) => TYPE_NAMES[type] ?? 'of another type')
    .join(' or ')}`

const UNITS: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  object: 'members',
  map: 'members',
}

/** A bound of a value or of its length. */
export interface Bound {
  side: 'min' | 'max' | 'exact'
  limit: number | bigint
  /** Type whose size is bounded: `string`, `array`, `object`, or a number. */
  origin: string
  /** False where the limit itself is refused. */
  inclusive?: boolean | undefined
}

/** A value or a length outside its bound. */
export const outOfBound = ({ side, limit, origin, inclusive = true }: Bound): string => {
  const unit = UNITS[origin]
  const size = side === 'exact' ? 'exactly' : side === 'min' ? 'at least' : 'at most'
  if (unit !== undefined) return side === 'min' && limit === 1 ? 'must not be empty' : `must have ${size} ${limit} ${unit}`
  if (side === 'exact') return `must be ${limit}`
  return inclusive ? `must be ${size} ${limit}` : `must be ${side === 'min' ? 'greater' : 'less'} than ${limit}`
}

/** A value that is not in the closed list. */
export const notListed = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${JSON.stringify(values[0])}` : `must be one of ${values.map(String).join(', ')}`

const FORMATS: Readonly<Record<string, string>> = {
  url: 'must be a URL, such as https://work.example/page',
  uri: 'must be a URL, such as https://work.example/page',
  datetime: 'must be an instant in ISO 8601 UTC, such as 2026-01-02T03:04:05Z',
  'date-time': 'must be an instant in ISO 8601 UTC, such as 2026-01-02T03:04:05Z',
}

/** A text of another form. */
export const wrongFormat = (format: string, pattern?: string): string => {
  if (pattern !== undefined && FORMATS[format] === undefined) return `must match the pattern ${pattern}`
  return FORMATS[format] ?? `must have the format ${format}`
}

export const REQUIRED = 'is required'
/** A member that is not one of the accepted names. */
export const unknownMember = (accepted: readonly string[]): string =>
  `is not an accepted member; ${accepted.length === 0 ? 'there is none' : `accepted are ${accepted.join(', ')}`}`
export const NO_FORM_MATCHES = 'matches none of the accepted forms'
export const notMultiple = (divisor: number): string => `must be a multiple of ${divisor}`
