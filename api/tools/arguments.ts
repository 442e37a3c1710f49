import { notListed, unknownMember } from '../../schemas/common/rule-sentences.ts'
import type { ErrorCode, FieldError } from '../../schemas/errors.ts'
import { memberNames, pointerOf } from '../../schemas/operations/field-errors.ts'
import type { NestedCall, OperationSpec, RequestFacts } from '../../schemas/operations/operation.ts'
import { refuseBadText } from '../http/input.ts'
import { invalidRequest } from '../http/problem.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** What a tool gets of the message that calls it. */
export type ToolRequest = Pick<RequestFacts, 'id' | 'signal' | 'call' | 'countTool'> & {
  /** Notes the code of a refusal, which the answer as a whole may have to show. */
  noteRefusal(code: ErrorCode): void
}

/** What a call sends: its arguments and its `_meta`, neither of them checked. */
export interface ToolCall {
  sent: unknown
  meta: unknown
}

/** Names of the path parameters and of the query members of an operation. */
export const placesOf = ({ params, query }: OperationSpec): { params: string[]; query: string[] } => ({
  params: Object.keys(params?.shape ?? {}),
  query: Object.keys(query?.shape ?? {}),
})

/** Argument of a tool with a short form, and its values; the first is the default. */
export const DETAIL = { name: 'detail', values: ['short', 'full'] } as const

/** Names of what a tool takes of the address of its operation, without other spellings. */
const namesOf = ({ params, query, tool }: OperationSpec): string[] => {
  const read = [params, query].flatMap((part) => (part === undefined ? [] : memberNames(part)))
  if (tool?.short === undefined) return read
  const { by = {} } = tool.short
  return [...read.filter((name) => !(name in by)), DETAIL.name]
}

/** How much a call asks for; full where a tool has no short form. Throws `invalid_request` for a value that `detail` has not. */
export const parseDetail = ({ tool }: OperationSpec, sent: Arguments): (typeof DETAIL.values)[number] => {
  const [short, full] = DETAIL.values
  if (tool?.short === undefined) return full
  const asked = sent[DETAIL.name] ?? short
  if (asked === short || asked === full) return asked
  const limit = DETAIL.values.join(', ')
  throw invalidRequest([{ pointer: pointerOf('body', [DETAIL.name]), rule: 'enum', limit, message: notListed(DETAIL.values) }])
}

const textOf = (place: 'path' | 'query', name: string, value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidRequest([{ pointer: `${place}/${name}`, rule: 'type', message: 'must be text, a number or a boolean' }])
}

/** Puts each argument of a tool where its operation reads it. Throws `invalid_request` for one that no place takes. */
export const inputOf = (spec: OperationSpec, sent: Arguments): NestedCall => {
  refuseBadText(sent, 'body')
  const given: Record<string, unknown> = {
    ...spec.tool?.defaults,
    ...(parseDetail(spec, sent) === 'short' && spec.tool?.short?.by),
    ...sent,
  }
  if (spec.tool?.short !== undefined) delete given[DETAIL.name]
  const places = placesOf(spec)
  const params: Record<string, string> = {}
  const query = new URLSearchParams()
  const members: [string, unknown][] = []
  const unknown: FieldError[] = []
  for (const [name, value] of Object.entries(given)) {
    if (places.params.includes(name)) params[name] = textOf('path', name, value)
    else if (places.query.includes(name)) query.set(name, textOf('query', name, value))
    else if (spec.method === 'POST' && spec.body !== undefined) members.push([name, value])
    else unknown.push({ pointer: pointerOf('body', [name]), rule: 'unknown', message: unknownMember(namesOf(spec)) })
  }
  if (unknown.length > 0) throw invalidRequest(unknown)
  return { protocol: 'mcp', params, search: query.toString(), body: Object.fromEntries(members) }
}
