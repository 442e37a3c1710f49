import type { FieldError } from '../../schemas/errors.ts'
import { pointerOf } from '../../schemas/operations/field-errors.ts'
import type { AnswerHeaders, OperationSpec } from '../../schemas/operations/operation.ts'
import { invalidRequest } from '../http/problem.ts'

/** What a header can hold: printable ASCII of a bounded length. */
const HEADER_TEXT = /^[\x20-\x7e]{1,8192}$/

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a header; null for what no header can hold. */
const headerOf = (value: unknown): string | null => {
  if (isObject(value)) return Buffer.from(JSON.stringify(value)).toString('base64')
  return typeof value === 'string' && HEADER_TEXT.test(value) ? value : null
}

/** The headers of an operation that a call of its tool states in `_meta`. Throws `invalid_request` for a member that is neither a text nor an object. */
export const headersOfMeta = ({ tool }: OperationSpec, meta: unknown): Record<string, string> => {
  if (tool?.meta?.sent === undefined || !isObject(meta)) return {}
  const stated = Object.entries(tool.meta.sent).flatMap(([header, { member }]) =>
    meta[member] === undefined ? [] : [{ header, member, value: headerOf(meta[member]) }],
  )
  const errors = stated.flatMap(({ member, value }): FieldError[] =>
    value === null
      ? [{ pointer: pointerOf('body', ['_meta', member]), rule: 'type', message: 'must be an object, or up to 8192 printable characters' }]
      : [],
  )
  if (errors.length > 0) throw invalidRequest(errors)
  return Object.fromEntries(stated.map(({ header, value }) => [header, value ?? '']))
}

/** The `_meta` of a result, from the headers of the answer of its operation. */
export const metaOfAnswer = ({ tool }: OperationSpec, headers: AnswerHeaders = {}): { _meta?: Record<string, unknown> } => {
  const members = Object.entries(tool?.meta?.answered ?? {}).flatMap(([header, member]) => {
    const value = headers[header]
    return typeof value === 'string' ? [[member, JSON.parse(Buffer.from(value, 'base64').toString('utf8'))] as const] : []
  })
  return members.length === 0 ? {} : { _meta: Object.fromEntries(members) }
}

/** What a call can state in `_meta`, in one sentence; undefined for a tool that reads nothing there. */
export const metaText = ({ tool }: OperationSpec): string | undefined => {
  const members = Object.values(tool?.meta?.sent ?? {}).map(({ member, description }) => `${member} (${description})`)
  return members.length === 0 ? undefined : `A call can have in its _meta: ${members.join(', ')}.`
}
