import { z } from 'zod'
import { escapePointer } from '../common/json-pointer.ts'
import {
  type Bound,
  NO_FORM_MATCHES,
  notListed,
  notMultiple,
  outOfBound,
  REQUIRED,
  unknownMember,
  wrongFormat,
  wrongType,
} from '../common/rule-sentences.ts'
import type { FieldError } from '../errors.ts'

/** Names of the members of an object, without those that are another spelling of one beside them. */
export const memberNames = ({ shape }: z.ZodObject): string[] =>
  Object.entries<z.ZodType>(shape as Record<string, z.ZodType>).flatMap(([name, member]) =>
    member.meta()?.aliasOf === undefined ? [name] : [],
  )

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

export type Where = 'body' | 'query' | 'path'

const MAX_POINTER = 300

/** Cuts a pointer whose names come from the caller. */
export const boundedPointer = (pointer: string): string =>
  pointer.length <= MAX_POINTER ? pointer : `${pointer.slice(0, MAX_POINTER).toWellFormed()}…`

/** Pointer of a member, cut where it is long: RFC 6901 in a body, `query/<name>` or `path/<name>` otherwise. */
export const pointerOf = (where: Where, path: readonly PropertyKey[]): string =>
  boundedPointer(where === 'body' ? path.map((key) => `/${escapePointer(key)}`).join('') : `${where}/${path.map(String).join('/')}`)

const boundOf = (issue: RawIssue & { code: 'too_small' | 'too_big' }): Bound => {
  const { origin, inclusive, exact } = issue
  const [side, limit] = issue.code === 'too_small' ? (['min', issue.minimum] as const) : (['max', issue.maximum] as const)
  return { side: exact ? 'exact' : side, limit, origin, inclusive }
}

/** Sentence of an issue whose schema has none of its own. */
export const sentenceOf = (issue: RawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? REQUIRED : wrongType(issue.expected)
    case 'invalid_value':
      return issue.input === undefined ? REQUIRED : notListed(issue.values)
    case 'too_small':
    case 'too_big':
      return outOfBound(boundOf(issue))
    case 'invalid_format':
      return wrongFormat(issue.format, issue.pattern)
    case 'not_multiple_of':
      return notMultiple(issue.divisor)
    case 'unrecognized_keys':
      return unknownMember(issue.inst instanceof z.ZodObject ? memberNames(issue.inst) : [])
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return NO_FORM_MATCHES
  }
}

const RULES: Record<string, string> = { invalid_type: 'type', invalid_value: 'enum', too_small: 'range', too_big: 'range', custom: 'rule' }

const ruleOf = (issue: Issue): string => {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined) return 'required'
  if (issue.code === 'invalid_format') return issue.format === 'regex' ? 'pattern' : issue.format
  const sized = issue.code === 'too_small' || issue.code === 'too_big'
  if (sized && issue.origin === 'string') return issue.code === 'too_small' ? 'minLength' : 'maxLength'
  return RULES[issue.code] ?? issue.code
}

const limitOf = (issue: Issue): { limit?: number | string } => {
  if (issue.code === 'too_big') return { limit: Number(issue.maximum) }
  if (issue.code === 'too_small') return { limit: Number(issue.minimum) }
  if (issue.code === 'invalid_value') return { limit: issue.values.map(String).join(', ') }
  return {}
}

/** The failed rules of an issue, one per member. */
export const fieldErrors = (where: Where, issue: Issue): FieldError[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ pointer: pointerOf(where, [...issue.path, key]), rule: 'unknown', message: issue.message }))
    : [
        {
          pointer: pointerOf(where, issue.path),
          rule: ruleOf(issue),
          ...limitOf(issue),
          // A schema's own sentence does not say that the value is missing.
          message: ruleOf(issue) === 'required' ? REQUIRED : issue.message,
        },
      ]
