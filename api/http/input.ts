import { z } from 'zod'
import { isStorable } from '../../domain/common/text.ts'
import type { FieldError } from '../../schemas/errors.ts'
import { fieldErrors, pointerOf, sentenceOf, type Where } from '../../schemas/operations/field-errors.ts'
import type { OperationSpec } from '../../schemas/operations/operation.ts'
import { REQUEST_AMOUNT } from '../../schemas/operations/values.ts'
import { invalidRequest } from './problem.ts'

const isZeroAmount = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_format' && issue.pattern === String(REQUEST_AMOUNT) && /^0+$/.test(String(issue.input))

const read = (schema: z.ZodType, value: unknown, where: Where): unknown => {
  const parsed = schema.safeParse(value, { reportInput: true, error: sentenceOf })
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const errors = issues.flatMap((issue) => fieldErrors(where, issue))
  throw invalidRequest(errors, issues.some(isZeroAmount) ? 'ZeroAmount' : undefined)
}

/** Path parameters as the operation declares them. */
export const readParams = (spec: OperationSpec, params: Record<string, string>): unknown => {
  refuseBadText(params, 'path')
  return spec.params ? read(spec.params, params, 'path') : {}
}

const OFFSET: FieldError = { pointer: 'query/offset', rule: 'unsupported', message: 'is not supported; page with cursor' }

/** Decodes percent-escapes. Throws 400 `invalid_request` for a malformed one. */
export const decodeEscapes = (text: string, pointer: 'path' | 'query'): string => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    throw invalidRequest([{ pointer, rule: 'percentEncoding', message: 'holds a malformed percent-escape' }])
  }
}

/** Query members the operation declares, and the names of those it ignores. A member sent twice is refused. */
export const readQuery = (spec: OperationSpec, search: string): { query: unknown; ignored: string[] } => {
  decodeEscapes(search, 'query')
  const sent = new URLSearchParams(search)
  const known = Object.keys(spec.query?.shape ?? {})
  const values: Record<string, string> = {}
  for (const name of known) {
    const [first, second] = sent.getAll(name)
    if (second !== undefined) throw invalidRequest([{ pointer: `query/${name}`, rule: 'single', message: 'was sent more than once' }])
    if (first !== undefined) values[name] = first
  }
  if (sent.has('offset') && known.includes('cursor')) throw invalidRequest([OFFSET])
  refuseBadText(values, 'query')
  const ignored = [...new Set(sent.keys())].filter((name) => !known.includes(name))
  return { query: spec.query ? read(spec.query, values, 'query') : {}, ignored }
}

export const readBody = (spec: OperationSpec, body: Record<string, unknown>): unknown => (spec.body ? read(spec.body, body, 'body') : {})

/** A value of a form as its schema has it; `member` names the one that it is. */
export const readForm = <Schema extends z.ZodType>(schema: Schema, value: unknown, member?: string): z.output<Schema> =>
  (member === undefined
    ? read(schema, value, 'body')
    : (read(z.object({ [member]: schema }), { [member]: value }, 'body') as Record<string, unknown>)[member]) as z.output<Schema>

const MAX_DEPTH = 64

/** Refuses input that cannot be stored or hashed: NUL, lone surrogates, numbers that readers round differently and too deep nesting. */
export const refuseBadText = (root: unknown, where: Where): void => {
  const open: { value: unknown; path: PropertyKey[] }[] = [{ value: root, path: [] }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next
    const pointer = () => pointerOf(where, path)
    if (path.length > MAX_DEPTH) throw invalidRequest([{ pointer: '', rule: 'depth', limit: MAX_DEPTH, message: 'is nested too deeply' }])
    if (typeof value === 'string' && !isStorable(value))
      throw invalidRequest([{ pointer: pointer(), rule: 'characters', message: 'holds a character that is not valid text' }])
    if (typeof value === 'number' && !Number.isFinite(value))
      throw invalidRequest([{ pointer: pointer(), rule: 'finite', message: 'is larger than a number can be' }])
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
      throw invalidRequest([
        { pointer: pointer(), rule: 'range', message: 'is a whole number beyond 2^53, which readers round differently: send it as text' },
      ])
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      if (!isStorable(key))
        throw invalidRequest([{ pointer: pointer(), rule: 'characters', message: 'has a member name that is not valid text' }])
      open.push({ value: member, path: [...path, key] })
    }
  }
}
