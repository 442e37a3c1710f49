import { escapePointer } from '../../schemas/common/json-pointer.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { boundedPointer } from '../../schemas/operations/field-errors.ts'

/** Maximum nesting, so that a hostile body cannot exhaust the stack. */
export const MAX_JSON_DEPTH = 64

const refuse = (pointer: string, rule: string, message: string): never => {
  throw new ServiceError('invalid_request', { detail: message, errors: [{ pointer: boundedPointer(pointer), rule, message }] })
}

function canonicalString(text: string, pointer: string): string {
  if (!text.isWellFormed()) refuse(pointer, 'well_formed', 'A string holds half of a surrogate pair and has no UTF-8 form.')
  return JSON.stringify(text)
}

function canonicalNumber(value: number, pointer: string): string {
  if (!Number.isFinite(value)) refuse(pointer, 'finite', 'A number that is not finite has no JSON form.')
  return JSON.stringify(value)
}

function canonicalObject(value: object, pointer: string, depth: number): string {
  const prototype = Object.getPrototypeOf(value)
  // A Date or a Map would hash as an empty object. Plain objects of another realm are accepted.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new TypeError(`Not plain JSON at "${pointer}".`)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  // The default order of sort() compares UTF-16 code units, as RFC 8785 requires.
  const sorted = members.map(([key]) => key).sort()
  const byKey = new Map<string, unknown>(members)
  const print = (key: string) => {
    const at = `${pointer}/${escapePointer(key)}`
    return `${canonicalString(key, at)}:${canonical(byKey.get(key), at, depth + 1)}`
  }
  return `{${sorted.map(print).join(',')}}`
}

function canonical(value: unknown, pointer: string, depth: number): string {
  if (depth > MAX_JSON_DEPTH) refuse('', 'depth', `A value is nested deeper than ${MAX_JSON_DEPTH} levels.`)
  if (value === null || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'string') return canonicalString(value, pointer)
  if (typeof value === 'number') return canonicalNumber(value, pointer)
  if (Array.isArray(value)) return `[${value.map((item, index) => canonical(item, `${pointer}/${index}`, depth + 1)).join(',')}]`
  if (typeof value === 'object') return canonicalObject(value, pointer, depth)
  throw new TypeError(`Not JSON at "${pointer}": ${typeof value}.`)
}

/**
 * RFC 8785 text of a JSON value; undefined members are omitted. Throws `invalid_request` for lone surrogates, non-finite numbers and too
 * deep nesting, and TypeError for a value that is not JSON.
 */
export const canonicalJson = (value: unknown): string => canonical(value, '', 0)
